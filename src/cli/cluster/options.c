#include "cli/cluster/options.h"

#include "kernels/cluster/cluster.h"

#define FIELD(member)            .offset = offsetof(cluster_arguments, member)
#define ENGINE_ENTRY(name, help) "|" #name

static const app_option what_rows[] = {
    APP_IMAGE_ROW(cluster_arguments),
    {.type = APP_SECTION, .help = "What is computed:"},
    {.name = "clusters",
     .letter = 'k',
     .type = APP_INTEGER,
     FIELD(clusters),
     .min = 1,
     .max = HALO_CLUSTER_MAX,
     .unit = "clusters",
     .value = "K",
     .flags = APP_SAVED,
     .required = "how many clusters? Give -k K, such as -k 64",
     .instead = "restore",
     .help = "How many clusters, at most as many as pixels"},
    {.name = "weight",
     .type = APP_REAL,
     FIELD(weight),
     .max = 1000,
     .value = "W",
     .standard = "1",
     .flags = APP_SAVED,
     .help = "How much grey, from 0 (black) to 255 (white), counts beside the place in pixels: "
             "clusters are compact with little, and follow greys with much; 0: place alone counts"},
    {.name = "colour",
     .type = APP_FLAG,
     FIELD(colour),
     .aliases = "color",
     .flags = APP_SAVED,
     .help = "Colours instead of greys: W times L, a and b of CIELAB, L from 0 (black) to 100 "
             "(white)"},
    {.type = APP_SECTION, .help = "How far:"},
    {.name = "beats",
     .letter = 'n',
     .type = APP_INTEGER,
     FIELD(beats),
     .min = 1,
     .unit = "beats",
     .standard = "300",
     .aliases = "max-beats",
     .help = "Beats at most, after those that a checkpoint has behind it"},
    {.name = "until",
     .type = APP_CUSTOM,
     FIELD(until),
     .parse = app_parse_steady_or_change,
     .takes = "steady, or change:SHARE with a share of the pixels from 0 to less than 1, such as "
              "change:0.1%",
     .value = "steady|change:SHARE",
     .standard = "steady",
     .help = "End before that when no pixel goes to another cluster any more, or at most this "
             "share of them in a beat, such as change:0.1%"},
    {.name = "stop-changed",
     .type = APP_CUSTOM,
     FIELD(until),
     .parse = app_parse_change,
     .takes = "a share of the pixels from 0 to less than 1, such as 0.001 or 0.1%",
     .flags = APP_HIDDEN},
    {.type = APP_SECTION, .help = "Results:"},
    {.name = "output",
     .letter = 'o',
     .type = APP_OUTPUT,
     FIELD(output),
     .choices = ".png|.npy",
     .help = "The cluster of every pixel, from 0: 16-bit grey PNG, or a NumPy array"},
    {.name = "mosaic",
     .type = APP_OUTPUT,
     FIELD(mosaic),
     .choices = ".png",
     .help = "The image with every pixel in its cluster's mean grey or colour"},
    {.name = "outline",
     .type = APP_OUTPUT,
     FIELD(outline),
     .choices = ".png",
     .help = "The image with the clusters' borders drawn on it"},
    {.name = "centres",
     .type = APP_OUTPUT,
     FIELD(centres),
     .choices = ".csv|.json",
     .aliases = "centers",
     .help = "One line a cluster: how many pixels it has, their mean place, mean grey or colour"},
    {.type = APP_END}};

static const app_option how_rows[] = {
    APP_HOW_SECTION,
    {.name = "engine",
     .type = APP_CHOICE,
     FIELD(engine),
     .choices = "auto" HALO_CLUSTER_ENGINE_LIST(ENGINE_ENTRY),
     .standard = "auto",
     .unless = "auto, tiles or leaves",
     .help = "tiles: look only at clusters that can be the nearest of a tile of the image. leaves: "
             "the same for 64 pixels of similar grey at a time, which are sorted first. brute: "
             "look at all clusters"},
    {.type = APP_END}};

static const app_table tables[] = {{what_rows, 0, NULL},
                                   {app_checkpoint_rows, offsetof(cluster_arguments, saving), NULL},
                                   {how_rows, 0, NULL},
                                   APP_COMMON_TABLES(cluster_arguments),
                                   {NULL, 0, NULL}};

const app_syntax cluster_syntax = {
    .name = "cluster",
    .beat = "a new centre for each cluster, and the nearest centre for each pixel",
    .about =
        "Find clusters of pixels that are near each other and alike: k-means.\n\n"
        "The image is cut into K rectangles to begin with. Then each cluster's centre is put at "
        "the mean place and grey of its pixels, each pixel goes to the cluster whose centre is "
        "nearest in (x, y, W * grey), and so on until nothing changes. Pixels are where looking at "
        "all clusters would put them, to the last one, on any number of ranks.",
    .notes = "Examples:\n"
             "  halobeat cluster photo.png -k 64 --mosaic mosaic.png\n"
             "  halobeat cluster photo.png -k 500 --colour --outline outline.png\n"
             "  halobeat cluster cells.png -k 256 --weight 4 --centres centres.csv\n"
             "  mpiexec -n 16 halobeat cluster huge.png -k 4096 -o clusters.npy\n"
             "  mpiexec -n 4 halobeat cluster huge.png -k 4096 --checkpoint c.halo\n"
             "  halobeat cluster huge.png --restore c.halo -o clusters.npy\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .bytes = sizeof(cluster_arguments),
    .describe = balance_describe,
};
