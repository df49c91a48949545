#include "cli/bench/options.h"

#include "app/values.h"
#include "cli/bench/options.h"
#include "core/exchange/exchange.h"
#include "partition/decomposition.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { DEEP = 4, MAX_CELLS = 1 << 30, MAX_DEPTH = 1000 };
static const double REPEAT_SECONDS = .05;

/* ---- lists with commas ----------------------------------------------------------------------- */

static halo_status parse_words(const char *text, void *into)
{
    bench_words *out = into;
    *out = (bench_words){0};
    for (const char *from = text;; from++) {
        size_t length = strcspn(from, ",");
        if (length == 0 || length >= BENCH_ENTRY_SIZE || out->count == BENCH_MAX_ENTRIES) {
            return halo_fail(HALO_ARGUMENT,
                             "takes up to %d entries with commas between them, not \"%s\"",
                             BENCH_MAX_ENTRIES, text);
        }
        memcpy(out->text[out->count], from, length);
        out->text[out->count++][length] = '\0';
        from += length;
        if (*from == '\0') {
            return HALO_OK;
        }
    }
}

static halo_status parse_numbers(const char *text, int max, const char *what, bench_numbers *out)
{
    bench_words words;
    HALO_TRY(parse_words(text, &words));
    *out = (bench_numbers){.count = words.count};
    for (int i = 0; i < words.count; i++) {
        const char *at = words.text[i];
        int64_t number;
        if (!halo_scan_integer(&at, 1, max, &number) || *at != '\0') {
            return halo_fail(HALO_ARGUMENT, "takes numbers of %s, not \"%s\"", what, words.text[i]);
        }
        out->numbers[i] = (int)number;
    }
    return HALO_OK;
}

static halo_status parse_ranks(const char *text, void *into)
{
    return parse_numbers(text, INT32_MAX, "ranks from 1 on", into);
}

static halo_status parse_depths(const char *text, void *into)
{
    return parse_numbers(text, MAX_DEPTH, "beats from 1 to 1000", into);
}

static halo_status parse_shapes(const char *text, void *into)
{
    bench_words *out = into;
    HALO_TRY(parse_words(text, out));
    for (int i = 0; i < out->count; i++) {
        HALO_TRY(halo_decomposition_check(out->text[i]));
    }
    return HALO_OK;
}

static halo_status parse_modes(const char *text, void *into)
{
#define MODE_ENTRY(name, help) "|" #name
    static const char modes[] = HALO_EXCHANGE_LIST(MODE_ENTRY);
#undef MODE_ENTRY
    bench_words *out = into;
    HALO_TRY(parse_words(text, out));
    for (int i = 0; i < out->count; i++) {
        if (!app_list_has(modes, out->text[i], strlen(out->text[i]))) {
            return halo_fail(HALO_ARGUMENT,
                             "takes p2p, persistent, neighbour and shared, not \"%s\"",
                             out->text[i]);
        }
    }
    return HALO_OK;
}

/* ---- options --------------------------------------------------------------------------------- */

#define FIELD(member)                               .offset = offsetof(bench_arguments, member)
#define KIND_ENTRY(name, least, help)               "|" #name
#define KERNEL_ENTRY(name, axes, cells, deep, help) "|" #name
#define NAME_ENTRY(name, help)                      "|" #name

static const app_option rows[] = {
    {.name = "WHAT",
     .type = APP_CHOICE,
     FIELD(what),
     .flags = APP_ARGUMENT,
     .choices = BENCH_LIST(KIND_ENTRY),
     .required =
         "what is to be measured is missing: decomposition, exchange, vote, wait or memory"},
    {.type = APP_SECTION, .help = "What is compared (decomposition):"},
    {.name = "kernel",
     .type = APP_INDEX,
     FIELD(kernel_number),
     .choices = BENCH_KERNEL_LIST(KERNEL_ENTRY),
     .value = "NAME",
     .standard = "heat",
     .help = "What is computed"},
    {.name = "size",
     .type = APP_CUSTOM,
     FIELD(size_words),
     .parse = parse_words,
     .value = "WIDTH[xHEIGHT[xDEPTH]],...",
     .unless = "as the kernel likes it",
     .help = "Cells of the grid; one number stands for all axes"},
    {.name = "shapes",
     .type = APP_CUSTOM,
     FIELD(shapes),
     .parse = parse_shapes,
     .value = "strips,blocks,2x3,auto,...",
     .standard = "strips,blocks",
     .help = "Decompositions"},
    {.name = "depth",
     .type = APP_CUSTOM,
     FIELD(depths),
     .parse = parse_depths,
     .value = "K,...",
     .unless = "1,4",
     .help = "Beats an exchange lasts for"},
    {.name = "modes",
     .type = APP_CUSTOM,
     FIELD(modes),
     .parse = parse_modes,
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
     .parse = parse_ranks,
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
     APP_FIELD(common.wait),
     .choices = "auto" HALO_WAIT_LIST(NAME_ENTRY),
     .standard = "auto",
     .help = "How ranks wait for each other"},
    {.type = APP_SECTION, .help = "Reports:"},
    {.name = "csv", .type = APP_OUTPUT, FIELD(csv), .help = "Everything measured as a table"},
    {.name = "json",
     .type = APP_OUTPUT,
     APP_FIELD(common.json),
     .help = "The same, and what it comes to, machine-readable"},
    {.name = "progress",
     .type = APP_CHOICE,
     APP_FIELD(common.progress),
     .choices = PROGRESS_MODE_LIST(NAME_ENTRY),
     .standard = "auto",
     .unless = "auto, when it is a terminal",
     .help = "Show a progress line on stderr"},
    {.name = "quiet", .letter = 'q', .type = APP_FLAG, APP_FIELD(common.quiet), .help = "No table"},
    {.type = APP_END}};

