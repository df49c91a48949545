#include "cli/label/options.h"

#include "io/table/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_COLOUR = 256,
    KEY_REGIONS,
    KEY_INVERT,
    KEY_MIN_AREA,
    KEY_PERIODIC,
    KEY_NUMBERING,
    KEY_METHOD
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Results:", 1},
    {"output", 'o', "FILE.png|FILE.npy", 0,
     "The label of every pixel: 16-bit grey PNG (up to 65535 regions), or a NumPy array", 0},
    {"colour", KEY_COLOUR, "FILE.png", 0, "The regions in colours, for looking at", 0},
    {"regions", KEY_REGIONS, "FILE.csv|FILE.json", 0,
     "One line a region: area, bounding box, centroid, mean grey", 0},
    {0, 0, 0, 0, "What is a region:", 2},
    {"threshold", 't', "otsu|VALUE|PERCENT%", 0,
     "A pixel is lit if its grey is at least this, in the image's own sample range (default: otsu)",
     0},
    {"invert", KEY_INVERT, 0, 0, "A pixel is lit if its grey is below the threshold", 0},
    {"connectivity", 'c', "4|8", 0, "Neighbours of a pixel (default: 4)", 0},
    {"min-area", KEY_MIN_AREA, "PIXELS", 0, "Leave out smaller regions and renumber the rest", 0},
    {"periodic", KEY_PERIODIC, 0, 0, "Opposite edges of the image are neighbours", 0},
    {"numbering", KEY_NUMBERING, "scan|seed", 0,
     "scan: 1 to n in raster order of first pixels (default). seed: the region's largest row-major "
     "pixel index, unlit pixels -1; needs -o FILE.npy",
     0},
    {"method", KEY_METHOD, "union|settle|sweep", 0,
     "union: label strips, merge along boundaries (default). settle, sweep: take the largest "
     "neighbouring label until nothing changes",
     ARGUMENTS_HOW},
    {"decomposition", CUTTING_DECOMPOSITION, "strips|blocks|AxB|auto", 0,
     "How the image is cut between ranks: into strips of rows (the default), into as many blocks "
     "with short edges, into A rows of B blocks, or as a model predicts to be fastest. Blocks are "
     "as many times 64 pixels wide, and balanced with settle and sweep, not with union",
     ARGUMENTS_HOW},
    {"exchange", CUTTING_EXCHANGE, "p2p|persistent|neighbour|shared", 0,
     "With settle and sweep: how ranks bring each other labels (default: p2p)", ARGUMENTS_HOW},
    {"corners", CUTTING_CORNERS, "direct|phases", 0,
     "With settle and sweep: how labels get to diagonal neighbours of blocks (default: direct)",
     ARGUMENTS_HOW},
    {"packing", CUTTING_PACKING, "auto|copy|datatype", 0,
     "With settle and sweep: how columns of blocks get into messages (default: auto, by measuring)",
     ARGUMENTS_HOW},
    {0},
};

static const char beat[] =
    "a round of exchange between ranks. The method union has nothing to exchange until all is "
    "labelled: boundaries move once, before";

static const char documentation[] =
    "Find and number the regions of lit pixels in a PNG image."
    "\vExamples:\n"
    "  halobeat label page.png -o labels.png --regions regions.csv\n"
    "  halobeat label cells.png --threshold 40% --min-area 20 --colour colour.png\n"
    "  mpiexec -n 16 halobeat label huge.png -o labels.npy\n\n"
    "Exit status: 0 done, 1 failed, 2 unusable arguments.";

/* Names that an option takes, ending with NULL. */
static const char *const methods[] = {
#define METHOD_ENTRY(name, merges, help) #name,
    HALO_LABEL_METHOD_LIST(METHOD_ENTRY)
#undef METHOD_ENTRY
        NULL};
static const char *const numberings[] = {
#define NUMBERING_ENTRY(code, name, help) #name,
    HALO_LABEL_NUMBERING_LIST(NUMBERING_ENTRY)
#undef NUMBERING_ENTRY
        NULL};
static const char *const connectivities[] = {"4", "8", NULL};

static error_t parse_threshold(const arguments_parse *parse, const char *text)
{
    label_arguments *into = parse->into;
    if (strcmp(text, "otsu") == 0) {
        into->threshold = THRESHOLD_OTSU;
        return 0;
    }
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    bool percent = *end == '%';
    if (end == text || errno != 0 || !isfinite(value) || value < 0 || end[percent] != '\0' ||
        (percent && value > 100)) {
        return arguments_complain(
            parse,
            "--threshold takes otsu, a grey value from 0 on, or 0%% to 100%%, "
            "not \"%s\"",
            text);
    }
    into->threshold = percent ? THRESHOLD_PERCENT : THRESHOLD_VALUE;
    into->threshold_value = value;
    return 0;
}

