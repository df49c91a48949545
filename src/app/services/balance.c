#define _DEFAULT_SOURCE /* getline, fseeko, fileno */
#include "app/services/balance.h"

#include "app/frame.h"
#include "app/paths/append.h"
#include "app/report/report.h"
#include "base/names.h"
#include "core/world/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is the cause of slow ranks reported? It is with --verbose, --json, --report and --balance.
 * Reading it takes a tenth of the time of a small run. */
static bool explains(const common_arguments *common)
{
    return common->verbose || common->json != NULL || common->report != NULL ||
           common->balance.balancer != NULL;
}

static void read_noise(const app_balance *balance, halo_os_noise *now)
{
    if (balance->explains) {
        halo_os_noise_read(now);
    } else {
        *now = halo_os_noise_unknown;
    }
}

halo_status app_balance_create(app_balance *balance, const common_arguments *common)
{
    const balance_arguments *arguments = &common->balance;
    *balance = (app_balance){.arguments = arguments, .explains = explains(common)};
    read_noise(balance, &balance->before);
    if (arguments->slow.count == 0 && arguments->trace == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_slowdown_create(&balance->slowdown));
    for (int i = 0; i < arguments->slow.count; i++) {
        HALO_TRY(halo_slowdown_add(balance->slowdown, arguments->slow.texts[i]));
    }
    return arguments->trace != NULL ? halo_slowdown_read_trace(balance->slowdown, arguments->trace)
                                    : HALO_OK;
}

/* Traces are files, which may differ between machines. */
static halo_status check_ranks(const app_balance *balance)
{
    int64_t last = balance->slowdown != NULL ? halo_slowdown_last_rank(balance->slowdown) : -1;
    int ranks = balance->ranks;
    HALO_TRY(halo_allreduce_max(balance->world, &last, 1));
    if (last >= ranks) {
        return halo_fail(HALO_ARGUMENT,
                         "rank %" PRId64 " cannot be made slow: there %s %d rank%s, counted from "
                         "0; start more (%s %" PRId64 ") or name another",
                         last, ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s",
                         app_is_alone() ? "--ranks" : "mpiexec -n", last + 1);
    }
    return HALO_OK;
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

const char *app_balance_log_file(const app_balance *balance)
{
    const char *path = balance->arguments->log;
    return path != NULL && !is_stderr(path) ? path : NULL;
}

halo_status app_balance_open_log(app_balance *balance, int64_t first, bool resumed)
{
    balance->first_beat = first;
    return halo_agree(balance->world, open_log(balance, resumed));
}

/* ---- from beginning to end ------------------------------------------------------------------- */

halo_status app_balance_begin(app_balance *balance, halo_world *world, halo_status mine)
{
    balance->world = world;
    balance->ranks = halo_world_ranks(world);
    HALO_TRY(halo_agree(world, mine));
    HALO_TRY(check_ranks(balance));
    const balance_arguments *arguments = balance->arguments;
    if (arguments->balancer == NULL) {
        return HALO_OK;
    }
    halo_balance_options options = {.balancer = arguments->balancer,
                                    .every = arguments->every,
                                    .migrate = arguments->migrate,
                                    .notify = write_decision,
                                    .context = balance};
    return halo_balancing_create(&balance->balancing, world, &options);
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

halo_status app_balance_gather(app_balance *balance)
{
    balance_line mine = own_line(balance);
    halo_status status = HALO_OK;
    if (halo_world_rank(balance->world) == 0) {
        balance->lines = calloc((size_t)balance->ranks, sizeof *balance->lines);
        if (balance->lines == NULL) {
            status = halo_fail(HALO_MEMORY, "out of memory: the report of balancing");
        } else if (balance->log_failed) {
            status = halo_fail(HALO_FILE, "the log of decisions \"%s\" could not be written",
                               balance->arguments->log);
        }
    }
    HALO_TRY(halo_agree(balance->world, status));
    return halo_gather(balance->world, &mine, sizeof mine, balance->lines);
}

void app_balance_end(app_balance *balance)
{
    halo_balancing_destroy(&balance->balancing);
    if (balance->log != NULL && balance->log != stderr) {
        fclose(balance->log);
    }
    balance->log = NULL;
}

void app_balance_free(app_balance *balance)
{
    free(balance->lines);
    app_decisions_free(&balance->decisions);
    balance->lines = NULL;
    halo_slowdown_destroy(&balance->slowdown);
}
