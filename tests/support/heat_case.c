#define _POSIX_C_SOURCE 200809L
#include "support/heat_case.h"

#include "kernels/heat/heat.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const halo_kernel *kernel_of(int axes)
{
    return axes == 2 ? &halo_heat_kernel : &halo_heat3d_kernel;
}

heat_case heat_case_any(uint64_t *random, int n, bool may_wrap)
{
    static const char *const modes[] = {"p2p", "persistent", "neighbour", "shared"};
    heat_case c = {.domain = {.axes = 2 + n % 2, .n = {1, 1, 1}},
                   .depth = 1 + n / 2 % 4,
                   .exchange = modes[n / 3 % 4]};
    c.kernel = kernel_of(c.domain.axes);
    for (int axis = 0; axis < c.domain.axes; axis++) {
        int64_t most = n % 7 == 0 ? 4 : c.domain.axes == 2 ? 60 : 24;
        c.domain.n[axis] = 1 + random_below(random, most);
        c.domain.periodic[axis] = may_wrap && random_below(random, 2) == 0;
    }
    return c;
}

static void describe(heat_case *c, int n, const halo_partition *partition)
{
    const halo_domain *d = &c->domain;
    const int *parts = partition->parts;
    snprintf(c->text, sizeof c->text,
             "case %d: %" PRId64 "x%" PRId64 "x%" PRId64 " periodic %d%d%d in %dx%dx%d, \"%s\","
             " depth %d, %s",
             n, d->n[0], d->n[1], d->n[2], d->periodic[0], d->periodic[1], d->periodic[2], parts[0],
             parts[1], parts[2], c->options, c->depth, c->exchange);
}

/* The structure of what c->options says, KEY=VALUE,...; its texts are in `room`. */
static halo_heat_options options_of(const heat_case *c, char room[sizeof c->options])
{
    halo_heat_options options = {0};
    const struct {
        const char *key;
        const char **text;
    } texts[] = {{"shape=", &options.shape},
                 {"edge=", &options.edge},
                 {"instructions=", &options.instructions}};
    memcpy(room, c->options, sizeof c->options);
    for (char *rest = NULL, *pair = strtok_r(room, ",", &rest); pair != NULL;
         pair = strtok_r(NULL, ",", &rest)) {
        if (strncmp(pair, "source=", strlen("source=")) == 0) {
            options.source = strtod(pair + strlen("source="), NULL);
        }
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            if (strncmp(pair, texts[i].key, strlen(texts[i].key)) == 0) {
                *texts[i].text = pair + strlen(texts[i].key);
            }
        }
    }
    return options;
}

void heat_case_start(const heat_case *c, const halo_view *view)
{
    void *state = NULL;
    char room[sizeof c->options];
    const halo_heat_options options = options_of(c, room);
    expect(c->kernel->create(&state, &c->domain, &options) == HALO_OK, "%s", halo_last_message());
    expect(c->kernel->start(state, view) == HALO_OK, "%s", halo_last_message());
    c->kernel->destroy(&state);
    expect(state == NULL, "not destroyed");
}

bool heat_case_begin(heat_case *c, int n, uint64_t *random, heat_run *run)
{
    *run = (heat_run){0};
    halo_world *world = mpi_check_world();
    random_blocks(random, &c->domain, halo_world_ranks(world), c->depth, &run->partition);
    describe(c, n, &run->partition);
    char room[sizeof c->options];
    const halo_heat_options options = options_of(c, room);
    halo_beat_options how = {
        .beats_per_exchange = c->depth, .exchange = c->exchange, .kernel_options = &options};
    halo_status status =
        halo_beat_create(&run->beat, world, &c->domain, &run->partition, c->kernel, &how);
    expect(status == HALO_OK, "%s: %s", c->text, halo_last_message());
    return status == HALO_OK;
}

void heat_case_end(heat_run *run)
{
    halo_beat_destroy(&run->beat);
    halo_partition_free(&run->partition);
}

void heat_case_advance(const heat_case *c, heat_run *run, int64_t beats)
{
    if (beats > 0) {
        expect(halo_beat_run(run->beat, beats) == HALO_OK, "%s: %s", c->text, halo_last_message());
    }
}

static double cell_at(const halo_view *view, const int64_t at[HALO_AXES])
{
    const double *row =
        view->axes == 3 ? halo_row_of_plane(view, at[0], at[1]) : halo_row(view, at[0]);
    return row[at[view->axes - 1]];
}

double heat_case_error(const halo_view *view, heat_cell *expected, const void *context)
{
    const halo_box *owned = &view->owned;
    double worst = 0;
    int64_t at[HALO_AXES], place[HALO_AXES];
    for (at[0] = 0; at[0] < owned->n[0]; at[0]++) {
        for (at[1] = 0; at[1] < owned->n[1]; at[1]++) {
            for (at[2] = 0; at[2] < owned->n[2]; at[2]++) {
                for (int axis = 0; axis < HALO_AXES; axis++) {
                    place[axis] = owned->lo[axis] + at[axis];
                }
                double error = fabs(cell_at(view, at) - expected(context, place));
                worst = error <= worst ? worst : isnan(error) ? HUGE_VAL : error;
            }
        }
    }
    return worst;
}

void heat_case_fill(const halo_view *view, heat_cell *value, const void *context)
{
    const halo_box *owned = &view->owned;
    int64_t at[HALO_AXES];
    for (at[0] = 0; at[0] < owned->n[0]; at[0]++) {
        for (at[1] = 0; at[1] < owned->n[1]; at[1]++) {
            for (at[2] = 0; at[2] < owned->n[2]; at[2]++) {
                int64_t place[HALO_AXES] = {owned->lo[0] + at[0], owned->lo[1] + at[1],
                                            owned->lo[2] + at[2]};
                double *row =
                    view->axes == 3 ? halo_row_of_plane(view, at[0], at[1]) : halo_row(view, at[0]);
                row[at[view->axes - 1]] = value(context, place);
            }
        }
    }
}
