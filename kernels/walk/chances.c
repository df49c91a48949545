#include "base/memory.h"
#include "kernels/walk/walk_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Hops whose chances differ from cell to cell. Cells with the same chances are of one kind; of each
 * kind, A. J. Walker's alias table (An efficient method for generating discrete random variables
 * with general distributions, 1977), which needs one random number and no loop. All in whole parts
 * of 2^-29, so that chances of hops to and fro are the same to the last bit where they should
 * be. */

enum { COLUMN_PARTS = 1 << WALK_CHANCE_BITS, SIDES = 6, MAX_KINDS = UINT16_MAX + 1 };
#define ALL_PARTS ((int64_t)WALK_OUTCOMES * COLUMN_PARTS)

void walk_make_columns(const int64_t parts[WALK_OUTCOMES], uint32_t columns[WALK_OUTCOMES])
{
    int64_t left[WALK_OUTCOMES], sum = 0;
    for (int i = 0; i < WALK_OUTCOMES; i++) {
        left[i] = parts[i];
        sum += parts[i];
    }
    left[WALK_STAY] += ALL_PARTS - sum;
    bool made[WALK_OUTCOMES] = {false};
    for (int round = 0; round < WALK_OUTCOMES; round++) {
        int low = -1, high = 0;
        for (int i = 0; i < WALK_OUTCOMES; i++) {
            low = !made[i] && (low < 0 || left[i] < left[low]) ? i : low;
            high = left[i] > left[high] ? i : high;
        }
        made[low] = true;
        bool full = left[low] == COLUMN_PARTS; /* then all that are left are */
        uint32_t threshold = full ? 0 : (uint32_t)left[low];
        columns[low] = threshold << 6 | (uint32_t)(full ? low : high) << 3 | (uint32_t)low;
        left[high] -= full ? 0 : COLUMN_PARTS - left[low];
        left[low] = 0;
    }
}

/* ---- what a kind is made of ------------------------------------------------------------------ */

typedef struct {
    double conductivity[WALK_CELL_KINDS]; /* the larger one is 1 */
    double shares[HALO_WALK_AXES];        /* of hops along each axis; 1 in all */
    bool even;                            /* they are the same */
    int axes;
} material;

