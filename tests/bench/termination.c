/* The messages that termination detectors need, and how long after the end all ranks know of it, in
 * two programs. Walkers hop from rank to rank, so that ranks become active again and again. With
 * expected messages each rank sends its messages, and is passive when all that are for it have
 * come: the single ring is right there. Per run, means of so many: us, microseconds until all know;
 * found_us, until rank 0 has found the end; messages of the program, control messages, and
 * announcements; rounds of a ring. */

#include "base/memory.h"
#include "base/random.h"
#include "core/quiescence/quiescence.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { WALKERS = 4, MAX_HOPS = 15, EXPECTED = 30 }; /* of each rank */
static const double WORK_SECONDS = 20e-6;

/* Runs, one after the other. Virtual time is not disturbed by anything. */
enum { RUNS = HALO_SIMULATED ? 1 : 5 };

typedef struct {
    int64_t number, hops; /* hops that are left */
} walker;

typedef struct {
    halo_quiescence *quiescence;
    int rank, ranks;
    int64_t run;   /* its number */
    walker *queue; /* [ranks * WALKERS] */
    int queued;
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

static halo_quiescence_report add_report(halo_quiescence_report sum,
                                         const halo_quiescence_report *run)
{
    sum.messages += run->messages;
    sum.control += run->control;
    sum.announcements += run->announcements;
    sum.rounds += run->rounds;
    sum.found += run->found;
    sum.known += run->known;
    return sum;
}

/* All ranks begin together, as far as they can: how far apart they are is in the delays. */
static halo_quiescence_report run_all(bench *b, termination_probe *probe, bool expected,
                                      int64_t runs)
{
    halo_quiescence_report sums = {.messages = 0};
    bench_begin(b);
    for (int64_t i = 0; i < runs; i++, probe->run++) {
        bench_check(halo_quiescence_begin(probe->quiescence), "beginning");
        halo_status status = expected ? send_and_expect(probe) : walk(probe);
        bench_check(halo_quiescence_end(probe->quiescence, status), "a run");
        const halo_quiescence_report run = halo_quiescence_get_report(probe->quiescence);
        sums = add_report(sums, &run);
    }
    bench_spent(b, sums.known);
    return sums;
}

static void measure(bench *b, termination_probe *probe, bool expected, const char *detector)
{
    const halo_quiescence_options options = {.detector = detector, .max_bytes = sizeof(walker)};
    int64_t runs = bench_integer(b, "runs", RUNS);
    bench_check(halo_quiescence_create(&probe->quiescence, b->world, &options), detector);
    probe->run = bench_integer(b, "first", 1) - 1;
    run_all(b, probe, expected, 1); /* to warm up */
    halo_quiescence_report sums = run_all(b, probe, expected, runs);
    bench_print(b,
                "key=%s-%s us=%.1f found_us=%.1f messages=%.1f control=%.1f announcements=%.1f "
                "rounds=%.1f",
                expected ? "expected" : "walkers", detector, 1e6 * b->wall / (double)runs,
                1e6 * sums.found / (double)runs, (double)sums.messages / (double)runs,
                (double)sums.control / (double)runs, (double)sums.announcements / (double)runs,
                (double)sums.rounds / (double)runs);
    halo_quiescence_destroy(&probe->quiescence);
}

void bench_termination(bench *b)
{
    termination_probe probe = {.rank = b->rank, .ranks = b->ranks};
    bool clock = HALO_SIMULATED || halo_world_node_ranks(b->world) == b->ranks;
    bench_check(b->ranks > 1 ? HALO_OK : halo_fail(HALO_RANKS, "1 rank; use 2 or more"), "ranks");
    bench_check(
        clock ? HALO_OK
              : halo_fail(HALO_ARGUMENT, "clocks of several machines differ by more than delays"),
        "clocks");
    bench_check(HALO_ALLOCATE(probe.queue, probe.ranks * WALKERS, "walkers"), "memory");
    for (int expected = 0; expected < 2; expected++) {
        const halo_detector_entry *entry;
        for (int i = 0; (entry = halo_detector_list(i)) != NULL; i++) {
            if (expected || entry->sound || entry->synchronous) {
                measure(b, &probe, expected, entry->name);
            }
        }
    }
    free(probe.queue);
}
