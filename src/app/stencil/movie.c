#include "app/stencil/movie.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "io/canvas/picture.h"

#include <string.h>

enum {
    HANDY = 960,       /* pixels, the longer side */
    LARGEST_CELL = 32, /* pixels */
    PROBE = 64,        /* pixels of a movie that is made to see whether one can be */
    SHADES = 256
};

static void fill_palette(unsigned char palette[HALO_PICTURE_PALETTE_BYTES])
{
    for (int i = 0; i < SHADES; i++) {
        memset(palette + 3 * i, i, 3);
    }
}

static int64_t pixel_columns(const run_film *film)
{
    return film->columns * film->pixels_a_cell;
}

static int64_t pixel_rows(const run_film *film)
{
    return film->rows * film->pixels_a_cell;
}

halo_status run_film_check(halo_world *world, const movie_arguments *arguments)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0 && arguments->path != NULL) {
        halo_movie_options probe = {.path = arguments->path,
                                    .width = PROBE,
                                    .height = PROBE,
                                    .frames_per_second = (int)arguments->frames_per_second};
        status = halo_movie_check(&probe);
    }
    return halo_agree(world, status);
}

static halo_status open_movie(run_film *film)
{
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    halo_movie_options movie = {.path = film->arguments->path,
                                .width = (int)pixel_columns(film),
                                .height = (int)pixel_rows(film),
                                .frames_per_second = (int)film->arguments->frames_per_second,
                                .palette = palette};
    void *pixels;
    fill_palette(palette);
    HALO_TRY(halo_memory_create(&pixels, (size_t)(pixel_columns(film) * pixel_rows(film)),
                                "the pixels of a movie"));
    film->pixels = pixels;
    return halo_movie_open(&film->movie, &movie);
}

static halo_status begin(run_film *film)
{
    const run_picture *picture = &film->picture;
    int scale =
        halo_picture_scale_to_fit(picture->width, picture->rows, HANDY, HANDY, LARGEST_CELL);
    film->pixels_a_cell = scale > 1 ? scale : 1;
    film->cells_a_pixel = scale < -1 ? -scale : 1;
    film->columns = (picture->width + film->cells_a_pixel - 1) / film->cells_a_pixel;
    film->rows = (picture->rows + film->cells_a_pixel - 1) / film->cells_a_pixel;
    void *sums;
    HALO_TRY(halo_memory_create(&sums, (size_t)(film->columns * film->rows) * sizeof *film->sums,
                                "the dots of a movie"));
    film->sums = sums;
    return halo_world_rank(picture->world) == 0 ? open_movie(film) : HALO_OK;
}

halo_status run_film_begin(run_film *film, const run_picture *picture,
                           const movie_arguments *arguments)
{
    *film = (run_film){.picture = *picture, .arguments = arguments};
    return halo_agree(picture->world, begin(film));
}

/* Greys are whole numbers, so that their sums are the same however the cells are spread. */
static halo_status add_cells(run_film *film, const halo_beat *beat)
{
    run_picture_part part = run_picture_own(&film->picture, beat);
    void *room;
    HALO_TRY(halo_memory_create(&room, ((size_t)part.columns + 1) * (sizeof(double) + 1),
                                "a row of greys"));
    double *numbers = room;
    unsigned char *greys = (unsigned char *)(numbers + part.columns + 1);
    for (int64_t i = 0; i < part.rows; i++) {
        int64_t *sums = film->sums + (part.row + i) / film->cells_a_pixel * film->columns;
        run_picture_line(&film->picture, run_picture_row(&part, i), 0, part.columns, numbers,
                         greys);
        for (int64_t x = 0; x < part.columns; x++) {
            sums[(part.column + x) / film->cells_a_pixel] += greys[x];
        }
    }
    halo_memory_free(room);
    return HALO_OK;
}

/* Dots at the far edges may be of fewer cells. */
static int64_t cells_of_dot(int64_t dot, int64_t cells_a_pixel, int64_t cells)
{
    int64_t left = cells - dot * cells_a_pixel;
    return left < cells_a_pixel ? left : cells_a_pixel;
}

static void draw(const run_film *film)
{
    int64_t width = pixel_columns(film);
    for (int64_t y = 0; y < film->rows; y++) {
        int64_t high = cells_of_dot(y, film->cells_a_pixel, film->picture.rows);
        unsigned char *row = film->pixels + y * film->pixels_a_cell * width;
        for (int64_t x = 0; x < film->columns; x++) {
            int64_t cells = high * cells_of_dot(x, film->cells_a_pixel, film->picture.width);
            memset(row + x * film->pixels_a_cell, (int)(film->sums[y * film->columns + x] / cells),
                   (size_t)film->pixels_a_cell);
        }
        for (int i = 1; i < film->pixels_a_cell; i++) {
            memcpy(row + i * width, row, (size_t)width);
        }
    }
}

halo_status run_film_frame(run_film *film, const halo_beat *beat)
{
    halo_world *world = film->picture.world;
    HALO_TRY(run_picture_find_greys(&film->picture, beat));
    memset(film->sums, 0, (size_t)(film->columns * film->rows) * sizeof *film->sums);
    HALO_TRY(halo_agree(world, add_cells(film, beat)));
    HALO_TRY(halo_allreduce_sum(world, film->sums, (int)(film->columns * film->rows)));
    film->frames++;
    halo_status status = HALO_OK;
    if (film->movie != NULL) {
        draw(film);
        status = halo_movie_frame(film->movie, film->pixels, (size_t)pixel_columns(film));
    }
    return halo_agree(world, status);
}

halo_status run_film_end(run_film *film, halo_status mine)
{
    if (film->picture.world == NULL) {
        return mine;
    }
    if (film->movie != NULL) {
        mine = halo_movie_close(&film->movie, mine);
    }
    mine = halo_agree(film->picture.world, mine);
    halo_memory_free(film->sums);
    halo_memory_free(film->pixels);
    film->sums = NULL;
    film->pixels = NULL;
    return mine;
}
