#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/uniform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Means of whole numbers: sums that slide. */

typedef struct {
    const filter_uniform_ops *ops;
    filter_window window[HALO_AXES];
    double count; /* samples of a window */
    filter_sum_type type;
    size_t bytes;         /* of a sum */
    int64_t width, depth; /* of a row of sums: the image's, and more on each side */
    char *memory;         /* of the rows: */
    char *columns;        /* sums across rows of one window, but for its last row between tiles */
    char *slid;           /* of whole windows */
    char *planes;         /* of a volume: the same as `columns` across planes, of all rows */
    int64_t next;         /* the row, or plane, for which sums are ready */
} whole_means;

/* ---- rows ------------------------------------------------------------------------------------ */

/* The first row of means from the sums of its columns. */
static void put_row(const whole_means *m, const filter_tile *tile, void *out)
{
    int64_t skipped = m->depth - m->window[2].before;
    m->ops->slide[m->type](m->columns + (size_t)skipped * m->bytes, m->window[2].size, tile->width,
                           m->slid);
    m->ops->divide[m->type][tile->part->out](m->slid, m->count, tile->width, out);
}

/* Row `y` of plane `plane` of a tile's input, with the samples beyond its ends. */
static const void *input_row(const whole_means *m, const filter_tile *tile, int64_t plane,
                             int64_t y)
{
    const filter_part *part = tile->part;
    const char *row = tile->in[(plane + part->depth[0]) * tile->in_pitch + part->depth[1] + y];
    return row - (size_t)m->depth * halo_sample_types[part->in].bytes;
}

static void image_rows(whole_means *m, const filter_tile *tile)
{
    halo_sample_type type = tile->part->in;
    int64_t before = m->window[1].before, after = m->window[1].size - 1 - before;
    if (m->next != tile->row) {
        memset(m->columns, 0, (size_t)m->width * m->bytes);
        for (int64_t y = -before; y < after; y++) {
            m->ops->add[m->type][type](input_row(m, tile, 0, y), m->width, m->columns);
        }
    }
    for (int64_t y = 0; y < tile->rows; y++) {
        m->ops->add[m->type][type](input_row(m, tile, 0, y + after), m->width, m->columns);
        put_row(m, tile, tile->out[y]);
        m->ops->subtract[m->type][type](input_row(m, tile, 0, y - before), m->width, m->columns);
    }
    m->next = tile->row + tile->rows;
}

static char *plane_row(const whole_means *m, const filter_tile *tile, int64_t y)
{
    return m->planes + (size_t)((y + tile->part->depth[1]) * m->width) * m->bytes;
}

/* Adds plane `plane` to the sums across planes, or subtracts it. */
static void change_planes(whole_means *m, const filter_tile *tile, int64_t plane, bool adds)
{
    halo_sample_type type = tile->part->in;
    int64_t depth = tile->part->depth[1];
    for (int64_t y = -depth; y < tile->rows + depth; y++) {
        (adds ? m->ops->add : m->ops->subtract)[m->type][type](input_row(m, tile, plane, y),
                                                               m->width, plane_row(m, tile, y));
    }
}

static void volume_rows(whole_means *m, const filter_tile *tile)
{
    int64_t before = m->window[0].before, after = m->window[0].size - 1 - before;
    int64_t above = m->window[1].before, below = m->window[1].size - 1 - above;
    if (m->next != tile->plane) {
        int64_t rows = tile->rows + 2 * tile->part->depth[1];
        memset(m->planes, 0, (size_t)(rows * m->width) * m->bytes);
        for (int64_t z = -before; z < after; z++) {
            change_planes(m, tile, z, true);
        }
    }
    change_planes(m, tile, after, true);
    memset(m->columns, 0, (size_t)m->width * m->bytes);
    for (int64_t y = -above; y < below; y++) {
        m->ops->add_sums[m->type](plane_row(m, tile, y), m->width, m->columns);
    }
    for (int64_t y = 0; y < tile->rows; y++) {
        m->ops->add_sums[m->type](plane_row(m, tile, y + below), m->width, m->columns);
        put_row(m, tile, tile->out[y]);
        m->ops->subtract_sums[m->type](plane_row(m, tile, y - above), m->width, m->columns);
    }
    change_planes(m, tile, -before, false);
    m->next = tile->plane + 1;
}

void filter_whole_means_rows(const filter_tile *tile)
{
    whole_means *m = tile->state;
    if (tile->step->axes == HALO_AXES) {
        volume_rows(m, tile);
    } else {
        image_rows(m, tile);
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

/* The smallest type whose sums hold all of `count` samples. */
static void find_type(whole_means *m, halo_sample_type type)
{
#define BITS(code, c_type, bits)  bits,
#define BYTES(code, c_type, bits) sizeof(c_type),
    static const int bits[] = {FILTER_SUM_LIST(BITS)};
    static const size_t bytes[] = {FILTER_SUM_LIST(BYTES)};
    double most = ldexp(m->count, 8 * (int)halo_sample_types[type].bytes);
    while ((int)m->type + 1 < FILTER_SUMS && most > ldexp(1, bits[m->type])) {
        m->type++;
    }
    m->bytes = bytes[m->type];
}

halo_status filter_whole_means_create(void **state, const filter_step *step,
                                      const filter_part *part, const filter_uniform_ops *ops,
                                      const filter_window window[HALO_AXES])
{
    whole_means *m;
    HALO_TRY(HALO_ALLOCATE(m, 1, "a filter"));
    *state = m;
    m->ops = ops;
    memcpy(m->window, window, sizeof m->window);
    m->count = (double)window[0].size * (double)window[1].size * (double)window[2].size;
    find_type(m, part->in);
    m->depth = part->depth[2];
    m->width = step->n[2] + 2 * m->depth;
    m->next = INT64_MIN;
    int64_t planes = step->axes == HALO_AXES ? step->n[1] + 2 * part->depth[1] : 0;
    size_t row = (size_t)m->width * m->bytes;
    HALO_TRY(HALO_ALLOCATE_LARGE(m->memory, (size_t)(planes + 2) * row, "rows of sums"));
    m->columns = m->memory;
    m->slid = m->columns + row;
    m->planes = m->slid + row;
    return HALO_OK;
}

void filter_whole_means_destroy(void *state)
{
    whole_means *m = state;
    if (m != NULL) {
        halo_memory_free(m->memory);
    }
    free(m);
}
