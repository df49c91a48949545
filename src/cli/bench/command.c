#include "app/frame.h"
#include "app/frame_internal.h"
#include "app/options/shared_options.h"
#include "app/options/values.h"
#include "app/ranks/ranks.h"
#include "base/spelling.h"
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "core/exchange/exchange.h"
#include "core/world/job.h"
#include "partition/decomposition.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEEP = 4, MAX_CELLS = 1 << 30, MAX_DEPTH = 1000 };
static const double REPEAT_SECONDS = .05;

static const struct {
    const char *name;
    int min_ranks;
    bench_add *add; /* NULL: bench_decomposition */
} benchmarks[] = {
#define BENCHMARK_ENTRY(name, min_ranks, add, help) {#name, min_ranks, add},
    BENCH_LIST(BENCHMARK_ENTRY)
#undef BENCHMARK_ENTRY
};

/* ---- lists with commas ----------------------------------------------------------------------- */

static halo_status parse_words(const char *text, void *into)
{
    bench_words *out = into;
    *out = (bench_words){0};
    for (const char *from = text;; from++) {
        size_t length = strcspn(from, ",");
        HALO_FAIL_IF(length == 0 || length >= BENCH_ENTRY_SIZE || out->count == BENCH_MAX_ENTRIES,
                     HALO_ARGUMENT, "takes up to %d entries with commas between them, not \"%s\"",
                     BENCH_MAX_ENTRIES, text);
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
        HALO_FAIL_IF(!halo_scan_integer(&at, 1, max, &number) || *at != '\0', HALO_ARGUMENT,
                     "takes numbers of %s, not \"%s\"", what, words.text[i]);
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
        const char *british = halo_spelling_british(out->text[i]);
        if (british != out->text[i]) {
            snprintf(out->text[i], sizeof out->text[i], "%s", british);
        }
        HALO_FAIL_IF(!halo_list_has(modes, out->text[i], strlen(out->text[i])), HALO_ARGUMENT,
                     "takes p2p, persistent, neighbour and shared, not \"%s\"", out->text[i]);
    }
    return HALO_OK;
}

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member)                   HALO_OPTION_ROW(bench_arguments, option, kind, member)
#define BENCHMARK_NAME(name, min_ranks, add, help)  "|" #name
#define KERNEL_ENTRY(name, axes, cells, deep, help) "|" #name
#define NAME_ENTRY(name, help)                      "|" #name

static const halo_option what_rows[] = {
    {ROW("WHAT", INDEX, benchmark), .flags = APP_ARGUMENT, .choices = BENCH_LIST(BENCHMARK_NAME),
     .required = "what is to be measured is missing: decomposition, exchange or vote"},
    {.type = HALO_OPTION_END}};

static const halo_option decomposition_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "What is compared (decomposition):"},
    {ROW("kernel", INDEX, kernel_number), .choices = BENCH_KERNEL_LIST(KERNEL_ENTRY),
     .value = "NAME", .standard = "heat", .help = "What is computed"},
    {ROW("size", CUSTOM, size_words), .parse = parse_words, .value = "WIDTH[xHEIGHT[xDEPTH]],...",
     .unless = "as the kernel likes it",
     .help = "Cells of the grid; one number stands for all axes"},
    {ROW("shapes", CUSTOM, shapes), .parse = parse_shapes, .value = "strips,blocks,2x3,auto,...",
     .offers = "blocks|auto", .standard = "strips,blocks", .help = "Decompositions"},
    {ROW("depth", CUSTOM, depths), .parse = parse_depths, .value = "K,...", .unless = "1,4",
     .help = "Beats an exchange lasts for"},
    {ROW("modes", CUSTOM, modes), .parse = parse_modes, .value = "p2p,persistent,neighbour,shared",
     .offers = "persistent|neighbour|shared", .standard = "p2p",
     .help =
         "How halos are exchanged; the model predicts p2p. Runs on threads that have a core each "
         "use shared"},
    {ROW("plot", OUTPUT, plot), .choices = ".png|.svg", .flags = APP_PLOT,
     .help = "Draw time against ranks, and who owns what (needs gnuplot)"},
    {.type = HALO_OPTION_END}};

