#include "app/report/facts.h"
#include "app/report/lines.h"
#include "base/memory.h"
#include "base/random.h"
#include "cli/bench/bench.h"
#include "core/quiescence/quiescence.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts the messages that detectors need, and times how long after the end all ranks know of
 * it, in two programs. Walkers hop from rank to rank, so that ranks become active again and again.
 * With expected messages each rank sends its messages, and is passive when all that are for it have
 * come: the single ring is right there. The number of the run decides who sends what to whom. */

enum { WALKERS = 4, MAX_HOPS = 15, EXPECTED = 30 }; /* of each rank */
static const double WORK_SECONDS = 20e-6;

/* Runs of a repeat, one after the other. Virtual time is not disturbed by anything. */
enum { RUNS = HALO_SIMULATED ? 1 : 5 };

typedef struct {
    int64_t number, hops; /* hops that are left */
} walker;

typedef struct {
    const char *detector;
    bool expected; /* which program */
    halo_quiescence *quiescence;
    int rank, ranks;
    int64_t run;   /* its number */
    walker *queue; /* [ranks * WALKERS] */
    int queued;
    halo_quiescence_report last;    /* of a repeat: sums of its runs */
    halo_quiescence_report sums;    /* of all repeats */
    int64_t last_runs, runs;        /* in them */
    double found[HALO_SAMPLES_MAX]; /* [repeats] seconds until rank 0 has found the end */
    int repeats;
} termination_probe;

/* ---- programs -------------------------------------------------------------------------------- */

static void work(void)
{
    double begun = halo_seconds();
    halo_simulated_compute_seconds(WORK_SECONDS);
    while (halo_seconds() - begun < WORK_SECONDS && !HALO_SIMULATED) {
    }
}

/* A number below `limit`, of something of this run. */
static int64_t draw(const termination_probe *probe, int64_t stream, int64_t number, int64_t limit)
{
    uint64_t random = halo_random_at((uint64_t)probe->run, (uint64_t)stream, number);
    return (int64_t)((random * (uint64_t)limit) >> 32);
}

static int draw_other(const termination_probe *probe, int rank, int64_t stream, int64_t number)
{
    return (rank + 1 + (int)draw(probe, stream, number, probe->ranks - 1)) % probe->ranks;
}

static halo_status walk(termination_probe *probe)
{
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    for (probe->queued = 0; probe->queued < WALKERS; probe->queued++) {
        int64_t number = (int64_t)probe->rank * WALKERS + probe->queued;
        probe->queue[probe->queued] = (walker){number, draw(probe, number, MAX_HOPS, MAX_HOPS + 1)};
    }
    while (event.kind != HALO_QUIESCENCE_OVER) {
        if (probe->queued > 0) {
            walker next = probe->queue[--probe->queued];
            work();
            if (next.hops-- > 0) {
                int to = draw_other(probe, probe->rank, next.number, next.hops);
                HALO_TRY(halo_quiescence_send(probe->quiescence, to, &next, sizeof next));
            }
        }
        HALO_TRY(halo_quiescence_receive(
            probe->quiescence, probe->queued > 0 ? HALO_QUIESCENCE_LOOK : HALO_QUIESCENCE_REST,
            &event));
        if (event.kind == HALO_QUIESCENCE_MESSAGE) {
            memcpy(&probe->queue[probe->queued++], event.data, sizeof(walker));
        }
    }
    return HALO_OK;
}

static int64_t count_due(const termination_probe *probe)
{
    int64_t due = 0;
    for (int from = 0; from < probe->ranks; from++) {
        for (int64_t i = 0; i < EXPECTED && from != probe->rank; i++) {
            due += draw_other(probe, from, from, i) == probe->rank;
        }
    }
    return due;
}

