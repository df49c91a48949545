#include "cli/bench/options.h"

#include "cli/bench/kinds.h"
#include "cli/bench/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    KEY_KERNEL = 256,
    KEY_SIZE,
    KEY_RANKS,
    KEY_SHAPES,
    KEY_DEPTH,
    KEY_MODES,
    KEY_REPEAT,
    KEY_BEATS,
    KEY_CSV,
    KEY_JSON,
    KEY_PLOT,
    KEY_WAIT,
    KEY_PROGRESS
};

enum { USUAL_REPEATS = 9, USUAL_DEPTH = 4, MOST_DEPTH = 1000 };
static const double REPEAT_SECONDS = .05;

#define KIND_LINE(name, least, help)          "\n  " #name ": " help
#define SUBJECT_LINE(name, axes, cells, help) "\n  " #name ": " help
#define SUBJECT_NAMES                         BENCH_SUBJECT_LIST(SUBJECT_LINE)
#define KIND_LINES                            BENCH_KIND_LIST(KIND_LINE)
static const char documentation[] =
    "Measure what decides how fast a run is on this machine: strips or blocks, how many ranks, how "
    "deep a halo."
    "\vWHAT is measured:"
    "\n  decomposition: a kernel cut in every way that is asked for, beside what a model "
    "predicts" KIND_LINES "\n\nKernels of decomposition:" SUBJECT_NAMES
    "\n\nRepeats are measured in turn. A difference counts as real if the signed-rank test of "
    "Wilcoxon gives it a chance of less than 5 % and the medians differ by more than 1 %.\n\n"
    "Examples:\n"
    "  mpiexec -n 4 halobeat bench decomposition --kernel heat --depth 1,4,8\n"
    "  mpiexec -n 4 halobeat bench decomposition --plot strips-or-blocks.png\n"
    "  mpiexec -n 2 halobeat bench exchange\n\n"
    "Exit status: 0 done, 1 failed, 2 unusable arguments.";

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is compared (decomposition):", 1},
    {"kernel", KEY_KERNEL, "NAME", 0, "What is computed (default: heat)", 0},
    {"size", KEY_SIZE, "N[xM[xK]],...", 0,
     "Cells along each axis; one number stands for all axes (default: as the kernel likes it)", 0},
    {"shapes", KEY_SHAPES, "strips,blocks,2x3,auto,...", 0,
     "Decompositions (default: strips,blocks)", 0},
    {"depth", KEY_DEPTH, "K,...", 0, "Beats an exchange lasts for (default: 1,4)", 0},
    {"modes", KEY_MODES, "p2p,persistent,neighbour,shared", 0,
     "How messages are made (default: p2p)", 0},
    {0, 0, 0, 0, "How it is measured:", 2},
    {"ranks", KEY_RANKS, "P,...", 0,
     "Numbers of ranks, of those that were started (default: powers of two, and all)", 0},
    {"repeat", KEY_REPEAT, "R", 0,
     "Repeats, of which the median is told (default: 9; fewer than 6 cannot tell what is real)", 0},
    {"beats", KEY_BEATS, "N", 0, "Beats of a repeat (default: as many as take 50 ms)", 0},
    {"wait", KEY_WAIT, "auto|spin|yield|sleep", 0, "How ranks wait for each other (default: auto)",
     0},
    {0, 0, 0, 0, "Reports:", 3},
    {"csv", KEY_CSV, "FILE", 0, "Everything measured as a table", 0},
    {"json", KEY_JSON, "FILE", 0, "The same, and what it comes to, machine-readable", 0},
    {"plot", KEY_PLOT, "FILE.png|.svg", 0,
     "Draw time against ranks, and who owns what (decomposition; needs gnuplot)", 0},
    {"progress", KEY_PROGRESS, "auto|always|never", 0,
     "Show a progress line on stderr (default: auto, when it is a terminal)", 0},
    {"quiet", 'q', 0, 0, "No table", 0},
    {"help", 'h', 0, 0, "This text", -1},
    {"usage", 'h', 0, OPTION_ALIAS | OPTION_HIDDEN, 0, -1},
    {0},
};

/* What the parser knows besides what the user wants. */
typedef struct {
    bench_arguments *arguments;
    int ranks;         /* that were started */
    const char *sizes; /* text of --size, to be read when the kernel is known */
    int for_cuts;      /* key of an option that only decomposition has; 0: none */
} bench_parse;

