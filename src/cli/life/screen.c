#define _DEFAULT_SOURCE /* winsize, nanosleep */
#include "app/beats.h"
#include "app/services/dots.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/life/job.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "io/canvas/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFAULT_COLUMNS = 80,
    DEFAULT_LINES = 24,
    MAX_COLUMNS = 400,
    MAX_LINES = 200,
    MIN_SIDE = 8,      /* columns and lines of a picture */
    LINES_OF_TEXT = 2, /* around it, the prompt included */
    LINES_OF_SUMMARY = 14,
    PICTURES_PER_SECOND = 10
};

static life_screen *screen_of(const app_run *run)
{
    return &((life_job *)run->job)->screen;
}

/* ---- the terminal ---------------------------------------------------------------------------- */

static int size_from(const char *variable, int standard, int max)
{
    const char *text = getenv(variable);
    long size = text != NULL ? strtol(text, NULL, 10) : standard;
    return size < MIN_SIDE ? standard : size > max ? max : (int)size;
}

static void measure_terminal(int sizes[2])
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= MIN_SIDE) {
        sizes[0] = (int)halo_min(size.ws_col, MAX_COLUMNS);
        sizes[1] = (int)halo_min(size.ws_row, MAX_LINES);
        return;
    }
    sizes[0] = size_from("COLUMNS", DEFAULT_COLUMNS, MAX_COLUMNS);
    sizes[1] = size_from("LINES", DEFAULT_LINES, MAX_LINES);
}

halo_status life_screen_begin(app_run *run)
{
    int sizes[2] = {0, 0};
    if (halo_world_rank(run->world) == 0 && terminal_shows(STDOUT_FILENO)) {
        measure_terminal(sizes);
    }
    HALO_TRY(halo_bcast(run->world, sizes, sizeof sizes, 0));
    *screen_of(run) = (life_screen){.columns = sizes[0], .lines = sizes[1]};
    if (!life_asked(run)->watch || sizes[0] > 0) {
        return HALO_OK;
    }
    return !halo_world_is_process(run->world)
               ? halo_fail(
                     HALO_ARGUMENT,
                     "--watch needs a terminal, which mpiexec hides from its ranks; start it "
                     "without, or with HALOBEAT_STDOUT_TTY=1 in the environment if there is one")
               : halo_fail(HALO_ARGUMENT, "--watch needs a terminal, and standard output is none; "
                                          "leave it out, or use --movie");
}

/* ---- when ------------------------------------------------------------------------------------ */

/* When it is time for another picture. */
static double next_time(const app_run *run)
{
    int64_t asked = run->arguments->movie.frames_per_second;
    return screen_of(run)->last + 1.0 / (double)(asked > 0 ? asked : PICTURES_PER_SECOND);
}

bool life_screen_is_old(const app_run *run)
{
    return halo_seconds() >= next_time(run);
}

static void wait_for_turn(const app_run *run)
{
    double left = next_time(run) - halo_seconds();
    if (left > 0) {
        struct timespec nap = {.tv_sec = (time_t)left};
        nap.tv_nsec = (long)((left - (double)nap.tv_sec) * 1e9);
        nanosleep(&nap, NULL); /* a signal may end it early, which is well */
    }
}

/* ---- what ------------------------------------------------------------------------------------ */

static halo_picture_options options_of(const app_run *run)
{
    const life_job *job = run->job;
    const life_screen *screen = &job->screen;
    halo_picture_options options = {.window = life_window(run, &screen->seen),
                                    .states = job->source.rule.states,
                                    .style = HALO_PICTURE_PLAIN};
    int64_t lines = screen->lines - (life_asked(run)->watch ? LINES_OF_TEXT : LINES_OF_SUMMARY);
    options.scale =
        halo_picture_scale_to_fit(options.window.width, options.window.height, screen->columns - 1,
                                  2 * halo_max(lines, MIN_SIDE), 1);
    return options;
}

/* The last picture's lines are drawn over. */
static halo_status make_text(const app_run *run, const halo_picture *picture, const app_dots *dots,
                             halo_buffer *text)
{
    const life_job *job = run->job;
    char back[32] = "", caption[128] = "";
    unsigned char *levels;
    if (job->screen.drawn > 0) {
        snprintf(back, sizeof back, "\033[%dA\r\033[J", job->screen.drawn);
    }
    if (life_asked(run)->watch) {
        snprintf(caption, sizeof caption,
                 "generation %" PRId64 " of %" PRId64 ", population %" PRId64 "\n",
                 app_beats_done(run), run->last_beat, job->population);
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(levels, dots->columns * dots->rows, "an overview of the grid"));
    halo_picture_levels(picture, 0, dots->rows, dots->sums, levels);
    const halo_overview overview = {.columns = (int)dots->columns,
                                    .rows = (int)dots->rows,
                                    .levels = levels,
                                    .colours = halo_overview_colours_of(
                                        getenv("COLORTERM"), getenv("TERM"), getenv("NO_COLOR")),
                                    .palette = halo_picture_palette(picture)};
    halo_status status = halo_buffer_append(text, back, strlen(back));
    if (status == HALO_OK) {
        status = halo_overview_draw(text, &overview);
    }
    halo_memory_free(levels);
    return status == HALO_OK ? halo_buffer_append(text, caption, strlen(caption)) : status;
}

static halo_status print_picture(app_run *run, const halo_picture *picture, const app_dots *dots)
{
    life_screen *screen = screen_of(run);
    halo_buffer text = {0};
    if (life_asked(run)->watch && run->arguments->movie.every > 0) {
        wait_for_turn(run);
    }
    halo_status status = make_text(run, picture, dots, &text);
    if (status == HALO_OK) {
        fwrite(text.data, 1, text.size, stdout);
        fflush(stdout); /* what cannot be printed is noticed with the summary */
        screen->drawn = (int)(dots->rows + 1) / 2 + life_asked(run)->watch;
        screen->last = halo_seconds();
    }
    halo_buffer_free(&text);
    return status;
}

halo_status life_screen_show(app_run *run)
{
    life_job *job = run->job;
    life_screen *screen = &job->screen;
    life_picture picture;
    app_dots dots = {0};
    halo_status status;
    HALO_TRY(life_take_census(run));
    HALO_TRY(halo_life_stage(job->life));
    if (life_asked(run)->watch) {
        progress_end(&run->progress); /* who watches sees how far it is */
        run->progress = (progress){0};
    }
    screen->seen = halo_life_box_join(&screen->seen, &job->census.live);
    const halo_picture_options options = options_of(run);
    HALO_TRY_OR(done, life_picture_create(&picture, &dots, run, &options, false));
    HALO_TRY_OR(done, life_picture_collect(&picture, &dots));
    status = halo_agree(run->world, halo_world_rank(run->world) == 0
                                        ? print_picture(run, picture.picture, &dots)
                                        : HALO_OK);
done:
    halo_picture_destroy(&picture.picture);
    app_dots_destroy(&dots);
    return status;
}

halo_status life_show_end(app_run *run)
{
    const life_options *asked = life_asked(run);
    bool files = asked->output != NULL || life_drawing.wanted(run);
    return screen_of(run)->columns > 0 && !files && !asked->watch && !asked->all.common.quiet
               ? life_screen_show(run)
               : HALO_OK;
}
