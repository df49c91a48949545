#include "kernels/cluster/centres.h"

#include "base/memory.h"

#include <math.h>

/* ---- centres --------------------------------------------------------------------------------- */

halo_status cluster_centres_create(cluster_centres *centres, int clusters, int axes)
{
    double *memory;
    size_t each = ((size_t)clusters + 7) / 8 * 8;
    HALO_TRY(HALO_ALLOCATE_LARGE(memory, each * (size_t)axes, "centres"));
    *centres = (cluster_centres){.clusters = clusters, .axes = axes};
    for (int a = 0; a < axes; a++) {
        centres->axis[a] = memory + (size_t)a * each;
    }
    return HALO_OK;
}

void cluster_centres_free(cluster_centres *centres)
{
    halo_memory_free(centres->axis[0]);
    *centres = (cluster_centres){0};
}

void cluster_centres_set(cluster_centres *centres, const halo_cluster_record *records)
{
    for (int k = 0; k < centres->clusters; k++) {
        const halo_cluster_record *record = &records[k];
        double of = record->of > 0 ? (double)record->of : 1;
        centres->axis[0][k] = (double)record->x / of;
        centres->axis[1][k] = (double)record->y / of;
        for (int a = 2; a < centres->axes; a++) {
            centres->axis[a][k] = (double)record->value[a - 2] / of;
        }
    }
}

void cluster_records_add(halo_cluster_record *records, int clusters, int axes,
                         const int64_t *changes)
{
    for (int k = 0; k < clusters; k++, changes += 1 + axes) {
        halo_cluster_record *record = &records[k];
        int64_t had = record->pixels;
        record->pixels += changes[0];
        if (record->pixels == 0) {
            continue; /* the sums stay, for the centre */
        }
        bool fresh = had == 0; /* sums are of pixels that it has no more */
        record->of = record->pixels;
        record->x = (fresh ? 0 : record->x) + changes[1];
        record->y = (fresh ? 0 : record->y) + changes[2];
        for (int a = 2; a < axes; a++) {
            record->value[a - 2] = (fresh ? 0 : record->value[a - 2]) + changes[1 + a];
        }
    }
}

/* ---- rectangles ------------------------------------------------------------------------------ */

/* Rectangles are as nearly square as their number allows; none is empty, whatever the picture. */
cluster_rectangles cluster_rectangles_of(int64_t rows, int64_t columns, int clusters)
{
    double square = sqrt((double)clusters * (double)rows / (double)columns);
    int64_t rectangle_rows = (int64_t)(square + .5), min = (clusters + columns - 1) / columns;
    int64_t max = rows < clusters ? rows : clusters;
    rectangle_rows = rectangle_rows < min ? min : rectangle_rows;
    rectangle_rows = rectangle_rows > max ? max : rectangle_rows;
    return (cluster_rectangles){rows, columns, clusters, rectangle_rows < 1 ? 1 : rectangle_rows};
}

/* Return the first of part `i` when `n` is cut into `parts`. */
static int64_t part_begin(int64_t n, int64_t parts, int64_t i)
{
    return n * i / parts;
}

/* The part that `x` lies in. */
static int64_t part_of(int64_t n, int64_t parts, int64_t x)
{
    return (parts * (x + 1) - 1) / n;
}

void cluster_rectangles_row(const cluster_rectangles *r, int64_t row, int64_t lo, int64_t hi,
                            uint16_t *labels)
{
    int64_t rectangle_row = part_of(r->rows, r->rectangle_rows, row);
    int64_t first = part_begin(r->clusters, r->rectangle_rows, rectangle_row);
    int64_t count = part_begin(r->clusters, r->rectangle_rows, rectangle_row + 1) - first;
    for (int64_t x = lo; x < hi;) {
        int64_t i = part_of(r->columns, count, x);
        int64_t end = part_begin(r->columns, count, i + 1);
        for (; x < hi && x < end; x++) {
            labels[x - lo] = (uint16_t)(first + i);
        }
    }
}
