#include "kernels/filter/map.h"

#include "base/memory.h"
#include "core/world/watch.h"
#include "kernels/filter/rounding.h"

#include <stdlib.h>

/* Results of single samples. */

enum { PIECE = 1024, BYTE_VALUES = 1 << 8, SHORT_VALUES = 1 << 16 };

typedef struct {
    halo_sample_type in, out;
    const filter_map *map;
    char *table;  /* [values] results of samples of 8 or 16 bits; or NULL */
    size_t bytes; /* of a result */
} mapping;

/* ---- rows ------------------------------------------------------------------------------------ */

static void map_doubles(const filter_map *map, double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        values[i] = map->of(map->own, values[i]);
    }
}

/* Samples one by one, some at a time as doubles. */
static void map_samples(const mapping *m, const void *in, int64_t width, void *out)
{
    double values[PIECE];
    for (int64_t x = 0; x < width; x += PIECE) {
        int64_t count = width - x < PIECE ? width - x : PIECE;
        halo_sample_to_doubles(m->in, in, x, count, values);
        map_doubles(m->map, values, count);
        filter_round(m->out, values, count, (char *)out + (size_t)x * m->bytes);
    }
}

#define LOOK_UP(index_type, value_type)                                                    \
    for (int64_t x = 0; x < width; x++) {                                                  \
        ((value_type *)out)[x] = ((const value_type *)table)[((const index_type *)in)[x]]; \
    }
#define LOOK_UP_ANY(index_type)       \
    switch (m->bytes) {               \
    case sizeof(uint8_t):             \
        LOOK_UP(index_type, uint8_t)  \
        break;                        \
    case sizeof(uint16_t):            \
        LOOK_UP(index_type, uint16_t) \
        break;                        \
    case sizeof(uint32_t):            \
        LOOK_UP(index_type, uint32_t) \
        break;                        \
    default:                          \
        LOOK_UP(index_type, uint64_t) \
    }

static void map_row(const mapping *m, const void *in, int64_t width, void *out)
{
    const void *table = m->table;
    if (table == NULL) {
        map_samples(m, in, width, out);
    } else if (m->in == HALO_SAMPLE_U8) {
        LOOK_UP_ANY(uint8_t)
    } else {
        LOOK_UP_ANY(uint16_t)
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static halo_status create_mapping(mapping *m, halo_sample_type in, halo_sample_type out,
                                  const filter_map *map)
{
    int64_t values = in == HALO_SAMPLE_U8 ? BYTE_VALUES : in == HALO_SAMPLE_U16 ? SHORT_VALUES : 0;
    *m = (mapping){.in = in, .out = out, .map = map, .bytes = halo_sample_types[out].bytes};
    if (values == 0) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE(m->table, values * (int64_t)m->bytes, "a table of samples"));
    for (int64_t i = 0; i < values; i++) {
        double value = map->of(map->own, (double)i);
        filter_round(out, &value, 1, m->table + (size_t)i * m->bytes);
    }
    return HALO_OK;
}

static halo_status create(void **state, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    mapping *m;
    (void)step, (void)instructions;
    HALO_TRY(HALO_ALLOCATE(m, 1, "a filter"));
    *state = m;
    return create_mapping(m, part->in, part->out, part->own);
}

static void destroy(void *state)
{
    if (state != NULL) {
        free(((mapping *)state)->table);
    }
    free(state);
}

static void map_tile(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        map_row(tile->state, tile->in[i], tile->width, tile->out[i]);
    }
}

filter_part filter_map_part(const filter_map *map)
{
    return (filter_part){.rows = map_tile, .create = create, .destroy = destroy, .own = map};
}

void filter_add_map(filter_step *step, const filter_map *map)
{
    const filter_part part = filter_map_part(map);
    filter_add_part(step, &part);
}

halo_status filter_map_field(const filter_field_call *call, const filter_map *map)
{
    const halo_view *in = halo_field_view(call->in), *out = halo_field_view(call->out);
    int64_t rows = halo_view_rows(in);
    mapping m;
    halo_status status = create_mapping(&m, call->part->in, call->part->out, map);
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        map_row(&m, halo_view_row(in, i), in->owned.n[in->axes - 1], halo_view_row(out, i));
        status = halo_watch_work(call->world, i, rows);
    }
    free(m.table);
    return status;
}
