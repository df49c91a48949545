#include "app/services/balance.h"

#include "app/paths/append.h"
#include "app/paths/paths.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "base/memory.h"
#include "base/names.h"
#include "core/beat/beat.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const balance_arguments *requested_of(const app_run *run)
{
    return app_service_options(run, &app_balance_service);
}

/* Is the cause of slow ranks reported? It is with --verbose, --json, --report and --balance.
 * Reading it takes a tenth of the time of a small run. */
static bool explains(const app_run *run)
{
    const common_arguments *common = &run->arguments->common;
    return common->verbose || common->json != NULL || common->report != NULL ||
           requested_of(run)->balancer != NULL;
}

static void read_noise(const app_balance *balance, halo_os_noise *now)
{
    if (balance->explains) {
        halo_os_noise_read(now);
    } else {
        *now = halo_os_noise_unknown;
    }
}

/* ---- the log --------------------------------------------------------------------------------- */

static void write_columns(app_balance *balance, const halo_balance_event *event, const char *text)
{
    int64_t moved = halo_cuts_moved(event->before, event->after, event->parts);
    fprintf(balance->log, "%" PRId64 ",%.6f,%.5f,%" PRId64 ",%d,\"%s\"",
            balance->first_beat + event->beat, event->seconds, event->imbalance, moved, event->axis,
            text);
    for (int p = 0; p <= balance->ranks; p++) { /* of blocks, axes have fewer parts */
        fprintf(balance->log, ",");
        if (p <= event->parts) {
            fprintf(balance->log, "%" PRId64, event->after[p]);
        }
    }
    for (int p = 0; p < balance->ranks; p++) {
        fprintf(balance->log, ",");
        if (p < event->parts) {
            fprintf(balance->log, "%.9g", event->seconds_a_beat[p]);
        }
    }
    fputc('\n', balance->log);
}

static void write_decision(void *context, const halo_balance_event *event)
{
    app_balance *balance = context;
    if (halo_world_rank(balance->world) == 0) {
        app_decisions_add(&balance->decisions, event, balance->first_beat);
    }
    if (balance->log == NULL) {
        return;
    }
    char text[256];
    halo_decision_write(&event->decision, text, sizeof text);
    if (balance->columns) {
        write_columns(balance, event, text);
    } else {
        fprintf(balance->log,
                "beat %" PRId64 ", %.3f s, IDC %.1f %%: ", balance->first_beat + event->beat,
                event->seconds, 100 * event->imbalance);
        if (event->parts < balance->ranks) {
            fprintf(balance->log, "axis %d: ", event->axis);
        }
        fprintf(balance->log, "%s\n", text);
    }
    /* A log is read while it grows. */
    balance->log_failed = fflush(balance->log) != 0 || balance->log_failed;
}

static bool is_stderr(const char *path)
{
    return strcmp(path, "-") == 0;
}

static void print_columns(const app_balance *balance)
{
    fprintf(balance->log, "beat,seconds,idc,rows_moved,axis,decision");
    for (int r = 0; r <= balance->ranks; r++) {
        fprintf(balance->log, ",cut_%d", r);
    }
    for (int r = 0; r < balance->ranks; r++) {
        fprintf(balance->log, ",compute_seconds_%d", r);
    }
    fputc('\n', balance->log);
}

static const char nothing[] = "one rank: nothing to balance\n";

/* A log may be a table, or lines for people. */
static bool begins_log(const char *line)
{
    static const char columns[] = "beat,seconds,idc,";
    int64_t beat;
    return strncmp(line, columns, sizeof columns - 1) == 0 || strcmp(line, nothing) == 0 ||
           sscanf(line, "beat %" SCNd64 ",", &beat) == 1;
}

static halo_status open_log(app_balance *balance, bool resumed)
{
    const char *path = balance->arguments->log;
    if (path == NULL || halo_world_rank(balance->world) != 0) {
        return HALO_OK;
    }
    if (is_stderr(path)) {
        balance->log = stderr;
    } else {
        const app_log_options options = {.noun = "log of decisions",
                                         .begins = begins_log,
                                         .continues = resumed,
                                         .first = balance->first_beat};
        bool continued;
        HALO_TRY(app_log_open(&balance->log, path, &options, &continued));
    }
    balance->columns = halo_name_ends(path, ".csv");
    if (balance->columns) {
        print_columns(balance); /* again if it is resumed: it may have another number of ranks */
    } else if (balance->ranks == 1) {
        fputs(nothing, balance->log);
    }
    return HALO_OK;
}

static halo_status add_files(app_run *run, app_files *files)
{
    const char *log = requested_of(run)->log;
    return app_files_add(files, APP_LOG, log != NULL && !is_stderr(log) ? log : NULL);
}

/* ---- from beginning to end ------------------------------------------------------------------- */

static app_balance *state_of(const app_run *run)
{
    return app_service_state(run, &app_balance_service);
}

halo_balancing *app_balancing_of(const app_run *run)
{
    const app_balance *balance = state_of(run);
    return balance != NULL ? balance->balancing : NULL;
}

