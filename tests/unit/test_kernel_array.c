#include "base/memory.h"
#include "core/beat/beat.h"
#include "core/transport/threads/run.h"
#include "kernels/array/kernel_array.h"
#include "kernels/heat/heat.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_kernel_array: kernels of one's own and built-in ones on arrays of the caller, in all layouts
 * and on any number of ranks, against loops over the whole array; and heartbeats in memory of the
 * caller (halo_beat_options.memory). */

enum { MOST = 6000 };

/* ---- kernels --------------------------------------------------------------------------------- */

/* A cell becomes the sum of itself, twice its neighbour before it on each axis and thrice that
 * after it. All steps wrap around, so that sums are exact. */
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

/* Fields: the cells, and how often each has changed, in 8 bits. */
static halo_status sum_step(halo_step *step)
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

static const halo_kernel sum_kernel = {.name = "sum",
                                       .help = "A sum of neighbours",
                                       .cell_bits = {32, 8},
                                       .cell_kind = {HALO_UNSIGNED, HALO_UNSIGNED},
                                       .depth = 1,
                                       .converges = true,
                                       .step = sum_step};

/* One beat on the whole array, which has no halo. */
static void sum_beat(const halo_domain *domain, const uint32_t *in, uint32_t *out)
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

/* ---- arrays ---------------------------------------------------------------------------------- */

static const struct {
    int axes;
    int64_t n[HALO_AXES];
} shapes[] = {{1, {1, 1, 1}},   {1, {57, 1, 1}}, {2, {1, 9, 1}},
              {2, {31, 70, 1}}, {3, {9, 4, 11}}, {3, {2, 30, 7}}};

typedef struct {
    halo_domain domain;
    int64_t cells, beats, done;
    uint32_t wanted[MOST];
    uint8_t counts[MOST];
    double start[MOST];
} sum_case;

static void make_case(sum_case *c, size_t shape, uint64_t *random)
{
    static uint32_t now[MOST], next[MOST];
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

static void run_case(const sum_case *c, array_layout layout, array_layout out_layout, int ranks,
                     int deep)
{
    static const double zeroes[MOST];
    const int64_t *n = c->domain.n;
    int axes = c->domain.axes;
    laid_array cells = array_lay_values(layout, HALO_SAMPLE_U32, axes, n, c->start);
    laid_array counts = array_lay_values(out_layout, HALO_SAMPLE_U8, axes, n, zeroes);
    laid_array out = array_lay(out_layout, HALO_SAMPLE_U32, axes, n);
    halo_kernel_array_options options = {.beats = c->beats, .beats_per_exchange = deep};
    halo_kernel_array_report report = {0};
    halo_context *context;
    int64_t wrong = 0;
    memcpy(options.periodic, c->domain.periodic, sizeof options.periodic);
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    SUCCEEDS(halo_kernel_array(context, &sum_kernel, (halo_array[]){cells.array, counts.array},
                               (halo_array[]){out.array, counts.array}, &options, &report));
    for (int64_t i = 0; i < c->cells; i++) {
        wrong += (uint32_t)array_value(&out.array, i) != c->wanted[i] ||
                 (uint8_t)array_value(&counts.array, i) != c->counts[i];
    }
    check(wrong == 0 && report.beats == c->done && array_gaps_are_kept(&out),
          "%d axes from %" PRId64 ", %s to %s, %d ranks, %d deep: %" PRId64
          " cells differ, %" PRId64 " beats of %" PRId64,
          axes, n[0], array_layout_names[layout], array_layout_names[out_layout], ranks, deep,
          wrong, report.beats, c->done);
    halo_context_destroy(&context);
    array_free(&cells);
    array_free(&counts);
    array_free(&out);
}

TEST("a kernel of one's own, with two fields, in all layouts")
{
    static const int ranks[] = {1, 2, 3, 6};
    uint64_t random = 11;
    static sum_case c;
    for (int i = 0; i < unit_cases(400); i++) {
        make_case(&c, (size_t)random_below(&random, COUNT(shapes)), &random);
        if (c.beats == 0) { /* it would not end */
            continue;
        }
        array_layout from = (array_layout)random_below(&random, LAYOUTS);
        array_layout to = (array_layout)random_below(&random, LAYOUTS);
        run_case(&c, from, to, ranks[random_below(&random, COUNT(ranks))], 1);
    }
}

/* ---- built-in kernels, cells of 1 bit -------------------------------------------------------- */

/* A bit becomes whether exactly one of its neighbours in the row is set. */
static halo_status bit_step(halo_step *step)
{
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const uint64_t *in = halo_row(step->in, y);
        uint64_t *out = halo_row(step->out, y);
        for (int64_t w = 0; w < (step->todo.n[1] + 63) / 64; w++) {
            int64_t left = step->todo.n[1] - 64 * w;
            uint64_t before = in[w] << 1 | in[w - 1] >> 63, after = in[w] >> 1 | in[w + 1] << 63;
            out[w] = (before ^ after) & (left < 64 ? UINT64_MAX >> (64 - left) : UINT64_MAX);
        }
    }
    return HALO_OK;
}

