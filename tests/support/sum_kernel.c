#include "support/sum_kernel.h"

#include "support/images.h"

#include <string.h>

#define CELL(view, z, y, x)                                                                     \
    (*(const uint32_t *)(const void *)((const char *)(view)->origin + (z) * (view)->stride[0] + \
                                       (y) * (view)->stride[1] + (x) * (view)->stride[2]))

static uint32_t sum_around(const halo_view *in, const int64_t at[HALO_AXES])
{
    uint32_t sum = CELL(in, at[0], at[1], at[2]);
    for (int axis = 0; axis < in->axes; axis++) {
        for (int step = -1; step <= 1; step += 2) {
            int64_t to[] = {at[0], at[1], at[2]};
            to[axis] += step;
            sum += (step < 0 ? 2 : 3) * CELL(in, to[0], to[1], to[2]);
        }
    }
    return sum;
}

halo_status sum_step(halo_step *step)
{
    const halo_box *todo = &step->todo;
    int64_t at[HALO_AXES];
    for (at[0] = todo->lo[0]; at[0] < todo->lo[0] + todo->n[0]; at[0]++) {
        for (at[1] = todo->lo[1]; at[1] < todo->lo[1] + todo->n[1]; at[1]++) {
            for (at[2] = todo->lo[2]; at[2] < todo->lo[2] + todo->n[2]; at[2]++) {
                const halo_view *counts = &step->in[1], *out = &step->out[1];
                uint32_t before = CELL(step->in, at[0], at[1], at[2]),
                         now = sum_around(step->in, at);
                ptrdiff_t place = 0, from = 0;
                for (int axis = 0; axis < HALO_AXES; axis++) {
                    place += at[axis] * out->stride[axis];
                    from += at[axis] * counts->stride[axis];
                }
                *(uint32_t *)(void *)&CELL(step->out, at[0], at[1], at[2]) = now;
                ((uint8_t *)out->origin)[place] =
                    (uint8_t)(((const uint8_t *)counts->origin)[from] + (now != before));
                step->changed += now != before;
            }
        }
    }
    return HALO_OK;
}

const halo_kernel sum_kernel = {.name = "sum",
                                .help = "A sum of neighbours",
                                .cell_bits = {32, 8},
                                .cell_kind = {HALO_UNSIGNED, HALO_UNSIGNED},
                                .depth = 1,
                                .converges = true,
                                .step = sum_step};

void sum_beat(const halo_domain *domain, const uint32_t *in, uint32_t *out)
{
    const int64_t *n = domain->n;
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        int64_t at[] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
        out[i] = in[i];
        for (int axis = 0; axis < domain->axes; axis++) {
            for (int step = -1; step <= 1; step += 2) {
                int64_t to[] = {at[0], at[1], at[2]};
                to[axis] += step;
                bool outside = to[axis] < 0 || to[axis] >= n[axis];
                to[axis] = (to[axis] + n[axis]) % n[axis];
                if (!outside || domain->periodic[axis]) {
                    out[i] += (step < 0 ? 2 : 3) * in[(to[0] * n[1] + to[1]) * n[2] + to[2]];
                }
            }
        }
    }
}

static const struct {
    int axes;
    int64_t n[HALO_AXES];
} shapes[SUM_CASE_SHAPES] = {{1, {1, 1, 1}},   {1, {57, 1, 1}}, {2, {1, 9, 1}},
                             {2, {31, 70, 1}}, {3, {9, 4, 11}}, {3, {2, 30, 7}}};

void sum_case_make(sum_case *c, size_t shape, uint64_t *random)
{
    static uint32_t now[SUM_CASE_CELLS], next[SUM_CASE_CELLS];
    c->domain = (halo_domain){.axes = shapes[shape].axes};
    memcpy(c->domain.n, shapes[shape].n, sizeof c->domain.n);
    for (int axis = 0; axis < c->domain.axes; axis++) {
        c->domain.periodic[axis] = random_below(random, 2) == 0;
    }
    c->cells = c->domain.n[0] * c->domain.n[1] * c->domain.n[2];
    c->beats = random_below(random, 6);
    for (int64_t i = 0; i < c->cells; i++) {
        now[i] = (uint32_t)(random_below(random, 2) * random_below(random, 100));
        c->start[i] = now[i];
        c->counts[i] = 0;
    }
    bool changed = true;
    for (c->done = 0; c->done < (c->beats == 0 ? 0 : c->beats) && changed; c->done++) {
        sum_beat(&c->domain, now, next);
        changed = memcmp(now, next, (size_t)c->cells * sizeof *now) != 0;
        for (int64_t i = 0; i < c->cells; i++) {
            c->counts[i] = (uint8_t)(c->counts[i] + (now[i] != next[i]));
        }
        memcpy(now, next, sizeof now);
    }
    memcpy(c->wanted, now, sizeof now);
}
