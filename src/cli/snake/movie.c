#include "cli/snake/movie.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "io/canvas/picture.h"
#include "io/contour/contours_draw.h"

#include <string.h>

enum {
    HANDY = 960,       /* pixels, the longer side */
    LARGEST_PIXEL = 8, /* pixels of the movie for one of the picture */
    PROBE = 64,        /* pixels of a movie that is made to see whether one can be */
    LIGHT = 255,
    /* The palette: greys of the picture, and a few of them below lines, which cover what is under
     * them by eighths. */
    GREYS = 192,
    COVERS = 8,
    GREYS_BELOW = 8
};

static const unsigned char line_colour[] = {255, 212, 0};

static void fill_palette(unsigned char palette[HALO_PICTURE_PALETTE_BYTES])
{
    for (int i = 0; i < GREYS; i++) {
        memset(palette + 3 * i, i * LIGHT / (GREYS - 1), 3);
    }
    unsigned char *colour = palette + 3 * GREYS;
    for (int cover = 1; cover <= COVERS; cover++) {
        for (int grey = 0; grey < GREYS_BELOW; grey++) {
            for (int c = 0; c < 3; c++) {
                int below = grey * LIGHT / (GREYS_BELOW - 1);
                *colour++ = (unsigned char)(below + (line_colour[c] - below) * cover / COVERS);
            }
        }
    }
}

static unsigned char colour_of(int grey, int line)
{
    int cover = (line * COVERS + LIGHT / 2) / LIGHT;
    return (unsigned char)(cover == 0 ? grey * (GREYS - 1) / LIGHT
                                      : GREYS + (cover - 1) * GREYS_BELOW +
                                            (grey * (GREYS_BELOW - 1) + LIGHT / 2) / LIGHT);
}

static int64_t pixel_columns(const snake_film *film)
{
    return film->columns * film->enlarge;
}

static int64_t pixel_rows(const snake_film *film)
{
    return film->rows * film->enlarge;
}

halo_status snake_film_check(halo_world *world, const snake_film_options *options)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0 && options->path != NULL) {
        halo_movie_options probe = {.path = options->path,
                                    .width = PROBE,
                                    .height = PROBE,
                                    .frames_per_second = options->frames_per_second};
        status = halo_movie_check(&probe);
    }
    return halo_agree(world, status);
}

/* ---- the picture ------------------------------------------------------------------------------
 */

static int64_t sample_at(const void *row, int bits, int64_t x)
{
    return bits == 8 ? ((const unsigned char *)row)[x] : ((const uint16_t *)row)[x];
}

/* Sums are whole numbers, so that they are the same however the rows are spread. */
static void add_samples(const snake_film *film, const halo_view *view, int64_t *sums)
{
    for (int64_t i = 0; i < view->owned.n[0]; i++) {
        const void *row = halo_row(view, i);
        int64_t *into = sums + (view->owned.lo[0] + i) / film->reduce * film->columns;
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            into[x / film->reduce] += sample_at(row, view->cell_bits, x);
        }
    }
}

/* Pixels at the far edges may be of fewer samples. */
static int64_t samples_of(const snake_film *film, int64_t pixel, int64_t samples)
{
    int64_t left = samples - pixel * film->reduce;
    return left < film->reduce ? left : film->reduce;
}

static void shade(snake_film *film, const cli_image *image, const int64_t *sums)
{
    for (int64_t y = 0; y < film->rows; y++) {
        int64_t high = samples_of(film, y, image->domain.n[0]);
        for (int64_t x = 0; x < film->columns; x++) {
            int64_t samples = high * samples_of(film, x, image->domain.n[1]);
            film->greys[y * film->columns + x] =
                (unsigned char)(sums[y * film->columns + x] * LIGHT / (samples * image->maximum));
        }
    }
}

static halo_status find_greys(snake_film *film, const cli_image *image, const halo_view *view)
{
    void *sums = NULL;
    int64_t count = film->columns * film->rows;
    halo_status status =
        halo_memory_create(&sums, (size_t)count * sizeof(int64_t), "the pixels of a movie");
    HALO_TRY_OR(done, halo_agree(film->world, status));
    add_samples(film, view, sums);
    HALO_TRY_OR(done, halo_allreduce_sum(film->world, sums, (int)count));
    shade(film, image, sums);
done:
    halo_memory_free(sums);
    return status;
}

