#include "core/balance/row_cost.h"

#include "base/numbers.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "core/world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_READINGS = 64 };

/* Share of the computing time that reading the clock may cost. */
static const double allowed = .002;

/* A stretch of computing. */
typedef struct {
    int64_t lo, hi, marked; /* rows; those of them that marks have told of */
    int64_t next;           /* the row after those of the last mark */
    int64_t beat;
    int beats;
    double last; /* when the last mark was */
} meter_stretch;

struct halo_meter {
    const halo_world *world;
    halo_meter_flops *flops;
    const void *flops_context;
    double reading_seconds; /* that reading the clock takes */
    int64_t rows, block_rows;
    int blocks;
    bool ignores_blocks;
    bool fresh; /* no sweep has been measured yet, or only the first */

    /* By blocks. */
    double block_seconds[HALO_METER_BLOCKS];
    int64_t block_beats;
    bool stale;        /* what is known was taken already: the next look begins anew */
    int64_t unlooked;  /* sweeps since the last look */
    double mean_sweep; /* seconds, of the last sweeps */

    /* Of whole sweeps, since the last take. */
    int64_t sweeps, beats;
    double seconds, extra_seconds, exchange_seconds;
    double sum, square_sum; /* of each sweep's seconds a beat */

    /* The sweep at hand. */
    int sweep_beats;
    bool looks;
    double sweep_seconds;
    meter_stretch stretch;
};

/* The least of several readings: more only ever comes from elsewhere. */
static double time_clock(void)
{
    double least = INFINITY;
    for (int i = 0; i < CLOCK_READINGS; i++) {
        double begun = halo_seconds();
        least = fmin(least, halo_seconds() - begun);
    }
    return least;
}

halo_status halo_meter_create(halo_meter **out, const halo_world *world)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a meter of computing time");
    }
    (*out)->world = world;
    (*out)->reading_seconds = time_clock();
    (*out)->fresh = true;
    halo_meter_set_rows(*out, 0);
    return HALO_OK;
}

void halo_meter_destroy(halo_meter **meter)
{
    free(*meter);
    *meter = NULL;
}

static void forget_sweeps(halo_meter *meter)
{
    meter->sweeps = meter->beats = 0;
    meter->seconds = meter->extra_seconds = meter->exchange_seconds = 0;
    meter->sum = meter->square_sum = 0;
}

void halo_meter_set_rows(halo_meter *meter, int64_t rows)
{
    meter->rows = rows;
    meter->block_rows = halo_meter_block_rows(rows);
    meter->blocks = (int)((rows + meter->block_rows - 1) / meter->block_rows);
    meter->stale = true;
    meter->block_beats = 0;
    forget_sweeps(meter);
}

void halo_meter_ignore_blocks(halo_meter *meter)
{
    meter->ignores_blocks = true;
}

void halo_meter_set_flops(halo_meter *meter, halo_meter_flops *flops, const void *context)
{
    meter->flops = flops;
    meter->flops_context = context;
}

/* ---- sweeps -----------------------------------------------------------------------------------
 */

/* Is it time to look at blocks again? Simulated clocks cost nothing. */
static bool is_time_to_look(const halo_meter *meter)
{
    static const double calling = .2e-6; /* seconds, for each piece of its own */
    double cost = (double)(meter->blocks + 1) * (meter->reading_seconds + calling);
    return HALO_SIMULATED || meter->block_beats == 0 ||
           (double)(meter->unlooked + 1) * meter->mean_sweep * allowed >= cost;
}

void halo_meter_begin_sweep(halo_meter *meter, int beats)
{
    if (meter->fresh && meter->sweeps > 0) {
        meter->fresh = false; /* a second one: the first need not count */
        forget_sweeps(meter);
        meter->stale = true;
        meter->block_beats = 0;
    }
    meter->sweep_beats = beats;
    meter->sweep_seconds = 0;
    meter->looks = meter->rows > 0 && !meter->ignores_blocks && is_time_to_look(meter);
    meter->unlooked++;
    if (meter->looks && meter->stale) {
        memset(meter->block_seconds, 0, sizeof meter->block_seconds);
        meter->block_beats = 0;
    }
    if (meter->looks) {
        meter->stale = false;
        meter->unlooked = 0;
    }
}

void halo_meter_add_exchange(halo_meter *meter, double seconds)
{
    meter->exchange_seconds += seconds;
}

void halo_meter_end_sweep(halo_meter *meter, double extra_rows)
{
    static const double weight = .125; /* of a new sweep in the mean of the last ones */
    double own = (double)(meter->rows * meter->sweep_beats);
    double share = own > 0 ? own / (own + extra_rows) : 0;
    double seconds = meter->sweep_seconds * share, per_beat = seconds / meter->sweep_beats;
    meter->mean_sweep = meter->mean_sweep > 0
                            ? (1 - weight) * meter->mean_sweep + weight * meter->sweep_seconds
                            : meter->sweep_seconds;
    meter->sweeps++;
    meter->beats += meter->sweep_beats;
    meter->seconds += seconds;
    meter->extra_seconds += meter->sweep_seconds - seconds;
    meter->sum += per_beat;
    meter->square_sum += per_beat * per_beat;
    meter->block_beats += meter->looks ? meter->sweep_beats : 0;
    meter->looks = false;
}

