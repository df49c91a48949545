#include "io/array/format.h"

#include <stdlib.h>
#include <string.h>

/* The components of an image of several numbers a pixel, for formats that have one after the other:
 * each is an image of one number a pixel, whose rows are taken out of those of the array. */

typedef struct halo_array_component {
    halo_array_components *all;
    int64_t number;
} component;

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const component *c = context;
    const halo_array_components *all = c->all;
    size_t bytes = halo_npy_sample_bytes(&all->header), pixel = bytes * (size_t)all->count;
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *to = (unsigned char *)out + (size_t)i * pitch;
        const unsigned char *from = all->row + (size_t)c->number * bytes;
        HALO_TRY(all->all->fill(all->all->context, first + i, 1, all->row,
                                (size_t)all->header.width * pixel));
        for (int64_t x = 0; x < all->header.width; x++, to += bytes, from += pixel) {
            memcpy(to, from, bytes);
        }
    }
    return HALO_OK;
}

static void show(void *context, int64_t done, int64_t total)
{
    const component *c = context;
    const halo_rows *rows = c->all->all;
    if (rows->progress != NULL) {
        rows->progress(rows->context, c->number * total + done, c->all->count * total);
    }
}

static halo_status split(halo_array_components *all, size_t row_bytes)
{
    HALO_TRY(HALO_ALLOCATE(all->of, all->count, "numbers of pixels"));
    HALO_TRY(HALO_ALLOCATE(all->made, all->count, "numbers of pixels"));
    HALO_TRY(HALO_ALLOCATE(all->row, (int64_t)row_bytes + 1, "a row of pixels"));
    for (int64_t i = 0; i < all->count; i++) {
        all->of[i] = (component){.all = all, .number = i};
        all->made[i] = (halo_rows){.fill = fill, .progress = show, .context = &all->of[i]};
    }
    all->rows = all->made;
    return HALO_OK;
}

halo_status halo_array_components_open(halo_array_components *components,
                                       const halo_array_file *file, const halo_rows *rows)
{
    const halo_npy_header *header = file->header;
    *components = (halo_array_components){.header = *header, .count = 1, .rows = rows, .all = rows};
    if (!file->format->planar || !halo_array_has_pixels(header) ||
        halo_array_is_colour(file->format, header)) {
        return HALO_OK;
    }
    components->count = header->pixel;
    components->header = (halo_npy_header){.width = halo_array_columns(header),
                                           .height = header->height,
                                           .type = header->type,
                                           .axes = 2};
    return split(components, halo_npy_row_bytes(header));
}

void halo_array_components_close(halo_array_components *components)
{
    free(components->row);
    free(components->made);
    free(components->of);
}
