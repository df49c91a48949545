#include "cli/chan_vese/options.h"

#include "cli/chan_vese/values.h"
#include "kernels/chan_vese/chan_vese.h"

enum {
    KEY_SMOOTHING = 256,
    KEY_LAMBDA1,
    KEY_LAMBDA2,
    KEY_INIT,
    KEY_UNTIL,
    KEY_OVERLAY,
    KEY_MOVIE,
    KEY_EVERY,
    KEY_FPS
};

static const int64_t MOST_BEATS = INT64_MAX / 4;
enum { MOST_FRAMES_PER_SECOND = 60 };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is computed:", 1},
    {"smoothing", KEY_SMOOTHING, "N", 0,
     "Smooth the border so many times a beat: 0 follows single pixels, 1 to 4 are usual, 64 the "
     "most (default: 1)",
     0},
    {"lambda1", KEY_LAMBDA1, "L", 0,
     "Weight of how uneven the inside is: the larger it is than lambda2, the more even the inside "
     "becomes, and the more greys the outside has (default: 1)",
     0},
    {"lambda2", KEY_LAMBDA2, "L", 0, "Weight of how uneven the outside is (default: 1)", 0},
    {"init", KEY_INIT, "checkerboard[:SIZE]|disk[:X,Y,R]|FILE.png", 0,
     "What is inside to begin with: every other square of SIZE pixels; pixels nearer than R to "
     "column X of row Y; or pixels of a picture of the same size that are not black (default: "
     "checkerboard:5; of disk the middle, and 3/8 of the shorter side)",
     0},
    {0, 0, 0, 0, "How far:", 2},
    {"iterations", 'n', "N", 0,
     "Beats at most, after those that a checkpoint has behind it; fewer if nothing changes any "
     "more (default: 100)",
     0},
    {"until", KEY_UNTIL, "still", 0,
     "Go on until nothing changes any more, or only pixels that swing to and fro for ever, however "
     "many beats that takes; with -n, no further than that",
     0},
    {0, 0, 0, 0, "Results:", 3},
    {"output", 'o', "FILE.png|.npy", 0,
     "What is inside in the end: white on black in a PNG of one bit a pixel, or 1 and 0 in a NumPy "
     "array",
     0},
    {"overlay", KEY_OVERLAY, "FILE.png", 0, "The image with the border drawn on it", 0},
    {"movie", KEY_MOVIE, "FILE.gif|.mp4|.png", 0,
     "What is inside, beat by beat, as a movie (needs ffmpeg)", 0},
    {"every", KEY_EVERY, "N", 0,
     "Take a picture every N beats (default: as often as makes at most 600)", 0},
    {"fps", KEY_FPS, "N", 0, "Pictures per second of a movie (default: 25)", 0},
    {0, 0, 0, 0, "Interruptions:", 4},
    {"checkpoint", SAVING_CHECKPOINT, "FILE", 0,
     "Save the state there at the end, when stopped by SIGINT (Ctrl-C) or SIGTERM, and", 0},
    {"checkpoint-every", SAVING_EVERY, "N", 0, "every N beats", 0},
    {"restore", SAVING_RESTORE, "FILE", 0,
     "Go on from a checkpoint with the same image, on any number of ranks; it has the level set, "
     "the smoothing and the weights",
     0},
    {0},
};

static const char beat[] =
    "an iteration: border pixels go to the side whose mean grey is nearer, and the border is "
    "smoothed";

static const char documentation[] =
    "Part an image into an inside and an outside that are even in grey, with a smooth border: "
    "morphological Chan-Vese.\n\n"
    "In each beat, pixels on the border go inside or outside, whichever mean grey they are nearer "
    "to, and then the border is smoothed. No edges are needed, and an inside of many pieces, with "
    "holes, is as good as one. The result is that of scikit-image's morphological_chan_vese for "
    "the same greys (as whole numbers), to the last pixel, on any number of ranks."
    "\vExamples:\n"
    "  halobeat chan-vese coins.png -n 35 -o inside.png --overlay overlay.png\n"
    "  halobeat chan-vese cells.png --smoothing 3 --init disk --movie cells.gif\n"
    "  halobeat chan-vese scan.png --until still -o inside.npy\n"
    "  mpiexec -n 16 halobeat chan-vese huge.png -n 500 --checkpoint c.halo\n"
    "  halobeat chan-vese huge.png --restore c.halo -n 100 -o inside.png\n\n"
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may\n"
    "make 0), 2 unusable arguments.";

