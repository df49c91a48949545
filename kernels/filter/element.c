#include "kernels/filter/element.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <math.h>
#include <stdlib.h>

/* Structuring elements as rows with chords. */

filter_element filter_element_of(int shape, int64_t radius, const filter_step *step)
{
    /* All of them are boxes along one axis. */
    filter_element e = {.shape = step->axes == 1 ? FILTER_SHAPE_BOX : shape, .radius = radius};
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        bool plane = axis == 0 && shape == FILTER_SHAPE_DISK;
        e.before[axis] = e.after[axis] = plane ? 0 : halo_min(radius, step->n[axis]);
    }
    return e;
}

/* The greatest whole x with x * x <= square, which is less than 2^31. */
static int64_t find_root(int64_t square)
{
    int64_t root = (int64_t)sqrt((double)square);
    return root * root > square ? root - 1 : root;
}

/* The chord of the row that is `dz` planes and `dy` rows away, as samples to each side of its
 * middle; -1: there is none. */
static int64_t find_chord(const filter_element *e, int64_t dz, int64_t dy)
{
    int64_t r = e->radius, half = r;
    if (e->shape == FILTER_SHAPE_CROSS) {
        half = r - llabs(dz) - llabs(dy);
    } else if (e->shape != FILTER_SHAPE_BOX) {
        int64_t square = r * r - dz * dz - dy * dy;
        half = square < 0 ? -1 : find_root(square);
    }
    return half < 0 ? -1 : halo_min(half, e->before[2]);
}

/* Counts the rows with each chord. */
static int64_t count_rows(const filter_element *e, int64_t *rows)
{
    int64_t count = 0;
    for (int64_t dz = -e->before[0]; dz <= e->after[0]; dz++) {
        for (int64_t dy = -e->before[1]; dy <= e->after[1]; dy++) {
            int64_t half = find_chord(e, dz, dy);
            if (half >= 0) {
                rows[half]++;
                count++;
            }
        }
    }
    return count;
}

/* Levels of the chords that there are, the widest first, and which of them has each sample. */
static void make_levels(filter_chords *c, const int64_t *rows, int64_t reach, int64_t *half,
                        int64_t *begin, int64_t *level)
{
    int64_t at = 0;
    for (int64_t x = reach; x >= 0; x--) {
        if (rows[x] > 0) {
            half[c->levels] = x;
            begin[c->levels++] = at;
            at += rows[x];
        }
        level[x] = c->levels - 1;
    }
    begin[c->levels] = at;
}

halo_status filter_chords_find(filter_chords *c, const filter_element *e, int64_t pitch)
{
    static const char what[] = "a structuring element";
    int64_t reach = e->before[2], *rows, *half, *begin, *level, *row;
    *c = (filter_chords){0};
    HALO_TRY(HALO_ALLOCATE(half, reach + 1, what));
    c->half = half;
    HALO_TRY(HALO_ALLOCATE(begin, reach + 2, what));
    c->begin = begin;
    HALO_TRY(HALO_ALLOCATE(level, reach + 1, what));
    c->level = level;
    HALO_TRY(HALO_ALLOCATE(rows, reach + 1, what));
    halo_status status = HALO_ALLOCATE(row, count_rows(e, rows), what);
    c->row = row;
    if (status == HALO_OK) {
        make_levels(c, rows, reach, half, begin, level);
        for (int64_t i = 0; i < c->levels; i++) {
            rows[half[i]] = begin[i]; /* the next one's place */
        }
        for (int64_t dz = -e->before[0]; dz <= e->after[0]; dz++) {
            for (int64_t dy = -e->before[1]; dy <= e->after[1]; dy++) {
                int64_t chord = find_chord(e, dz, dy);
                if (chord >= 0) {
                    row[rows[chord]++] = (dz + e->before[0]) * pitch + dy + e->before[1];
                }
            }
        }
    }
    free(rows);
    return status;
}

void filter_chords_free(filter_chords *c)
{
    free((void *)c->half);
    free((void *)c->begin);
    free((void *)c->level);
    free((void *)c->row);
    *c = (filter_chords){0};
}