static const halo_option other_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "How it is measured:"},
    {ROW("ranks", CUSTOM, ranks), .letter = 'j', .parse = parse_ranks, .value = "P,...",
     .unless = "powers of two, and all",
     .help = "Numbers of ranks, of those that mpiexec has started, or else of threads"},
    {ROW("repeat", INTEGER, repeats), .min = 1, .max = HALO_SAMPLES_MAX, .unit = "repeats",
     .value = "R", .standard = "9",
     .help = "Repeats, of which the median is printed; fewer than 6 cannot show what is real"},
    {ROW("beats", INTEGER, beats), .letter = 'n', .min = 1, .max = INT32_MAX, .unit = "beats",
     .unless = "as many as take 50 ms", .help = "Beats of a repeat"},
    {APP_FRAME_ROW("wait", CHOICE, common.wait), .choices = "auto" HALO_WAIT_LIST(NAME_ENTRY),
     .standard = "auto", .help = "How ranks wait for each other"},
    {.type = HALO_OPTION_SECTION, .help = "Reports:"},
    {ROW("csv", OUTPUT, csv), .flags = APP_STREAM, .help = "Everything measured as a table"},
    {APP_FRAME_ROW("json", OUTPUT, common.json), .flags = APP_STREAM,
     .help = "The same, and what it comes to, machine-readable"},
    {APP_REPORT_ROW},
    {APP_FRAME_ROW("progress", CHOICE, common.progress), .choices = PROGRESS_MODE_LIST(NAME_ENTRY),
     .standard = "auto", .unless = "auto, when it is a terminal",
     .help = "Show a progress line on stderr"},
    {APP_FRAME_ROW("quiet", FLAG, common.quiet), .letter = 'q', .help = "No table"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows, decomposition_rows, other_rows, NULL};

/* ---- options that depend on each other ------------------------------------------------------- */

