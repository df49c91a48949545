#define _POSIX_C_SOURCE 200809L
#include "cli/life/movie.h"

#include "base/memory.h"
#include "cli/life/dots.h"
#include "io/png/png_parallel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    WIDEST = 2000,     /* pixels of a picture whose cells are smaller than pixels */
    HANDY = 960,       /* pixels of a picture whose cells are larger */
    LARGEST_CELL = 32, /* pixels */
    FAR_APART = 16,    /* generations between frames */
    PROBE = 64         /* pixels of a movie that is made to see whether one can be */
};

bool life_film_wanted(const life_arguments *arguments)
{
    return arguments->frames != NULL || arguments->movie.path != NULL;
}

static halo_status check_folder(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return halo_fail(HALO_FILE, "the folder \"%s\" for the frames cannot be made: %s", path,
                         strerror(errno));
    }
    if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) {
        return halo_fail(
            HALO_FILE, "\"%s\" is not a folder, and the frames need one; give another name", path);
    }
    if (access(path, W_OK | X_OK) != 0) {
        return halo_fail(HALO_FILE, "the folder \"%s\" for the frames cannot be written to: %s",
                         path, strerror(errno));
    }
    return HALO_OK;
}

static halo_movie_options movie_options(const life_arguments *arguments, halo_picture_size size,
                                        const unsigned char *palette)
{
    return (halo_movie_options){.path = arguments->movie.path,
                                .width = (int)size.columns,
                                .height = (int)size.rows,
                                .frames_per_second = (int)arguments->movie.frames_per_second,
                                .palette = palette};
}

halo_status life_film_check(halo_world *world, const life_arguments *arguments)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0 && arguments->movie.path != NULL) {
        halo_movie_options probe =
            movie_options(arguments, (halo_picture_size){.columns = PROBE, .rows = PROBE}, NULL);
        status = halo_movie_check(&probe);
    }
    if (halo_world_rank(world) == 0 && arguments->frames != NULL && status == HALO_OK) {
        status = check_folder(arguments->frames);
    }
    return halo_agree(world, status);
}

static int handy_scale(const halo_picture_window *window)
{
    int64_t longest = window->width > window->height ? window->width : window->height;
    return longest > HANDY
               ? halo_picture_scale_to_fit(window->width, window->height, WIDEST, WIDEST, 1)
               : halo_picture_scale_to_fit(window->width, window->height, HANDY, HANDY,
                                           LARGEST_CELL);
}

/* Rank 0 draws all rows of a movie; otherwise every rank draws its share. */
static halo_status share_out(life_film *film)
{
    int ranks = halo_world_ranks(film->world), rank = halo_world_rank(film->world);
    halo_picture_size dots = halo_picture_dots(film->picture);
    halo_picture_size pixels = halo_picture_pixels(film->picture);
    film->cuts = calloc(2 * ((size_t)ranks + 1), sizeof *film->cuts);
    if (film->cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the rows of a picture");
    }
    film->pixel_cuts = film->cuts + ranks + 1;
    for (int r = 1; r <= ranks; r++) {
        int64_t even = dots.rows / ranks * r + dots.rows % ranks * r / ranks;
        film->cuts[r] = film->arguments->movie.path != NULL ? dots.rows : even;
        film->pixel_cuts[r] = film->cuts[r] * (pixels.rows / dots.rows);
    }
    size_t rows = (size_t)(film->cuts[rank + 1] - film->cuts[rank]);
    size_t pixel_rows = (size_t)(film->pixel_cuts[rank + 1] - film->pixel_cuts[rank]);
    size_t bytes = rows * (size_t)dots.columns * sizeof *film->sums;
    void *sums, *drawn;
    HALO_TRY(halo_memory_create(&sums, bytes > 0 ? bytes : 1,
                                "the dots of a picture (--scale 1/N makes it smaller)"));
    film->sums = sums;
    bytes = pixel_rows * (size_t)pixels.columns;
    HALO_TRY(halo_memory_create(&drawn, bytes > 0 ? bytes : 1,
                                "the pixels of a picture (--scale 1/N makes it smaller)"));
    film->pixels = drawn;
    return HALO_OK;
}