TEST("cells of 1 bit are bytes of truth")
{
    static const halo_kernel kernel = {.name = "bits",
                                       .help = "Bits",
                                       .axes = 2,
                                       .cell_bits = {HALO_BIT},
                                       .whole = true,
                                       .depth = 1,
                                       .step = bit_step};
    static const int64_t n[] = {9, 131};
    uint64_t random = 3;
    double start[9 * 131];
    for (size_t i = 0; i < COUNT(start); i++) {
        start[i] = (double)random_below(&random, 2);
    }
    for (int layout = 0; layout < LAYOUTS; layout++) {
        laid_array from = array_lay_values((array_layout)layout, HALO_SAMPLE_BIT, 2, n, start);
        laid_array to = array_lay((array_layout)layout, HALO_SAMPLE_BIT, 2, n);
        SUCCEEDS(halo_kernel_array(NULL, &kernel, &from.array, &to.array,
                                   &(halo_kernel_array_options){.beats = 1}, NULL));
        for (int64_t i = 0; i < 9 * 131; i++) {
            bool before = i % 131 > 0 && start[i - 1] > 0,
                 after = i % 131 < 130 && start[i + 1] > 0;
            check((array_value(&to.array, i) > 0) == (before != after), "%s: bit %" PRId64,
                  array_layout_names[layout], i);
        }
        array_free(&from);
        array_free(&to);
    }
}

TEST("heat converges, with options of the kernel, and from its own start")
{
    static float plate[40][50], again[40][50];
    halo_array array = {.data = plate,
                        .type = HALO_SAMPLE_F32,
                        .axes = 2,
                        .n = {40, 50},
                        .stride = {sizeof plate[0], sizeof(float)}};
    halo_array second = array;
    halo_heat_options heat = {.dtype = "float32", .tolerance = 1e-3, .edge = "1"};
    halo_kernel_array_options options = {.kernel_options = &heat};
    halo_kernel_array_report report;
    second.data = again;
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, &array, &array, &options, &report));
    check(report.converged && report.beats > 10, "%" PRId64 " beats", report.beats);
    check(plate[0][0] >= 1 && plate[20][25] > .1F && plate[20][25] < 1, "%g in the middle",
          (double)plate[20][25]);
    options.beats = 7;
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, NULL, &second, &options, &report));
    check(report.beats == 7 && again[20][25] > .9F, "%g in the middle", (double)again[20][25]);
}

/* ---- memory of the caller -------------------------------------------------------------------- */

TEST("an array with margins is computed where it lies")
{
    static sum_case c;
    uint64_t random = 17;
    for (int i = 0; i < 60; i++) {
        make_case(&c, 1 + (size_t)random_below(&random, COUNT(shapes) - 1), &random);
        if (c.beats == 0) {
            continue;
        }
        int axes = c.domain.axes;
        ptrdiff_t stride[HALO_AXES], bytes = 4, small = 1, first = 0, small_first = 0;
        ptrdiff_t small_stride[HALO_AXES];
        for (int axis = axes - 1; axis >= 0; axis--) {
            stride[axis] = bytes;
            small_stride[axis] = small;
            first += bytes;
            small_first += small;
            bytes *= c.domain.n[axis] + 2;
            small *= c.domain.n[axis] + 2;
        }
        char *block = malloc((size_t)bytes), *small_block = malloc((size_t)small);
        halo_array arrays[] = {
            {.data = block + first, .type = HALO_SAMPLE_U32, .axes = axes},
            {.data = small_block + small_first, .type = HALO_SAMPLE_U8, .axes = axes}};
        memset(block, 0x77, (size_t)bytes);
        memset(small_block, 0x77, (size_t)small);
        for (int axis = 0; axis < axes; axis++) {
            arrays[0].n[axis] = arrays[1].n[axis] = c.domain.n[axis];
            arrays[0].stride[axis] = stride[axis];
            arrays[1].stride[axis] = small_stride[axis];
        }
        for (int64_t cell = 0; cell < c.cells; cell++) {
            array_set(&arrays[0], cell, c.start[cell]);
            array_set(&arrays[1], cell, 0);
        }
        halo_kernel_array_options options = {.beats = c.beats, .margins = true};
        halo_kernel_array_report report;
        memcpy(options.periodic, c.domain.periodic, sizeof options.periodic);
        halo_context *context;
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, 1 + i % 2));
        SUCCEEDS(halo_kernel_array(context, &sum_kernel, arrays, arrays, &options, &report));
        int64_t wrong = 0;
        for (int64_t cell = 0; cell < c.cells; cell++) {
            wrong += (uint32_t)array_value(&arrays[0], cell) != c.wanted[cell] ||
                     (uint8_t)array_value(&arrays[1], cell) != c.counts[cell];
        }
        /* Room around the cells is written only if they are computed there. */
        check((*block != 0x77) == (report.ranks == 1), "room around cells is %d", *block);
        check(wrong == 0, "%d axes, %" PRId64 " beats: %" PRId64 " cells differ", axes, c.beats,
              wrong);
        halo_context_destroy(&context);
        free(block);
        free(small_block);
    }
}

