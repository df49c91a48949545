#include "app/movie.h"

#include "app/frame.h"
#include "base/memory.h"
#include "core/world/collect.h"
#include "io/canvas/picture.h"

enum {
    LONGEST = 960, /* pixels, the longer side */
    PROBE = 64     /* pixels of a movie that is made to see whether one can be */
};

app_dots app_dots_fit(int64_t columns, int64_t rows, int largest)
{
    int scale = halo_picture_scale_to_fit(columns, rows, LONGEST, LONGEST, largest);
    app_dots dots = {.enlarge = scale > 1 ? scale : 1,
                     .reduce = scale < -1 ? -scale : 1,
                     .cells = {rows, columns}};
    dots.columns = (columns + dots.reduce - 1) / dots.reduce;
    dots.rows = (rows + dots.reduce - 1) / dots.reduce;
    return dots;
}

int64_t app_dots_cells(const app_dots *dots, int64_t row, int64_t column)
{
    int64_t down = dots->cells[0] - row * dots->reduce;
    int64_t right = dots->cells[1] - column * dots->reduce;
    return (down < dots->reduce ? down : dots->reduce) *
           (right < dots->reduce ? right : dots->reduce);
}

static halo_movie_options options_of(const movie_arguments *arguments, int64_t width,
                                     int64_t height, const unsigned char *palette)
{
    return (halo_movie_options){.path = arguments->path,
                                .width = (int)width,
                                .height = (int)height,
                                .frames_per_second = (int)arguments->frames_per_second,
                                .palette = palette};
}

halo_status app_movie_check(halo_world *world, const movie_arguments *arguments)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0 && arguments->path != NULL) {
        halo_movie_options probe = options_of(arguments, PROBE, PROBE, NULL);
        status = halo_movie_check(&probe);
    }
    return halo_agree(world, status);
}

static halo_status open_movie(app_movie *movie, const unsigned char *palette)
{
    void *pixels;
    halo_movie_options options = options_of(movie->arguments, movie->width, movie->height, palette);
    HALO_TRY(halo_memory_create(&pixels, (size_t)(movie->width * movie->height),
                                "the pixels of a movie"));
    movie->pixels = pixels;
    return halo_movie_open(&movie->movie, &options);
}

halo_status app_movie_open(app_movie *movie, int64_t width, int64_t height,
                           const unsigned char *palette)
{
    movie->width = width;
    movie->height = height;
    return halo_agree(movie->world,
                      halo_world_rank(movie->world) == 0 ? open_movie(movie, palette) : HALO_OK);
}

static bool is_wanted(const app_run *run)
{
    const app_drawing *drawing = run->command->drawing;
    return drawing != NULL &&
           (drawing->wanted != NULL ? drawing->wanted(run) : run->arguments->movie.path != NULL);
}

halo_status app_movie_begin(app_run *run)
{
    run->movie = (app_movie){.world = run->world, .arguments = &run->arguments->movie};
    if (!is_wanted(run)) {
        return HALO_OK;
    }
    run->movie.begun = true;
    return run->command->drawing->begin(run);
}

schedule_event app_movie_when(const app_run *run)
{
    return is_wanted(run) ? movie_event(&run->arguments->movie, run->last_beat - run->first_beat)
                          : (schedule_event){0};
}

halo_status app_movie_visit(app_run *run)
{
    const app_drawing *drawing = run->command->drawing;
    app_movie *movie = &run->movie;
    if (drawing->prepare != NULL) {
        HALO_TRY(drawing->prepare(run));
    }
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = drawing->draw(run);
    if (status == HALO_OK) {
        movie->frames++;
        status = movie->movie != NULL
                     ? halo_movie_frame(movie->movie, movie->pixels, (size_t)movie->width)
                     : HALO_OK;
        status = halo_agree(run->world, status);
    }
    halo_clock_end(&run->clock, HALO_PHASE_ENCODE, stretch, run->world);
    return status;
}

halo_status app_movie_end(app_run *run, halo_status mine)
{
    app_movie *movie = &run->movie;
    if (!movie->begun) {
        return mine;
    }
    if (movie->movie != NULL) {
        mine = halo_movie_close(&movie->movie, mine);
    }
    mine = halo_agree(run->world, mine);
    if (run->command->drawing->end != NULL) {
        run->command->drawing->end(run);
    }
    halo_memory_free(movie->pixels);
    movie->pixels = NULL;
    movie->begun = false;
    return mine;
}
