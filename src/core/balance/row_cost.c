#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/balance/row_cost.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/clock.h"
#include "core/world/os_noise.h"
#include "core/world/simulated_compute.h"
#include "core/world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CLOCK_READINGS = 64,
    PROCESSOR_EVERY = 4 /* supersteps, whose processor time is asked for: that takes 5 us */
};

/* The share of the time below which a rank is held back. With a core for each second rank it is a
 * half, and times of rows show it. */
static const double held_back = .4;

/* Seconds in which a rank could have run that tell anything of that share. */
static const double enough = .05;

/* Share of the computing time that reading the clock may cost. */
static const double allowed = .002;

/* A stretch of computing. */
typedef struct {
    int64_t lo, hi, marked; /* rows; those of them that marks have covered */
    int64_t next;           /* the row after those of the last mark */
    int64_t beat;
    int beats;
    double last; /* when the last mark was */
} row_cost_stretch;

struct halo_row_cost {
    const halo_world *world;
    halo_row_cost_flops *flops;
    const void *flops_context;
    double reading_seconds; /* that reading the clock takes */
    int64_t rows, block_rows;
    int blocks;
    bool ignores_blocks;
    bool fresh; /* no superstep has been measured yet, or only the first */

    /* By blocks. */
    double block_seconds[HALO_ROW_COST_BLOCKS];
    int64_t block_beats;
    bool stale;            /* what is known was taken already: the next look begins anew */
    int64_t unlooked;      /* supersteps since the last look */
    double mean_superstep; /* seconds, of the last supersteps */

    /* These are sums over whole supersteps, since the last take. */
    int64_t supersteps, beats;
    double seconds, extra_seconds, exchange_seconds;
    double sum, square_sum; /* of each superstep's seconds a beat */

    /* These tell how far a rank was held back by the system. */
    halo_os_noise taken;      /* at the last take */
    double available;         /* as in halo_measured, up to then */
    double processor_seconds; /* of own rows, in some supersteps since then, */
    int64_t processor_beats;  /* of so many beats */

    /* The superstep at hand. */
    bool asks_processor;
    double processor_begun, superstep_processor;
    int superstep_beats;
    bool looks;
    double superstep_seconds;
    row_cost_stretch stretch;
};

/* The least of several readings: more only ever comes from elsewhere. */
static double time_clock(void)
{
    double min = INFINITY;
    for (int i = 0; i < CLOCK_READINGS; i++) {
        double begun = halo_seconds();
        min = fmin(min, halo_seconds() - begun);
    }
    return min;
}

halo_status halo_row_cost_create(halo_row_cost **out, const halo_world *world)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "measuring what rows cost"));
    (*out)->world = world;
    (*out)->reading_seconds = time_clock();
    (*out)->fresh = true;
    (*out)->available = 1;
    (*out)->taken = halo_os_noise_unknown;
    halo_row_cost_set_rows(*out, 0);
    return HALO_OK;
}

void halo_row_cost_destroy(halo_row_cost **row_cost)
{
    free(*row_cost);
    *row_cost = NULL;
}

static void forget_supersteps(halo_row_cost *row_cost)
{
    row_cost->supersteps = row_cost->beats = 0;
    row_cost->seconds = row_cost->extra_seconds = row_cost->exchange_seconds = 0;
    row_cost->sum = row_cost->square_sum = 0;
    row_cost->processor_seconds = 0;
    row_cost->processor_beats = 0;
}

void halo_row_cost_set_rows(halo_row_cost *row_cost, int64_t rows)
{
    row_cost->rows = rows;
    row_cost->block_rows = halo_row_cost_block_rows(rows);
    row_cost->blocks = (int)((rows + row_cost->block_rows - 1) / row_cost->block_rows);
    row_cost->stale = true;
    row_cost->block_beats = 0;
    forget_supersteps(row_cost);
}

void halo_row_cost_begin_shares(halo_row_cost *row_cost)
{
    halo_os_noise_read(&row_cost->taken);
}

void halo_row_cost_ignore_blocks(halo_row_cost *row_cost)
{
    row_cost->ignores_blocks = true;
}

void halo_row_cost_set_flops(halo_row_cost *row_cost, halo_row_cost_flops *flops,
                             const void *context)
{
    row_cost->flops = flops;
    row_cost->flops_context = context;
}

/* ---- supersteps ------------------------------------------------------------------------------ */

/* Is it time to look at blocks again? Simulated clocks cost nothing. */
static bool is_time_to_look(const halo_row_cost *row_cost)
{
    static const double calling = .2e-6; /* seconds, for each piece of its own */
    double cost = (double)(row_cost->blocks + 1) * (row_cost->reading_seconds + calling);
    return HALO_SIMULATED || row_cost->block_beats == 0 ||
           (double)(row_cost->unlooked + 1) * row_cost->mean_superstep * allowed >= cost;
}

