#include "cli/bench/options.h"

#include "app/progress.h"
#include "cli/bench/kinds.h"
#include "cli/bench/values.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_DEPTH = 4 };
static const double REPEAT_SECONDS = .05;

/* ---- options --------------------------------------------------------------------------------- */

#define FIELD(member)                          .offset = offsetof(bench_arguments, member)
#define KIND_ENTRY(name, least, help)          "|" #name
#define SUBJECT_ENTRY(name, axes, cells, help) "|" #name
#define NAME_ENTRY(name, help)                 "|" #name

static const app_option rows[] = {
    {.name = "WHAT",
     .type = APP_CHOICE,
     FIELD(what),
     .flags = APP_ARGUMENT,
     .choices = "decomposition" BENCH_KIND_LIST(KIND_ENTRY),
     .required =
         "what is to be measured is missing: decomposition, exchange, vote, wait or memory"},
    {.type = APP_SECTION, .help = "What is compared (decomposition):"},
    {.name = "kernel",
     .type = APP_CHOICE,
     FIELD(kernel),
     .choices = BENCH_SUBJECT_LIST(SUBJECT_ENTRY),
     .value = "NAME",
     .standard = "heat",
     .help = "What is computed"},
    {.name = "size",
     .type = APP_CUSTOM,
     FIELD(size_words),
     .parse = bench_parse_words,
     .value = "WIDTH[xHEIGHT[xDEPTH]],...",
     .unless = "as the kernel likes it",
     .help = "Cells of the grid; one number stands for all axes"},
    {.name = "shapes",
     .type = APP_CUSTOM,
     FIELD(shapes),
     .parse = bench_parse_shapes,
     .value = "strips,blocks,2x3,auto,...",
     .standard = "strips,blocks",
     .help = "Decompositions"},
    {.name = "depth",
     .type = APP_CUSTOM,
     FIELD(depths),
     .parse = bench_parse_depths,
     .value = "K,...",
     .unless = "1,4",
     .help = "Beats an exchange lasts for"},
    {.name = "modes",
     .type = APP_CUSTOM,
     FIELD(modes),
     .parse = bench_parse_modes,
     .value = "p2p,persistent,neighbour,shared",
     .standard = "p2p",
     .help = "How messages are made"},
    {.name = "plot",
     .type = APP_OUTPUT,
     FIELD(plot),
     .choices = ".png|.svg",
     .help = "Draw time against ranks, and who owns what (needs gnuplot)"},
    {.type = APP_SECTION, .help = "How it is measured:"},
    {.name = "ranks",
     .type = APP_CUSTOM,
     FIELD(ranks),
     .parse = bench_parse_ranks,
     .value = "P,...",
     .unless = "powers of two, and all",
     .help = "Numbers of ranks, of those that were started"},
    {.name = "repeat",
     .type = APP_INTEGER,
     FIELD(repeats),
     .min = 1,
     .max = HALO_SAMPLES_MAX,
     .unit = "repeats",
     .value = "R",
     .standard = "9",
     .help = "Repeats, of which the median is printed; fewer than 6 cannot show what is real"},
    {.name = "beats",
     .letter = 'n',
     .type = APP_INTEGER,
     FIELD(beats),
     .min = 1,
     .max = INT32_MAX,
     .unit = "beats",
     .unless = "as many as take 50 ms",
     .help = "Beats of a repeat"},
    {.name = "wait",
     .type = APP_CHOICE,
     FIELD(wait),
     .choices = "auto" HALO_WAIT_LIST(NAME_ENTRY),
     .standard = "auto",
     .help = "How ranks wait for each other"},
    {.type = APP_SECTION, .help = "Reports:"},
    {.name = "csv", .type = APP_OUTPUT, FIELD(csv), .help = "Everything measured as a table"},
    {.name = "json",
     .type = APP_OUTPUT,
     FIELD(json),
     .help = "The same, and what it comes to, machine-readable"},
    {.name = "progress",
     .type = APP_CHOICE,
     FIELD(progress),
     .choices = PROGRESS_MODE_LIST(NAME_ENTRY),
     .standard = "auto",
     .unless = "auto, when it is a terminal",
     .help = "Show a progress line on stderr"},
    {.name = "quiet", .letter = 'q', .type = APP_FLAG, FIELD(quiet), .help = "No table"},
    {.type = APP_END}};

static const app_table tables[] = {{rows, 0, NULL}, {NULL, 0, NULL}};

/* ---- together -------------------------------------------------------------------------------- */