static const char *const kinds[] = {"decomposition",
#define KIND_ENTRY(name, least, help) #name,
                                    BENCH_KIND_LIST(KIND_ENTRY)
#undef KIND_ENTRY
                                        NULL};

static error_t parse_sizes(const arguments_parse *parse, const bench_parse *own)
{
    bench_arguments *into = own->arguments;
    bench_words words = {.count = 1};
    snprintf(words.text[0], BENCH_ENTRY_SIZE, "%" PRId64, into->subject->usual);
    if (own->sizes != NULL && bench_split(parse, "size", own->sizes, &words) != 0) {
        return EINVAL;
    }
    into->sizes = words.count;
    for (int i = 0; i < words.count; i++) {
        if (bench_parse_size(parse, words.text[i], into->subject->axes, into->size[i]) != 0) {
            return EINVAL;
        }
    }
    return 0;
}

static const char *name_of(int key)
{
    const struct argp_option *option = options;
    while (option->key != key) {
        option++;
    }
    return option->name;
}

static int least_ranks(const char *what)
{
#define KIND_LEAST(name, least, help) \
    if (strcmp(what, #name) == 0) {   \
        return least;                 \
    }
    BENCH_KIND_LIST(KIND_LEAST)
#undef KIND_LEAST
    return 1;
}

/* Powers of two, and all. */
static void choose_ranks(bench_numbers *ranks, int least, int started)
{
    int chosen = least;
    while (chosen < started && ranks->count < BENCH_MOST_ENTRIES - 1) {
        ranks->numbers[ranks->count++] = chosen;
        chosen *= 2;
    }
    ranks->numbers[ranks->count++] = started;
}

static error_t check_ranks(const arguments_parse *parse, bench_arguments *into, int started)
{
    int least = least_ranks(into->what);
    bool enough = started >= least;
    for (int i = 0; i < into->ranks.count; i++) {
        enough = enough && into->ranks.numbers[i] >= least;
    }
    if (!enough) {
        return arguments_complain(parse,
                                  "%s takes at least %d ranks; start it with mpiexec -n %d "
                                  "halobeat bench %s",
                                  into->what, least, least, into->what);
    }
    if (into->ranks.count == 0) {
        choose_ranks(&into->ranks, least, started);
    }
    return 0;
}

/* What depends on the kernel. */
static error_t check_cuts(const arguments_parse *parse, const bench_parse *own)
{
    bench_arguments *into = own->arguments;
    bench_numbers *depths = &into->depths;
    if (depths->count == 0) {
        *depths =
            (bench_numbers){.count = into->subject->deep ? 2 : 1, .numbers = {1, USUAL_DEPTH}};
    }
    for (int i = 0; i < depths->count; i++) {
        if (depths->numbers[i] != 1 && !into->subject->deep) {
            return arguments_complain(parse, "--depth %d: of %s an exchange lasts for 1 beat only",
                                      depths->numbers[i], into->subject->name);
        }
    }
    return parse_sizes(parse, own);
}

static error_t check_together(const arguments_parse *parse, const bench_parse *own)
{
    bench_arguments *into = own->arguments;
    if (into->what == NULL) {
        return arguments_complain(parse, "what is to be measured is missing: decomposition, "
                                         "exchange, vote, wait or memory");
    }
    bool cuts = strcmp(into->what, "decomposition") == 0;
    if (!cuts && own->for_cuts != 0) {
        return arguments_complain(parse, "--%s is for decomposition only", name_of(own->for_cuts));
    }
    if (check_ranks(parse, into, own->ranks) != 0) {
        return EINVAL;
    }
    return cuts ? check_cuts(parse, own) : 0;
}

static error_t parse_argument(const arguments_parse *parse, const char *text)
{
    bench_arguments *into = ((bench_parse *)parse->into)->arguments;
    if (into->what != NULL) {
        return arguments_complain(parse, "\"%s\" is one argument too many; all others are options",
                                  text);
    }
    for (int i = 0; kinds[i] != NULL; i++) {
        if (strcmp(kinds[i], text) == 0) {
            into->what = kinds[i];
            return 0;
        }
    }
    return arguments_complain(parse,
                              "there is nothing called \"%s\" to measure: there are "
                              "decomposition, exchange, vote, wait and memory",
                              text);
}

/* Options of decomposition. */
static error_t parse_cuts(const arguments_parse *parse, int key, char *text)
{
    bench_parse *own = parse->into;
    bench_arguments *into = own->arguments;
    switch (key) {
    case KEY_KERNEL: {
        int chosen = arguments_choose(parse, "kernel", text, bench_subject_names());
        into->subject = chosen >= 0 ? bench_subject_find(text) : NULL;
        return chosen >= 0 ? 0 : EINVAL;
    }
    case KEY_SIZE:
        own->sizes = text;
        return 0;
    case KEY_SHAPES:
        return bench_parse_shapes(parse, text, &into->shapes);
    case KEY_DEPTH:
        return bench_parse_numbers(parse, "depth", "numbers of beats from 1 to 1000", text,
                                   MOST_DEPTH, &into->depths);
    case KEY_MODES:
        return bench_parse_modes(parse, text, &into->modes);
    case KEY_PLOT:
        return bench_parse_plot(parse, text, &into->plot);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_repeat(const arguments_parse *parse, const char *text, int *out)
{
    int64_t number;
    error_t error = arguments_integer(parse, "repeat", "a number from 1 to 100", text, 1,
                                      HALO_SAMPLES_MAX, &number);
    *out = error == 0 ? (int)number : 1;
    return error;
}

static void give_help(arguments_parse *parse, struct argp_state *state)
{
    if (parse->speaks) {
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
    }
    parse->helped = true;
    state->next = state->argc; /* nothing after --help matters */
}

static bool is_for_cuts(int key)
{
    const int keys[] = {KEY_KERNEL, KEY_SIZE, KEY_SHAPES, KEY_DEPTH, KEY_MODES, KEY_PLOT};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i] == key) {
            return true;
        }
    }
    return false;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    arguments_parse *parse = state->input;
    bench_parse *own = parse->into;
    bench_arguments *into = own->arguments;
    switch (key) {
    case 'h':
        give_help(parse, state);
        return 0;
    case 'q':
        into->quiet = true;
        return 0;
    case KEY_RANKS:
        return bench_parse_ranks(parse, text, own->ranks, &into->ranks);
    case KEY_REPEAT:
        return parse_repeat(parse, text, &into->effort.repeats);
    case KEY_BEATS:
        return arguments_integer(parse, "beats", "a number of beats from 1 on", text, 1, INT32_MAX,
                                 &into->beats);
    case KEY_CSV:
        into->csv = text;
        return 0;
    case KEY_JSON:
        into->json = text;
        return 0;
    case KEY_WAIT:
        return arguments_choose_wait(parse, text, &into->wait);
    case KEY_PROGRESS:
        return arguments_choose_progress(parse, text, &into->progress);
    case ARGP_KEY_ARG:
        return parse_argument(parse, text);
    case ARGP_KEY_END:
        return parse->helped ? 0 : check_together(parse, own);
    default:
        if (!is_for_cuts(key)) {
            return ARGP_ERR_UNKNOWN;
        }
        own->for_cuts = key;
        return parse_cuts(parse, key, text);
    }
}

arguments_verdict bench_arguments_parse(int argc, char **argv, bool speaks, int ranks,
                                        bench_arguments *arguments)
{
    *arguments = (bench_arguments){
        .subject = bench_subject_find("heat"),
        .shapes = {.count = 2, .text = {"strips", "blocks"}},
        .modes = {.count = 1, .text = {"p2p"}},
        .effort = {.repeats = USUAL_REPEATS, .seconds = REPEAT_SECONDS},
        .wait = "auto",
        .progress = "auto",
    };
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "WHAT", .doc = documentation};
    bench_parse own = {.arguments = arguments, .ranks = ranks};
    arguments_parse parse = {.command = "bench", .speaks = speaks, .into = &own};
    char name[] = "halobeat bench";
    argv[0] = name; /* what getopt and the help call the program */
    unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | (speaks ? 0 : ARGP_NO_ERRS);
    error_t error = argp_parse(&argp, argc, argv, flags, NULL, &parse);
    return error != 0 ? ARGUMENTS_BAD : parse.helped ? ARGUMENTS_HELPED : ARGUMENTS_GOOD;
}
