#include "cli/outline.h"

#include "base/memory.h"
#include "kernels/label/measure/outlines.h"

#include <string.h>

halo_status cli_outline_check(const app_image *picture)
{
    return HALO_REQUIRE(picture->info.file_bytes >= 0, HALO_ARGUMENT,
                        "%s is no plain file, and --outline reads it once more; save it as a file "
                        "first",
                        picture->path);
}

/* The file is the same; what is made of its samples may be of another type now. */
static halo_status check_same(const halo_image_info *now, const app_image *first)
{
    const halo_image_info *before = &first->info;
    return HALO_REQUIRE(now->file_bytes == before->file_bytes && now->rows == before->rows &&
                            now->width == before->width && now->changed[0] == before->changed[0] &&
                            now->changed[1] == before->changed[1],
                        HALO_FILE,
                        "%s has changed between two readings of it; begin again when nobody writes "
                        "to it",
                        first->path);
}

/* Collective. */
static halo_status read_picture(cli_outline *outline, app_run *run, const app_image *picture,
                                const int64_t *layers)
{
    app_image_options options = picture->options;
    options.want = picture->info.colourful ? HALO_IMAGE_COLOURS : HALO_IMAGE_GREYS;
    options.digest = options.count_clear = options.again = false;
    HALO_TRY(app_image_open(&outline->picture, run, picture->path, &options));
    HALO_TRY(check_same(&outline->picture.info, picture));
    HALO_TRY(
        halo_agree(run->world, app_image_create_field(&outline->picture, layers, &outline->field)));
    return app_image_read(&outline->picture, layers, halo_field_view(outline->field),
                          &run->progress, NULL, NULL, &run->clock);
}

halo_status cli_outline_create(cli_outline *outline, app_run *run, const app_image *picture,
                               const label_numbered *image)
{
    enum { WORD = 64 };
    outline->first_row = image->cuts[halo_world_rank(run->world)];
    outline->words = (image->n[2] + WORD - 1) / WORD;
    HALO_TRY(read_picture(outline, run, picture, image->layers));
    return label_outlines(image, &outline->edges);
}

/* The colour is rare in pictures, and seen on what is dark as well as on what is bright. */
static void draw_row(const uint64_t *edges, int64_t width, unsigned char *pixels)
{
    static const unsigned char colour[] = {255, 0, 160};
    for (int64_t x = 0; x < width; x++) {
        if ((edges[x / 64] >> x % 64 & 1) != 0) {
            memcpy(pixels + sizeof colour * (size_t)x, colour, sizeof colour);
        }
    }
}

void cli_outline_rows(const cli_outline *outline, int64_t first, int64_t rows, void *out,
                      size_t pitch)
{
    const app_image *picture = &outline->picture;
    const halo_view *view = halo_field_view(outline->field);
    int64_t width = picture->info.width;
    for (int64_t row = first; row < first + rows; row++) {
        unsigned char *pixels = (unsigned char *)out + (size_t)(row - first) * pitch;
        const halo_canvas canvas = {
            .first_row = row, .rows = 1, .width = width, .pixels = pixels, .pitch = pitch};
        halo_canvas_fill_picture(&canvas, app_image_place(picture, view, row), 0,
                                 picture->cell_bits, picture->maximum);
        draw_row(outline->edges + (row - outline->first_row) * outline->words, width, pixels);
    }
}

void cli_outline_free(cli_outline *outline)
{
    app_image_close(&outline->picture);
    halo_field_destroy(&outline->field);
    halo_memory_free(outline->edges);
    *outline = (cli_outline){.field = NULL};
}