static halo_status send_and_expect(termination_probe *probe)
{
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    int64_t due = count_due(probe), sent = 0;
    while (event.kind != HALO_QUIESCENCE_OVER) {
        if (sent < EXPECTED) {
            walker nothing = {0};
            work();
            int to = draw_other(probe, probe->rank, probe->rank, sent++);
            HALO_TRY(halo_quiescence_send(probe->quiescence, to, &nothing, sizeof nothing));
        }
        HALO_TRY(halo_quiescence_receive(probe->quiescence,
                                         sent < EXPECTED ? HALO_QUIESCENCE_LOOK
                                         : due > 0       ? HALO_QUIESCENCE_AWAIT
                                                         : HALO_QUIESCENCE_REST,
                                         &event));
        due -= event.kind == HALO_QUIESCENCE_MESSAGE;
    }
    return HALO_OK;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static halo_status open_probe(void *context, halo_world *world)
{
    termination_probe *probe = context;
    const halo_quiescence_options options = {.detector = probe->detector,
                                             .max_bytes = sizeof(walker)};
    probe->rank = halo_world_rank(world);
    probe->ranks = halo_world_ranks(world);
    if (!HALO_SIMULATED && halo_world_node_ranks(world) < probe->ranks) {
        return halo_fail(HALO_ARGUMENT, "clocks of several machines differ by more than delays");
    }
    halo_status status = HALO_ALLOCATE(probe->queue, probe->ranks * WALKERS, "walkers");
    HALO_TRY(halo_agree(world, status));
    return halo_quiescence_create(&probe->quiescence, world, &options);
}

static void close_probe(void *context)
{
    termination_probe *probe = context;
    halo_quiescence_destroy(&probe->quiescence);
    free(probe->queue);
    probe->queue = NULL;
}

static void add_report(halo_quiescence_report *sum, const halo_quiescence_report *run)
{
    sum->messages += run->messages;
    sum->control += run->control;
    sum->announcements += run->announcements;
    sum->rounds += run->rounds;
    sum->found += run->found;
    sum->known += run->known;
}

static halo_status run_probe(void *context, int64_t times, double *spent)
{
    termination_probe *probe = context;
    probe->last = (halo_quiescence_report){.messages = 0};
    probe->last_runs = times;
    for (int64_t t = 0; t < times; t++, probe->run++) {
        HALO_TRY(halo_quiescence_begin(probe->quiescence));
        halo_status status = probe->expected ? send_and_expect(probe) : walk(probe);
        HALO_TRY(halo_quiescence_end(probe->quiescence, status));
        const halo_quiescence_report run = halo_quiescence_get_report(probe->quiescence);
        add_report(&probe->last, &run);
    }
    *spent = probe->last.known;
    return HALO_OK;
}

static void count_probe(void *context)
{
    termination_probe *probe = context;
    add_report(&probe->sums, &probe->last);
    probe->found[probe->repeats++] = probe->last.found / (double)probe->last_runs;
    probe->runs += probe->last_runs;
}

/* Messages and rounds are means of all runs. */
static void tell_probe(const void *context, json_t *row)
{
    const termination_probe *probe = context;
    const halo_quiescence_report *sums = &probe->sums;
    double runs = (double)probe->runs, found = NAN;
    if (probe->repeats > 0) {
        found = halo_sample_spread_of(probe->found, probe->repeats).median;
    }
    json_t *more = json_pack(
        "{s:o, s:o, s:o, s:o, s:o}", "messages", bench_json_real((double)sums->messages / runs),
        "control", bench_json_real((double)sums->control / runs), "announcements",
        bench_json_real((double)sums->announcements / runs), "rounds",
        bench_json_real((double)sums->rounds / runs), "found_seconds", bench_json_real(found));
    json_object_update(row, more);
    json_decref(more);
}

static const app_column columns[] = {{"program", "{measure}", -17},
                                     {"detector", "{way}", -12},
                                     {"ranks", "{ranks}", 5},
                                     {"messages", "{messages%.0f}", 8},
                                     {"control", "{control%.0f}", 8},
                                     {"announce", "{announcements%.0f}", 8},
                                     {"rounds", "{rounds%.1f}", 6},
                                     {"found us", "{1e6*found_seconds%.1f}", 9},
                                     {"known us", "{1e6*seconds%.1f}", 9},
                                     {"low", "{1e6*low_quartile%.1f}", 9},
                                     {"high", "{1e6*high_quartile%.1f}", 9},
                                     {"ratio", "{ratio%.2f}", 6},
                                     {"real", "{real}", -8},
                                     {0}};

static const bench_operations operations = {sizeof(termination_probe), open_probe, run_probe,
                                            count_probe, close_probe};

void bench_add_termination(bench_list *list, int ranks)
{
    for (int expected = 0; expected < 2; expected++) {
        int base = list->count; /* the first is the default */
        const halo_detector_entry *entry;
        for (int i = 0; (entry = halo_detector_list(i)) != NULL; i++) {
            termination_probe probe = {.detector = entry->name, .expected = expected};
            bench_item item = bench_item_of(&operations, &probe, ranks, base, sizeof(walker), 0);
            item.fixed = RUNS;
            item.optional = true;
            item.tell = tell_probe;
            item.columns = columns;
            if (expected || entry->sound || entry->synchronous) {
                bench_list_add(list, expected ? "expected messages" : "walkers", entry->name,
                               &item);
            }
        }
    }
}

void bench_describe_detectors(const app_syntax *syntax, char *out, size_t size)
{
    enum { NAME = 64, INDENT = 4, TEXT = 512 };
    (void)syntax;
    const halo_detector_entry *entry;
    lines_append(out, size, "", 0, "Detectors of termination:");
    for (int i = 0; (entry = halo_detector_list(i)) != NULL; i++) {
        char name[NAME], text[TEXT];
        snprintf(name, sizeof name, "  %s: ", entry->name);
        snprintf(text, sizeof text, "%s; right %s", entry->help, entry->right);
        lines_append(out, size, name, INDENT, text);
    }
}
