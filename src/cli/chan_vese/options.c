#include "cli/chan_vese/options.h"

#include "app/values.h"
#include "kernels/chan_vese/chan_vese.h"

#include <math.h>
#include <string.h>

static const double FARTHEST = 1e9; /* pixels, of a disk's centre and edge */

static halo_status parse_lambda(const char *text, void *into)
{
    double *lambda = into;
    return app_scan_real(&text, 0, HALO_CHAN_VESE_MAX_LAMBDA, lambda) && *text == '\0' &&
                   (*lambda >= HALO_CHAN_VESE_MIN_LAMBDA || *lambda <= 0)
               ? HALO_OK
               : HALO_ARGUMENT;
}

/* "X,Y,R" */
static bool scan_disk(const char *text, chan_vese_init *into)
{
    into->placed = true;
    return app_scan_real(&text, -FARTHEST, FARTHEST, &into->column) && *text++ == ',' &&
           app_scan_real(&text, -FARTHEST, FARTHEST, &into->row) && *text++ == ',' &&
           app_scan_real(&text, 0, FARTHEST, &into->radius) && *text == '\0' && into->radius > 0;
}

static bool scan_init(const char *text, chan_vese_init *into)
{
    const char *square = app_behind_name(text, "checkerboard");
    const char *disk = app_behind_name(text, "disk");
    bool sized = strchr(text, ':') != NULL;
    if (square != NULL) {
        into->kind = CHAN_VESE_CHECKERBOARD;
        into->square = 5; /* scikit-image's */
        return !sized ||
               (halo_scan_integer(&square, 1, INT32_MAX, &into->square) && *square == '\0');
    }
    if (disk != NULL) {
        into->kind = CHAN_VESE_DISK;
        return !sized || scan_disk(disk, into);
    }
    into->kind = CHAN_VESE_FILE;
    into->path = text;
    return app_ends_with(text, ".png");
}

static halo_status parse_init(const char *text, void *into)
{
    chan_vese_init *init = into;
    *init = (chan_vese_init){0};
    return scan_init(text, init) ? HALO_OK : HALO_ARGUMENT;
}

#define FIELD(member) .offset = offsetof(chan_vese_arguments, member)
#define LAMBDA_LIMITS "0, or a number from 1e-9 to 1e9"

static const app_option what_rows[] = {
    APP_IMAGE_ROW(chan_vese_arguments),
    {.type = APP_SECTION, .help = "What is computed:"},
    {.name = "smoothing",
     .type = APP_INTEGER,
     FIELD(smoothing),
     .max = HALO_CHAN_VESE_MAX_SMOOTHING,
     .unit = "times a beat",
     .standard = "1",
     .flags = APP_SAVED,
     .help = "Smooth the border N times a beat: 0 follows single pixels, 1 to 4 are usual"},
    {.name = "lambda1",
     .type = APP_REAL,
     FIELD(lambda1),
     .parse = parse_lambda,
     .takes = LAMBDA_LIMITS,
     .value = "L",
     .standard = "1",
     .flags = APP_SAVED,
     .help = "Weight of how uneven the inside is: the larger it is than lambda2, the more even the "
             "inside becomes, and the more greys the outside has"},
    {.name = "lambda2",
     .type = APP_REAL,
     FIELD(lambda2),
     .parse = parse_lambda,
     .takes = LAMBDA_LIMITS,
     .value = "L",
     .standard = "1",
     .flags = APP_SAVED,
     .help = "Weight of how uneven the outside is"},
    {.name = "init",
     .type = APP_CUSTOM,
     FIELD(init),
     .parse = parse_init,
     .takes = "checkerboard[:SIZE] with squares of 1 pixel or more, disk[:X,Y,R] with a radius of "
              "more than 0, or the name of a PNG file",
     .value = "checkerboard[:SIZE]|disk[:X,Y,R]|FILE.png",
     .standard = "checkerboard:5",
     .unless = "checkerboard:5; of disk the middle, and 3/8 of the shorter side",
     .excludes = "restore",
     .why = "a checkpoint has its own level set",
     .help = "What is inside to begin with: every other square of SIZE pixels; pixels nearer than "
             "R to column X of row Y; or pixels of a picture of the same size that are not black"},
    {.type = APP_SECTION, .help = "How far:"},
    {.name = "beats",
     .letter = 'n',
     .type = APP_INTEGER,
     FIELD(beats),
     .unit = "beats",
     .standard = "100",
     .aliases = "iterations",
     .help = "Beats at most, after those that a checkpoint has behind it; fewer if nothing changes "
             "any more"},
    {.name = "until",
     .type = APP_CUSTOM,
     FIELD(until),
     .parse = app_parse_steady,
     .takes = "steady",
     .value = "steady",
     .help = "Go on until nothing changes any more, or only pixels that swing to and fro for ever, "
             "however many beats that takes; with -n, no further than that"},
    {.type = APP_SECTION, .help = "Results:"},
    {.name = "output",
     .letter = 'o',
     .type = APP_OUTPUT,
     FIELD(output),
     .choices = ".png|.npy",
     .help = "What is inside in the end: white on black in a PNG of one bit a pixel, or 1 and 0 in "
             "a NumPy array"},
    {.name = "overlay",
     .type = APP_OUTPUT,
     FIELD(overlay),
     .choices = ".png",
     .help = "The image with the border drawn on it"},
    {.type = APP_END}};

static const app_option how_rows[] = {APP_HOW_SECTION, {.type = APP_END}};

static const app_table tables[] = {
    {what_rows, 0, NULL},
    {app_movie_rows, offsetof(chan_vese_arguments, movie), NULL},
    {app_checkpoint_rows, offsetof(chan_vese_arguments, saving), NULL},
    {how_rows, 0, NULL},
    APP_COMMON_TABLES(chan_vese_arguments),
    {NULL, 0, NULL}};

static halo_status check(const app_options *given, void *context)
{
    const chan_vese_arguments *into = context;
    bool endless = into->until.steady && !app_given(given, &into->beats);
    return into->movie.path != NULL && into->movie.every == 0 && endless
               ? halo_fail(HALO_ARGUMENT, "--movie with --until steady needs --every N: how many "
                                          "beats there will be is not known")
               : HALO_OK;
}

const app_syntax chan_vese_syntax = {
    .name = "chan-vese",
    .beat = "an iteration: border pixels go to the side whose mean grey is nearer, and the border "
            "is smoothed",
    .about =
        "Part an image into an inside and an outside that are even in grey, with a smooth border: "
        "morphological Chan-Vese.\n\n"
        "In each beat, pixels on the border go inside or outside, whichever mean grey they are "
        "nearer to, and then the border is smoothed. No edges are needed, and an inside of many "
        "pieces, with holes, is as good as one. The result is that of scikit-image's "
        "morphological_chan_vese for the same greys (as whole numbers), to the last pixel, on any "
        "number of ranks.",
    .notes =
        "Examples:\n"
        "  halobeat chan-vese coins.png -n 35 -o inside.png --overlay overlay.png\n"
        "  halobeat chan-vese cells.png --smoothing 3 --init disk --movie cells.gif\n"
        "  halobeat chan-vese scan.png --until steady -o inside.npy\n"
        "  mpiexec -n 16 halobeat chan-vese huge.png -n 500 --checkpoint c.halo\n"
        "  halobeat chan-vese huge.png --restore c.halo -n 100 -o inside.png\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .bytes = sizeof(chan_vese_arguments),
    .describe = balance_describe,
    .check = check,
};