static halo_status check_sizes(bench_arguments *into)
{
    bench_words *words = &into->size_words;
    if (words->count == 0) {
        words->count = 1;
        snprintf(words->text[0], BENCH_ENTRY_SIZE, "%" PRId64, into->subject->usual);
    }
    into->sizes = words->count;
    for (int i = 0; i < words->count; i++) {
        HALO_TRY(bench_parse_size(words->text[i], into->subject->axes, into->size[i]));
    }
    return HALO_OK;
}

static int min_ranks(const char *what)
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
static void choose_ranks(bench_numbers *ranks, int min, int started)
{
    int chosen = min;
    while (chosen < started && ranks->count < BENCH_MOST_ENTRIES - 1) {
        ranks->numbers[ranks->count++] = chosen;
        chosen *= 2;
    }
    ranks->numbers[ranks->count++] = started;
}

static halo_status check_ranks(bench_arguments *into)
{
    int started, min = min_ranks(into->what);
    MPI_Comm_size(MPI_COMM_WORLD, &started);
    bool enough = started >= min;
    for (int i = 0; i < into->ranks.count; i++) {
        int asked = into->ranks.numbers[i];
        enough = enough && asked >= min;
        if (asked > started) {
            return halo_fail(HALO_ARGUMENT,
                             "--ranks %d: %d %s started; start more with mpiexec -n %d halobeat "
                             "bench ..., or ask for fewer",
                             asked, started, started == 1 ? "rank was" : "ranks were", asked);
        }
    }
    if (!enough) {
        return halo_fail(HALO_ARGUMENT,
                         "%s takes at least %d ranks; start it with mpiexec -n %d halobeat bench "
                         "%s",
                         into->what, min, min, into->what);
    }
    if (into->ranks.count == 0) {
        choose_ranks(&into->ranks, min, started);
    }
    return HALO_OK;
}

/* What depends on the kernel. */
static halo_status check_cuts(bench_arguments *into)
{
    bench_numbers *depths = &into->depths;
    into->subject = bench_subject_find(into->kernel);
    if (depths->count == 0) {
        *depths =
            (bench_numbers){.count = into->subject->deep ? 2 : 1, .numbers = {1, USUAL_DEPTH}};
    }
    for (int i = 0; i < depths->count; i++) {
        if (depths->numbers[i] != 1 && !into->subject->deep) {
            return halo_fail(HALO_ARGUMENT, "--depth %d: of %s an exchange lasts for 1 beat only",
                             depths->numbers[i], into->subject->name);
        }
    }
    return check_sizes(into);
}

static halo_status check(const app_options *given, void *context)
{
    bench_arguments *into = context;
    const struct {
        const void *field;
        const char *name;
    } for_cuts[] = {{&into->kernel, "kernel"}, {&into->size_words, "size"},
                    {&into->shapes, "shapes"}, {&into->depths, "depth"},
                    {&into->modes, "modes"},   {&into->plot, "plot"}};
    bool cuts = strcmp(into->what, "decomposition") == 0;
    for (size_t i = 0; i < sizeof for_cuts / sizeof for_cuts[0]; i++) {
        if (!cuts && app_given(given, for_cuts[i].field)) {
            return halo_fail(HALO_ARGUMENT, "--%s is for decomposition only", for_cuts[i].name);
        }
    }
    into->effort = (bench_effort){.repeats = (int)into->repeats, .seconds = REPEAT_SECONDS};
    HALO_TRY(check_ranks(into));
    return cuts ? check_cuts(into) : HALO_OK;
}

#define KIND_LINE(name, least, help)          "  " #name ": " help "\n"
#define SUBJECT_LINE(name, axes, cells, help) "  " #name ": " help "\n"

const app_syntax bench_syntax = {
    .name = "bench",
    .about = "Measure what decides how fast a run is on this machine: strips or blocks, how many "
             "ranks, how deep a halo.",
    .notes =
        "WHAT is measured:\n"
        "  decomposition: a kernel cut in every way that is asked for, beside a "
        "model\n" BENCH_KIND_LIST(KIND_LINE) "\nKernels of decomposition:\n" BENCH_SUBJECT_LIST(
            SUBJECT_LINE) "\nRepeats are measured in turn. A difference counts as real if the "
                          "signed-rank test "
                          "of Wilcoxon gives it a chance of less than 5 % and the medians differ "
                          "by more than 1 "
                          "%.\n\n"
                          "Examples:\n"
                          "  mpiexec -n 4 halobeat bench decomposition --kernel heat --depth "
                          "1,4,8\n"
                          "  mpiexec -n 4 halobeat bench decomposition --plot "
                          "strips-or-blocks.png\n"
                          "  mpiexec -n 2 halobeat bench exchange\n\n"
                          "Exit status: 0 done, 1 failed, 2 unusable arguments.",
    .tables = tables,
    .bytes = sizeof(bench_arguments),
    .check = check,
};