/* ---- the movie --------------------------------------------------------------------------------
 */

static halo_status open_movie(snake_film *film, const snake_film_options *options)
{
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    size_t pixels = (size_t)(pixel_columns(film) * pixel_rows(film));
    halo_movie_options movie = {.path = options->path,
                                .width = (int)pixel_columns(film),
                                .height = (int)pixel_rows(film),
                                .frames_per_second = options->frames_per_second,
                                .palette = palette};
    void *room;
    fill_palette(palette);
    HALO_TRY(halo_memory_create(&room, pixels, "the pixels of a movie"));
    film->pixels = room;
    HALO_TRY(halo_memory_create(&room, 3 * pixels, "the pixels of a movie"));
    film->lines = room;
    return halo_movie_open(&film->movie, &movie);
}

static halo_status begin(snake_film *film, const snake_film_options *options)
{
    void *greys;
    HALO_TRY(
        halo_memory_create(&greys, (size_t)(film->columns * film->rows), "the pixels of a movie"));
    film->greys = greys;
    return halo_world_rank(film->world) == 0 ? open_movie(film, options) : HALO_OK;
}

halo_status snake_film_begin(snake_film *film, const cli_image *image, const halo_view *view,
                             const snake_film_options *options)
{
    const int64_t *n = image->domain.n;
    int scale = halo_picture_scale_to_fit(n[1], n[0], HANDY, HANDY, LARGEST_PIXEL);
    *film = (snake_film){
        .world = image->world, .enlarge = scale > 1 ? scale : 1, .reduce = scale < -1 ? -scale : 1};
    film->columns = (n[1] + film->reduce - 1) / film->reduce;
    film->rows = (n[0] + film->reduce - 1) / film->reduce;
    HALO_TRY(halo_agree(film->world, begin(film, options)));
    return find_greys(film, image, view);
}

static void put_colours(snake_film *film)
{
    int64_t width = pixel_columns(film), pixels = width * pixel_rows(film);
    for (int64_t i = 0; i < pixels; i++) {
        int64_t row = i / width / film->enlarge, column = i % width / film->enlarge;
        film->pixels[i] = colour_of(film->greys[row * film->columns + column], film->lines[3 * i]);
    }
}

static halo_status draw(snake_film *film, const halo_contours *contours,
                        const halo_contour_point *places)
{
    static const unsigned char black[3] = {0, 0, 0};
    const halo_canvas_pen pen = {.width = 2 * HALO_CANVAS_ONE, .colour = {LIGHT, LIGHT, LIGHT}};
    const halo_contours_drawing drawing = {.contours = contours,
                                           .points = places,
                                           .enlarge = film->enlarge,
                                           .reduce = film->reduce,
                                           .pen = &pen};
    const halo_canvas canvas = {.rows = pixel_rows(film),
                                .width = pixel_columns(film),
                                .pixels = film->lines,
                                .pitch = 3 * (size_t)pixel_columns(film)};
    halo_canvas_fill(&canvas, black);
    HALO_TRY(halo_contours_draw(&canvas, &drawing));
    put_colours(film);
    return halo_movie_frame(film->movie, film->pixels, (size_t)pixel_columns(film));
}

halo_status snake_film_frame(snake_film *film, const halo_contours *contours,
                             const halo_contour_point *places)
{
    film->frames++;
    return halo_agree(film->world, film->movie != NULL ? draw(film, contours, places) : HALO_OK);
}

halo_status snake_film_end(snake_film *film, halo_status mine)
{
    if (film->world == NULL) {
        return mine;
    }
    if (film->movie != NULL) {
        mine = halo_movie_close(&film->movie, mine);
    }
    mine = halo_agree(film->world, mine);
    halo_memory_free(film->greys);
    halo_memory_free(film->lines);
    halo_memory_free(film->pixels);
    film->greys = film->lines = film->pixels = NULL;
    return mine;
}