static error_t parse_number(const arguments_parse *parse, int key, const char *text)
{
    static const char *const from_one = "a number of beats from 1 on";
    chan_vese_arguments *into = parse->into;
    switch (key) {
    case 'n':
        return arguments_integer(parse, "iterations", "a number of beats from 0 on", text, 0,
                                 MOST_BEATS, &into->beats);
    case KEY_SMOOTHING:
        return arguments_integer(parse, "smoothing", "0 to 64 times a beat", text, 0,
                                 HALO_CHAN_VESE_MOST_SMOOTHING, &into->smoothing);
    case KEY_EVERY:
        return arguments_integer(parse, "every", from_one, text, 1, MOST_BEATS, &into->every);
    case KEY_FPS:
        return arguments_integer(parse, "fps", "1 to 60 pictures per second", text, 1,
                                 MOST_FRAMES_PER_SECOND, &into->frames_per_second);
    case KEY_LAMBDA1:
        return chan_vese_parse_lambda(parse, "lambda1", text, &into->lambda1);
    case KEY_LAMBDA2:
        return chan_vese_parse_lambda(parse, "lambda2", text, &into->lambda2);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_other(const arguments_parse *parse, int key, const char *text)
{
    chan_vese_arguments *into = parse->into;
    switch (key) {
    case KEY_INIT:
        return chan_vese_parse_init(parse, text, &into->init);
    case KEY_UNTIL:
        return chan_vese_parse_until(parse, text, &into->until_still);
    case 'o':
        return chan_vese_parse_file(parse, "-o", text, ".png", ".npy", &into->output);
    case KEY_OVERLAY:
        return chan_vese_parse_file(parse, "--overlay", text, ".png", NULL, &into->overlay);
    case KEY_MOVIE:
        into->movie = text;
        return 0; /* its ending is checked with everything else about it */
    default:
        return saving_parse(parse, key, text, &into->saving);
    }
}

/* An option that says nothing without another one, or contradicts it. */
typedef struct {
    bool wrong;
    const char *complaint;
} contradiction;

static error_t check_together(const arguments_parse *parse)
{
    const chan_vese_arguments *into = parse->into;
    const contradiction all[] = {
        {into->image == NULL, "which image? Give the name of a PNG file"},
        {into->movie != NULL && into->every == 0 && into->until_still && into->beats < 0,
         "how often is a picture to be taken? Nobody knows when it will be still: give --every N"},
        {into->every != 0 && into->movie == NULL, "--every is about --movie; name one"},
        {into->frames_per_second != 0 && into->movie == NULL, "--fps is about --movie; name one"},
        {into->saving.restore != NULL && into->init.text != NULL,
         "a checkpoint has its own level set: --restore goes without --init"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].wrong) {
            return arguments_complain(parse, "%s", all[i].complaint);
        }
    }
    return saving_check(parse, &into->saving);
}

static error_t parse_argument(const arguments_parse *parse, const char *text)
{
    chan_vese_arguments *into = parse->into;
    if (into->image != NULL) {
        return arguments_complain(parse, "one image at a time: \"%s\" is one too many", text);
    }
    into->image = text;
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    if (key == ARGP_KEY_ARG) {
        return parse_argument(parse, text);
    }
    if (key == ARGP_KEY_END) {
        return parse->helped ? 0 : check_together(parse);
    }
    error_t found = text != NULL ? parse_number(parse, key, text) : ARGP_ERR_UNKNOWN;
    return found == ARGP_ERR_UNKNOWN && text != NULL ? parse_other(parse, key, text) : found;
}

arguments_verdict chan_vese_arguments_parse(int argc, char **argv, bool speaks,
                                            chan_vese_arguments *arguments)
{
    *arguments = (chan_vese_arguments){.beats = -1, .smoothing = -1, .lambda1 = -1, .lambda2 = -1};
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "IMAGE.png", .doc = documentation};
    arguments_parse parse = {.command = "chan-vese",
                             .beat = beat,
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    return arguments_run(argc, argv, &argp, &parse);
}