/* The part of hops that the solid lets through. */
static double mean_of(const material *m, int one, int other)
{
    double a = m->conductivity[one], b = m->conductivity[other];
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

/* Return the kinds of the cell and its neighbours as a number: digits to the base WALK_CELL_KINDS,
 * its own lowest. */
static int pattern_at(const walk_padded *padded, int axes, const unsigned char *cell)
{
    int pattern = 0;
    for (int side = 2 * axes - 1; side >= 0; side--) {
        int64_t stride = padded->stride[side / 2];
        pattern = pattern * WALK_CELL_KINDS + cell[side % 2 == 0 ? stride : -stride];
    }
    return pattern * WALK_CELL_KINDS + cell[0];
}

static int count_patterns(int axes)
{
    int count = WALK_CELL_KINDS;
    for (int side = 0; side < 2 * axes; side++) {
        count *= WALK_CELL_KINDS;
    }
    return count;
}

/* The part of hops to one side. All together are no more than there are: sums of rounded ones could
 * be, of different shares. */
static int64_t find_part(const material *m, double mean, int axis)
{
    return m->even ? llround(mean / (2 * m->axes) * (double)ALL_PARTS)
                   : (int64_t)floor(mean * m->shares[axis] / 2 * (double)ALL_PARTS);
}

static void find_parts(const material *m, int pattern, double velocity,
                       int64_t parts[WALK_OUTCOMES])
{
    int own = pattern % WALK_CELL_KINDS;
    for (int side = 0; side < WALK_OUTCOMES; side++) {
        pattern /= WALK_CELL_KINDS;
        parts[side] = 0;
        if (side < 2 * m->axes && side < SIDES) {
            parts[side] = find_part(m, mean_of(m, own, pattern % WALK_CELL_KINDS), side / 2);
        }
    }
    int64_t drift = llround(velocity / 2 * (double)ALL_PARTS);
    drift = drift > parts[1] ? parts[1] : drift < -parts[0] ? -parts[0] : drift;
    parts[0] += drift;
    parts[1] -= drift;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct {
    halo_walk *walk;
    const walk_padded *padded;
    const double *velocity; /* at each y */
    material material;
    int patterns;
    int64_t kinds;
    uint16_t *kind_of; /* [rows of the padded medium][patterns]; 0: not yet there */
    halo_buffer columns;
} builder;

static halo_status add_kind(builder *b, int pattern, double velocity, uint16_t *kind)
{
    int64_t parts[WALK_OUTCOMES];
    uint32_t columns[WALK_OUTCOMES];
    if (b->kinds == MAX_KINDS) {
        return halo_fail(HALO_ARGUMENT,
                         "the medium has cells with more than %d kinds of chances: its channels "
                         "are too wide; take a smaller medium",
                         MAX_KINDS - 1);
    }
    *kind = (uint16_t)b->kinds++;
    find_parts(&b->material, pattern, velocity, parts);
    walk_make_columns(parts, columns);
    return halo_buffer_append(&b->columns, columns, sizeof columns);
}

static halo_status make_row(builder *b, int64_t y, const unsigned char *cells, int64_t n,
                            uint16_t *kinds)
{
    uint16_t *known = b->kind_of + y * b->patterns;
    for (int64_t x = 0; x < n; x++) {
        int pattern = pattern_at(b->padded, b->material.axes, cells + x);
        if (known[pattern] == 0) {
            HALO_TRY(add_kind(b, pattern, b->velocity[y], &known[pattern]));
        }
        kinds[x] = known[pattern];
    }
    return HALO_OK;
}

typedef struct {
    double velocity;
    int64_t y;
} moving_row;

static int compare_rows(const void *one, const void *other)
{
    const moving_row *a = one, *b = other;
    return a->velocity < b->velocity   ? -1
           : a->velocity > b->velocity ? 1
                                       : (a->y > b->y) - (a->y < b->y);
}

/* Rows with the same velocity, as those without any, share their kinds: same[y] is the first. */
static halo_status find_same(const builder *b, int64_t *same)
{
    int64_t n = b->padded->n[1], first = 0;
    moving_row *rows;
    HALO_TRY(HALO_ALLOCATE(rows, n, "rows of a medium"));
    for (int64_t y = 0; y < n; y++) {
        rows[y] = (moving_row){b->velocity[y], y};
    }
    qsort(rows, (size_t)n, sizeof *rows, compare_rows);
    for (int64_t i = 0; i < n; i++) {
        first = rows[i].velocity > rows[first].velocity ? i : first;
        same[rows[i].y] = rows[first].y;
    }
    free(rows);
    return HALO_OK;
}

static halo_status make_kinds(builder *b, const int64_t *same)
{
    const walk_padded *padded = b->padded;
    uint16_t *kinds = b->walk->kind;
    const int *beyond = padded->beyond;
    for (int64_t z = beyond[2]; z < padded->n[2] - beyond[2]; z++) {
        for (int64_t y = beyond[1]; y < padded->n[1] - beyond[1]; y++) {
            const unsigned char *cells =
                padded->cells + beyond[0] + y * padded->stride[1] + z * padded->stride[2];
            HALO_TRY(make_row(b, same[y], cells, padded->n[0] - 2 * beyond[0], kinds));
            kinds += b->walk->table.stride[1];
        }
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status allocate(builder *b, int64_t places, int64_t **same)
{
    const uint32_t none[WALK_OUTCOMES] = {0};
    HALO_TRY(HALO_ALLOCATE(*same, b->padded->n[1], "rows of a medium"));
    HALO_TRY(HALO_ALLOCATE(b->kind_of, b->padded->n[1] * b->patterns, "kinds of cells"));
    HALO_TRY(HALO_ALLOCATE_LARGE(b->walk->kind, places + 1, "kinds of cells"));
    return halo_buffer_append(&b->columns, none, sizeof none);
}

static halo_status keep_columns(builder *b, int64_t places)
{
    halo_walk *walk = b->walk;
    HALO_TRY(HALO_ALLOCATE(walk->columns, b->kinds * WALK_OUTCOMES, "chances"));
    memcpy(walk->columns, b->columns.data, b->columns.size);
    walk->table.kind = walk->kind;
    walk->table.columns = walk->columns;
    walk->facts.table_bytes = places * (int64_t)sizeof *walk->kind + (int64_t)b->columns.size;
    return HALO_OK;
}

static halo_status build(builder *b, const halo_walk_options *options, double *velocity)
{
    int64_t places = walk_count_places(&b->walk->table, b->padded), *same = NULL;
    b->velocity = velocity;
    if (fabs(options->flow) > 0) {
        HALO_TRY(walk_find_flow(b->walk, options, b->padded, velocity));
    }
    halo_status status = allocate(b, places, &same);
    status = status == HALO_OK ? find_same(b, same) : status;
    status = status == HALO_OK ? make_kinds(b, same) : status;
    free(same);
    return status == HALO_OK ? keep_columns(b, places) : status;
}

halo_status walk_make_chances(halo_walk *walk, const halo_walk_options *options,
                              const walk_padded *padded)
{
    double k = options->conductivity, max = k > 1 ? k : 1, *velocity;
    builder b = {.walk = walk,
                 .padded = padded,
                 .material = {.conductivity = {[WALK_SOLID] = k / max, [WALK_FLUID] = 1 / max},
                              .axes = options->axes},
                 .patterns = count_patterns(options->axes),
                 .kinds = 1};
    b.material.even = walk_find_shares(options, b.material.shares);
    HALO_TRY(HALO_ALLOCATE(velocity, padded->n[1], "velocities"));
    halo_status status = build(&b, options, velocity);
    for (int i = 0; i < WALK_LOOK_UP; i++) {
        int side = i % WALK_OUTCOMES, stride = side < SIDES ? walk->table.stride[side / 2] : 0;
        walk->table.move[i] = side % 2 == 0 ? stride : -stride;
    }
    halo_buffer_free(&b.columns);
    free(b.kind_of);
    free(velocity);
    return status;
}
