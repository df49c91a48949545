#include "io/array/format.h"

#include "base/names.h"
#include "io/array/rows_file.h"

#include <stdlib.h>
#include <string.h>

/* Formats of a head, and samples as they are: behind it, or in a file of their own beside it. */

halo_status halo_array_put_text(halo_buffer *out, const char *text)
{
    return halo_buffer_append(out, text, strlen(text));
}

halo_status halo_array_name_samples(char **out, const halo_array_format *format, const char *path)
{
    const char *ending = format->samples != NULL ? format->samples : "";
    const char *dot = format->samples != NULL ? strrchr(path, '.') : NULL;
    size_t length = dot != NULL ? (size_t)(dot - path) : halo_name_file(path);
    HALO_TRY(HALO_ALLOCATE(*out, length + strlen(ending) + 1, "the name of a file"));
    memcpy(*out, path, length);
    memcpy(*out + length, ending, strlen(ending) + 1);
    return HALO_OK;
}

/* ---- samples with the high byte first -------------------------------------------------------- */

typedef struct {
    const halo_rows *rows;
    int64_t width; /* samples of a row */
    size_t bytes;  /* of a sample */
} swapping;

/* Pictures have samples of 16 bits: the compiler makes vectors of that loop. */
static void swap_row(unsigned char *row, int64_t width, size_t bytes)
{
    if (bytes == sizeof(uint16_t)) {
        for (int64_t x = 0; x < width; x++) {
            uint16_t sample;
            memcpy(&sample, row + 2 * x, sizeof sample);
            row[2 * x] = (unsigned char)(sample >> 8);
            row[2 * x + 1] = (unsigned char)sample;
        }
        return;
    }
    for (int64_t x = 0; x < width; x++, row += bytes) {
        for (size_t low = 0, high = bytes - 1; low < high; low++, high--) {
            unsigned char byte = row[low];
            row[low] = row[high];
            row[high] = byte;
        }
    }
}

static halo_status fill_swapped(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const swapping *s = context;
    HALO_TRY(s->rows->fill(s->rows->context, first, rows, out, pitch));
    for (int64_t i = 0; i < rows; i++) {
        swap_row((unsigned char *)out + (size_t)i * pitch, s->width, s->bytes);
    }
    return HALO_OK;
}

static void show_swapped(void *context, int64_t done, int64_t total)
{
    const halo_rows *rows = ((const swapping *)context)->rows;
    if (rows->progress != NULL) {
        rows->progress(rows->context, done, total);
    }
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status make_head(halo_buffer *out, const halo_array_file *file)
{
    halo_buffer checked = {0};
    halo_status status = halo_npy_begin(&checked, file->header); /* which knows what sizes exist */
    halo_buffer_free(&checked);
    HALO_TRY(status);
    return file->format->head != NULL ? file->format->head(out, file, -1) : HALO_OK;
}

/* The samples go to `data`, and of formats with a file for the head that file to file->path. */
static halo_status write_rows(halo_world *world, const halo_array_file *file, const char *data,
                              const int64_t *cuts, const halo_rows *rows)
{
    halo_buffer head = {0}, none = {0};
    halo_array_components all;
    halo_status made = halo_array_components_open(&all, file, rows);
    const halo_npy_header *header = &all.header;
    bool beside = file->format->samples != NULL;
    halo_rows_file parts = {.head = beside ? &none : &head,
                            .made = made == HALO_OK ? make_head(&head, file) : made,
                            .height = header->height,
                            .count = all.count,
                            .beside = beside ? file->path : NULL,
                            .text = &head};
    parts.row_bytes = parts.made == HALO_OK ? halo_npy_row_bytes(header) : 0;
    swapping s = {.rows = rows, .width = header->width, .bytes = halo_npy_sample_bytes(header)};
    const halo_rows swapped = {.fill = fill_swapped, .progress = show_swapped, .context = &s};
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    bool swaps = file->format->big_endian && !big && s.bytes > 1;
    halo_status status =
        halo_rows_file_write(world, data, &parts, cuts, swaps ? &swapped : all.rows);
    halo_array_components_close(&all);
    halo_buffer_free(&head);
    return status;
}

halo_status halo_array_rows_write(halo_world *world, const halo_array_file *file,
                                  const int64_t *cuts, const halo_rows *rows)
{
    char *data = NULL;
    halo_status status =
        halo_agree(world, halo_array_name_samples(&data, file->format, file->path));
    if (status == HALO_OK) {
        status = write_rows(world, file, data, cuts, rows);
    }
    free(data);
    return status;
}