static void join_beat(const app_run *run, halo_beat_options *options)
{
    options->balancing = app_balancing_of(run);
}

/* Tells the balancing the number of beats to come, on which the gain of a move depends. */
static void expect_beats(const app_run *run, int64_t beats)
{
    if (app_balancing_of(run) != NULL) {
        halo_balancing_set_left(app_balancing_of(run), beats);
    }
}

/* A progress line that is drawn again and again would be torn by a log on the same terminal. */
static void keep_log_whole(app_run *run)
{
    const char *log = requested_of(run)->log;
    if (log != NULL && is_stderr(log) && strcmp(run->arguments->common.progress, "auto") == 0) {
        run->progress = (progress){0};
    }
}

/* One of many images is not balanced, nor are its ranks explained. */
static halo_status open_balance(app_run *run)
{
    const balance_arguments *given = requested_of(run);
    app_balance *balance = state_of(run);
    bool one = app_is_one_of_many(run);
    *balance = (app_balance){.world = run->world,
                             .arguments = given,
                             .explains = !one && explains(run),
                             .ranks = halo_world_ranks(run->world)};
    read_noise(balance, &balance->before);
    keep_log_whole(run);
    if (one || given->balancer == NULL) {
        return HALO_OK;
    }
    halo_balance_options options = {.balancer = given->balancer,
                                    .every = given->every,
                                    .migrate = given->migrate,
                                    .notify = write_decision,
                                    .context = balance};
    return halo_balancing_create(&balance->balancing, run->world, &options);
}

/* The log is opened after all other checks, since that replaces a file. */
static halo_status make_ready(app_run *run)
{
    app_balance *balance = state_of(run);
    balance->first_beat = run->first_beat;
    return halo_agree(run->world, open_log(balance, app_resumes(run)));
}

static double spent(double before, double after)
{
    return before >= 0 && after >= 0 ? after - before : -1;
}

static balance_line own_line(const app_balance *balance)
{
    const halo_os_noise *before = &balance->before;
    halo_os_noise now;
    balance_line mine = {.links = {{.neighbour = -1}, {.neighbour = -1}}};
    read_noise(balance, &now);
    halo_os_noise_explain(before, &now, mine.diagnosis, sizeof mine.diagnosis);
    mine.spent =
        (halo_os_noise){.seconds = spent(before->seconds, now.seconds),
                        .on_core = spent(before->on_core, now.on_core),
                        .runnable = spent(before->runnable, now.runnable),
                        .machine_waiting = spent(before->machine_waiting, now.machine_waiting),
                        .throttled = spent(before->throttled, now.throttled),
                        .stolen = spent(before->stolen, now.stolen),
                        .quota = now.quota,
                        .cores = now.cores};
    if (balance->balancing != NULL) {
        halo_balance_report done = halo_balancing_get_report(balance->balancing);
        memcpy(mine.links, done.links, sizeof mine.links);
        mine.bytes_moved = done.bytes_moved;
    }
    return mine;
}

static halo_status gather(app_run *run)
{
    app_balance *balance = state_of(run);
    balance_line mine = own_line(balance);
    halo_status status = HALO_OK;
    if (halo_world_rank(balance->world) == 0) {
        status = HALO_ALLOCATE(balance->lines, balance->ranks, "the report of balancing");
        if (balance->log_failed) {
            status = halo_fail(HALO_FILE, "the log of decisions \"%s\" could not be written",
                               balance->arguments->log);
        }
    }
    HALO_TRY(halo_agree(balance->world, status));
    return halo_gather(balance->world, &mine, sizeof mine, balance->lines);
}

static bool add_facts(const app_run *run, json_t *facts, json_t *texts)
{
    const app_balance *balance = state_of(run);
    json_t *more = json_pack("{s:o}", "balance", app_balance_json(balance));
    const char *obstacle = app_balance_obstacle(balance);
    bool good = more != NULL && app_facts_add_missing(facts, more) &&
                json_object_set_new(texts, "not_balanced",
                                    obstacle != NULL ? json_string(obstacle) : json_null()) == 0;
    json_decref(more);
    return good;
}

static void print(const app_run *run)
{
    app_balance_print(state_of(run), run->arguments->common.verbose);
}

static void close_balance(app_run *run)
{
    app_balance *balance = state_of(run);
    halo_balancing_destroy(&balance->balancing);
    if (balance->log != NULL && balance->log != stderr) {
        fclose(balance->log);
    }
    free(balance->lines);
    app_decisions_free(&balance->decisions);
}

const app_service app_balance_service = {.bytes = sizeof(app_balance),
                                         .rows = app_balance_rows,
                                         .place = app_place_of_ranks,
                                         .options_bytes = APP_OPTIONS(balance_arguments),
                                         .one_image = true,
                                         .same_result = true,
                                         .open = open_balance,
                                         .files = add_files,
                                         .ready = make_ready,
                                         .join = join_beat,
                                         .expect = expect_beats,
                                         .gather = gather,
                                         .facts = add_facts,
                                         .print = print,
                                         .close = close_balance};