/* ---- stretches and marks ----------------------------------------------------------------------
 */

static void simulate_compute(const halo_meter *meter, int64_t lo, int64_t hi)
{
    if (HALO_SIMULATED && meter->flops != NULL && lo < hi) {
        halo_simulated_compute(
            meter->flops(meter->flops_context, lo, hi, meter->stretch.beat, meter->stretch.beats));
    }
}

/* Share seconds out to the blocks that rows lo to hi - 1 lie in. */
static void add_to_blocks(halo_meter *meter, int64_t lo, int64_t hi, double seconds)
{
    double per_row = seconds / (double)(hi - lo);
    lo = halo_larger(lo, 0);
    hi = halo_smaller(hi, meter->rows);
    while (lo < hi) {
        int64_t block = lo / meter->block_rows;
        int64_t end = halo_smaller(hi, (block + 1) * meter->block_rows);
        meter->block_seconds[block] += per_row * (double)(end - lo);
        lo = end;
    }
}

/* Seconds since the last mark, slowdown included. */
static double lap(halo_meter *meter)
{
    meter_stretch *stretch = &meter->stretch;
    double now = halo_seconds();
    if (halo_world_inject_slowdown(meter->world, now - stretch->last)) {
        now = halo_seconds();
    }
    double seconds = now - stretch->last;
    stretch->last = now;
    meter->sweep_seconds += seconds;
    return seconds;
}

void halo_meter_begin(halo_meter *meter, int64_t lo, int64_t hi, int64_t beat, int beats)
{
    meter->stretch = (meter_stretch){
        .next = lo, .lo = lo, .hi = hi, .beat = beat, .beats = beats, .last = halo_seconds()};
}

void halo_meter_mark(halo_meter *meter, int64_t lo, int64_t hi)
{
    if (meter == NULL || !meter->looks || lo >= hi) {
        return;
    }
    simulate_compute(meter, lo, hi);
    meter->stretch.marked += hi - lo;
    meter->stretch.next = hi;
    add_to_blocks(meter, lo, hi, lap(meter));
}

/* What no mark has told of went to the rows after the last one; if there are none, or not all that
 * are left, to all. */
void halo_meter_end(halo_meter *meter)
{
    meter_stretch *stretch = &meter->stretch;
    int64_t rest = stretch->hi - stretch->lo - stretch->marked;
    int64_t first = stretch->hi - stretch->next == rest ? stretch->next : stretch->lo;
    simulate_compute(meter, first, first + rest);
    double seconds = lap(meter);
    int64_t lo = stretch->next < stretch->hi ? stretch->next : stretch->lo;
    if (meter->looks && lo < stretch->hi) {
        add_to_blocks(meter, lo, stretch->hi, seconds);
    }
}

int64_t halo_meter_piece_end(const halo_meter *meter, int64_t lo, int64_t hi)
{
    if (!meter->looks || lo < 0 || lo >= meter->rows) {
        return hi;
    }
    return halo_smaller(hi, (lo / meter->block_rows + 1) * meter->block_rows);
}

/* ---- what came of it --------------------------------------------------------------------------
 */

/* Of the mean, from the scatter of single sweeps; 0 for a single one, which tells of none. */
static double standard_error(const halo_meter *meter)
{
    double n = (double)meter->sweeps, mean = meter->sum / n;
    double variance = n > 1 ? (meter->square_sum - n * mean * mean) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance / n) : 0;
}

bool halo_meter_has_measured(const halo_meter *meter)
{
    return meter->sweeps > (meter->fresh ? 1 : 0);
}

void halo_meter_take(halo_meter *meter, halo_measured *measured)
{
    *measured = (halo_measured){.sweeps = meter->sweeps,
                                .beats = meter->beats,
                                .rows = meter->rows,
                                .block_rows = meter->block_rows};
    if (meter->sweeps == 0) {
        return;
    }
    measured->compute_seconds = meter->seconds / (double)meter->beats;
    measured->extra_seconds = meter->extra_seconds / (double)meter->beats;
    measured->exchange_seconds = meter->exchange_seconds / (double)meter->beats;
    measured->noise_seconds = standard_error(meter);
    if (!meter->stale) {
        measured->blocks = meter->blocks;
        for (int i = 0; i < meter->blocks; i++) {
            int64_t first = i * meter->block_rows;
            int64_t rows = halo_smaller(meter->block_rows, meter->rows - first);
            measured->row_cost[i] =
                (float)(meter->block_seconds[i] / (double)(rows * meter->block_beats));
        }
    }
    meter->stale = true;
    forget_sweeps(meter);
}
