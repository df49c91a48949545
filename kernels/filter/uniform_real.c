#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/columns.h"
#include "kernels/filter/uniform.h"

#include <stdlib.h>
#include <string.h>

/* Means of reals: sums of parts of blocks, along one axis after the other. Rows are doubles, which
 * are rounded to float after each axis if results are of this type. */

typedef struct {
    const filter_uniform_ops *ops;
    filter_window window[HALO_AXES];
    bool rounds;
    filter_margins margins; /* of rows of doubles */
    size_t pitch;           /* doubles of a row */
    char *memory;           /* of the rows: */
    double *begin;          /* across rows, from the begin of the block of the last row */
    double *end; /* [size] the same to the end of the block before, by rows modulo the size */
    double *row[FILTER_MOST_LANES]; /* means across rows, of rows that follow each other */
    double *read;                   /* a row of the input */
    double *sums[2];                /* across planes, of the parts of two blocks */
    double *planes;                 /* of a volume: means across planes, of all rows */
    const filter_columns_ops *columns_ops;
    filter_columns columns, means; /* the same by columns, and the means of all axes */
    double *work;                  /* of sums along rows: columns */
    int64_t next;                  /* the row for which `begin` and `end` are ready */
} real_means;

static int64_t modulo(int64_t i, int64_t n)
{
    int64_t left = i % n;
    return left < 0 ? left + n : left;
}

/* The first coordinate from `at` on where a block begins. */
static int64_t find_block(int64_t at, int64_t size)
{
    return at + modulo(-at, size);
}

/* Row `y` of plane `z`, from the first of the tile, as doubles. */
static void read_input(const filter_tile *tile, int64_t z, int64_t y, double *out)
{
    const int64_t *depth = tile->part->depth;
    const void *row = tile->in[(z + depth[0]) * tile->in_pitch + depth[1] + y];
    halo_sample_to_doubles(tile->part->in, row, 0, tile->width, out);
}

/* ---- across planes --------------------------------------------------------------------------- */

static double *plane_row(const real_means *m, int64_t y)
{
    return m->planes + (size_t)y * m->pitch;
}

/* The sum of planes `from` to `to` of row `y`, in this order. */
static void sum_planes(const real_means *m, const filter_tile *tile, int64_t y, int64_t from,
                       int64_t to, double *sums)
{
    int64_t step = from <= to ? 1 : -1;
    read_input(tile, from, y, sums);
    for (int64_t z = from; z != to;) {
        z += step;
        read_input(tile, z, y, m->read);
        m->ops->add_reals(m->read, tile->width, sums);
    }
}

static void make_plane(const real_means *m, const filter_tile *tile)
{
    int64_t size = m->window[0].size, first = -m->window[0].before, last = first + size - 1;
    int64_t block = find_block(tile->plane + first, size) - tile->plane;
    for (int64_t y = 0; y < tile->rows; y++) {
        sum_planes(m, tile, y, block, last, m->sums[1]);
        if (block > first) {
            sum_planes(m, tile, y, block - 1, first, m->sums[0]);
        }
        m->ops->mean(m->sums[1], block > first ? m->sums[0] : NULL, (double)size, tile->width,
                     m->rounds, plane_row(m, y));
    }
}

/* ---- across rows ----------------------------------------------------------------------------- */

/* Row `y` from the first of the tile, after the means across planes. */
static void read_row(const real_means *m, const filter_tile *tile, int64_t y, double *out)
{
    if (tile->step->axes < HALO_AXES) {
        read_input(tile, 0, y, out);
        return;
    }
    int64_t at = filter_edge_index(tile->part->edge.mode, y, tile->rows);
    memcpy(out, at < 0 ? m->margins.constant : plane_row(m, at), (size_t)tile->width * sizeof *out);
}

static double *end_row(const real_means *m, int64_t y)
{
    return m->end + (size_t)modulo(y, m->window[1].size) * m->pitch;
}

/* Rows `last` down to `first` of a block, each with the sum of those after it. */
static void sum_ends(const real_means *m, const filter_tile *tile, int64_t first, int64_t last)
{
    for (int64_t y = last; y >= first; y--) {
        double *to = end_row(m, tile->row + y);
        read_row(m, tile, y, to);
        if (y < last) {
            m->ops->add_reals(end_row(m, tile->row + y + 1), tile->width, to);
        }
    }
}

