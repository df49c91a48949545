#include "app/image/image.h"
#include "base/memory.h"
#include "base/minmax.h"

/* Rows of an image as views, and the strips that ranks have of it. */

enum { BYTE_BITS = 8 };

halo_view app_image_band(const app_image *image, const void *data, size_t pitch, int64_t rows)
{
    return (halo_view){.axes = 2,
                       .cell_bits = image->cell_bits,
                       .origin = (void *)data,
                       .stride = {(ptrdiff_t)pitch, image->cell_bits / BYTE_BITS},
                       .owned = {.n = {rows, image->info.width, 1}}};
}

void app_image_convert(const app_image *image, const halo_view *field, int64_t first, int64_t rows,
                       const void *data, size_t pitch, app_rows_convert *convert, void *context)
{
    bool solid = image->info.axes == HALO_AXES;
    int64_t height = image->info.height;
    for (int64_t done = 0, now; done < rows; done += now) {
        now = halo_min(rows - done, height - (first + done) % height);
        const void *at = (const char *)data + (size_t)done * pitch;
        const halo_view from = app_image_band(image, at, pitch, now);
        halo_view to = from;
        to.cell_bits = field->cell_bits;
        to.origin = app_image_place(image, field, first + done);
        to.stride[0] = field->stride[solid ? 1 : 0];
        to.stride[1] = field->cell_bits / BYTE_BITS;
        convert(context, &from, &to);
    }
}

halo_status app_image_each_present(const app_image *image, int64_t rows, const void *data,
                                   size_t pitch, app_rows_take *take, void *context)
{
    const halo_image_info *info = &image->info;
    void *present;
    if (info->nodata.missing != HALO_MISSING_CELL) {
        const halo_view band = app_image_band(image, data, pitch, rows);
        take(context, &band);
        return HALO_OK;
    }
    HALO_TRY(halo_memory_create(&present, halo_image_row_bytes(info), "a row of an image"));
    halo_view row = app_image_band(image, present, pitch, 1);
    for (int64_t y = 0; y < rows; y++) {
        row.owned.n[1] =
            halo_image_take_present(info, (const char *)data + (size_t)y * pitch, present);
        take(context, &row);
    }
    halo_memory_free(present);
    return HALO_OK;
}

halo_status app_image_strips(const app_image *image, int64_t min, halo_partition *out)
{
    int ranks = halo_world_ranks(image->world);
    int64_t n = image->domain.n[0], *cuts;
    HALO_TRY(halo_partition_thick_strips(out, &image->domain, ranks, min));
    cuts = out->cuts[0];
    if (image->info.random_access) {
        halo_cuts_aligned(n, ranks, image->info.layers, cuts);
        if (halo_cuts_check_depth(cuts, ranks, (int)min) != HALO_OK) {
            halo_partition_free(out);
            return halo_partition_thick_strips(out, &image->domain, ranks, min);
        }
    }
    return HALO_OK;
}

halo_status app_image_row_cuts(const app_image *image, const int64_t *cuts, int64_t **out)
{
    int ranks = halo_world_ranks(image->world);
    int64_t unit = image->info.axes == HALO_AXES ? image->info.height : 1;
    HALO_TRY(HALO_ALLOCATE(*out, ranks + 1, "cuts of an image"));
    for (int rank = 0; rank <= ranks; rank++) {
        (*out)[rank] = cuts[rank] * unit;
    }
    return HALO_OK;
}

halo_status app_image_create_field(const app_image *image, const int64_t *cuts, halo_field **out)
{
    int rank = halo_world_rank(image->world);
    const halo_box mine = {
        .lo = {cuts[rank], 0, 0},
        .n = {cuts[rank + 1] - cuts[rank], image->domain.n[1], image->domain.n[2]}};
    return halo_field_create(out, &image->domain, &mine, image->cell_bits, 0);
}
