#define _DEFAULT_SOURCE /* winsize, nanosleep */
#include "cli/life/screen.h"

#include "cli/life/dots.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "io/canvas/terminal.h"
#include "kernels/life/life_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    USUAL_COLUMNS = 80,
    USUAL_LINES = 24,
    MOST_COLUMNS = 400,
    MOST_LINES = 200,
    FEWEST = 8,        /* columns and lines of a picture */
    LINES_OF_TEXT = 2, /* around it, the prompt included */
    LINES_OF_SUMMARY = 14,
    PICTURES_PER_SECOND = 10
};

static bool terminal_shows(void)
{
    const char *told = getenv("HALOBEAT_STDOUT_TTY");
    return isatty(STDOUT_FILENO) || (told != NULL && strcmp(told, "1") == 0);
}

static int size_from(const char *variable, int usual, int most)
{
    const char *text = getenv(variable);
    long size = text != NULL ? strtol(text, NULL, 10) : usual;
    return size < FEWEST ? usual : size > most ? most : (int)size;
}

static void measure_terminal(life_screen *screen)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= FEWEST) {
        screen->columns = size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
        screen->lines = size.ws_row < MOST_LINES ? size.ws_row : MOST_LINES;
        return;
    }
    screen->columns = size_from("COLUMNS", USUAL_COLUMNS, MOST_COLUMNS);
    screen->lines = size_from("LINES", USUAL_LINES, MOST_LINES);
}

halo_status life_screen_begin(life_screen *screen, halo_world *world,
                              const life_arguments *arguments, const halo_life_edge *edges,
                              int states)
{
    *screen =
        (life_screen){.world = world, .arguments = arguments, .edges = edges, .states = states};
    if (halo_world_rank(world) == 0 && terminal_shows()) {
        measure_terminal(screen);
    }
    int sizes[2] = {screen->columns, screen->lines};
    HALO_TRY(halo_bcast(world, sizes, sizeof sizes, 0));
    screen->columns = sizes[0];
    screen->lines = sizes[1];
    if (arguments->watch && screen->columns == 0) {
        return halo_fail(HALO_ARGUMENT, "--watch needs a terminal, and standard output is none; "
                                        "leave it out, or use --movie");
    }
    return HALO_OK;
}

bool life_screen_wanted(const life_screen *screen)
{
    const life_arguments *arguments = screen->arguments;
    bool files =
        arguments->output != NULL || arguments->frames != NULL || arguments->movie.path != NULL;
    return arguments->watch || (screen->columns > 0 && !files && !arguments->common.quiet);
}

static double pause_between(const life_screen *screen)
{
    int64_t asked = screen->arguments->movie.frames_per_second;
    return 1.0 / (double)(asked > 0 ? asked : PICTURES_PER_SECOND);
}

bool life_screen_is_old(const life_screen *screen)
{
    return halo_seconds() - screen->last >= pause_between(screen);
}

static void wait_for_turn(const life_screen *screen)
{
    double left = screen->last + pause_between(screen) - halo_seconds();
    if (left > 0) {
        struct timespec nap = {.tv_nsec = (long)(left * 1e9)};
        if (left >= 1) {
            nap = (struct timespec){.tv_sec = (time_t)left};
        }
        nanosleep(&nap, NULL); /* a signal may end it early, which is well */
    }
}

static halo_status make_picture(life_screen *screen, halo_life *life,
                                const halo_life_census *census, halo_picture **out)
{
    const life_arguments *arguments = screen->arguments;
    halo_life_box grid = halo_life_size(life);
    screen->seen = halo_life_box_join(&screen->seen, &census->live);
    halo_picture_options options = {.states = screen->states, .style = HALO_PICTURE_PLAIN};
    options.window = life_dots_window(&grid, screen->edges, &screen->seen);
    if (arguments->view.window.width > 0) {
        options.window = arguments->view.window;
        options.window.x +=
            halo_life_origin(screen->edges[HALO_LIFE_COLUMNS], grid.lo[HALO_LIFE_COLUMNS]);
        options.window.y +=
            halo_life_origin(screen->edges[HALO_LIFE_ROWS], grid.lo[HALO_LIFE_ROWS]);
    }
    int around = arguments->watch ? LINES_OF_TEXT : LINES_OF_SUMMARY;
    int lines = screen->lines - around > FEWEST ? screen->lines - around : FEWEST;
    options.scale = halo_picture_scale_to_fit(options.window.width, options.window.height,
                                              screen->columns - 1, 2 * (int64_t)lines, 1);
    return halo_picture_create(out, &options);
}

