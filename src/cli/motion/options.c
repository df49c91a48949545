#include "cli/motion/options.h"

#include "io/table/table.h"
#include "kernels/cluster/cluster.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_RADIUS = 256,
    KEY_WEIGHT,
    KEY_FLOW,
    KEY_BEATS,
    KEY_VECTORS,
    KEY_ARROWS,
    KEY_ARROW_SCALE,
    KEY_FIRST,
    KEY_FRAMES,
    KEY_ENGINE
};

enum { MOST_RADIUS = 1024 };
static const double MOST_WEIGHT = 1e6, MOST_SCALE = 1e4;
static const int64_t MOST_NUMBER = INT64_C(1) << 53;

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is looked for:", 1},
    {"clusters", 'k', "K", 0, "Clusters of the earlier frame, each with a vector (default: 64)", 0},
    {"radius", KEY_RADIUS, "PIXELS", 0,
     "How far a cluster may move to the right or left, up or down; 0: not by whole pixels "
     "(default: 64)",
     0},
    {"weight", KEY_WEIGHT, "W", 0,
     "A step of grey is this many pixels apart when pixels are clustered (default: 1)", 0},
    {"max-beats", KEY_BEATS, "N", 0,
     "Cluster the first frame in this many beats at most "
     "(default: 20)",
     0},
    {"flow", KEY_FLOW, "fine|cluster", 0,
     "Flow of pixels. fine: of small pieces of clusters (the default). cluster: its cluster's "
     "vector",
     0},
    {0, 0, 0, 0, "A sequence of frames:", 2},
    {"first", KEY_FIRST, "N", 0,
     "Number of the first frame (default: 0, or 1 where there is no frame 0)", 0},
    {"frames", KEY_FRAMES, "N", 0, "Frames in all (default: as many as there are)", 0},
    {0, 0, 0, 0, "Results; of a sequence, names need a number, such as %04d:", 3},
    {"output", 'o', "FILE.flo|.npy|.png", 0,
     "Flow of every pixel of the earlier frame: Middlebury's format, a NumPy array of (height, "
     "width, 2), or the colours of the usual wheel",
     0},
    {"vectors", KEY_VECTORS, "FILE.csv|FILE.json", 0,
     "One line a cluster: pixels, centroid, vector, mean grey difference", 0},
    {"arrows", KEY_ARROWS, "FILE.png", 0, "The vectors as arrows on the earlier frame", 0},
    {"arrow-scale", KEY_ARROW_SCALE, "S", 0, "Arrows are S times as long as vectors (default: 1)",
     0},
    {0, 0, 0, 0, "Interruptions:", 4},
    {"checkpoint", SAVING_CHECKPOINT, "FILE", 0,
     "Save there how far a sequence is at its end, when stopped by SIGINT (Ctrl-C) or SIGTERM, and",
     0},
    {"checkpoint-every", SAVING_EVERY, "N", 0, "every N pairs of frames", 0},
    {"restore", SAVING_RESTORE, "FILE", 0,
     "Go on with a sequence from a checkpoint, on any number of ranks, as if it had never been "
     "interrupted; it has the clusters, weight, radius and flow",
     0},
    {"engine", KEY_ENGINE, "auto|tiles|leaves|brute", 0,
     "How pixels find their clusters' centres (default: auto)", ARGUMENTS_HOW},
    {0},
};

static const char beat[] =
    "what master and workers do together: each is handed its share of the clusters, and hands its "
    "results back. The balancers of `halobeat motion` are none (as many pixels for every rank), "
    "lb1 and lb2";

static const char documentation[] =
    "Find how the parts of a picture move from one frame to the next.\n\n"
    "The pixels of a frame are clustered by place and grey; each cluster is found again in the "
    "next frame where the greys of its pixels differ least. More than two frames, or a name with a "
    "place for a number, are a sequence, which keeps its clusters from frame to frame.\v"
    "Examples:\n"
    "  halobeat motion a.png b.png -k 64 -o flow.flo --arrows arrows.png\n"
    "  halobeat motion a.png b.png -k 256 --radius 20 -o flow.png\n"
    "  mpiexec -n 4 halobeat motion 'frame-%04d.png' --frames 100 --balance lb2 \\\n"
    "      -o 'flow-%04d.flo' --checkpoint motion.halo\n\n"
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may\n"
    "make 0), 2 unusable arguments.";

/* Names that an option takes, ending with NULL. */
static const char *const flows[] = {
#define FLOW_ENTRY(name, help) #name,
    HALO_MOTION_FLOW_LIST(FLOW_ENTRY)
#undef FLOW_ENTRY
        NULL};
