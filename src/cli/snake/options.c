#include "cli/snake/options.h"

#include "cli/snake/values.h"
#include "kernels/snake/snake.h"
#include "kernels/snake/snake_field.h"

#define FIELD(member)     .offset = offsetof(snake_arguments, member)
#define PARAMETER(member) FIELD(parameters.member), .flags = APP_SAVED
#define OWN_CONTOURS      "a checkpoint has its own contours"
#define MOST_PIXELS       1e6

static const app_option begin_rows[] = {
    APP_IMAGE_ROW(snake_arguments),
    {.type = APP_SECTION, .help = "Contours to begin with:"},
    {.name = "init",
     .type = APP_CUSTOM,
     FIELD(inits),
     .parse = snake_parse_init,
     .flags = APP_REPEATS,
     .value = "circle:X,Y,R[,N]|polygon:FILE.csv|grid:RxC[,N]",
     .required = "where do the contours begin? Give --init circle:X,Y,R, polygon:FILE.csv or "
                 "grid:RxC",
     .instead = "restore",
     .excludes = "restore",
     .why = OWN_CONTOURS,
     .help =
         "circle: around column X of row Y, with a radius of R pixels. polygon: the contours of "
         "a file, as -o writes them, or with x,y on each line and an empty line between "
         "contours. grid: circles in R rows and C columns all over the image. N: points of a "
         "circle. May be given several times, for all contours together"},
    {.name = "spacing",
     .type = APP_REAL,
     FIELD(spacing),
     .min = 1,
     .max = MOST_PIXELS,
     .unit = "pixels",
     .value = "PIXELS",
     .excludes = "restore",
     .why = OWN_CONTOURS,
     .help = "Pixels from one point to the next in the beginning",
     .unless = "6; the points of a file are taken as they are"},
    {.type = APP_END}};

/* In the order in which checkpoints have them. */
#define ORDER_ENTRY(code, name, help) "|" name
static const app_option parameter_rows[] = {
    {.type = APP_SECTION, .help = "What moves them:"},
    {.name = "window",
     .type = APP_INTEGER,
     PARAMETER(window),
     .key = "window_pixels",
     .min = 3,
     .max = 7,
     .parse = snake_parse_window,
     .takes = "3, 5 or 7",
     .value = "3|5|7",
     .standard = "5",
     .help = "Pixels a side of the square in which a point looks for a better place"},
    {.name = "order",
     .type = APP_CHOICE,
     PARAMETER(order),
     .choices = HALO_SNAKE_ORDER_LIST(ORDER_ENTRY),
     .standard = "two-colour",
     .help = "two-colour: even points move, then odd ones; contours come to rest. jacobi: all "
             "points move at once, and may swing to and fro"},
    {.name = "alpha",
     .type = APP_REAL,
     PARAMETER(alpha),
     .max = 1000,
     .value = "WEIGHT",
     .standard = "1",
     .help = "Weight of even spacing between points"},
    {.name = "beta",
     .type = APP_REAL,
     PARAMETER(beta),
     .max = 1000,
     .value = "WEIGHT",
     .standard = "1",
     .help = "Weight of smoothness"},
    {.name = "gamma",
     .type = APP_REAL,
     PARAMETER(gamma),
     .max = 1000,
     .value = "WEIGHT",
     .standard = "2",
     .help = "Weight of edges in the image"},
    {.name = "sigma",
     .type = APP_REAL,
     PARAMETER(sigma),
     .key = "sigma_pixels",
     .max = HALO_SNAKE_MAX_SIGMA,
     .unit = "pixels",
     .value = "PIXELS",
     .standard = "3",
     .help = "Blur the image first, by a Gaussian of this standard deviation"},
    {.name = "floor",
     .type = APP_REAL,
     PARAMETER(floor),
     .max = 255,
     .unit = "grey levels a pixel",
     .value = "LEVELS",
     .standard = "12",
     .help = "Slopes of fewer grey levels (of 255) a pixel than this are noise"},
    {.type = APP_SECTION, .help = "How far:"},
    {.name = "beats",
     .letter = 'n',
     .type = APP_INTEGER,
     FIELD(beats),
     .min = 1,
     .unit = "beats",
     .standard = "1000",
     .aliases = "max-beats",
     .help = "Beats at most, after those that a checkpoint has behind it"},
    /* A share, as checkpoints keep it. */
    {.name = "until",
     .type = APP_SHARE,
     PARAMETER(stop_moved),
     .key = "stop_moved",
     .parse = snake_parse_until,
     .takes = "steady, or change:SHARE with a share of less than 1, such as change:1%",
     .value = "steady|change:SHARE",
     .standard = "change:1%",
     .help = "change: stop when no more than this share of the points moves in a beat. steady: "
             "when none moves"},
    {.name = "stop-moved",
     .type = APP_SHARE,
     FIELD(parameters.stop_moved),
     .flags = APP_HIDDEN,
     .excludes = "until",
     .why = "it is the old spelling of --until change:SHARE",
     .help = "The old spelling of --until change:SHARE"},
    {.name = "stop-distance",
     .type = APP_REAL,
     PARAMETER(stop_distance),
     .key = "stop_distance_pixels",
     .max = MOST_PIXELS,
     .unit = "pixels",
     .value = "PIXELS",
     .standard = "0",
     .help = "Stop when a beat moves the points by this many pixels on average, or less"},
    {.type = APP_END}};
