#include "app/beats.h"
#include "app/frame.h"
#include "app/options/values.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "cli/commands.h"
#include "cli/synthetic/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    halo_synthetic_options options; /* as asked for, with */
    uint64_t digest;
    halo_synthetic_verdict verdict;
    double check_seconds; /* on this rank */
} synthetic_job;

/* ---- options --------------------------------------------------------------------------------- */

/* WIDTHxHEIGHT */
static halo_status parse_size(const char *text, void *into)
{
    halo_synthetic_options *options = into;
    int64_t n[2] = {0, 0};
    bool good = app_scan_sizes(&text, INT32_MAX, 2, n) == 2 && *text == '\0';
    options->columns = n[0];
    options->rows = n[1];
    return good ? HALO_OK : HALO_ARGUMENT;
}

static halo_status parse_profile(const char *text, void *into)
{
    *(const char **)into = text;
    halo_synthetic_options alone = {.rows = 1, .columns = 1, .profile = text, .work = 1};
    return halo_synthetic_describe(&alone, NULL);
}

/* Work and ratio that each are good may still be too much together. */
static halo_status check(const app_options *given, void *context)
{
    const synthetic_options *into = context;
    char message[HALO_MESSAGE_SIZE];
    HALO_FAIL_IF(
        into->tasks == 0 && app_any_given(given, app_tasks_rows), HALO_ARGUMENT,
        "--schedule, --once, --give-back, --master-rests, --timeline and --journal need --tasks N");
    if (halo_synthetic_describe(&into->synthetic, NULL) == HALO_OK) {
        return HALO_OK;
    }
    snprintf(message, sizeof message, "%s", halo_last_message());
    return halo_fail(HALO_ARGUMENT, "--profile and --work: %s", message);
}

#define ROW(option, kind, member) HALO_OPTION_ROW(synthetic_options, option, kind, member)

#define PROFILE_OFFER(name, keys, help) "|" #name

static const halo_option what_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "What is computed:"},
    {ROW("size", CUSTOM, synthetic), .parse = parse_size,
     .takes = "WIDTHxHEIGHT in cells, such as 1000x800", .value = "WIDTHxHEIGHT",
     .standard = "1000x1000", .help = "Cells of the grid: columns x rows"},
    {APP_FRAME_ROW("beats", INTEGER, beats), .letter = 'n', .min = 1, .unit = "beats",
     .standard = "300", .help = "How many times all cells are updated"},
    {ROW("profile", CUSTOM, synthetic.profile), .parse = parse_profile,
     .value = "NAME[:KEY=VALUE,...]", .offers = HALO_SYNTHETIC_PROFILE_LIST(PROFILE_OFFER),
     .unless = "constant", .help = "What rows cost, as below"},
    {ROW("work", INTEGER, synthetic.work), .min = 1, .max = HALO_SYNTHETIC_MAX_STEPS,
     .unit = "steps", .value = "STEPS", .unless = "1000",
     .help = "Work of a row that costs 1, a step some 3 nanoseconds"},
    APP_HOW_SECTION,
    {APP_FRAME_ROW("halo-depth", INTEGER, decomposition.beats_per_exchange), .min = 1,
     .max = 1000000, .unit = "beats", .value = "K", .standard = "1",
     .help = "Beats computed for each exchange with other ranks"},
    {.type = HALO_OPTION_END}};

static const halo_option instead_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Tasks in place of a grid:"},
    {ROW("tasks", INTEGER, tasks), .min = 1, .max = INT32_MAX, .unit = "tasks", .value = "N",
     .excludes = "size|beats|halo-depth|decomposition|balance",
     .why = "tasks have no neighbours and no beats",
     .help = "Rank 0 hands out N tasks that cost what rows of the profile do"},
    {ROW("bytes", INTEGER, bytes), .max = 1 << 30, .unit = "bytes", .value = "B", .needs = "tasks",
     .standard = "0", .help = "What is sent along with each task"},
    {ROW("request-flops", INTEGER, request_flops), .min = 1, .max = 1e12, .unit = "operations",
     .value = "F", .needs = "tasks", .unless = "13000",
     .help = "Simulated machines: what it takes a rank to answer another's request"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,      app_decomposition_rows,
                                            instead_rows,   app_place_of_runs,
                                            app_ranks_rows, APP_SHARED_TABLES_BUT_ISA};

