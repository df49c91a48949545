#include "base/memory.h"
#include "cli/snake/job.h"
#include "core/world/collect.h"
#include "io/canvas/picture.h"
#include "io/contour/contours_draw.h"

#include <stdlib.h>
#include <string.h>

/* The pictures of --movie: contours on the picture in grey. Rank 0 draws. */

enum {
    LARGEST_PIXEL = 8, /* pixels of the movie for one of the picture */
    WHITE = 255,
    /* The palette: greys of the picture, and a few of them below lines, which cover what is under
     * them by eighths. */
    GREYS = 192,
    COVERS = 8,
    GREYS_BELOW = 8
};

typedef struct {
    app_dots dots;
    unsigned char *greys; /* of the dots */
    unsigned char *lines; /* rank 0's: red, green, blue of each pixel of the movie: lines only */
} contour_drawing;

/* ---- colours --------------------------------------------------------------------------------- */

static const unsigned char line_colour[] = {255, 212, 0};

static void fill_palette(unsigned char palette[HALO_PICTURE_PALETTE_BYTES])
{
    for (int i = 0; i < GREYS; i++) {
        memset(palette + 3 * i, i * WHITE / (GREYS - 1), 3);
    }
    unsigned char *colour = palette + 3 * GREYS;
    for (int cover = 1; cover <= COVERS; cover++) {
        for (int grey = 0; grey < GREYS_BELOW; grey++) {
            for (int c = 0; c < 3; c++) {
                int below = grey * WHITE / (GREYS_BELOW - 1);
                *colour++ = (unsigned char)(below + (line_colour[c] - below) * cover / COVERS);
            }
        }
    }
}

static unsigned char colour_of(int grey, int line)
{
    int cover = (line * COVERS + WHITE / 2) / WHITE;
    return (unsigned char)(cover == 0 ? grey * (GREYS - 1) / WHITE
                                      : GREYS + (cover - 1) * GREYS_BELOW +
                                            (grey * (GREYS_BELOW - 1) + WHITE / 2) / WHITE);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static int64_t sample_at(const void *row, int bits, int64_t x)
{
    return bits == 8 ? ((const unsigned char *)row)[x] : ((const uint16_t *)row)[x];
}

/* Sums are whole numbers, so that they are the same however the rows are cut. */
static void add_samples(const app_dots *dots, const halo_view *view, int64_t *sums)
{
    for (int64_t i = 0; i < view->owned.n[0]; i++) {
        const void *row = halo_row(view, i);
        int64_t *into = sums + (view->owned.lo[0] + i) / dots->reduce * dots->columns;
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            into[x / dots->reduce] += sample_at(row, view->cell_bits, x);
        }
    }
}

static halo_status find_greys(const app_run *run, const contour_drawing *drawing)
{
    const snake_job *job = run->job;
    const app_dots *dots = &drawing->dots;
    int64_t count = dots->columns * dots->rows;
    void *room = NULL;
    halo_status status =
        halo_agree(run->world, halo_memory_create(&room, (size_t)count * sizeof(int64_t),
                                                  "the pixels of a movie"));
    int64_t *sums = room;
    if (status == HALO_OK) {
        add_samples(dots, halo_field_view(job->picture), sums);
        status = halo_allreduce_sum(run->world, sums, (int)count);
    }
    for (int64_t i = 0; status == HALO_OK && i < count; i++) {
        int64_t cells = app_dots_cells(dots, i / dots->columns, i % dots->columns);
        drawing->greys[i] = (unsigned char)(sums[i] * WHITE / (cells * run->image.maximum));
    }
    halo_memory_free(room);
    return status;
}

/* ---- the movie ------------------------------------------------------------------------------- */

static halo_status create(app_run *run, contour_drawing **out)
{
    void *room;
    contour_drawing *drawing = calloc(1, sizeof *drawing);
    *out = run->movie.drawing = drawing;
    if (drawing == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a movie");
    }
    app_dots *dots = &drawing->dots;
    *dots = app_dots_fit(run->domain.n[1], run->domain.n[0], LARGEST_PIXEL);
    size_t pixels = (size_t)(dots->columns * dots->rows);
    HALO_TRY(halo_memory_create(&room, pixels, "the pixels of a movie"));
    drawing->greys = room;
    if (halo_world_rank(run->world) == 0) {
        pixels *= (size_t)dots->enlarge * (size_t)dots->enlarge;
        HALO_TRY(halo_memory_create(&room, 3 * pixels, "the pixels of a movie"));
        drawing->lines = room;
    }
    return HALO_OK;
}

static halo_status begin(app_run *run)
{
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    contour_drawing *drawing;
    HALO_TRY(halo_agree(run->world, create(run, &drawing)));
    const app_dots *dots = &drawing->dots;
    fill_palette(palette);
    HALO_TRY(app_movie_open(&run->movie, dots->columns * dots->enlarge, dots->rows * dots->enlarge,
                            palette));
    HALO_TRY(find_greys(run, drawing));
    snake_release_picture(run);
    return HALO_OK;
}

static void put_colours(const contour_drawing *drawing, app_movie *movie)
{
    const app_dots *dots = &drawing->dots;
    for (int64_t i = 0; i < movie->width * movie->height; i++) {
        int64_t row = i / movie->width / dots->enlarge, column = i % movie->width / dots->enlarge;
        movie->pixels[i] =
            colour_of(drawing->greys[row * dots->columns + column], drawing->lines[3 * i]);
    }
}

static halo_status paint(app_run *run)
{
    static const unsigned char black[3] = {0, 0, 0};
    static const halo_canvas_pen pen = {.width = 2 * HALO_CANVAS_ONE,
                                        .colour = {WHITE, WHITE, WHITE}};
    const snake_job *job = run->job;
    const contour_drawing *drawing = run->movie.drawing;
    const halo_contours_drawing contours = {.contours = &job->contours,
                                            .points = job->places,
                                            .enlarge = drawing->dots.enlarge,
                                            .reduce = drawing->dots.reduce,
                                            .pen = &pen};
    const halo_canvas canvas = {.rows = run->movie.height,
                                .width = run->movie.width,
                                .pixels = drawing->lines,
                                .pitch = 3 * (size_t)run->movie.width};
    halo_canvas_fill(&canvas, black);
    HALO_TRY(halo_contours_draw(&canvas, &contours));
    put_colours(drawing, &run->movie);
    return HALO_OK;
}

static halo_status draw(app_run *run)
{
    return halo_agree(run->world, run->movie.pixels != NULL ? paint(run) : HALO_OK);
}

static void end(app_run *run)
{
    contour_drawing *drawing = run->movie.drawing;
    if (drawing != NULL) {
        halo_memory_free(drawing->greys);
        halo_memory_free(drawing->lines);
    }
    free(drawing);
    run->movie.drawing = NULL;
}

const app_drawing snake_drawing = {
    .begin = begin, .prepare = snake_collect, .draw = draw, .end = end};
