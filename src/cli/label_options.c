#define _DEFAULT_SOURCE
#include "cli/label_options.h"

#include "cli/progress.h"
#include "core/vote.h"
#include "core/world.h"
#include "io/table.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_COLOUR = 256,
    KEY_REGIONS,
    KEY_INVERT,
    KEY_MIN_AREA,
    KEY_PERIODIC,
    KEY_NUMBERING,
    KEY_METHOD,
    KEY_VOTE,
    KEY_WAIT,
    KEY_INSTRUCTIONS,
    KEY_JSON,
    KEY_PROGRESS
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
    {0, 0, 0, 0, "How it is computed; the result is always the same:", 3},
    {"method", KEY_METHOD, "union|settle|sweep", 0,
     "union: label strips, merge along boundaries (default). settle, sweep: take the largest "
     "neighbouring label until nothing changes",
     0},
    {"vote", KEY_VOTE, "allreduce|tree|coordinator|broadcast", 0,
     "How ranks decide to stop (default: allreduce)", 0},
    {"wait", KEY_WAIT, "auto|spin|yield|sleep", 0, "How ranks wait for each other (default: auto)",
     0},
    {"instructions", KEY_INSTRUCTIONS, "auto|avx512|avx2|plain", 0,
     "Instruction set of the inner loops (default: auto)", 0},
    {0, 0, 0, 0, "Reports:", 4},
    {"json", KEY_JSON, "FILE", 0, "The summary with everything measured, machine-readable", 0},
    {"progress", KEY_PROGRESS, "auto|always|never", 0,
     "Show a progress line on stderr (default: auto, when it is a terminal)", 0},
    {"quiet", 'q', 0, 0, "No summary", 0},
    {"verbose", 'v', 0, 0, "A longer summary: beats, messages, votes", 0},
    {"help", 'h', 0, 0, "This text", -1},
    {"usage", 'h', 0, OPTION_ALIAS | OPTION_HIDDEN, 0, -1},
    {0},
};

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
static const char *const votes[] = {
#define VOTE_ENTRY(name, help) #name,
    HALO_VOTE_LIST(VOTE_ENTRY)
#undef VOTE_ENTRY
        NULL};
static const char *const waits[] = {"auto",
#define WAIT_ENTRY(name, help) #name,
                                    HALO_WAIT_LIST(WAIT_ENTRY)
#undef WAIT_ENTRY
                                        NULL};
static const char *const numberings[] = {
#define NUMBERING_ENTRY(code, name, help) #name,
    HALO_LABEL_NUMBERING_LIST(NUMBERING_ENTRY)
#undef NUMBERING_ENTRY
        NULL};
static const char *const progress_modes[] = {
#define PROGRESS_ENTRY(name, help) #name,
    PROGRESS_MODE_LIST(PROGRESS_ENTRY)
#undef PROGRESS_ENTRY
        NULL};
static const char *const instruction_sets[] = {"auto", "avx512", "avx2", "plain", NULL};
static const char *const connectivities[] = {"4", "8", NULL};

typedef struct {
    label_arguments *into;
    bool speaks, helped;
    int images;
} parse_state;

/* Say once what is wrong, where to find help, and stop parsing. */
static error_t complain(const parse_state *state, const char *format, ...)
{
    if (state->speaks) {
        va_list arguments;
        va_start(arguments, format);
        fputs("halobeat label: ", stderr);
        vfprintf(stderr, format, arguments);
        fputs("\n`halobeat label --help` lists all options\n", stderr);
        va_end(arguments);
    }
    return EINVAL;
}

/* Which of `names` is `value`; -1 after a complaint. */
static int choose(const parse_state *state, const char *option, const char *value,
                  const char *const *names)
{
    char list[128] = "";
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], value) == 0) {
            return i;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0                 ? ""
                 : names[i + 1] == NULL ? " or "
                                        : ", ",
                 names[i]);
    }
    complain(state, "--%s takes %s, not \"%s\"", option, list, value);
    return -1;
}

static error_t choose_name(const parse_state *state, const char *option, const char *value,
                           const char *const *names, const char **out)
{
    int chosen = choose(state, option, value, names);
    if (chosen < 0) {
        return EINVAL;
    }
    *out = names[chosen];
    return 0;
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static error_t parse_threshold(const parse_state *state, const char *text)
{
    label_arguments *into = state->into;
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
        return complain(state,
                        "--threshold takes otsu, a grey value from 0 on, or 0%% to 100%%, "
                        "not \"%s\"",
                        text);
    }
    into->threshold = percent ? THRESHOLD_PERCENT : THRESHOLD_VALUE;
    into->threshold_value = value;
    return 0;
}

static error_t parse_min_area(const parse_state *state, const char *text)
{
    char *end;
    errno = 0;
    long long area = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || area < 0) {
        return complain(state, "--min-area takes a number of pixels from 0 on, not \"%s\"", text);
    }
    state->into->label.min_area = area;
    return 0;
}

