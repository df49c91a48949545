#include "io/array/npy_write.h"

#include "io/array/rows_file.h"

halo_status halo_npy_write(halo_world *world, const char *path, const halo_npy_header *header,
                           const int64_t *cuts, const halo_rows *rows)
{
    halo_buffer head = {0};
    halo_rows_file file = {
        .head = &head, .made = halo_npy_begin(&head, header), .height = header->height};
    file.row_bytes = file.made == HALO_OK ? halo_npy_row_bytes(header) : 0;
    halo_status status = halo_rows_file_write(world, path, &file, cuts, rows);
    halo_buffer_free(&head);
    return status;
}