static const char *const balancers[] = {
#define BALANCER_ENTRY(name, help) #name,
    HALO_MOTION_BALANCER_LIST(BALANCER_ENTRY)
#undef BALANCER_ENTRY
        NULL};
static const char *const engines[] = {"auto",
#define ENGINE_ENTRY(name, help) #name,
                                      HALO_CLUSTER_ENGINE_LIST(ENGINE_ENTRY)
#undef ENGINE_ENTRY
                                          NULL};

/* ---- files ----------------------------------------------------------------------------------- */

static error_t take_file(const arguments_parse *parse, motion_file file, const char *path)
{
    motion_arguments *into = parse->into;
    return numbered_parse(&into->files[file], path) == HALO_OK
               ? 0
               : arguments_complain(parse, "%s", halo_last_message());
}

static error_t parse_output(const arguments_parse *parse, const char *path)
{
    static const char *const endings[] = {
#define OUTPUT_ENTRY(code, ending, help) ending,
        MOTION_OUTPUT_LIST(OUTPUT_ENTRY)
#undef OUTPUT_ENTRY
    };
    motion_arguments *into = parse->into;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (arguments_ends_with(path, endings[i])) {
            into->output_kind = (motion_output_kind)i;
            return take_file(parse, MOTION_FLOW, path);
        }
    }
    return arguments_complain(parse, "-o takes a name ending in .flo, .npy or .png, not \"%s\"",
                              path);
}

static error_t parse_path(const arguments_parse *parse, int key, const char *path)
{
    halo_table_format format;
    switch (key) {
    case 'o':
        return parse_output(parse, path);
    case KEY_VECTORS:
        return halo_table_format_from_path(path, &format) == HALO_OK
                   ? take_file(parse, MOTION_VECTORS, path)
                   : arguments_complain(
                         parse, "--vectors takes a name ending in .csv or .json, not \"%s\"", path);
    case KEY_ARROWS:
        return arguments_ends_with(path, ".png")
                   ? take_file(parse, MOTION_ARROWS, path)
                   : arguments_complain(parse, "--arrows takes a name ending in .png, not \"%s\"",
                                        path);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- numbers and names ----------------------------------------------------------------------- */

static error_t parse_real(const arguments_parse *parse, const char *option, const char *text,
                          double most, double *out)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(value > 0 && value <= most)) {
        return arguments_complain(parse, "--%s takes a number above 0, up to %g, not \"%s\"",
                                  option, most, text);
    }
    *out = value;
    return 0;
}

static error_t parse_clusters(const arguments_parse *parse, const char *text)
{
    motion_arguments *into = parse->into;
    int64_t clusters = 0;
    error_t error = arguments_integer(parse, "clusters", "1 to 65535 clusters", text, 1,
                                      HALO_CLUSTER_MOST, &clusters);
    into->motion.clusters = (int)clusters;
    return error;
}

static error_t parse_radius(const arguments_parse *parse, const char *text)
{
    motion_arguments *into = parse->into;
    int64_t radius = 0;
    error_t error =
        arguments_integer(parse, "radius", "0 to 1024 pixels", text, 0, MOST_RADIUS, &radius);
    into->motion.radius = (int)radius;
    into->motion.still = radius == 0;
    into->radius_given = true;
    return error;
}