/* Makes the mean across rows for row `y`. */
static void make_row(real_means *m, const filter_tile *tile, int64_t y, double *out)
{
    int64_t size = m->window[1].size, first = y - m->window[1].before, last = first + size - 1;
    int64_t block = find_block(tile->row + first, size) - tile->row;
    bool fresh = m->next != tile->row + y;
    if (block > first && (fresh || block == last)) {
        sum_ends(m, tile, first, block - 1);
    }
    if (fresh || block == last) {
        read_row(m, tile, block, m->begin);
    }
    for (int64_t k = fresh || block == last ? block + 1 : last; k <= last; k++) {
        read_row(m, tile, k, m->read);
        m->ops->add_reals(m->read, tile->width, m->begin);
    }
    m->ops->mean(m->begin, block > first ? end_row(m, tile->row + first) : NULL, (double)size,
                 tile->width, m->rounds, out);
    m->next = tile->row + y + 1;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Means along rows y to y + rows - 1. */
static void make_group(real_means *m, const filter_tile *tile, int64_t y, int64_t rows)
{
    static const double one[] = {1};
    const filter_weights copy = {0, one, false};
    const filter_sums how = {.rounds = false};
    const void *row[FILTER_MOST_LANES];
    int64_t before = m->window[2].before;
    double *columns = (double *)(void *)m->columns.column,
           *means = (double *)(void *)m->means.column;
    for (int64_t i = 0; i < m->columns.lanes; i++) {
        if (i < rows) {
            make_row(m, tile, y + i, m->row[i]);
        }
        row[i] = m->row[halo_min(i, rows - 1)];
    }
    m->columns_ops->to_columns[HALO_SAMPLE_F64](&copy, row, tile->width, &how, columns);
    filter_columns_fill(&m->columns);
    m->ops->means_along(columns - before * m->columns.lanes, -before, m->window[2].size,
                        tile->width, m->rounds, m->work, means);
    m->columns_ops->to_rows[tile->part->out](&copy, means, tile->width, &how, (int)rows,
                                             tile->out + y);
}

void filter_real_means_rows(const filter_tile *tile)
{
    real_means *m = tile->state;
    if (tile->step->axes == HALO_AXES) {
        make_plane(m, tile);
        m->next = INT64_MIN;
    }
    for (int64_t y = 0; y < tile->rows; y += m->columns.lanes) {
        make_group(m, tile, y, halo_min(m->columns.lanes, tile->rows - y));
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

static halo_status create_rows(real_means *m, const filter_step *step)
{
    enum { SINGLE = 4 };
    int64_t planes = step->axes == HALO_AXES ? step->n[1] : 0;
    size_t rows = (size_t)(SINGLE + FILTER_MOST_LANES + m->window[1].size + planes);
    size_t work = (size_t)(m->window[2].size * m->columns.lanes);
    m->pitch = m->margins.pitch / sizeof(double);
    HALO_TRY(HALO_ALLOCATE_LARGE(
        m->memory, (rows * m->pitch + work) * sizeof(double) + FILTER_SLACK, "rows of sums"));
    double *at = (double *)(void *)(m->memory + m->margins.before);
    double **single[SINGLE] = {&m->begin, &m->read, &m->sums[0], &m->sums[1]};
    for (int i = 0; i < SINGLE; i++, at += m->pitch) {
        *single[i] = at;
    }
    for (int i = 0; i < FILTER_MOST_LANES; i++, at += m->pitch) {
        m->row[i] = at;
    }
    m->end = at;
    m->planes = m->end + (size_t)m->window[1].size * m->pitch;
    m->work = (double *)(void *)m->memory + rows * m->pitch;
    return HALO_OK;
}

halo_status filter_real_means_create(void **state, const filter_step *step, const filter_part *part,
                                     const filter_uniform_ops *ops,
                                     const filter_columns_ops *columns_ops,
                                     const filter_window window[HALO_AXES])
{
    real_means *m;
    HALO_TRY(HALO_ALLOCATE(m, 1, "a filter"));
    *state = m;
    m->ops = ops;
    m->columns_ops = columns_ops;
    memcpy(m->window, window, sizeof m->window);
    m->rounds = part->out == HALO_SAMPLE_F32;
    m->next = INT64_MIN;
    const filter_edge edge = filter_edge_of_type(&part->edge, part->in);
    HALO_TRY(
        filter_margins_create(&m->margins, HALO_SAMPLE_F64, step->n[2], part->depth[2], &edge));
    HALO_TRY(filter_columns_create(&m->columns, columns_ops, false, &m->margins));
    HALO_TRY(filter_columns_create(&m->means, columns_ops, false, &m->margins));
    return create_rows(m, step);
}

void filter_real_means_destroy(void *state)
{
    real_means *m = state;
    if (m != NULL) {
        filter_columns_free(&m->columns);
        filter_columns_free(&m->means);
        filter_margins_free(&m->margins);
        halo_memory_free(m->memory);
    }
    free(m);
}
