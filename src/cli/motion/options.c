#include "cli/commands.h"
#include "cli/motion/job.h"
#include "io/array/picture.h"

#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static halo_status parse_file(const char *text, void *into)
{
    return halo_filename_parse(into, text);
}

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) APP_ROW(motion_options, option, kind, member)
#define NAME_ENTRY(name, help)    "|" #name

static const app_option what_rows[] = {
    {APP_FRAME_ROW("FRAME.png", CUSTOM, image), .parse = app_parse_input,
     .takes = "the name of a file", .flags = APP_ARGUMENT | APP_REPEATS,
     .required = "which frames? Give the names of two images, or of a sequence such as "
                 "frame-%04d.png"},
    {.type = APP_SECTION, .help = "What is computed:"},
    {ROW("clusters", INTEGER, clusters), .letter = 'k', .min = 1, .max = HALO_CLUSTER_MAX,
     .unit = "clusters", .value = "K", .standard = "64", .flags = APP_SAVED,
     .help = "Clusters of the earlier frame, each with a vector"},
    {ROW("radius", INTEGER, radius), .max = 1024, .unit = "pixels", .value = "PIXELS",
     .unless = "64", .flags = APP_SAVED | APP_OPTIONAL,
     .help = "Largest motion of a cluster along each axis; 0: less than a pixel"},
    {ROW("weight", REAL, weight), .max = 1e6, .value = "W", .standard = "1", .flags = APP_SAVED,
     .help = "Weight of grey against position when pixels are clustered: one grey level counts as "
             "W pixels; 0: position only"},
    APP_RANGE_ROW,
    {ROW("beats", INTEGER, motion.cluster_beats), .letter = 'n', .min = 1, .max = INT32_MAX,
     .unit = "beats", .aliases = "max-beats", .unless = "20",
     .help = "Beats at most for clustering the first frame"},
    {ROW("flow", CHOICE, motion.flow), .choices = HALO_MOTION_FLOW_LIST(NAME_ENTRY),
     .standard = "fine", .flags = APP_SAVED,
     .help = "Flow of a pixel. fine: measured for small pieces of its cluster. cluster: its "
             "cluster's vector"},
    {.type = APP_SECTION, .help = "A sequence of frames:"},
    {ROW("first", INTEGER, first), .unit = "frames", .takes = "a frame's number from 0 on",
     .unless = "0, or 1 where there is no frame 0", .help = "Number of the first frame"},
    {ROW("frames", INTEGER, count), .min = 2, .unit = "frames", .unless = "as many as there are",
     .help = "Frames in all"},
    {.type = APP_SECTION, .help = "Results; of a sequence, names need a number, such as %04d:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .parse = parse_file, .flags = APP_CHECKED,
     .choices = ".flo|.npy|" HALO_COLOUR_ENDINGS,
     .help = "Flow of every pixel of the earlier frame: Middlebury's format, a NumPy array of "
             "shape (height, width, 2), or a picture in the colours of Middlebury's wheel"},
    {ROW("vectors", OUTPUT, vectors), .parse = parse_file, .flags = APP_CHECKED,
     .choices = ".csv|.json",
     .help = "A table with one line a cluster: pixels, centroid, vector, mean grey difference"},
    {ROW("arrows", OUTPUT, arrows), .parse = parse_file, .flags = APP_CHECKED,
     .choices = HALO_COLOUR_ENDINGS, .help = "The vectors as arrows on the earlier frame"},
    {ROW("arrow-scale", REAL, arrow_scale), .min = 1e-4, .max = 1e4, .value = "S",
     .needs = "arrows", .standard = "1", .help = "Draw arrows S times as long as the vectors"},
    {.type = APP_END}};

static const app_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("engine", CHOICE, motion.engine), .choices = "auto" HALO_CLUSTER_ENGINE_LIST(NAME_ENTRY),
     .standard = "auto", .help = "How the nearest centre of a pixel is found"},
    {.type = APP_END}};

static const app_option *const tables[] = {what_rows,           app_choice_rows, app_raw_rows,
                                           app_checkpoint_rows, how_rows,        APP_SHARED_TABLES};

/* ---- together -------------------------------------------------------------------------------- */

static const char balancers[] = HALO_MOTION_BALANCER_LIST(NAME_ENTRY);

/* Clusters are shared out anew in every beat, and no boundary moves. */
static halo_status check_balance(const motion_options *into)
{
    const balance_arguments *balance = &into->all.common.balance;
    if (balance->balancer == NULL) {
        return HALO_OK;
    }
    if (!app_list_has(balancers, balance->balancer, strlen(balance->balancer))) {
        return halo_fail(HALO_ARGUMENT,
                         "--balance %s moves boundaries between rows, and motion hands clusters to "
                         "workers; use none, lb1 or lb2, without options",
                         balance->balancer);
    }
    const char *other = balance->every > 0         ? "balance-every"
                        : balance->migrate != NULL ? "migrate"
                        : balance->log != NULL     ? "balance-log"
                                                   : NULL;
    return other == NULL ? HALO_OK
                         : halo_fail(HALO_ARGUMENT,
                                     "--%s is about boundaries that move, and motion hands out its "
                                     "clusters anew in every beat; leave it out",
                                     other);
}

static halo_status check_sequence(motion_options *into)
{
    filename_pattern *pattern = &into->pattern;
    if (into->all.image.count == 1) {
        HALO_TRY(halo_filename_parse(pattern, into->all.image.first));
        return pattern->numbered ? HALO_OK
                                 : halo_fail(HALO_ARGUMENT,
                                             "\"%s\" is one frame; motion is from one to the next: "
                                             "give another, or a sequence such as frame-%%04d.png",
                                             pattern->text);
    }
    return into->first < 0 && into->count == 0
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--first and --frames are about one name with a place for a number, "
                           "such as frame-%%04d.png; leave them out");
}

static halo_status check(const app_options *given, void *context)
{
    motion_options *into = context;
    halo_motion_options *motion = &into->motion;
    if (!app_given(given, &into->first)) {
        into->first = -1;
    }
    motion->instructions = into->all.common.instructions;
    HALO_TRY(check_sequence(into));
    HALO_TRY(check_balance(into));
    motion->balancer = into->all.common.balance.balancer;
    into->all.common.balance.balancer = NULL;
    return HALO_OK;
}

const app_syntax motion_syntax = {
    .name = "motion",
    .summary = "find how the parts of a picture move from frame to frame",
    .beat = "what master and workers do together: each is handed its share of the clusters, and "
            "hands its results back. The balancers of `halobeat motion` are none (as many pixels "
            "for every rank), lb1 and lb2",
    .about =
        "Find how the parts of a picture move from one frame to the next.\n\n"
        "The pixels of a frame are clustered by place and grey; each cluster is found again in the "
        "next frame where the greys of its pixels differ least. More than two frames, or a name "
        "with a place for a number (frames-%04d.png), are a sequence, which keeps its clusters "
        "from frame to frame.",
    .notes = "Examples:\n"
             "  halobeat motion a.png b.png -k 64 -o flow.flo --arrows arrows.png\n"
             "  halobeat motion a.png b.png -k 256 --radius 20 -o flow.png\n"
             "  halobeat motion 'frame-%04d.png' --frames 100 --balance lb2 "
             "-o 'flow-%04d.flo' --checkpoint motion.halo\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .bytes = sizeof(motion_options),
    .describe = balance_describe,
    .check = check,
};