static error_t parse_output(const parse_state *state, const char *path)
{
    label_arguments *into = state->into;
    into->output = path;
    into->output_kind = ends_with(path, ".png")   ? OUTPUT_PNG
                        : ends_with(path, ".npy") ? OUTPUT_NPY
                                                  : OUTPUT_NONE;
    if (into->output_kind == OUTPUT_NONE) {
        return complain(state, "-o takes a name ending in .png or .npy, not \"%s\"", path);
    }
    return 0;
}

static error_t parse_choice(const parse_state *state, int key, const char *text)
{
    label_arguments *into = state->into;
    int chosen;
    switch (key) {
    case 'c':
        chosen = choose(state, "connectivity", text, connectivities);
        into->label.connectivity = chosen == 1 ? 8 : 4;
        return chosen < 0 ? EINVAL : 0;
    case KEY_NUMBERING:
        chosen = choose(state, "numbering", text, numberings);
        into->label.numbering = (halo_label_numbering)chosen;
        return chosen < 0 ? EINVAL : 0;
    case KEY_METHOD:
        return choose_name(state, "method", text, methods, &into->label.method);
    case KEY_VOTE:
        return choose_name(state, "vote", text, votes, &into->label.vote);
    case KEY_WAIT:
        return choose_name(state, "wait", text, waits, &into->wait);
    case KEY_PROGRESS:
        return choose_name(state, "progress", text, progress_modes, &into->progress);
    case KEY_INSTRUCTIONS:
        return choose_name(state, "instructions", text, instruction_sets,
                           &into->label.instructions);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_path(const parse_state *state, int key, const char *path)
{
    label_arguments *into = state->into;
    halo_table_format format;
    switch (key) {
    case 'o':
        return parse_output(state, path);
    case KEY_COLOUR:
        into->colour = path;
        return ends_with(path, ".png")
                   ? 0
                   : complain(state, "--colour takes a name ending in .png, not \"%s\"", path);
    case KEY_REGIONS:
        into->regions = path;
        return halo_table_format_from_path(path, &format) == HALO_OK
                   ? 0
                   : complain(state, "--regions takes a name ending in .csv or .json, not \"%s\"",
                              path);
    case KEY_JSON:
        into->json = path;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What cannot be asked for together. */
static error_t check_together(const parse_state *state)
{
    const label_arguments *into = state->into;
    if (state->images == 0) {
        return complain(state, "which image? Give the name of a PNG file");
    }
    if (into->label.numbering == HALO_LABEL_SEED && into->output_kind == OUTPUT_PNG) {
        return complain(state, "--numbering seed does not fit in a PNG; use -o FILE.npy");
    }
    if (into->quiet && into->verbose) {
        return complain(state, "--quiet and --verbose contradict each other");
    }
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *argp)
{
    parse_state *state = argp->input;
    label_arguments *into = state->into;
    switch (key) {
    case 'h':
        if (state->speaks) {
            argp_state_help(argp, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
        }
        state->helped = true;
        argp->next = argp->argc; /* nothing after --help matters */
        return 0;
    case 't':
        return parse_threshold(state, text);
    case KEY_MIN_AREA:
        return parse_min_area(state, text);
    case KEY_INVERT:
        into->invert = true;
        return 0;
    case KEY_PERIODIC:
        into->periodic = true;
        return 0;
    case 'q':
        into->quiet = true;
        return 0;
    case 'v':
        into->verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        into->image = text;
        return ++state->images == 1
                   ? 0
                   : complain(state, "one image at a time: \"%s\" is one too many", text);
    case ARGP_KEY_END:
        return state->helped ? 0 : check_together(state);
    default: {
        error_t found = text != NULL ? parse_path(state, key, text) : ARGP_ERR_UNKNOWN;
        return found == ARGP_ERR_UNKNOWN && text != NULL ? parse_choice(state, key, text) : found;
    }
    }
}

arguments_verdict label_arguments_parse(int argc, char **argv, bool speaks,
                                        label_arguments *arguments)
{
    *arguments = (label_arguments){.wait = "auto", .progress = "auto"};
    parse_state state = {.into = arguments, .speaks = speaks};
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "IMAGE.png", .doc = documentation};
    char name[] = "halobeat label";
    argv[0] = name; /* what getopt and the help call the program */
    unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | (speaks ? 0 : ARGP_NO_ERRS);
    error_t error = argp_parse(&argp, argc, argv, flags, NULL, &state);
    if (error != 0) {
        return ARGUMENTS_BAD;
    }
    if (arguments->label.instructions != NULL &&
        strcmp(arguments->label.instructions, "auto") == 0) {
        arguments->label.instructions = NULL;
    }
    return state.helped ? ARGUMENTS_HELPED : ARGUMENTS_GOOD;
}
