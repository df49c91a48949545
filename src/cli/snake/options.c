#include "cli/snake/options.h"

#include "cli/snake/values.h"
#include "kernels/snake/snake_field.h"

#include <errno.h>

enum {
    KEY_INIT = 256,
    KEY_SPACING,
    KEY_ALPHA,
    KEY_BETA,
    KEY_GAMMA,
    KEY_WINDOW,
    KEY_SIGMA,
    KEY_FLOOR,
    KEY_ORDER,
    KEY_BEATS,
    KEY_STOP_MOVED,
    KEY_STOP_DISTANCE,
    KEY_OVERLAY,
    KEY_MOVIE,
    KEY_EVERY,
    KEY_FPS,
    KEY_GRADIENT
};

static const int64_t MOST_BEATS = INT64_MAX / 4;
static const double MOST_WEIGHT = 1000, MOST_PIXELS = 1000000;
enum { MOST_FRAMES_PER_SECOND = 60 };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Contours to begin with:", 1},
    {"init", KEY_INIT, "circle:X,Y,R[,N]|polygon:FILE.csv|grid:RxC[,N]", 0,
     "A circle around column X, row Y; the contours of a file, as -o writes them or with x,y on "
     "each line and an empty line between contours; or circles in R rows and C columns all over "
     "the picture. N is the points of a circle. May be given several times: all contours together",
     0},
    {"spacing", KEY_SPACING, "PIXELS", 0,
     "Pixels from one point to the next to begin with (default: 6; a file's points as they are)",
     0},
    {0, 0, 0, 0, "What draws them:", 2},
    {"alpha", KEY_ALPHA, "WEIGHT", 0, "Of even spacing between points (default: 1)", 0},
    {"beta", KEY_BETA, "WEIGHT", 0, "Of smoothness (default: 1)", 0},
    {"gamma", KEY_GAMMA, "WEIGHT", 0, "Of edges in the picture (default: 2)", 0},
    {"window", KEY_WINDOW, "3|5|7", 0,
     "How far a point looks for a better place: a square of so many pixels (default: 5)", 0},
    {"sigma", KEY_SIGMA, "PIXELS", 0,
     "Blur the picture first, by a Gaussian of this standard deviation (default: 3)", 0},
    {"floor", KEY_FLOOR, "LEVELS", 0,
     "Slopes of less grey levels (of 255) a pixel than this are noise (default: 12)", 0},
    {"order", KEY_ORDER, "two-colour|jacobi", 0,
     "two-colour: even points move, then odd ones, which settles (default). jacobi: all at once",
     0},
    {0, 0, 0, 0, "How far:", 3},
    {"max-beats", KEY_BEATS, "N", 0,
     "Stop after so many beats, after those that a checkpoint has behind it (default: 1000)", 0},
    {"stop-moved", KEY_STOP_MOVED, "SHARE", 0,
     "Stop when no more than this share of the points moves in a beat (default: 1%)", 0},
    {"stop-distance", KEY_STOP_DISTANCE, "DISTANCE", 0,
     "Stop when a beat moves the points so many pixels on average, or less (default: 0)", 0},
    {0, 0, 0, 0, "Results:", 4},
    {"output", 'o', "FILE.csv|.json|.svg", 0,
     "The contours: a table of points, which --init can begin with again, or JSON, or a drawing",
     0},
    {"overlay", KEY_OVERLAY, "FILE.png", 0,
     "The picture with the contours drawn on it, and thin ones where they began", 0},
    {"movie", KEY_MOVIE, "FILE.gif|.mp4|.png", 0, "How they move, as a movie (needs ffmpeg)", 0},
    {"every", KEY_EVERY, "N", 0, "A picture of the movie every N beats (default: 1)", 0},
    {"fps", KEY_FPS, "N", 0, "Pictures per second of a movie (default: 25)", 0},
    {"gradient", KEY_GRADIENT, "FILE.png", 0, "The edges that draw the contours, to look at", 0},
    {0, 0, 0, 0, "Interruptions:", 5},
    {"checkpoint", SAVING_CHECKPOINT, "FILE", 0,
     "Save the state there at the end, when stopped by SIGINT (Ctrl-C) or SIGTERM, and", 0},
    {"checkpoint-every", SAVING_EVERY, "N", 0, "every N beats", 0},
    {"restore", SAVING_RESTORE, "FILE", 0,
     "Go on from a checkpoint of the same picture, on any number of ranks; it has the contours and "
     "what draws them",
     0},
    {0},
};

static const char documentation[] =
    "Draw closed contours to the edges of a PNG image: active contours, or snakes.\n\n"
    "The points of each contour move, pixel by pixel, to where spacing, smoothness and edges "
    "together cost least (the greedy algorithm of Williams and Shah), until few of them move."
    "\vExamples:\n"
    "  halobeat snake cell.png --init circle:425,375,110 --overlay outline.png\n"
    "  halobeat snake astronaut.png --init circle:225,115,108 --floor 24 -o head.csv\n"
    "  halobeat snake astronaut.png --init polygon:head.csv --sigma 1 -o head.svg\n"
    "  mpiexec -n 8 halobeat snake huge.png --init grid:100x100 -o all.json\n\n"
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may\n"
    "make 0), 2 unusable arguments.";

static const char *const windows[] = {"3", "5", "7", NULL};
static const char *const orders[] = {
#define ORDER_ENTRY(code, name, help) name,
    HALO_SNAKE_ORDER_LIST(ORDER_ENTRY)
#undef ORDER_ENTRY
        NULL};