static halo_status parse_size(const char *text, int axes, int64_t size[HALO_AXES])
{
    const char *at = text;
    int64_t given[HALO_AXES];
    int count = app_scan_sizes(&at, MAX_CELLS, axes, given);
    HALO_FAIL_IF(
        *at != '\0' || (count != 1 && count != axes), HALO_ARGUMENT,
        "--size takes WIDTHxHEIGHT%s in cells, such as %s, or one number for all axes, not \"%s\"",
        axes == 3 ? "xDEPTH" : "", axes == 3 ? "128x128x128" : "2048x2048", text);
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

/* As many as a launcher has started; else threads, as many as --ranks asks for, or on all cores. */
static halo_status count_started(bench_arguments *into, int min)
{
    halo_world *all = halo_job_world();
    int most = 0;
    app_ranks threads;
    if (all != NULL) {
        into->started = halo_world_ranks(all);
        return HALO_OK;
    }
    for (int i = 0; i < into->ranks.count; i++) {
        most = into->ranks.numbers[i] > most ? into->ranks.numbers[i] : most;
    }
    HALO_FAIL_IF(most > APP_MOST_THREADS, HALO_ARGUMENT,
                 "--ranks takes numbers of ranks from 1 to %d, not %d", APP_MOST_THREADS, most);
    HALO_TRY(app_ranks_choose(most, &threads));
    bool more = !threads.is_requested && threads.count < min;
    into->started = more ? min : threads.count;
    return HALO_OK;
}

static halo_status check_ranks(bench_arguments *into)
{
    const char *what = benchmarks[into->benchmark].name;
    int min = benchmarks[into->benchmark].min_ranks;
    HALO_TRY(count_started(into, min));
    int started = into->started;
    bool enough = started >= min;
    char remedy[APP_RANKS_REMEDY];
    for (int i = 0; i < into->ranks.count; i++) {
        int requested = into->ranks.numbers[i];
        enough = enough && requested >= min;
        HALO_FAIL_IF(requested > started, HALO_ARGUMENT,
                     "--ranks %d: %d %s started; start more (%s), or ask for fewer", requested,
                     started, started == 1 ? "rank was" : "ranks were",
                     app_ranks_remedy(remedy, requested));
    }
    HALO_FAIL_IF(!enough, HALO_ARGUMENT, "%s takes at least %d ranks; ask for them (%s)", what, min,
                 app_ranks_remedy(remedy, min));
    if (into->ranks.count == 0) {
        choose_ranks(&into->ranks, min, started);
    }
    return HALO_OK;
}

/* Checks the options whose limits depend on the kernel. */
static halo_status check_cuts(bench_arguments *into)
{
    bench_numbers *depths = &into->depths;
    into->kernel = &bench_kernels[into->kernel_number];
    if (depths->count == 0) {
        *depths = (bench_numbers){.count = into->kernel->deep ? 2 : 1, .numbers = {1, DEEP}};
    }
    for (int i = 0; i < depths->count; i++) {
        HALO_FAIL_IF(depths->numbers[i] != 1 && !into->kernel->deep, HALO_ARGUMENT,
                     "--depth %d: of %s an exchange lasts for 1 beat only", depths->numbers[i],
                     into->kernel->name);
    }
    return check_sizes(into);
}

static halo_status check(const app_options *given, void *context)
{
    bench_arguments *into = context;
    bool cuts = benchmarks[into->benchmark].add == NULL;
    for (const halo_option *row = decomposition_rows + 1; row->type != HALO_OPTION_END && !cuts;
         row++) {
        HALO_FAIL_IF(app_given(given, (const char *)context + row->offset), HALO_ARGUMENT,
                     "--%s is for decomposition only", row->name);
    }
    into->effort = (bench_effort){.what = benchmarks[into->benchmark].name,
                                  .repeats = (int)into->repeats,
                                  .seconds = REPEAT_SECONDS};
    HALO_TRY(check_ranks(into));
    return cuts ? check_cuts(into) : HALO_OK;
}

#define BENCHMARK_LINE(name, min_ranks, add, help) "  " #name ": " help "\n"
#define KERNEL_LINE(name, axes, cells, deep, help) "  " #name ": " help "\n"
#define BENCHMARK_LINES                            BENCH_LIST(BENCHMARK_LINE)
#define KERNEL_LINES                               BENCH_KERNEL_LIST(KERNEL_LINE)

static const app_service_use services[] = {APP_SHARED_SERVICES, {0}};

static const app_syntax bench_syntax = {
    .name = "bench",
    .summary = "measure strips against blocks here, and messages and votes",
    .about = "Measure what decides how fast a run is on this machine: strips or blocks, how many "
             "ranks, how deep a halo.",
    .notes = "WHAT is measured:\n" BENCHMARK_LINES "\nKernels of decomposition:\n" KERNEL_LINES
             "\nRepeats are measured in turn. A difference counts as real if the signed-rank test "
             "of Wilcoxon gives it a chance of less than 5 % and the medians differ by more than "
             "1 %.\n\n"
             "Examples:\n"
             "  halobeat bench decomposition --kernel heat --depth 1,4,8\n"
             "  halobeat bench decomposition --ranks 1,2,4 --plot strips-or-blocks.png\n"
             "  halobeat bench exchange --ranks 2 (threads)\n"
             "  mpiexec -n 2 halobeat bench exchange (processes, beside bare MPI)\n\n" APP_MEMORY
             "Exit status: 0 done, 1 failed, 2 unusable arguments, 75 a call of MPI failed.",
    .tables = tables,
    .services = services,
    .bytes = sizeof(bench_arguments),
    .check = check,
};

/* ---- the command ----------------------------------------------------------------------------- */

static halo_status measure(app_run *run)
{
    bench_arguments *arguments = run->options;
    const common_arguments *common = &arguments->all.common;
    progress_phase(&run->progress, "measuring");
    arguments->run = run;
    arguments->effort.shown = &run->progress;
    arguments->effort.announces = app_is_root(run) && !run->progress.shown && !common->quiet &&
                                  strcmp(common->progress, "never") != 0;
    bench_groups groups;
    halo_status status = bench_groups_create(&groups, run->world, arguments->ranks.numbers,
                                             arguments->ranks.count, common->wait);
    if (status == HALO_OK) {
        bench_add *add = benchmarks[arguments->benchmark].add;
        status = add != NULL ? bench_list_run(&groups, arguments, add)
                             : bench_decomposition(&groups, arguments);
    }
    bench_groups_destroy(&groups);
    return status;
}

static int answer(int argc, char **argv, int64_t *ranks)
{
    app_arguments *options;
    int answered = app_answer_alone(&bench_syntax, "halobeat bench", argc, argv, &options);
    *ranks = answered < 0 ? ((const bench_arguments *)options)->started : 0;
    free(options);
    return answered;
}

const app_command bench_command = {.syntax = &bench_syntax,
                                   .answer = answer,
                                   .wait = "sleep", /* ranks that only watch must not spin */
                                   .run = measure};
