#include "cli/cluster/pictures.h"

#include "core/world/collect.h"
#include "io/canvas/canvas.h"
#include "io/png/png_parallel.h"

#include <stdlib.h>
#include <string.h>

enum { COLOUR_CHANNELS = 3, BYTE_MAXIMUM = 255, WORD_MAXIMUM = 65535 };

/* Rows on their way to a writer. */
typedef struct {
    cli_cluster_job *job;
    const halo_cluster_means *means;
    halo_cluster_chunk chunk;
    halo_png_header header;
    unsigned char *palette;    /* of a mosaic: [clusters] pixels, as they are written */
    const halo_field *colours; /* of an outline; NULL for greys */
    int64_t maximum;           /* of those */
} painting;

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(&((painting *)context)->job->progress, done, total);
}

static halo_status write_rows(painting *p, const char *path, halo_rows_fill *fill)
{
    halo_rows rows = {.fill = fill, .progress = show_rows, .context = p};
    p->header.width = p->job->image.domain.n[1];
    p->header.height = p->job->image.domain.n[0];
    return halo_png_write(p->job->world, path, &p->header, halo_beat_cuts(p->job->beat), &rows);
}

/* ---- mosaic ------------------------------------------------------------------------------------
 */

static halo_png_kind mosaic_kind(const halo_cluster_means *means)
{
    return means->channels > 1             ? HALO_PNG_RGB8
           : means->maximum > BYTE_MAXIMUM ? HALO_PNG_GREY16
                                           : HALO_PNG_GREY8;
}

static halo_status make_palette(painting *p)
{
    const halo_cluster_means *means = p->means;
    bool wide = p->header.kind == HALO_PNG_GREY16;
    size_t channels = (size_t)means->channels;
    p->palette = malloc((size_t)means->clusters * channels * (wide ? 2 : 1));
    if (p->palette == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: colours of clusters");
    }
    for (size_t i = 0; i < (size_t)means->clusters * channels; i++) {
        uint16_t value =
            (uint16_t)halo_cluster_means_of(means, (int64_t)(i / channels), (int)(i % channels),
                                            wide ? WORD_MAXIMUM : BYTE_MAXIMUM);
        if (wide) {
            memcpy(p->palette + i * sizeof value, &value, sizeof value);
        } else {
            p->palette[i] = (unsigned char)value;
        }
    }
    return HALO_OK;
}

static void paint_mosaic(const painting *p, const uint16_t *labels, unsigned char *out)
{
    const unsigned char *palette = p->palette;
    for (int64_t x = 0; x < p->header.width; x++) {
        switch (p->header.kind) {
        case HALO_PNG_RGB8:
            memcpy(out + COLOUR_CHANNELS * x, palette + (int64_t)COLOUR_CHANNELS * labels[x],
                   COLOUR_CHANNELS);
            break;
        case HALO_PNG_GREY16:
            memcpy(out + 2 * x, palette + (int64_t)2 * labels[x], 2);
            break;
        default:
            out[x] = palette[labels[x]];
        }
    }
}

static halo_status fill_mosaic(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    painting *p = context;
    int64_t lo = halo_beat_view(p->job->beat, 0)->owned.lo[0];
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *labels;
        HALO_TRY(halo_cluster_chunk_row(&p->chunk, first + i - lo, &labels, NULL));
        paint_mosaic(p, labels, (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

halo_status cluster_pictures_mosaic(cli_cluster_job *job, const halo_cluster_means *means,
                                    const char *path)
{
    painting p = {.job = job, .means = means, .header = {.kind = mosaic_kind(means)}};
    halo_status status = halo_cluster_chunk_create(&p.chunk, job->world, job->beat, false);
    if (status == HALO_OK) {
        status = halo_agree(job->world, make_palette(&p));
    }
    if (status == HALO_OK) {
        status = write_rows(&p, path, fill_mosaic);
    }
    halo_cluster_chunk_free(&p.chunk);
    free(p.palette);
    return status;
}

/* ---- outline -----------------------------------------------------------------------------------
 */

/* The picture's row, grey or not, as red, green and blue. */
static void paint_picture(const painting *p, int64_t row, unsigned char *out)
{
    const halo_view *view =
        p->colours != NULL ? halo_field_view(p->colours) : halo_beat_view(p->job->beat, 0);
    const halo_canvas canvas = {.rows = 1, .width = p->header.width, .pixels = out};
    halo_canvas_fill_picture(&canvas, halo_row(view, row), 0, view->cell_bits, p->maximum);
}

/* A colour that is rare in pictures, and is seen on what is dark as well as on what is light. */
static const unsigned char line_colour[COLOUR_CHANNELS] = {255, 0, 160};

static void paint_lines(const uint16_t *labels, const uint16_t *below, int64_t width,
                        unsigned char *out)
{
    for (int64_t x = 0; x < width; x++) {
        bool meets_right = x + 1 < width && labels[x] != labels[x + 1];
        bool meets_below = below != NULL && labels[x] != below[x];
        if (meets_right || meets_below) {
            memcpy(out + COLOUR_CHANNELS * x, line_colour, COLOUR_CHANNELS);
        }
    }
}

static halo_status fill_outline(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    painting *p = context;
    int64_t lo = halo_beat_view(p->job->beat, 0)->owned.lo[0];
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *labels, *below;
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        HALO_TRY(halo_cluster_chunk_row(&p->chunk, first + i - lo, &labels, &below));
        paint_picture(p, first + i - lo, row);
        paint_lines(labels, below, p->header.width, row);
    }
    return HALO_OK;
}

halo_status cluster_pictures_outline(cli_cluster_job *job, const halo_field *colours,
                                     int64_t maximum, const char *path)
{
    painting p = {
        .job = job, .colours = colours, .maximum = maximum, .header = {.kind = HALO_PNG_RGB8}};
    halo_status status = halo_cluster_chunk_create(&p.chunk, job->world, job->beat, true);
    if (status == HALO_OK) {
        status = write_rows(&p, path, fill_outline);
    }
    halo_cluster_chunk_free(&p.chunk);
    return status;
}