static error_t parse_number(const arguments_parse *parse, int key, const char *text)
{
    motion_arguments *into = parse->into;
    switch (key) {
    case 'k':
        return parse_clusters(parse, text);
    case KEY_RADIUS:
        return parse_radius(parse, text);
    case KEY_WEIGHT:
        return parse_real(parse, "weight", text, MOST_WEIGHT, &into->motion.weight);
    case KEY_ARROW_SCALE:
        return parse_real(parse, "arrow-scale", text, MOST_SCALE, &into->arrow_scale);
    case KEY_BEATS:
        return arguments_integer(parse, "max-beats", "a number of beats from 1 on", text, 1,
                                 INT32_MAX, &into->motion.cluster_beats);
    case KEY_FIRST:
        return arguments_integer(parse, "first", "a frame's number from 0 on", text, 0, MOST_NUMBER,
                                 &into->first);
    case KEY_FRAMES:
        return arguments_integer(parse, "frames", "a number of frames from 2 on", text, 2,
                                 MOST_NUMBER, &into->count);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_choice(const arguments_parse *parse, int key, const char *text)
{
    motion_arguments *into = parse->into;
    switch (key) {
    case KEY_FLOW:
        return arguments_choose_name(parse, "flow", text, flows, &into->motion.flow);
    case KEY_ENGINE:
        return arguments_choose_name(parse, "engine", text, engines, &into->motion.engine);
    default:
        return saving_parse(parse, key, text, &into->saving);
    }
}

static error_t add_frame(const arguments_parse *parse, const char *path)
{
    motion_arguments *into = parse->into;
    const char **more = realloc(into->frames, (size_t)(into->frame_count + 1) * sizeof *more);
    if (more == NULL) {
        return arguments_complain(parse, "out of memory: names of frames");
    }
    into->frames = more;
    into->frames[into->frame_count++] = path;
    return 0;
}

/* ---- together -------------------------------------------------------------------------------- */

/* Clusters are shared out anew in every beat, and no boundary moves. */
static error_t check_balance(const arguments_parse *parse)
{
    const balance_arguments *balance = &parse->common->balance;
    if (balance->balancer == NULL) {
        return 0;
    }
    bool known = false;
    for (int i = 0; balancers[i] != NULL; i++) {
        known = known || strcmp(balance->balancer, balancers[i]) == 0;
    }
    if (!known) {
        return arguments_complain(parse,
                                  "--balance %s moves boundaries between rows, and motion hands "
                                  "clusters to workers; use none, lb1 or lb2, without options",
                                  balance->balancer);
    }
    const char *alone = balance->every > 0         ? "balance-every"
                        : balance->migrate != NULL ? "migrate"
                        : balance->log != NULL     ? "balance-log"
                                                   : NULL;
    return alone == NULL
               ? 0
               : arguments_complain(parse,
                                    "--%s is about boundaries that move, and motion hands "
                                    "out its clusters anew in every beat; leave it out",
                                    alone);
}

static error_t check_sequence(const arguments_parse *parse)
{
    const motion_arguments *into = parse->into;
    numbered_name name = {0};
    if (into->frame_count == 0) {
        return arguments_complain(parse, "which frames? Give the names of two PNG files, or of a "
                                         "sequence such as frame-%%04d.png");
    }
    if (into->frame_count == 1 && numbered_parse(&name, into->frames[0]) != HALO_OK) {
        return arguments_complain(parse, "%s", halo_last_message());
    }
    if (into->frame_count == 1 && !name.numbered) {
        return arguments_complain(parse,
                                  "\"%s\" is one frame; motion is from one to the next: give "
                                  "another, or a sequence such as frame-%%04d.png",
                                  into->frames[0]);
    }
    if (into->frame_count > 1 && (into->first >= 0 || into->count > 0)) {
        return arguments_complain(parse,
                                  "--first and --frames are about one name with a place for a "
                                  "number, such as frame-%%04d.png; leave them out");
    }
    return 0;
}

static error_t check_files(const arguments_parse *parse)
{
    static const char *const names[MOTION_FILES] = {"-o", "--vectors", "--arrows"};
    const motion_arguments *into = parse->into;
    for (int f = 0; into->frame_count > 2 && f < MOTION_FILES; f++) {
        if (into->files[f].text != NULL && !into->files[f].numbered) {
            return arguments_complain(parse,
                                      "%s %s is one file, and %" PRId64 " frames need %" PRId64
                                      ": put a place for a number into its name, such as %%04d",
                                      names[f], into->files[f].text, into->frame_count,
                                      into->frame_count - 1);
        }
    }
    if (into->arrow_scale > 0 && into->files[MOTION_ARROWS].text == NULL) {
        return arguments_complain(parse, "--arrow-scale is about --arrows; name a file for them");
    }
    return 0;
}

static error_t check_together(const arguments_parse *parse)
{
    const motion_arguments *into = parse->into;
    error_t found = check_sequence(parse);
    found = found == 0 ? check_files(parse) : found;
    found = found == 0 ? check_balance(parse) : found;
    return found == 0 ? saving_check(parse, &into->saving) : found;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    static error_t (*const parsers[])(const arguments_parse *, int,
                                      const char *) = {parse_path, parse_number, parse_choice};
    if (key == ARGP_KEY_ARG) {
        return add_frame(parse, text);
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

arguments_verdict motion_arguments_parse(int argc, char **argv, bool speaks,
                                         motion_arguments *arguments)
{
    *arguments = (motion_arguments){.first = -1};
    const struct argp argp = {.options = options,
                              .parser = parse_option,
                              .args_doc = "FRAME1.png FRAME2.png [FRAME.png...]\nFRAMES-%04d.png",
                              .doc = documentation};
    arguments_parse parse = {.command = "motion",
                             .beat = beat,
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    arguments_verdict verdict = arguments_run(argc, argv, &argp, &parse);
    arguments->motion.instructions = arguments->common.instructions;
    arguments->motion.balancer = arguments->common.balance.balancer;
    arguments->common.balance.balancer = NULL;
    return verdict;
}

void motion_arguments_free(motion_arguments *arguments)
{
    free(arguments->frames);
    arguments->frames = NULL;
}
