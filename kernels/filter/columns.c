#include "kernels/filter/columns.h"

#include "base/memory.h"

#include <string.h>

/* Samples by columns. */

halo_status filter_columns_create(filter_columns *c, const filter_columns_ops *ops, bool quick,
                                  const filter_margins *margins)
{
    const size_t sample = quick ? sizeof(float) : sizeof(double);
    c->margins = margins;
    c->quick = quick;
    c->lanes = quick ? ops->quick_lanes : ops->lanes;
    c->bytes = (size_t)c->lanes * sample;
    /* Vectors of columns reach beyond the last one, at both ends of windows. */
    int64_t columns = 2 * margins->depth + margins->width + 3 * (int64_t)c->lanes;
    HALO_TRY(HALO_ALLOCATE_LARGE(c->memory, (size_t)columns * c->bytes, "columns of sums"));
    c->column = c->memory + (size_t)margins->depth * c->bytes;
    return HALO_OK;
}

void filter_columns_free(filter_columns *c)
{
    halo_memory_free(c->memory);
    *c = (filter_columns){0};
}

/* The constant is the first sample of a row of them. */
static void put_constants(const filter_columns *c, char *to)
{
    const void *constant = c->margins->constant;
    for (int i = 0; i < c->lanes; i++) {
        double value = c->margins->type == HALO_SAMPLE_F32 ? (double)*(const float *)constant
                                                           : *(const double *)constant;
        if (c->quick) {
            ((float *)(void *)to)[i] = (float)value;
        } else {
            ((double *)(void *)to)[i] = value;
        }
    }
}

void filter_columns_fill(const filter_columns *c)
{
    const filter_margins *m = c->margins;
    for (int64_t i = 0; i < 2 * m->depth; i++) {
        int64_t at = i < m->depth ? i - m->depth : m->width + i - m->depth;
        char *to = c->column + at * (int64_t)c->bytes;
        if (m->from[i] < 0) {
            put_constants(c, to);
        } else {
            memcpy(to, c->column + m->from[i] * (int64_t)c->bytes, c->bytes);
        }
    }
}