static const app_option *const tables[] = {rows, NULL};

/* ---- options that depend on each other ------------------------------------------------------- */

static halo_status parse_size(const char *text, int axes, int64_t size[HALO_AXES])
{
    const char *at = text;
    int64_t given[HALO_AXES];
    int count = 0;
    while (count < axes && halo_scan_integer(&at, 1, MAX_CELLS, &given[count])) {
        count++;
        if (*at != 'x') {
            break;
        }
        at++;
    }
    if (*at != '\0' || at == text || at[-1] == 'x' || (count != 1 && count != axes)) {
        return halo_fail(HALO_ARGUMENT,
                         "--size takes WIDTHxHEIGHT%s in cells, such as %s, or one number for all "
                         "axes, not \"%s\"",
                         axes == 3 ? "xDEPTH" : "", axes == 3 ? "128x128x128" : "2048x2048", text);
    }
    for (int a = 0; a < axes; a++) {
        size[axes - 1 - a] = given[count == 1 ? 0 : a];
    }
    return HALO_OK;
}

static halo_status check_sizes(bench_arguments *into)
{
    bench_words *words = &into->size_words;
    if (words->count == 0) {
        words->count = 1;
        snprintf(words->text[0], BENCH_ENTRY_SIZE, "%" PRId64, into->kernel->size);
    }
    into->sizes = words->count;
    for (int i = 0; i < words->count; i++) {
        HALO_TRY(parse_size(words->text[i], into->kernel->axes, into->size[i]));
    }
    return HALO_OK;
}

/* Powers of two, and all. */
static void choose_ranks(bench_numbers *ranks, int min, int started)
{
    int chosen = min;
    while (chosen < started && ranks->count < BENCH_MAX_ENTRIES - 1) {
        ranks->numbers[ranks->count++] = chosen;
        chosen *= 2;
    }
    ranks->numbers[ranks->count++] = started;
}

static halo_status check_ranks(bench_arguments *into)
{
    int started, min = into->benchmark->min_ranks;
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
    into->kernel = &bench_kernels[into->kernel_number];
    if (depths->count == 0) {
        *depths = (bench_numbers){.count = into->kernel->deep ? 2 : 1, .numbers = {1, DEEP}};
    }
    for (int i = 0; i < depths->count; i++) {
        if (depths->numbers[i] != 1 && !into->kernel->deep) {
            return halo_fail(HALO_ARGUMENT, "--depth %d: of %s an exchange lasts for 1 beat only",
                             depths->numbers[i], into->kernel->name);
        }
    }
    return check_sizes(into);
}

static halo_status check(const app_options *given, void *context)
{
    bench_arguments *into = context;
    into->benchmark = bench_benchmark_find(into->what);
    const struct {
        const void *field;
        const char *name;
    } for_cuts[] = {{&into->kernel_number, "kernel"}, {&into->size_words, "size"},
                    {&into->shapes, "shapes"},        {&into->depths, "depth"},
                    {&into->modes, "modes"},          {&into->plot, "plot"}};
    bool cuts = into->benchmark->run == bench_decomposition;
    for (size_t i = 0; i < sizeof for_cuts / sizeof for_cuts[0]; i++) {
        if (!cuts && app_given(given, for_cuts[i].field)) {
            return halo_fail(HALO_ARGUMENT, "--%s is for decomposition only", for_cuts[i].name);
        }
    }
    into->effort = (bench_effort){
        .what = into->what, .repeats = (int)into->repeats, .seconds = REPEAT_SECONDS};
    HALO_TRY(check_ranks(into));
    return cuts ? check_cuts(into) : HALO_OK;
}

#define KIND_LINE(name, least, help)               "  " #name ": " help "\n"
#define KERNEL_LINE(name, axes, cells, deep, help) "  " #name ": " help "\n"
#define KIND_LINES                                 BENCH_LIST(KIND_LINE)
#define KERNEL_LINES                               BENCH_KERNEL_LIST(KERNEL_LINE)

const app_syntax bench_syntax = {
    .name = "bench",
    .summary = "measure strips against blocks here, and messages, votes, memory",
    .about = "Measure what decides how fast a run is on this machine: strips or blocks, how many "
             "ranks, how deep a halo.",
    .notes = "WHAT is measured:\n" KIND_LINES "\nKernels of decomposition:\n" KERNEL_LINES
             "\nRepeats are measured in turn. A difference counts as real if the signed-rank test "
             "of Wilcoxon gives it a chance of less than 5 % and the medians differ by more than "
             "1 %.\n\n"
             "Examples:\n"
             "  mpiexec -n 4 halobeat bench decomposition --kernel heat --depth 1,4,8\n"
             "  mpiexec -n 4 halobeat bench decomposition --plot strips-or-blocks.png\n"
             "  mpiexec -n 2 halobeat bench exchange\n\n"
             "Exit status: 0 done, 1 failed, 2 unusable arguments.",
    .tables = tables,
    .bytes = sizeof(bench_arguments),
    .check = check,
};