void halo_row_cost_begin_superstep(halo_row_cost *row_cost, int beats)
{
    if (row_cost->fresh && row_cost->supersteps > 0) {
        row_cost->fresh = false; /* a second one: the first need not count */
        forget_supersteps(row_cost);
        row_cost->stale = true;
        row_cost->block_beats = 0;
    }
    row_cost->superstep_beats = beats;
    row_cost->superstep_seconds = row_cost->superstep_processor = 0;
    row_cost->asks_processor =
        row_cost->available < 1 && row_cost->supersteps % PROCESSOR_EVERY == 0;
    row_cost->looks = row_cost->rows > 0 && !row_cost->ignores_blocks && is_time_to_look(row_cost);
    row_cost->unlooked++;
    if (row_cost->looks && row_cost->stale) {
        memset(row_cost->block_seconds, 0, sizeof row_cost->block_seconds);
        row_cost->block_beats = 0;
    }
    if (row_cost->looks) {
        row_cost->stale = false;
        row_cost->unlooked = 0;
    }
}

void halo_row_cost_add_exchange(halo_row_cost *row_cost, double seconds)
{
    row_cost->exchange_seconds += seconds;
}

void halo_row_cost_end_superstep(halo_row_cost *row_cost, double extra_rows)
{
    static const double weight = .125; /* of a new superstep in the mean of the last ones */
    double own = (double)(row_cost->rows * row_cost->superstep_beats);
    double share = own > 0 ? own / (own + extra_rows) : 0;
    double seconds = row_cost->superstep_seconds * share,
           per_beat = seconds / row_cost->superstep_beats;
    row_cost->mean_superstep =
        row_cost->mean_superstep > 0
            ? (1 - weight) * row_cost->mean_superstep + weight * row_cost->superstep_seconds
            : row_cost->superstep_seconds;
    row_cost->processor_seconds += row_cost->superstep_processor * share;
    row_cost->processor_beats += row_cost->asks_processor ? row_cost->superstep_beats : 0;
    row_cost->supersteps++;
    row_cost->beats += row_cost->superstep_beats;
    row_cost->seconds += seconds;
    row_cost->extra_seconds += row_cost->superstep_seconds - seconds;
    row_cost->sum += per_beat;
    row_cost->square_sum += per_beat * per_beat;
    row_cost->block_beats += row_cost->looks ? row_cost->superstep_beats : 0;
    row_cost->looks = false;
}

/* ---- stretches and marks --------------------------------------------------------------------- */

static void simulate_compute(const halo_row_cost *row_cost, int64_t lo, int64_t hi)
{
    if (HALO_SIMULATED && row_cost->flops != NULL && lo < hi) {
        halo_simulated_compute(row_cost->flops(row_cost->flops_context, lo, hi,
                                               row_cost->stretch.beat, row_cost->stretch.beats));
    }
}

/* Share seconds out to the blocks that rows lo to hi - 1 lie in. */
static void add_to_blocks(halo_row_cost *row_cost, int64_t lo, int64_t hi, double seconds)
{
    double per_row = seconds / (double)(hi - lo);
    lo = halo_max(lo, 0);
    hi = halo_min(hi, row_cost->rows);
    while (lo < hi) {
        int64_t block = lo / row_cost->block_rows;
        int64_t end = halo_min(hi, (block + 1) * row_cost->block_rows);
        row_cost->block_seconds[block] += per_row * (double)(end - lo);
        lo = end;
    }
}

/* Seconds since the last mark, slowdown included. */
static double lap(halo_row_cost *row_cost)
{
    row_cost_stretch *stretch = &row_cost->stretch;
    double now = halo_seconds();
    if (halo_world_inject_slowdown(row_cost->world, now - stretch->last)) {
        now = halo_seconds();
    }
    double seconds = now - stretch->last;
    stretch->last = now;
    row_cost->superstep_seconds += seconds;
    return seconds;
}

