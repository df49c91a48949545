#include "cli/label/options.h"

#include "app/values.h"

#include <math.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static halo_status parse_threshold(const char *text, void *into)
{
    enum { PERCENT = 100 };
    label_threshold *threshold = into;
    *threshold = (label_threshold){.kind = THRESHOLD_OTSU};
    if (strcmp(text, "otsu") == 0) {
        return HALO_OK;
    }
    bool good = app_scan_real(&text, 0, HUGE_VAL, &threshold->value) && isfinite(threshold->value);
    bool percent = good && *text == '%';
    threshold->kind = percent ? THRESHOLD_PERCENT : THRESHOLD_VALUE;
    return good && text[percent] == '\0' && (!percent || threshold->value <= PERCENT)
               ? HALO_OK
               : HALO_ARGUMENT;
}

static halo_status parse_connectivity(const char *text, void *into)
{
    bool four = strcmp(text, "4") == 0;
    *(int *)into = four ? 4 : 8;
    return four || strcmp(text, "8") == 0 ? HALO_OK : HALO_ARGUMENT;
}

/* ---- options --------------------------------------------------------------------------------- */

#define FIELD(member)                     .offset = offsetof(label_arguments, member)
#define METHOD_ENTRY(name, merges, help)  "|" #name
#define NUMBERING_ENTRY(code, name, help) "|" #name

static const app_option what_rows[] = {
    APP_IMAGE_ROW(label_arguments),
    {.type = APP_SECTION, .help = "Results:"},
    {.name = "output",
     .letter = 'o',
     .type = APP_OUTPUT,
     FIELD(output),
     .choices = ".png|.npy",
     .help = "The label of every pixel: 16-bit grey PNG (up to 65535 regions), or a NumPy array"},
    {.name = "colour",
     .type = APP_OUTPUT,
     FIELD(colour),
     .choices = ".png",
     .aliases = "color",
     .help = "The regions in colours, for looking at"},
    {.name = "regions",
     .type = APP_OUTPUT,
     FIELD(regions),
     .choices = ".csv|.json",
     .help = "One line a region: area, bounding box, centroid, mean grey"},
    {.type = APP_SECTION, .help = "What is a region:"},
    {.name = "threshold",
     .letter = 't',
     .type = APP_CUSTOM,
     FIELD(threshold),
     .parse = parse_threshold,
     .takes = "otsu, a grey value from 0 on, or 0% to 100%",
     .value = "otsu|VALUE|PERCENT%",
     .standard = "otsu",
     .help = "A pixel is foreground if its grey is at least this, in the image's own sample range"},
    {.name = "invert",
     .type = APP_FLAG,
     FIELD(invert),
     .help = "A pixel is foreground if its grey is below the threshold"},
    {.name = "connectivity",
     .letter = 'c',
     .type = APP_CUSTOM,
     FIELD(label.connectivity),
     .parse = parse_connectivity,
     .takes = "4 or 8",
     .value = "4|8",
     .standard = "4",
     .help = "Neighbours of a pixel"},
    {.name = "min-area",
     .type = APP_INTEGER,
     FIELD(label.min_area),
     .unit = "pixels",
     .value = "PIXELS",
     .help = "Leave out smaller regions and renumber the rest"},
    {.name = "periodic",
     .type = APP_FLAG,
     FIELD(periodic),
     .help = "Opposite edges of the image are neighbours"},
    {.name = "numbering",
     .type = APP_INDEX,
     FIELD(label.numbering),
     .choices = HALO_LABEL_NUMBERING_LIST(NUMBERING_ENTRY),
     .standard = "scan",
     .help = "scan: 1 to n in raster order of first pixels. seed: the region's largest row-major "
             "pixel index, background pixels -1; needs -o FILE.npy"},
    APP_HOW_SECTION,
    {.name = "method",
     .type = APP_CHOICE,
     FIELD(label.method),
     .choices = HALO_LABEL_METHOD_LIST(METHOD_ENTRY),
     .standard = "union",
     .help = "union: label strips, merge along boundaries. settle, sweep: take the largest "
             "neighbouring label until nothing changes. --exchange, --corners and --packing are "
             "for these two; union balances strips only"},
    {.type = APP_END}};

static const app_table tables[] = {
    {what_rows, 0, NULL},
    {app_decomposition_rows, offsetof(label_arguments, cutting), NULL},
    {app_exchange_rows, offsetof(label_arguments, cutting), NULL},
    {app_corner_rows, offsetof(label_arguments, cutting), NULL},
    APP_COMMON_TABLES(label_arguments),
    {NULL, 0, NULL}};

static halo_status check(const app_options *given, void *context)
{
    label_arguments *into = context;
    const cutting_arguments *cutting = &into->cutting;
    bool once = strcmp(into->label.method, "union") == 0;
    (void)given;
    into->label.decomposition = cutting->decomposition;
    into->label.exchange = cutting->exchange;
    into->label.corner_way = cutting->corners;
    into->label.packing = cutting->packing;
    into->label.vote = into->common.vote;
    into->label.instructions = into->common.instructions;
    if (into->label.numbering == HALO_LABEL_SEED && into->output != NULL &&
        app_ends_with(into->output, ".png")) {
        return halo_fail(HALO_ARGUMENT, "--numbering seed does not fit in a PNG; use -o FILE.npy");
    }
    if (once &&
        (cutting->exchange != NULL || cutting->corners != NULL || cutting->packing != NULL)) {
        return halo_fail(HALO_ARGUMENT, "--exchange, --corners and --packing need --method settle "
                                        "or sweep; union exchanges no halos");
    }
    if (once && balance_slows_later(&into->common.balance)) {
        return halo_fail(HALO_ARGUMENT, "--slow with @BEAT needs --method settle or sweep; union "
                                        "counts no beats while it labels");
    }
    return HALO_OK;
}

const app_syntax label_syntax = {
    .name = "label",
    .beat = "a round of exchange between ranks. The method union has nothing to exchange until all "
            "is labelled: boundaries move once, before",
    .about = "Find and number the regions of foreground pixels in a PNG image.",
    .notes = "Examples:\n"
             "  halobeat label page.png -o labels.png --regions regions.csv\n"
             "  halobeat label cells.png --threshold 40% --min-area 20 --colour colour.png\n"
             "  mpiexec -n 16 halobeat label huge.png -o labels.npy\n\n"
             "Exit status: 0 done, 1 failed, 2 unusable arguments.",
    .tables = tables,
    .bytes = sizeof(label_arguments),
    .describe = balance_describe,
    .check = check,
};