/* Trails of cells that died many generations ago would lead nowhere. */
static halo_picture_style choose_style(const life_film *film, int64_t every)
{
    const int *asked = &film->arguments->style;
    return app_given(film->given, asked) || every <= FAR_APART ? (halo_picture_style)*asked
                                                               : HALO_PICTURE_PLAIN;
}

static halo_status begin(life_film *film, const halo_picture_window *window, int states,
                         int64_t every)
{
    const life_arguments *arguments = film->arguments;
    halo_picture_options options = {.window = *window,
                                    .scale = arguments->scale != 0 ? arguments->scale
                                                                   : handy_scale(window),
                                    .states = states,
                                    .style = choose_style(film, every)};
    HALO_TRY(halo_picture_create(&film->picture, &options));
    HALO_TRY(share_out(film));
    if (arguments->movie.path != NULL && halo_world_rank(film->world) == 0) {
        halo_movie_options movie = movie_options(arguments, halo_picture_pixels(film->picture),
                                                 halo_picture_palette(film->picture));
        HALO_TRY(halo_movie_open(&film->movie, &movie));
    }
    return HALO_OK;
}

halo_status life_film_begin(life_film *film, halo_world *world, const app_options *given,
                            const life_arguments *arguments, const halo_picture_window *window,
                            int states, int64_t every)
{
    *film = (life_film){.world = world, .given = given, .arguments = arguments};
    return halo_agree(world, begin(film, window, states, every));
}

static halo_status fill_rows(void *context, int64_t first_row, int64_t rows, void *out,
                             size_t pitch)
{
    const life_film *film = context;
    size_t width = (size_t)halo_picture_pixels(film->picture).columns;
    int64_t mine = film->pixel_cuts[halo_world_rank(film->world)];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch,
               film->pixels + (size_t)(first_row - mine + i) * width, width);
    }
    return HALO_OK;
}

static halo_status write_frame(life_film *film, int64_t generation)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/frame-%06" PRId64 ".png", film->arguments->frames,
                          generation);
    if (length >= PATH_SIZE) {
        return halo_fail(HALO_FILE, "the name of the folder for the frames is too long");
    }
    halo_picture_size size = halo_picture_pixels(film->picture);
    halo_png_header header = {.width = size.columns,
                              .height = size.rows,
                              .kind = HALO_PNG_PALETTE,
                              .palette = halo_picture_palette(film->picture),
                              .colours = HALO_PICTURE_COLOURS};
    halo_rows rows = {.fill = fill_rows, .context = film};
    return halo_png_write(film->world, path, &header, film->pixel_cuts, &rows);
}

halo_status life_film_frame(life_film *film, halo_life *life)
{
    int rank = halo_world_rank(film->world);
    int64_t rows = film->cuts[rank + 1] - film->cuts[rank];
    size_t width = (size_t)halo_picture_pixels(film->picture).columns;
    HALO_TRY(life_dots_collect(film->world, life, film->picture, film->cuts, film->sums));
    if (rows > 0) {
        halo_picture_draw(film->picture, film->cuts[rank], rows, film->sums, film->pixels, width);
    }
    film->frames++;
    if (film->arguments->frames != NULL) {
        HALO_TRY(write_frame(film, halo_life_generation(life)));
    }
    halo_status status =
        film->movie != NULL ? halo_movie_frame(film->movie, film->pixels, width) : HALO_OK;
    return halo_agree(film->world, status);
}

halo_status life_film_end(life_film *film, halo_status mine)
{
    if (film->movie != NULL) {
        mine = halo_movie_close(&film->movie, mine);
    }
    mine = halo_agree(film->world, mine);
    halo_picture_destroy(&film->picture);
    halo_memory_free(film->sums);
    halo_memory_free(film->pixels);
    free(film->cuts);
    film->cuts = NULL;
    film->sums = NULL;
    film->pixels = NULL;
    return mine;
}