#define PROFILE_LINE(name, keys, help) "  " #name ": " help "\n"

static void describe(const app_syntax *syntax, char *out, size_t size)
{
    balance_describe(syntax, out, size);
    app_tasks_describe(syntax, out, size);
}

static const app_service_use services[] = {
    APP_SHARED_SERVICES, {.service = &app_tasks_service, .with = &synthetic_work}, {0}};

const app_syntax synthetic_syntax = {
    .name = "synthetic",
    .summary = "compute rows of chosen cost, to try balancers and machines",
    .beat = "one update of all cells",
    .about = "Compute rows whose cost follows a profile, and check the result: for trying "
             "balancers and machines.",
    .notes = "Profiles, as NAME or NAME:KEY=VALUE,... with keys ratio (default 3), at (.5), width "
             "(.1), speed (1), seed (1):\n" HALO_SYNTHETIC_PROFILE_LIST(
                 PROFILE_LINE) "\nExamples:\n"
                               "  halobeat synthetic -j 4 --profile linear:ratio=3\n"
                               "  halobeat synthetic -j 4 --profile hot:ratio=8,speed=2 "
                               "--beats 1000\n"
                               "  halobeat synthetic -j 4 --tasks 1000 --profile "
                               "random:ratio=9 --schedule guided\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(synthetic_options),
    .describe = describe,
    .check = check,
};

/* ---- beats ----------------------------------------------------------------------------------- */

static halo_status open_inputs(app_run *run)
{
    const synthetic_options *options = run->options;
    run->domain =
        (halo_domain){.axes = 2, .n = {options->synthetic.rows, options->synthetic.columns, 1}};
    return HALO_OK;
}

static halo_status create(app_run *run)
{
    const synthetic_options *options = run->options;
    synthetic_job *job = run->job;
    job->options = options->synthetic;
    job->options.digest = &job->digest;
    return app_create_blocks(run, &halo_synthetic_kernel,
                             &(halo_beat_options){.kernel_options = &job->options});
}

static void find_needs(const app_run *run, app_needs *needs)
{
    (void)run, (void)needs; /* the grid is all */
}

static halo_status fill(app_run *run)
{
    halo_synthetic_fill(halo_beat_view(run->beat, 0));
    return HALO_OK;
}

static halo_status check_result(app_run *run)
{
    synthetic_job *job = run->job;
    progress_phase(&run->progress, "checking");
    double begun = halo_seconds();
    halo_status status = halo_synthetic_check(run->world, run->beat, &job->options, &job->verdict);
    job->check_seconds = halo_seconds() - begun;
    return status;
}

static halo_status verdict(app_run *run)
{
    const halo_synthetic_verdict *found = &((const synthetic_job *)run->job)->verdict;
    return HALO_REQUIRE(found->holds, HALO_FORMAT,
                        "the result is wrong: %" PRId64 " wrong cells (the first in row %" PRId64
                        ", column %" PRId64 "), digest %016" PRIx64 " instead of %016" PRIx64
                        "; this is a fault of the program or the machine",
                        found->wrong_cells, found->row, found->column, found->digest,
                        found->expected);
}

