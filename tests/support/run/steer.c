/* Two fields, options, and a sum over all cells that steers the beats after it: what a checkpoint
 * must hold besides cells. The beat's number matters, too. */

#include "core/beat/kernel_export.h"

#include <stdlib.h>

typedef struct {
    int64_t total; /* kept in checkpoints; the rest is this rank's own */
    int64_t fresh;
    uint32_t seed;
} steer_state;

typedef struct {
    int64_t seed;
} steer_options;

static const halo_option rows[] = {{HALO_OPTION_ROW(steer_options, "seed", INTEGER, seed),
                                    .standard = "1", .help = "A number to begin with"},
                                   {0}};

static halo_status steer_create(void **out, const halo_domain *domain, const void *options)
{
    const steer_options *given = options;
    if (domain->n[0] == 13) {
        return halo_fail(HALO_ARGUMENT, "steer takes no 13 rows");
    }
    steer_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: steer's state");
    }
    state->seed = (uint32_t)given->seed;
    *out = state;
    return HALO_OK;
}

static void steer_destroy(void **state)
{
    free(*state);
    *state = NULL;
}

static halo_status steer_start(void *state, const halo_view *fields)
{
    const steer_state *s = state;
    const halo_box *owned = &fields->owned;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        uint32_t *large = halo_row(&fields[0], y);
        int8_t *small = halo_row(&fields[1], y);
        for (int64_t x = 0; x < owned->n[1]; x++) {
            large[x] = (uint32_t)((owned->lo[0] + y) * 31 + (owned->lo[1] + x)) * s->seed;
            small[x] = (int8_t)(large[x] % 251);
        }
    }
    return HALO_OK;
}

static halo_status steer_step(halo_step *step)
{
    steer_state *s = step->state;
    const halo_box *todo = &step->todo;
    for (int64_t y = todo->lo[0]; y < todo->lo[0] + todo->n[0]; y++) {
        const uint32_t *above = halo_row(&step->in[0], y - 1), *large = halo_row(&step->in[0], y);
        const int8_t *small = halo_row(&step->in[1], y);
        uint32_t *next_large = halo_row(&step->out[0], y);
        int8_t *next_small = halo_row(&step->out[1], y);
        for (int64_t x = todo->lo[1]; x < todo->lo[1] + todo->n[1]; x++) {
            /* A diagonal neighbour, so that corners matter. */
            next_large[x] = 3 * large[x] + large[x + 1] + 5 * above[x - 1] + (uint32_t)step->beat +
                            (uint32_t)s->total;
            next_small[x] = (int8_t)(small[x - 1] ^ (int8_t)(next_large[x] % 127));
            s->fresh += next_small[x];
        }
    }
    return HALO_OK;
}

static halo_status steer_beat(void *state, int64_t *sums, bool agreed)
{
    steer_state *s = state;
    if (agreed) {
        s->total += sums[0];
    } else {
        sums[0] = s->fresh;
        s->fresh = 0;
    }
    return HALO_OK;
}

static const halo_kernel steer_kernel = {.name = "steer",
                                         .help = "sums over all cells steer it",
                                         .axes = 2,
                                         .cell_bits = {32, 8},
                                         .cell_kind = {HALO_UNSIGNED, HALO_SIGNED},
                                         .depth = 1,
                                         .corners = true,
                                         .sums = 1,
                                         .step = steer_step,
                                         .create = steer_create,
                                         .destroy = steer_destroy,
                                         .options = rows,
                                         .options_bytes = sizeof(steer_options),
                                         .start = steer_start,
                                         .saved_bytes = sizeof(int64_t),
                                         .beat = steer_beat};

HALO_KERNEL_EXPORT(steer_kernel);
