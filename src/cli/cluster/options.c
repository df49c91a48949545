#include "cli/cluster/options.h"

#include "io/table/table.h"
#include "kernels/cluster/cluster.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_WEIGHT = 256,
    KEY_COLOUR,
    KEY_MAX_BEATS,
    KEY_STOP_CHANGED,
    KEY_MOSAIC,
    KEY_OUTLINE,
    KEY_CENTRES,
    KEY_ENGINE
};

static const int64_t MOST_BEATS = INT64_MAX / 4;
static const double WEIGHT_MOST = 1000;

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is computed:", 1},
    {"clusters", 'k', "K", 0, "How many clusters, 1 to 65535 and at most as many as pixels", 0},
    {"weight", KEY_WEIGHT, "W", 0,
     "How much grey, from 0 (black) to 255 (white), counts beside the place in pixels: clusters "
     "are compact with little, and follow greys with much (default: 1)",
     0},
    {"colour", KEY_COLOUR, 0, 0,
     "Colours instead of greys: W times L, a and b of CIELAB, from 0 (black) to 100 (white)", 0},
    {0, 0, 0, 0, "How far:", 2},
    {"max-beats", KEY_MAX_BEATS, "N", 0,
     "Beats at most, after those that a checkpoint has behind it (default: 300)", 0},
    {"stop-changed", KEY_STOP_CHANGED, "SHARE", 0,
     "End with a beat in which at most this share of the pixels, such as 0.001 or 0.1%, goes to "
     "another cluster (default: 0, until none does)",
     0},
    {0, 0, 0, 0, "Results:", 3},
    {"output", 'o', "FILE.png|.npy", 0,
     "The cluster of every pixel, from 0: 16-bit grey PNG, or a NumPy array", 0},
    {"mosaic", KEY_MOSAIC, "FILE.png", 0,
     "The image with every pixel in its cluster's mean grey or colour", 0},
    {"outline", KEY_OUTLINE, "FILE.png", 0, "The image with the clusters' borders drawn on it", 0},
    {"centres", KEY_CENTRES, "FILE.csv|.json", 0,
     "One line a cluster: how many pixels it has, their mean place, mean grey or colour", 0},
    {0, 0, 0, 0, "Interruptions:", 4},
    {"checkpoint", SAVING_CHECKPOINT, "FILE", 0,
     "Save the state there at the end, when stopped by SIGINT (Ctrl-C) or SIGTERM, and", 0},
    {"checkpoint-every", SAVING_EVERY, "N", 0, "every N beats", 0},
    {"restore", SAVING_RESTORE, "FILE", 0,
     "Go on from a checkpoint with the same image, on any number of ranks; it has the clusters, "
     "their weight, and whether they have colours",
     0},
    {"engine", KEY_ENGINE, "auto|tiles|leaves|brute", 0,
     "tiles: look only at clusters that can be the nearest of a tile of the image. leaves: the "
     "same for 64 pixels of similar grey at a time, which are brought together first. brute: look "
     "at all clusters (default: auto, tiles or leaves)",
     ARGUMENTS_HOW},
    {0},
};

static const char beat[] = "a new centre for each cluster, and the nearest centre for each pixel";

static const char documentation[] =
    "Find clusters of pixels that are near each other and alike: k-means.\n\n"
    "The image is cut into K rectangles to begin with. Then each cluster's centre is put at the "
    "mean place and grey of its pixels, each pixel goes to the cluster whose centre is nearest "
    "in (x, y, W * grey), and so on until nothing changes. Pixels are where looking at all "
    "clusters would put them, to the last one, on any number of ranks."
    "\vExamples:\n"
    "  halobeat cluster photo.png -k 64 --mosaic mosaic.png\n"
    "  halobeat cluster photo.png -k 500 --colour --outline outline.png\n"
    "  halobeat cluster cells.png -k 256 --weight 4 --centres centres.csv\n"
    "  mpiexec -n 16 halobeat cluster huge.png -k 4096 -o clusters.npy\n"
    "  mpiexec -n 4 halobeat cluster huge.png -k 4096 --checkpoint c.halo\n"
    "  halobeat cluster huge.png --restore c.halo -o clusters.npy\n\n"
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may\n"
    "make 0), 2 unusable arguments.";

/* Names that an option takes, ending with NULL. */
static const char *const engines[] = {"auto",
#define ENGINE_ENTRY(name, help) #name,
                                      HALO_CLUSTER_ENGINE_LIST(ENGINE_ENTRY)
#undef ENGINE_ENTRY
                                          NULL};

/* A number that begins with a digit or a point, and what stands behind it. */
static bool scan_number(const char *text, double *value, const char **behind)
{
    char *end;
    if ((*text < '0' || *text > '9') && *text != '.') {
        return false;
    }
    errno = 0;
    *value = strtod(text, &end);
    *behind = end;
    return end != text && errno == 0 && isfinite(*value);
}

