#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "app/services/screen.h"
#include "app/services/movie.h"

#include "app/frame.h"
#include "app/run.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "io/canvas/picture.h"
#include "io/canvas/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- the terminal ---------------------------------------------------------------------------- */

static int within(int size, int standard, int max)
{
    return size < MIN_SIDE ? standard : (int)halo_min(size, max);
}

/* Ranks under a launcher have a pipe, and cannot see the terminal behind it. */
static bool has_terminal(bool watched)
{
    return isatty(STDOUT_FILENO) || (watched && !app_is_alone());
}

halo_status app_screen_begin(app_run *run, app_screen *screen, bool watched)
{
    int sizes[2] = {0, 0};
    if (app_is_root(run) && has_terminal(watched)) {
        terminal_measure(STDOUT_FILENO, &sizes[0], &sizes[1]);
        sizes[0] = within(sizes[0], DEFAULT_COLUMNS, MAX_COLUMNS);
        sizes[1] = within(sizes[1], DEFAULT_LINES, MAX_LINES);
    }
    HALO_TRY(halo_bcast(run->world, sizes, sizeof sizes, 0));
    *screen = (app_screen){.columns = sizes[0], .lines = sizes[1], .watched = watched};
    return HALO_REQUIRE(
        !watched || sizes[0] > 0, HALO_ARGUMENT,
        "--watch needs a terminal, and standard output is none; leave it out, or use --movie");
}

/* ---- when ------------------------------------------------------------------------------------ */

/* When it is time for another picture. */
static double next_time(const app_run *run, const app_screen *screen)
{
    int64_t requested = app_movie_arguments(run)->frames_per_second;
    return screen->last + 1.0 / (double)(requested > 0 ? requested : PICTURES_PER_SECOND);
}

bool app_screen_is_free(const app_run *run, const app_screen *screen)
{
    return screen->watched && app_movie_arguments(run)->every == 0;
}

bool app_screen_is_old(const app_run *run, const app_screen *screen)
{
    return halo_seconds() >= next_time(run, screen);
}

static void wait_for_turn(const app_run *run, const app_screen *screen)
{
    double left = next_time(run, screen) - halo_seconds();
    if (left > 0) {
        struct timespec nap = {.tv_sec = (time_t)left};
        nap.tv_nsec = (long)((left - (double)nap.tv_sec) * 1e9);
        nanosleep(&nap, NULL); /* a signal may end it early, which is well */
    }
}

/* ---- what ------------------------------------------------------------------------------------ */

int app_screen_scale(const app_screen *screen, int64_t width, int64_t height)
{
    int64_t lines = screen->lines - (screen->watched ? LINES_OF_TEXT : LINES_OF_SUMMARY);
    return halo_picture_scale_to_fit(width, height, screen->columns - 1,
                                     2 * halo_max(lines, MIN_SIDE), 1);
}

/* The last picture's lines are drawn over. */
static halo_status make_text(const app_screen *screen, const halo_overview *overview,
                             const char *caption, halo_buffer *text)
{
    char back[32] = "";
    if (screen->drawn > 0) {
        snprintf(back, sizeof back, "\033[%dA\r\033[J", screen->drawn);
    }
    HALO_TRY(halo_buffer_append(text, back, strlen(back)));
    HALO_TRY(halo_overview_draw(text, overview));
    return halo_buffer_append(text, caption, strlen(caption));
}

halo_status app_screen_draw(app_run *run, app_screen *screen, const app_dots *dots,
                            const unsigned char *levels, const unsigned char *palette,
                            const char *caption)
{
    halo_buffer text = {0};
    const halo_overview overview = {.columns = (int)dots->columns,
                                    .rows = (int)dots->rows,
                                    .levels = levels,
                                    .colours = halo_overview_colours_of(
                                        getenv("COLORTERM"), getenv("TERM"), getenv("NO_COLOR")),
                                    .palette = palette};
    if (screen->watched && !app_screen_is_free(run, screen)) {
        wait_for_turn(run, screen);
    }
    halo_status status = make_text(screen, &overview, caption, &text);
    if (status == HALO_OK) {
        fwrite(text.data, 1, text.size, stdout);
        fflush(stdout); /* what cannot be printed is noticed with the summary */
        screen->drawn = (int)(dots->rows + 1) / 2 + screen->watched;
        screen->last = halo_seconds();
    }
    halo_buffer_free(&text);
    return status;
}
