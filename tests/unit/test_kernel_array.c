#include "base/memory.h"
#include "core/beat/beat.h"
#include "kernels/array/kernel_array.h"
#include "kernels/heat/heat.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/sum_kernel.h"
#include "support/unit_check.h"

/* halo_kernel_array: kernels of one's own and built-in ones on arrays of the caller, in all layouts
 * and on any number of ranks, against loops over the whole array. */

/* ---- layouts --------------------------------------------------------------------------------- */

static void run_case(const sum_case *c, array_layout layout, array_layout out_layout, int ranks,
                     int deep)
{
    static const double zeroes[SUM_CASE_CELLS];
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
        sum_case_make(&c, (size_t)random_below(&random, SUM_CASE_SHAPES), &random);
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