static error_t parse_weight(const arguments_parse *parse, const char *text)
{
    cluster_arguments *into = parse->into;
    const char *behind;
    bool good = scan_number(text, &into->weight, &behind) && *behind == '\0';
    return good && into->weight <= WEIGHT_MOST
               ? 0
               : arguments_complain(parse, "--weight takes a number from 0 to %g, not \"%s\"",
                                    WEIGHT_MOST, text);
}

static error_t parse_share(const arguments_parse *parse, const char *text)
{
    cluster_arguments *into = parse->into;
    const char *behind;
    double value;
    bool good = scan_number(text, &value, &behind);
    bool percent = good && *behind == '%';
    good = good && behind[percent] == '\0';
    into->stop_share = good ? value / (percent ? 100 : 1) : 0;
    return good && into->stop_share < 1
               ? 0
               : arguments_complain(parse,
                                    "--stop-changed takes a share of the pixels from 0 to less "
                                    "than 1, such as 0.001 or 0.1%%, not \"%s\"",
                                    text);
}

static error_t parse_number(const arguments_parse *parse, int key, const char *text)
{
    cluster_arguments *into = parse->into;
    switch (key) {
    case 'k':
        return arguments_integer(parse, "clusters", "1 to 65535 clusters", text, 1,
                                 HALO_CLUSTER_MOST, &into->clusters);
    case KEY_WEIGHT:
        return parse_weight(parse, text);
    case KEY_MAX_BEATS:
        return arguments_integer(parse, "max-beats", "a number of beats from 1 on", text, 1,
                                 MOST_BEATS, &into->beats);
    case KEY_STOP_CHANGED:
        return parse_share(parse, text);
    case KEY_ENGINE:
        return arguments_choose_name(parse, "engine", text, engines, &into->engine);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A file's name that must have one of two endings; the second may be NULL. */
static error_t parse_file(const arguments_parse *parse, const char *option, const char *path,
                          const char *ending, const char *other, const char **out)
{
    *out = path;
    bool good =
        arguments_ends_with(path, ending) || (other != NULL && arguments_ends_with(path, other));
    return good ? 0
                : arguments_complain(parse, "%s takes a name ending in %s%s%s, not \"%s\"", option,
                                     ending, other != NULL ? " or " : "",
                                     other != NULL ? other : "", path);
}

static error_t parse_path(const arguments_parse *parse, int key, const char *path)
{
    cluster_arguments *into = parse->into;
    switch (key) {
    case 'o':
        return parse_file(parse, "-o", path, ".png", ".npy", &into->output);
    case KEY_MOSAIC:
        return parse_file(parse, "--mosaic", path, ".png", NULL, &into->mosaic);
    case KEY_OUTLINE:
        return parse_file(parse, "--outline", path, ".png", NULL, &into->outline);
    case KEY_CENTRES:
        return parse_file(parse, "--centres", path, ".csv", ".json", &into->centres);
    default:
        return saving_parse(parse, key, path, &into->saving);
    }
}

/* What is missing. */
static error_t check_together(const arguments_parse *parse)
{
    const cluster_arguments *into = parse->into;
    if (into->image == NULL) {
        return arguments_complain(parse, "which image? Give the name of a PNG file");
    }
    if (into->clusters == 0 && into->saving.restore == NULL) {
        return arguments_complain(parse, "how many clusters? Give -k K, such as -k 64");
    }
    return saving_check(parse, &into->saving);
}

static error_t parse_argument(const arguments_parse *parse, const char *text)
{
    cluster_arguments *into = parse->into;
    if (into->image != NULL) {
        return arguments_complain(parse, "one image at a time: \"%s\" is one too many", text);
    }
    into->image = text;
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    cluster_arguments *into = parse->into;
    switch (key) {
    case KEY_COLOUR:
        into->colour = true;
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(parse, text);
    case ARGP_KEY_END:
        return parse->helped ? 0 : check_together(parse);
    default: {
        error_t found = text != NULL ? parse_path(parse, key, text) : ARGP_ERR_UNKNOWN;
        return found == ARGP_ERR_UNKNOWN && text != NULL ? parse_number(parse, key, text) : found;
    }
    }
}

arguments_verdict cluster_arguments_parse(int argc, char **argv, bool speaks,
                                          cluster_arguments *arguments)
{
    *arguments = (cluster_arguments){.weight = -1};
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "IMAGE.png", .doc = documentation};
    arguments_parse parse = {.command = "cluster",
                             .beat = beat,
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    return arguments_run(argc, argv, &argp, &parse);
}