/* Ranks whose part of 20 x 30 cells lies in memory of their own. */
static halo_status adopt(halo_world *world, void *context)
{
    enum { COLUMNS = 30, WIDE = COLUMNS + 2 };
    const halo_domain domain = {.axes = 2, .n = {20, COLUMNS, 1}, .periodic = {true, false}};
    static const halo_kernel kernel = {.name = "copy",
                                       .help = "Sums",
                                       .cell_bits = {32, 8},
                                       .cell_kind = {HALO_UNSIGNED, HALO_UNSIGNED},
                                       .depth = 1,
                                       .step = sum_step};
    uint32_t cells[22 * WIDE];
    uint8_t counts[22 * WIDE];
    const halo_view memory[] = {{.origin = cells + WIDE + 1, .stride = {4L * WIDE, 4}},
                                {.origin = counts + WIDE + 1, .stride = {WIDE, 1}}};
    halo_beat_options options = {.memory = memory};
    uint32_t *all = context;
    halo_partition strips;
    halo_beat *beat = NULL;
    HALO_TRY(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    const halo_box own = halo_partition_box(&strips, halo_world_rank(world));
    for (int i = 0; i < 22 * WIDE; i++) {
        cells[i] = (uint32_t)((i / WIDE - 1 + own.lo[0]) * COLUMNS + i % WIDE - 1);
        counts[i] = 9;
    }
    halo_status status = halo_beat_create(&beat, world, &domain, &strips, &kernel, &options);
    HALO_IF_OK(status, halo_beat_run(beat, 1));
    HALO_IF_OK(status, halo_beat_run(beat, 1));
    if (status == HALO_OK) {
        const halo_view *now = halo_beat_view(beat, 0);
        status = HALO_REQUIRE(now->origin == memory[0].origin, HALO_ARGUMENT, "not the memory");
        for (int64_t y = 0; y < own.n[0]; y++) {
            memcpy(all + (own.lo[0] + y) * COLUMNS, cells + (y + 1) * WIDE + 1,
                   COLUMNS * sizeof *all);
        }
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    return status;
}

TEST("each rank's part lies in its caller's memory")
{
    const halo_domain domain = {.axes = 2, .n = {20, 30, 1}, .periodic = {true, false}};
    uint32_t start[600], once[600], twice[600], got[600];
    for (uint32_t i = 0; i < 600; i++) {
        start[i] = i;
    }
    sum_beat(&domain, start, once);
    sum_beat(&domain, once, twice);
    for (int ranks = 1; ranks <= 4; ranks++) {
        memset(got, 0, sizeof got);
        SUCCEEDS(halo_run(ranks, NULL, adopt, got));
        check(memcmp(got, twice, sizeof got) == 0, "%d ranks: cells differ", ranks);
    }
}

TEST("memory of the caller that cannot be a field")
{
    static const halo_domain domain = {.axes = 2, .n = {4, 4, 1}};
    static uint64_t memory[100];
    halo_field *field;
    halo_view view = {.origin = memory + 20,
                      .stride = {64, 8},
                      .owned = {.n = {4, 4, 1}},
                      .depth = 1,
                      .side_depth = 1,
                      .cell_bits = 64};
    SUCCEEDS(halo_field_adopt(&field, &domain, &view));
    halo_field_destroy(&field);
    view.stride[0] = 40;
    FAILS(HALO_ARGUMENT, "as far apart as they are long with their halos",
          halo_field_adopt(&field, &domain, &view));
    view.side_depth = 2;
    FAILS(HALO_ARGUMENT, "use as many, or 0", halo_field_adopt(&field, &domain, &view));
    view.side_depth = 1;
    view.stride[0] = 64;
    view.origin = (char *)(memory + 20) + 1;
    FAILS(HALO_ARGUMENT, "at multiples of their size", halo_field_adopt(&field, &domain, &view));
    view.origin = memory + 20;
    view.cell_bits = HALO_BIT;
    FAILS(HALO_ARGUMENT, "cells of 1 bit", halo_field_adopt(&field, &domain, &view));
}

/* ---- refusals, and cancelling ---------------------------------------------------------------- */

static bool stop(void *user, int64_t done, int64_t total)
{
    int64_t *last = user;
    *last = done;
    return done >= 1 && total == 1000000000;
}

TEST("halos are no deeper than the beats, and than there is memory")
{
    static double plate[6][7], wanted[6][7];
    halo_array in = {.data = plate,
                     .type = HALO_SAMPLE_F64,
                     .axes = 2,
                     .n = {6, 7},
                     .stride = {sizeof plate[0], sizeof(double)}};
    halo_array out = in;
    halo_kernel_array_options options = {.beats = 3, .periodic = {true, false}};
    halo_kernel_array_report report;
    plate[2][3] = 64;
    out.data = wanted;
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, &in, &out, &options, NULL));
    options.beats_per_exchange = 1000000;
    out.data = plate;
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, &in, &out, &options, &report));
    check(report.beats == 3 && memcmp(plate, wanted, sizeof plate) == 0, "%" PRId64 " beats",
          report.beats);
    if (halo_memory_available() < INT64_MAX / 2) {
        options.beats = 1000000;
        FAILS(HALO_MEMORY, "a halo of 1000000 cells on each side needs",
              halo_kernel_array(NULL, &halo_heat_kernel, &in, &out, &options, NULL));
        check(memcmp(plate, wanted, sizeof plate) == 0, "cells have been computed");
    }
    options.beats = 200;
    options.beats_per_exchange = 100; /* deeper than the array, and small */
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, &in, &out, &options, NULL));
    options.beats_per_exchange = 1;
    in.data = out.data = wanted;
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, &in, &out, &options, NULL));
    check(memcmp(plate, wanted, sizeof plate) == 0, "deep halos change results");
}