static const app_beats beats = {.phase = "beating", .counted = "at beat"};

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *facts(app_run *run, json_t *texts)
{
    enum { DIGEST_TEXT = 17 };
    const synthetic_options *options = run->options;
    const synthetic_job *job = run->job;
    const int *parts = halo_beat_partition(run->beat)->parts;
    halo_synthetic_facts about;
    double done = (double)app_beats_done(run), seconds = run->loop->seconds;
    char digest[DIGEST_TEXT];
    if (halo_synthetic_describe(&job->options, &about) != HALO_OK) {
        return NULL;
    }
    double steps = (double)about.steps * done;
    report_shares shares;
    if (report_shares_find(run->report, seconds, steps, &shares) != HALO_OK) {
        return NULL;
    }
    snprintf(digest, sizeof digest, "%016" PRIx64, job->verdict.digest);
    json_object_set_new(texts, "mean_steps",
                        json_real((double)about.steps / (double)options->synthetic.rows));
    json_object_set_new(
        texts, "stopped",
        app_fact_text(run->loop->ending == APP_SIGNAL ? app_ending_text(run) : NULL));
    return json_pack(
        "{s:s, s:[ii], s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:s, "
        "s:b, s:I}",
        "profile", about.profile, "parts", parts[0], parts[1], "rows",
        (json_int_t)options->synthetic.rows, "columns", (json_int_t)options->synthetic.columns,
        "work_steps", (json_int_t)about.work, "steps_per_beat", (json_int_t)about.steps,
        "halo_depth", (json_int_t)halo_beat_beats_per_exchange(run->beat), "beats_seconds", seconds,
        "seconds_per_beat", done > 0 ? seconds / done : 0, "steps_per_second",
        seconds > 0 ? steps / seconds : 0, "efficiency", shares.computing, "imbalance",
        shares.imbalance, "check_seconds", job->check_seconds, "digest", digest, "checked",
        (int)job->verdict.holds, "wrong_cells", (json_int_t)job->verdict.wrong_cells);
}

static const app_line lines[] = {
    {.name = "profile", .text = "{profile}"},
    {.name = "grid",
     .text = "{rows} rows of {columns} cells; {work_steps} steps of work in a row that costs 1, "
             "{mean_steps%.6g} in a row on average"},
    {.name = "blocks", .verbose = true, .text = "{parts.0} x {parts.1>1}"},
    {.name = "beats", .text = "{beats}[: {stopped}]"},
    {.name = "digest", .text = "{digest}, {checked?checked:WRONG}"},
    {.name = "efficiency",
     .text = "{100*efficiency%.1f} % of the ranks' time is computing; index of load imbalance "
             "(IDC) {100*imbalance%.1f} %"},
    {0}};

static const app_phase phases[] = {{"compute", HALO_PHASE_COMPUTE},
                                   {"exchange", HALO_PHASE_EXCHANGE},
                                   {"vote", HALO_PHASE_VOTE},
                                   {"check", HALO_PHASES},
                                   {0}};

static const char speed[] =
    "{seconds_per_beat%.4g} seconds a beat, {1e-9*steps_per_second%.4g} G steps/s";

static const app_service_use grid_services[] = {APP_SHARED_SERVICES, {0}};

static const app_command grid_command = {.syntax = &synthetic_syntax,
                                         .services = grid_services,
                                         .job_bytes = sizeof(synthetic_job),
                                         .open = open_inputs,
                                         .create = create,
                                         .needs = find_needs,
                                         .fill = fill,
                                         .beats = &beats,
                                         .end = check_result,
                                         .lines = lines,
                                         .speed = speed,
                                         .phases = phases,
                                         .facts = facts,
                                         .verdict = verdict};

/* Is --tasks, or the beginning of it that no other option has, among the arguments? */
static bool asks_for_tasks(int argc, char *const *argv)
{
    static const char name[] = "--tasks", shortest[] = "--ta";
    bool asks = false;
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        asks = asks || (length >= sizeof shortest - 1 && length < sizeof name &&
                        strncmp(argv[i], name, length) == 0);
    }
    return asks;
}

static int call(halo_world *all, int argc, char **argv)
{
    const app_command *command =
        asks_for_tasks(argc, argv) ? &synthetic_tasks_command : &grid_command;
    return app_main(all, command, "halobeat synthetic", NULL, argc, argv);
}

const app_command synthetic_command = {.syntax = &synthetic_syntax, .call = call};