/* Seconds that this thread has had a core. */
static double processor_seconds(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void halo_row_cost_begin(halo_row_cost *row_cost, int64_t lo, int64_t hi, int64_t beat, int beats)
{
    row_cost->processor_begun = row_cost->asks_processor ? processor_seconds() : 0;
    row_cost->stretch = (row_cost_stretch){
        .next = lo, .lo = lo, .hi = hi, .beat = beat, .beats = beats, .last = halo_seconds()};
}

void halo_row_cost_mark(halo_row_cost *row_cost, int64_t lo, int64_t hi)
{
    if (row_cost == NULL || !row_cost->looks || lo >= hi) {
        return;
    }
    simulate_compute(row_cost, lo, hi);
    row_cost->stretch.marked += hi - lo;
    row_cost->stretch.next = hi;
    add_to_blocks(row_cost, lo, hi, lap(row_cost));
}

/* Assign the time since the last mark to the rows behind it; without marks, or if other rows have
 * no mark either, to all rows. */
void halo_row_cost_end(halo_row_cost *row_cost)
{
    row_cost_stretch *stretch = &row_cost->stretch;
    int64_t rest = stretch->hi - stretch->lo - stretch->marked;
    int64_t first = stretch->hi - stretch->next == rest ? stretch->next : stretch->lo;
    simulate_compute(row_cost, first, first + rest);
    double seconds = lap(row_cost);
    int64_t lo = stretch->next < stretch->hi ? stretch->next : stretch->lo;
    if (row_cost->looks && lo < stretch->hi) {
        add_to_blocks(row_cost, lo, stretch->hi, seconds);
    }
    if (row_cost->asks_processor) {
        row_cost->superstep_processor += processor_seconds() - row_cost->processor_begun;
    }
}

int64_t halo_row_cost_piece_end(const halo_row_cost *row_cost, int64_t lo, int64_t hi)
{
    if (!row_cost->looks || lo < 0 || lo >= row_cost->rows) {
        return hi;
    }
    return halo_min(hi, (lo / row_cost->block_rows + 1) * row_cost->block_rows);
}

/* ---- what came of it ------------------------------------------------------------------------- */

/* Return the standard error of the mean, from the scatter of single supersteps; 0 for a single
 * one. */
static double standard_error(const halo_row_cost *row_cost)
{
    double n = (double)row_cost->supersteps, mean = row_cost->sum / n;
    double variance = n > 1 ? (row_cost->square_sum - n * mean * mean) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance / n) : 0;
}

bool halo_row_cost_has_measured(const halo_row_cost *row_cost)
{
    return row_cost->supersteps > (row_cost->fresh ? 1 : 0);
}

/* The share of a core that this rank got since the last take, of the time it could have run; 1 if
 * that is not known or enough. */
static double take_available(halo_row_cost *row_cost, double *seconds)
{
    halo_os_noise now, before = row_cost->taken;
    halo_os_noise_read(&now);
    row_cost->taken = now;
    *seconds = now.seconds - before.seconds;
    double ran = now.on_core - before.on_core, held = now.runnable - before.runnable;
    bool known = before.on_core >= 0 && before.runnable >= 0 && ran > 0 && ran + held >= enough;
    double share = known ? ran / (ran + held) : 1;
    return share < held_back ? share : 1;
}

/* A control group is held back for most of each tenth of a second: shares are known the better the
 * more of them are seen. */
static void correct_for_share(const halo_row_cost *row_cost, double seconds,
                              halo_measured *measured)
{
    static const double period = .1;
    double wall = measured->compute_seconds;
    if (measured->available >= 1 || !(wall > 0)) {
        return;
    }
    double processor = row_cost->processor_beats > 0
                           ? row_cost->processor_seconds / (double)row_cost->processor_beats
                           : wall;
    double unknown = row_cost->processor_beats > 0 ? .5 * period / seconds : 1;
    double longer = processor / measured->available / wall;
    measured->compute_seconds *= longer;
    measured->extra_seconds *= longer;
    measured->exchange_seconds /= measured->available;
    measured->noise_seconds = measured->compute_seconds * fmin(fmax(unknown, .03), 1);
    for (int i = 0; i < measured->blocks; i++) {
        measured->row_cost[i] = (float)(measured->row_cost[i] * longer);
    }
}

void halo_row_cost_take(halo_row_cost *row_cost, halo_measured *measured)
{
    *measured = (halo_measured){.available = 1,
                                .supersteps = row_cost->supersteps,
                                .beats = row_cost->beats,
                                .rows = row_cost->rows,
                                .block_rows = row_cost->block_rows};
    if (row_cost->supersteps == 0) {
        return;
    }
    measured->compute_seconds = row_cost->seconds / (double)row_cost->beats;
    measured->extra_seconds = row_cost->extra_seconds / (double)row_cost->beats;
    measured->exchange_seconds = row_cost->exchange_seconds / (double)row_cost->beats;
    measured->noise_seconds = standard_error(row_cost);
    if (!row_cost->stale) {
        measured->blocks = row_cost->blocks;
        for (int i = 0; i < row_cost->blocks; i++) {
            int64_t first = i * row_cost->block_rows;
            int64_t rows = halo_min(row_cost->block_rows, row_cost->rows - first);
            measured->row_cost[i] =
                (float)(row_cost->block_seconds[i] / (double)(rows * row_cost->block_beats));
        }
    }
    double seconds;
    measured->available = row_cost->available = take_available(row_cost, &seconds);
    correct_for_share(row_cost, seconds, measured);
    row_cost->stale = true;
    forget_supersteps(row_cost);
}