TEST("what is refused, and a run that is cancelled")
{
    static double plate[30][30];
    static float narrow[30][30];
    halo_array array = {.data = plate,
                        .type = HALO_SAMPLE_F64,
                        .axes = 2,
                        .n = {30, 30},
                        .stride = {sizeof plate[0], sizeof(double)}};
    halo_array other = {.data = narrow,
                        .type = HALO_SAMPLE_F32,
                        .axes = 2,
                        .n = {30, 30},
                        .stride = {sizeof narrow[0], sizeof(float)}};
    halo_kernel_array_options options = {.beats = 1000000000};
    halo_context *context;
    int64_t last = -1;
    FAILS(HALO_ARGUMENT, "has elements of float32, and kernel \"heat\" has cells of float64",
          halo_kernel_array(NULL, &halo_heat_kernel, &other, &array, &options, NULL));
    FAILS(HALO_ARGUMENT, "has 2 axes, and must have 3",
          halo_kernel_array(NULL, &halo_heat3d_kernel, &array, &array, &options, NULL));
    FAILS(HALO_ARGUMENT, "no initial cells of its own",
          halo_kernel_array(NULL, &sum_kernel, NULL, &array, &options, NULL));
    options.beats = 0;
    FAILS(HALO_ARGUMENT, "does not converge by itself; give it a number of beats",
          halo_kernel_array(NULL, &halo_heat_kernel, &array, &array, &options, NULL));
    options.beats = 1;
    options.periodic[2] = true;
    FAILS(HALO_ARGUMENT, "axis 2 is to be periodic, and the array has 2 axes",
          halo_kernel_array(NULL, &halo_heat_kernel, &array, &array, &options, NULL));
    options.periodic[2] = false;
    options.beats = -1;
    FAILS(HALO_ARGUMENT, "-1 beats",
          halo_kernel_array(NULL, &halo_heat_kernel, &array, &array, &options, NULL));
    options.beats = 1000000000;
    SUCCEEDS(halo_context_create(&context));
    halo_context_set_progress(context, stop, &last);
    for (int ranks = 1; ranks <= 3; ranks++) {
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        FAILS(HALO_CANCELLED, "cancelled",
              halo_kernel_array(context, &halo_heat_kernel, NULL, &array, &options, NULL));
        check(last >= 1, "%" PRId64 " beats", last);
    }
    halo_context_destroy(&context);
}
