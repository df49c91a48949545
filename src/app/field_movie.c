#include "app/frame.h"
#include "app/stencil/picture.h"
#include "base/memory.h"
#include "core/world/collect.h"
#include "io/canvas/picture.h"

#include <stdlib.h>
#include <string.h>

/* Movies of a field of run->beat as greys. */

enum { LARGEST_CELL = 32 /* pixels */, SHADES = 256 };

typedef struct {
    stencil_picture picture;
    app_dots dots;
    int64_t *sums; /* of the dots' greys */
} field_drawing;

static halo_status create(app_run *run, field_drawing **out)
{
    void *sums;
    field_drawing *drawing = calloc(1, sizeof *drawing);
    *out = run->movie.drawing = drawing;
    if (drawing == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a movie");
    }
    HALO_TRY(stencil_picture_create(&drawing->picture, run->world, run->kernel, &run->domain,
                                    run->shown_field, run->shown_plane));
    drawing->dots = app_dots_fit(drawing->picture.width, drawing->picture.rows, LARGEST_CELL);
    HALO_TRY(halo_memory_create(
        &sums, (size_t)(drawing->dots.columns * drawing->dots.rows) * sizeof(int64_t),
        "the dots of a movie"));
    drawing->sums = sums;
    return HALO_OK;
}

static halo_status begin(app_run *run)
{
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    field_drawing *drawing;
    HALO_TRY(halo_agree(run->world, create(run, &drawing)));
    const app_dots *dots = &drawing->dots;
    for (int i = 0; i < SHADES; i++) {
        memset(palette + 3 * i, i, 3);
    }
    return app_movie_open(&run->movie, dots->columns * dots->enlarge, dots->rows * dots->enlarge,
                          palette);
}

/* Greys are whole numbers, so that their sums are the same however the cells are spread. */
static halo_status add_cells(const field_drawing *drawing, const halo_beat *beat)
{
    const app_dots *dots = &drawing->dots;
    stencil_picture_part part = stencil_picture_own(&drawing->picture, beat);
    void *room;
    HALO_TRY(halo_memory_create(&room, ((size_t)part.columns + 1) * (sizeof(double) + 1),
                                "a row of greys"));
    double *numbers = room;
    unsigned char *greys = (unsigned char *)(numbers + part.columns + 1);
    for (int64_t i = 0; i < part.rows; i++) {
        int64_t *sums = drawing->sums + (part.row + i) / dots->reduce * dots->columns;
        stencil_picture_line(&drawing->picture, stencil_picture_row(&part, i), 0, part.columns,
                             numbers, greys);
        for (int64_t x = 0; x < part.columns; x++) {
            sums[(part.column + x) / dots->reduce] += greys[x];
        }
    }
    halo_memory_free(room);
    return HALO_OK;
}

static void paint(const field_drawing *drawing, unsigned char *pixels)
{
    const app_dots *dots = &drawing->dots;
    int64_t width = dots->columns * dots->enlarge;
    for (int64_t y = 0; y < dots->rows; y++) {
        unsigned char *row = pixels + y * dots->enlarge * width;
        for (int64_t x = 0; x < dots->columns; x++) {
            memset(row + x * dots->enlarge,
                   (int)(drawing->sums[y * dots->columns + x] / app_dots_cells(dots, y, x)),
                   (size_t)dots->enlarge);
        }
        for (int i = 1; i < dots->enlarge; i++) {
            memcpy(row + i * width, row, (size_t)width);
        }
    }
}

static halo_status draw(app_run *run)
{
    field_drawing *drawing = run->movie.drawing;
    int64_t count = drawing->dots.columns * drawing->dots.rows;
    HALO_TRY(stencil_picture_find_greys(&drawing->picture, run->beat));
    memset(drawing->sums, 0, (size_t)count * sizeof *drawing->sums);
    HALO_TRY(halo_agree(run->world, add_cells(drawing, run->beat)));
    HALO_TRY(halo_allreduce_sum(run->world, drawing->sums, (int)count));
    if (run->movie.pixels != NULL) {
        paint(drawing, run->movie.pixels);
    }
    return HALO_OK;
}

static void end(app_run *run)
{
    field_drawing *drawing = run->movie.drawing;
    if (drawing != NULL) {
        halo_memory_free(drawing->sums);
    }
    free(drawing);
    run->movie.drawing = NULL;
}

const app_drawing app_field_drawing = {.begin = begin, .draw = draw, .end = end};