#undef ORDER_ENTRY

/* Contours often rest long before the last beat there may be, so that every beat is a picture. */
static const app_option result_rows[] = {
    {.type = APP_SECTION, .help = "Results:"},
    {.name = "output",
     .letter = 'o',
     .type = APP_OUTPUT,
     FIELD(output),
     .choices = ".csv|.json|.svg",
     .help = "The contours: a table of points, which --init can begin with again, or JSON, or a "
             "drawing"},
    {.name = "overlay",
     .type = APP_OUTPUT,
     FIELD(overlay),
     .choices = ".png",
     .help = "The image with the contours drawn on it, and thin ones where they began"},
    {.name = "movie",
     .type = APP_OUTPUT,
     FIELD(movie.path),
     .choices = ".gif|.mp4|.png|.apng",
     .help = "How the contours move, as a movie (needs ffmpeg)"},
    {.name = "every",
     .type = APP_INTEGER,
     FIELD(movie.every),
     .min = 1,
     .unit = "beats",
     .needs = "movie",
     .standard = "1",
     .help = "Take a picture every N beats"},
    {.name = "fps",
     .type = APP_INTEGER,
     FIELD(movie.frames_per_second),
     .min = 1,
     .max = 60,
     .unit = "pictures per second",
     .needs = "movie",
     .help = "Pictures per second of the movie",
     .unless = "25"},
    {.name = "gradient",
     .type = APP_OUTPUT,
     FIELD(gradient),
     .choices = ".png",
     .help = "The edges that attract the contours, as a picture"},
    {.type = APP_END}};

static const app_option how_rows[] = {APP_HOW_SECTION, {.type = APP_END}};

static const app_table tables[] = {
    {begin_rows, 0, NULL},  {parameter_rows, 0, NULL},
    {result_rows, 0, NULL}, {app_checkpoint_rows, offsetof(snake_arguments, saving), NULL},
    {how_rows, 0, NULL},    APP_COMMON_TABLES(snake_arguments),
    {NULL, 0, NULL}};

const app_syntax snake_syntax = {
    .name = "snake",
    .beat = "one look of every point at the places around it",
    .about =
        "Draw closed contours to the edges of a PNG image: active contours, or snakes.\n\n"
        "The points of each contour move, pixel by pixel, to where spacing, smoothness and edges "
        "together cost least (the greedy algorithm of Williams and Shah), until few of them move.",
    .notes = "Examples:\n"
             "  halobeat snake cell.png --init circle:425,375,110 --overlay outline.png\n"
             "  halobeat snake astronaut.png --init circle:225,115,108 --floor 24 -o head.csv\n"
             "  halobeat snake astronaut.png --init polygon:head.csv --sigma 1 -o head.svg\n"
             "  mpiexec -n 8 halobeat snake huge.png --init grid:100x100 -o "
             "all.json\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .bytes = sizeof(snake_arguments),
    .describe = balance_describe,
};
