#include "core/file/file.h"
#include "core/move/scatter_gather.h"
#include "io/cells/cells_write.h"

/* On rank 0. */
typedef struct {
    const halo_rows *rows;
    int64_t height;
    halo_cells_writer *writer;
    halo_file *file;
    halo_buffer text; /* that is not in the file yet */
    int64_t offset;   /* of it */
} text_file;

static halo_status flush_text(text_file *f, size_t enough)
{
    if (f->text.size < enough) {
        return HALO_OK;
    }
    HALO_TRY(halo_file_write(f->file, f->offset, f->text.data, f->text.size));
    f->offset += (int64_t)f->text.size;
    f->text.size = 0;
    return HALO_OK;
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    enum { FLUSH_BYTES = 1 << 22 };
    text_file *f = context;
    HALO_TRY(halo_cells_writer_rows(f->writer, &f->text, rows, data, pitch));
    if (f->rows->progress != NULL) {
        f->rows->progress(f->rows->context, first + rows, f->height);
    }
    return flush_text(f, FLUSH_BYTES);
}

static halo_status write_text(text_file *f, halo_world *world, const int64_t *cuts,
                              size_t row_bytes)
{
    halo_clock unused = {0}; /* the caller's is that of the whole output */
    if (f->height > 0) {
        HALO_TRY(
            halo_rows_gather(world, cuts, 0, f->height, row_bytes, f->rows, take_rows, f, &unused));
    }
    if (halo_world_rank(world) != 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_cells_writer_end(f->writer, &f->text));
    return flush_text(f, 1);
}

halo_status halo_cells_write(halo_world *world, const char *path, halo_cells_format format,
                             const halo_cells_header *header, const int64_t *cuts,
                             const halo_rows *rows)
{
    text_file f = {.rows = rows, .height = header->height};
    size_t row_bytes = halo_cells_row_bytes(header->width, header->states > 2 ? 8 : 1);
    halo_status status;
    HALO_TRY_OR(done, halo_agree(world, halo_cells_writer_create(&f.writer, format, header)));
    HALO_TRY_OR(done, halo_agree(world, halo_world_rank(world) == 0
                                            ? halo_cells_writer_begin(f.writer, &f.text)
                                            : HALO_OK));
    HALO_TRY_OR(done, halo_file_create(&f.file, world, path));
    status = halo_file_commit(&f.file, write_text(&f, world, cuts, row_bytes));
done:
    halo_cells_writer_destroy(&f.writer);
    halo_buffer_free(&f.text);
    return status;
}