static error_t parse_output(const arguments_parse *parse, const char *path)
{
    label_arguments *into = parse->into;
    into->output = path;
    into->output_kind = arguments_ends_with(path, ".png")   ? OUTPUT_PNG
                        : arguments_ends_with(path, ".npy") ? OUTPUT_NPY
                                                            : OUTPUT_NONE;
    if (into->output_kind == OUTPUT_NONE) {
        return arguments_complain(parse, "-o takes a name ending in .png or .npy, not \"%s\"",
                                  path);
    }
    return 0;
}

static error_t parse_choice(const arguments_parse *parse, int key, const char *text)
{
    label_arguments *into = parse->into;
    int chosen;
    switch (key) {
    case 'c':
        chosen = arguments_choose(parse, "connectivity", text, connectivities);
        into->label.connectivity = chosen == 1 ? 8 : 4;
        return chosen < 0 ? EINVAL : 0;
    case KEY_NUMBERING:
        chosen = arguments_choose(parse, "numbering", text, numberings);
        into->label.numbering = (halo_label_numbering)chosen;
        return chosen < 0 ? EINVAL : 0;
    case KEY_METHOD:
        return arguments_choose_name(parse, "method", text, methods, &into->label.method);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_path(const arguments_parse *parse, int key, const char *path)
{
    label_arguments *into = parse->into;
    halo_table_format format;
    switch (key) {
    case 'o':
        return parse_output(parse, path);
    case KEY_COLOUR:
        into->colour = path;
        return arguments_ends_with(path, ".png")
                   ? 0
                   : arguments_complain(parse, "--colour takes a name ending in .png, not \"%s\"",
                                        path);
    case KEY_REGIONS:
        into->regions = path;
        return halo_table_format_from_path(path, &format) == HALO_OK
                   ? 0
                   : arguments_complain(
                         parse, "--regions takes a name ending in .csv or .json, not \"%s\"", path);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What cannot be asked for together. */
static error_t check_together(const arguments_parse *parse)
{
    const label_arguments *into = parse->into;
    if (into->image == NULL) {
        return arguments_complain(parse, "which image? Give the name of a PNG file");
    }
    if (into->label.numbering == HALO_LABEL_SEED && into->output_kind == OUTPUT_PNG) {
        return arguments_complain(parse, "--numbering seed does not fit in a PNG; use -o FILE.npy");
    }
    bool once = into->label.method == NULL || strcmp(into->label.method, "union") == 0;
    const cutting_arguments *cutting = &into->cutting;
    if (once &&
        (cutting->exchange != NULL || cutting->corners != NULL || cutting->packing != NULL)) {
        return arguments_complain(parse,
                                  "--exchange, --corners and --packing say nothing with --method "
                                  "union, which exchanges no halos; leave them out, or use "
                                  "--method settle");
    }
    if (once && balance_slows_later(&parse->common->balance)) {
        return arguments_complain(parse,
                                  "--slow with @BEAT says nothing with --method union, which "
                                  "counts no beats while it labels; leave @BEAT out, or use "
                                  "--method settle");
    }
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    label_arguments *into = parse->into;
    switch (key) {
    case 't':
        return parse_threshold(parse, text);
    case KEY_MIN_AREA:
        return arguments_integer(parse, "min-area", "a number of pixels from 0 on", text, 0,
                                 INT64_MAX, &into->label.min_area);
    case KEY_INVERT:
        into->invert = true;
        return 0;
    case KEY_PERIODIC:
        into->periodic = true;
        return 0;
    case ARGP_KEY_ARG:
        if (into->image != NULL) {
            return arguments_complain(parse, "one image at a time: \"%s\" is one too many", text);
        }
        into->image = text;
        return 0;
    case ARGP_KEY_END:
        return parse->helped ? 0 : check_together(parse);
    default: {
        error_t found = text != NULL ? parse_path(parse, key, text) : ARGP_ERR_UNKNOWN;
        if (found == ARGP_ERR_UNKNOWN && text != NULL) {
            found = parse_choice(parse, key, text);
        }
        return found == ARGP_ERR_UNKNOWN ? cutting_parse(parse, key, text, &into->cutting) : found;
    }
    }
}

arguments_verdict label_arguments_parse(int argc, char **argv, bool speaks,
                                        label_arguments *arguments)
{
    *arguments = (label_arguments){0};
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "IMAGE.png", .doc = documentation};
    arguments_parse parse = {.command = "label",
                             .beat = beat,
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    arguments_verdict verdict = arguments_run(argc, argv, &argp, &parse);
    arguments->label.exchange = arguments->cutting.exchange;
    arguments->label.corner_way = arguments->cutting.corners;
    arguments->label.packing = arguments->cutting.packing;
    arguments->label.vote = arguments->common.vote;
    arguments->label.instructions = arguments->common.instructions;
    return verdict;
}
