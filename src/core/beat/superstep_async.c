#include "core/beat/superstep.h"

/* A superstep of a kernel that computes asynchronously: an exchange of halos, and then a phase in
 * which ranks send each other what has changed, until none has anything to do or the phase has
 * taken long enough. What all ranks vote on afterwards is whether anything has changed: the last
 * superstep proves that the fixed point is reached. */

typedef struct {
    halo_superstep *superstep;
    int64_t done;
} async_superstep;

/* Simulated machines: what has changed is what has been computed. */
static void set_share(halo_superstep *superstep, int64_t changed)
{
    superstep->row_share = (double)changed / (double)halo_box_cells(&superstep->owned);
}

static halo_status work(void *context, bool *more)
{
    const async_superstep *at = context;
    halo_superstep *superstep = at->superstep;
    if (halo_box_cells(&superstep->owned) == 0) {
        return HALO_OK;
    }
    halo_step step = {.in = superstep->views[0],
                      .out = superstep->views[0],
                      .todo = superstep->owned,
                      .beat = at->done,
                      .state = superstep->state,
                      .row_cost = superstep->row_cost};
    halo_stretch stretch = halo_clock_begin(superstep->world);
    halo_row_cost_begin(superstep->row_cost, 0, superstep->owned.n[0], at->done, 1);
    halo_world_begin_update(superstep->world, at->done);
    halo_status status = superstep->kernel->step(&step);
    halo_world_end_update(superstep->world);
    set_share(superstep, step.changed);
    halo_row_cost_end(superstep->row_cost);
    halo_clock_end(&superstep->report->clock, HALO_PHASE_COMPUTE, stretch, superstep->world);
    superstep->changed[0] += step.changed;
    *more = step.more;
    return status;
}

/* Its own time, what `work` took left out, and waiting as everywhere. */
static void clock_messages(halo_superstep *superstep, double computed, halo_stretch stretch)
{
    halo_clock *clock = &superstep->report->clock;
    double worked = clock->seconds[HALO_PHASE_COMPUTE] - computed;
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, superstep->world);
    clock->seconds[HALO_PHASE_EXCHANGE] -= worked;
}

void halo_superstep_run_async(halo_superstep *superstep, int64_t done)
{
    async_superstep at = {.superstep = superstep, .done = done};
    bool unfinished = false;
    halo_superstep_exchange(superstep, halo_exchange_begin);
    halo_superstep_exchange(superstep, halo_exchange_end);
    double computed = superstep->report->clock.seconds[HALO_PHASE_COMPUTE];
    halo_stretch stretch = halo_clock_begin(superstep->world);
    halo_superstep_note(superstep, halo_async_run(superstep->async, work, &at, &unfinished));
    clock_messages(superstep, computed, stretch);
    superstep->changed[0] += unfinished; /* or what is left might look like the end */
}
