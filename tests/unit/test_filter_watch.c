#include "kernels/array/array_internal.h"
#include "kernels/filter/filter_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/unit_check.h"

#include <stdlib.h>

/* Filters are watched within long rows and large planes, too: a call ends before they are done. */

enum { SIDE = 512, CELLS = SIDE * SIDE };

typedef struct {
    const char *steps;
    halo_sample_type type;
    int64_t n[3];
    int least; /* reports, of one rank */
} long_case;

static const long_case cases[] = {
    {"background:9", HALO_SAMPLE_U8, {1, 4, CELLS / 4}, 16},
    {"skeletonize", HALO_SAMPLE_U8, {1, SIDE, SIDE}, 1500},
    {"median:1", HALO_SAMPLE_U8, {1, SIDE, SIDE}, 13},    /* by sorting */
    {"median:24", HALO_SAMPLE_U8, {1, 4, CELLS / 4}, 4},  /* by histograms */
    {"median:24", HALO_SAMPLE_I16, {1, 4, CELLS / 4}, 7}, /* by counting */
    {"rolling_ball:9", HALO_SAMPLE_U8, {2, SIDE, SIDE / 2}, 5},
    {"erosion:box:3", HALO_SAMPLE_U8, {2, SIDE, SIDE / 2}, 7},
    {"dilation:ball:4", HALO_SAMPLE_U8, {2, SIDE, SIDE / 2}, 7},
    {"gaussian:2", HALO_SAMPLE_U8, {2, SIDE, SIDE / 2}, 7},
    {"invert sobel invert", HALO_SAMPLE_U8, {1, SIDE, SIDE}, 14},
};

static halo_status filter(const long_case *c, halo_context *context, const laid_array *in,
                          array_progress *progress)
{
    halo_sample_type type;
    SUCCEEDS(halo_filter_array_type(c->steps, in->array.type, in->array.axes, in->array.n, &type));
    laid_array out = array_lay(LAYOUT_C, type, in->array.axes, in->array.n);
    halo_context_set_progress(context, array_progress_watch, progress);
    halo_status status = halo_filter_array(context, &in->array, &out.array, c->steps, NULL, NULL);
    array_free(&out);
    return status;
}

static void run_case(const long_case *c, halo_context *context)
{
    static double values[CELLS];
    for (int64_t i = 0; i < CELLS; i++) {
        values[i] = (double)(i * 7919 % 1000 % 256);
    }
    int flat = c->n[0] == 1;
    laid_array in = array_lay_values(LAYOUT_C, c->type, 3 - flat, c->n + flat, values);
    array_progress all = array_progress_until(INT32_MAX);
    SUCCEEDS(filter(c, context, &in, &all));
    check(all.calls >= c->least && all.done == all.total, "%s: %d reports, and not %d", c->steps,
          all.calls, c->least);
    for (int at = 1; at < all.calls; at += 1 + all.calls / 9) {
        array_progress some = array_progress_until(at);
        FAILS(HALO_CANCELLED, "cancelled", filter(c, context, &in, &some));
        check(some.calls == at, "%s: %d reports after %d", c->steps, some.calls, at);
    }
    array_free(&in);
}

TEST("filters are watched within rows and planes")
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, 1));
    context->interval = 0;
    for (size_t i = 0; i < COUNT(cases); i++) {
        run_case(&cases[i], context);
    }
    halo_context_destroy(&context);
}