/* The last picture's lines are drawn over. */
static halo_status print_picture(life_screen *screen, const halo_picture *picture,
                                 const int64_t *sums, const char *caption)
{
    halo_picture_size dots = halo_picture_dots(picture);
    halo_buffer text = {0};
    void *levels = NULL;
    halo_status status;
    HALO_TRY_OR(done, halo_memory_create(&levels, (size_t)(dots.columns * dots.rows),
                                         "an overview of the grid"));
    halo_picture_levels(picture, 0, dots.rows, sums, levels);
    halo_overview overview = {.columns = (int)dots.columns,
                              .rows = (int)dots.rows,
                              .levels = levels,
                              .colours = halo_overview_colours_of(
                                  getenv("COLORTERM"), getenv("TERM"), getenv("NO_COLOR")),
                              .palette = halo_picture_palette(picture)};
    char back[32] = "";
    if (screen->drawn > 0) {
        snprintf(back, sizeof back, "\033[%dA\r\033[J", screen->drawn);
    }
    HALO_TRY_OR(done, halo_buffer_append(&text, back, strlen(back)));
    HALO_TRY_OR(done, halo_overview_draw(&text, &overview));
    HALO_TRY_OR(done, halo_buffer_append(&text, caption, strlen(caption)));
    fwrite(text.data, 1, text.size, stdout);
    fflush(stdout); /* what cannot be printed is noticed with the summary */
    screen->drawn = (int)(dots.rows + 1) / 2 + (*caption != '\0');
done:
    halo_memory_free(levels);
    halo_buffer_free(&text);
    return status;
}

/* Rank 0 gets all of the picture. */
static halo_status collect(life_screen *screen, halo_life *life, const halo_picture *picture,
                           int64_t *sums)
{
    int ranks = halo_world_ranks(screen->world);
    int64_t *cuts = calloc((size_t)ranks + 1, sizeof *cuts);
    halo_status status = HALO_OK;
    if (cuts == NULL) {
        status = halo_fail(HALO_MEMORY, "out of memory: an overview of the grid");
    } else {
        for (int r = 1; r <= ranks; r++) {
            cuts[r] = halo_picture_dots(picture).rows;
        }
    }
    status = halo_agree(screen->world, status);
    if (status == HALO_OK) {
        status = life_dots_collect(screen->world, life, picture, cuts, sums);
    }
    free(cuts);
    return status;
}

static halo_status show(life_screen *screen, halo_life *life, const halo_life_census *census,
                        const halo_picture *picture, bool paced)
{
    halo_picture_size dots = halo_picture_dots(picture);
    void *sums = NULL;
    halo_status status = halo_memory_create(
        &sums, (size_t)(dots.columns * dots.rows) * sizeof(int64_t), "an overview of the grid");
    status = halo_agree(screen->world, status);
    if (status == HALO_OK) {
        status = collect(screen, life, picture, sums);
    }
    if (status == HALO_OK && halo_world_rank(screen->world) == 0) {
        char caption[128] = "";
        if (screen->arguments->watch) {
            snprintf(caption, sizeof caption,
                     "generation %" PRId64 " of %" PRId64 ", population %" PRId64 "\n",
                     halo_life_generation(life), screen->last_generation, census->population);
        }
        if (paced) {
            wait_for_turn(screen);
        }
        status = print_picture(screen, picture, sums, caption);
        screen->last = halo_seconds();
    }
    halo_memory_free(sums);
    return halo_agree(screen->world, status);
}

halo_status life_screen_show(life_screen *screen, halo_life *life, const halo_life_census *census,
                             bool paced)
{
    halo_picture *picture = NULL;
    HALO_TRY(halo_life_stage(life));
    halo_status status = make_picture(screen, life, census, &picture);
    status = halo_agree(screen->world, status);
    if (status == HALO_OK) {
        status = show(screen, life, census, picture, paced);
    }
    halo_picture_destroy(&picture);
    return status;
}