static error_t parse_path(const arguments_parse *parse, int key, const char *path)
{
    snake_arguments *into = parse->into;
    switch (key) {
    case 'o':
        return snake_parse_output(parse, path);
    case KEY_OVERLAY:
        return snake_parse_png(parse, "overlay", path, &into->overlay);
    case KEY_GRADIENT:
        return snake_parse_png(parse, "gradient", path, &into->gradient);
    case KEY_MOVIE:
        into->movie = path;
        return 0; /* its ending is checked with everything else about it */
    default:
        return saving_parse(parse, key, path, &into->saving);
    }
}

static error_t parse_window(const arguments_parse *parse, const char *text)
{
    snake_arguments *into = parse->into;
    int chosen = arguments_choose(parse, "window", text, windows);
    into->parameters.window = 3 + 2 * (int64_t)chosen;
    return chosen < 0 ? EINVAL : 0;
}

static error_t parse_parameter(const arguments_parse *parse, int key, const char *text)
{
    static const char *const weight = "a weight from 0 to 1000";
    snake_arguments *into = parse->into;
    snake_parameters *p = &into->parameters;
    switch (key) {
    case KEY_ALPHA:
        return snake_parse_real(parse, "alpha", weight, text, 0, MOST_WEIGHT, &p->alpha);
    case KEY_BETA:
        return snake_parse_real(parse, "beta", weight, text, 0, MOST_WEIGHT, &p->beta);
    case KEY_GAMMA:
        return snake_parse_real(parse, "gamma", weight, text, 0, MOST_WEIGHT, &p->gamma);
    case KEY_SIGMA:
        return snake_parse_real(parse, "sigma", "0 to 16 pixels", text, 0, HALO_SNAKE_MOST_SIGMA,
                                &p->sigma);
    case KEY_FLOOR:
        return snake_parse_real(parse, "floor", "grey levels a pixel from 0 to 255", text, 0, 255,
                                &p->floor);
    case KEY_STOP_MOVED:
        return snake_parse_share(parse, "stop-moved", text, &p->stop_moved);
    case KEY_STOP_DISTANCE:
        return snake_parse_real(parse, "stop-distance", "pixels from 0 on", text, 0, MOST_PIXELS,
                                &p->stop_distance);
    case KEY_WINDOW:
        return parse_window(parse, text);
    case KEY_ORDER:
        return arguments_choose_name(parse, "order", text, orders, &p->order);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_number(const arguments_parse *parse, int key, const char *text)
{
    static const char *const from_one = "a number of beats from 1 on";
    snake_arguments *into = parse->into;
    switch (key) {
    case KEY_INIT:
        return snake_parse_init(parse, text);
    case KEY_SPACING:
        return snake_parse_real(parse, "spacing", "pixels from 1 on", text, 1, MOST_PIXELS,
                                &into->spacing);
    case KEY_BEATS:
        return arguments_integer(parse, "max-beats", from_one, text, 1, MOST_BEATS, &into->beats);
    case KEY_EVERY:
        return arguments_integer(parse, "every", from_one, text, 1, MOST_BEATS, &into->every);
    case KEY_FPS:
        return arguments_integer(parse, "fps", "1 to 60 pictures per second", text, 1,
                                 MOST_FRAMES_PER_SECOND, &into->frames_per_second);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* An option that says nothing without another one, or contradicts it. */
typedef struct {
    bool wrong;
    const char *complaint;
} contradiction;

static error_t check_together(const arguments_parse *parse)
{
    const snake_arguments *into = parse->into;
    const contradiction all[] = {
        {into->image == NULL, "which image? Give the name of a PNG file"},
        {into->init_count == 0 && into->saving.restore == NULL,
         "where do the contours begin? Give --init circle:X,Y,R, polygon:FILE.csv or grid:RxC"},
        {into->init_count > 0 && into->saving.restore != NULL,
         "a checkpoint has its own contours: --restore goes without --init"},
        {into->spacing > 0 && into->saving.restore != NULL,
         "--spacing is about --init; a checkpoint has its own contours"},
        {into->every != 0 && into->movie == NULL, "--every is about --movie; name one"},
        {into->frames_per_second != 0 && into->movie == NULL, "--fps is about --movie; name one"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].wrong) {
            return arguments_complain(parse, "%s", all[i].complaint);
        }
    }
    return saving_check(parse, &into->saving);
}

static error_t parse_argument(const arguments_parse *parse, const char *text)
{
    snake_arguments *into = parse->into;
    if (into->image != NULL) {
        return arguments_complain(parse, "one image at a time: \"%s\" is one too many", text);
    }
    into->image = text;
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    static error_t (*const parsers[])(const arguments_parse *, int,
                                      const char *) = {parse_path, parse_parameter, parse_number};
    if (key == ARGP_KEY_ARG) {
        return parse_argument(parse, text);
    }
    if (key == ARGP_KEY_END) {
        return parse->helped ? 0 : check_together(parse);
    }
    error_t found = ARGP_ERR_UNKNOWN;
    for (int i = 0; text != NULL && i < 3 && found == ARGP_ERR_UNKNOWN; i++) {
        found = parsers[i](parse, key, text);
    }
    return found;
}

arguments_verdict snake_arguments_parse(int argc, char **argv, bool speaks,
                                        snake_arguments *arguments)
{
    *arguments = (snake_arguments){.parameters = snake_parameters_none()};
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "IMAGE.png", .doc = documentation};
    arguments_parse parse = {.command = "snake",
                             .beat = "one look of every point at the places around it",
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    return arguments_run(argc, argv, &argp, &parse);
}
