#include "kernels/motion/motion_figures.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    int64_t square, pixels;
} weighted;

static int by_square(const void *a, const void *b)
{
    int64_t x = ((const weighted *)a)->square, y = ((const weighted *)b)->square;
    return (x > y) - (x < y);
}

static double length_of(int64_t square)
{
    return sqrt((double)square) / HALO_MOTION_ONE;
}

/* Half of the pixels move no further. */
static double median_length(weighted *lengths, int count, int64_t pixels)
{
    int64_t passed = 0;
    qsort(lengths, (size_t)count, sizeof *lengths, by_square);
    for (int i = 0; i < count; i++) {
        passed += lengths[i].pixels;
        if (2 * passed >= pixels) {
            return length_of(lengths[i].square);
        }
    }
    return 0;
}

static void add_up(halo_motion_figures *figures, const halo_motion_vector *vectors, int count,
                   weighted *lengths)
{
    int64_t pixels = 0, compared = 0;
    double length = 0, right = 0, down = 0, cost = 0;
    for (int i = 0; i < count; i++) {
        const halo_motion_vector *v = &vectors[i];
        lengths[i] = (weighted){(int64_t)v->u * v->u + (int64_t)v->v * v->v, v->pixels};
        double own = length_of(lengths[i].square);
        figures->empty += v->pixels == 0;
        figures->max = fmax(figures->max, own);
        pixels += v->pixels;
        compared += v->compared;
        cost += (double)v->cost;
        length += own * (double)v->pixels;
        right += (double)v->u * (double)v->pixels;
        down += (double)v->v * (double)v->pixels;
    }
    double all = pixels > 0 ? (double)pixels : 1;
    figures->mean = length / all;
    figures->right = right / all / HALO_MOTION_ONE;
    figures->down = down / all / HALO_MOTION_ONE;
    figures->difference = compared > 0 ? cost / (double)compared : 0;
    figures->median = median_length(lengths, count, pixels);
}

/* Only rank 0 has the beats. */
static void add_beats(halo_motion_figures *figures, const halo_motion_report *report)
{
    figures->beats = report->last_beats;
    for (int64_t b = 0; report->last != NULL && b < report->last_beats; b++) {
        figures->seconds += report->last[b].seconds;
        figures->predicted_seconds += report->last[b].predicted_seconds;
        figures->imbalance += report->last[b].imbalance / (double)report->last_beats;
    }
}

halo_status halo_motion_figures_of(halo_motion_figures *figures, const halo_motion_vector *vectors,
                                   int count, const halo_motion_report *report)
{
    *figures = (halo_motion_figures){0};
    weighted *lengths;
    HALO_TRY(HALO_ALLOCATE(lengths, count, "lengths of vectors"));
    add_up(figures, vectors, count, lengths);
    add_beats(figures, report);
    free(lengths);
    return HALO_OK;
}

halo_motion_load halo_motion_load_of(const halo_motion_report *report, int ranks, int rank)
{
    halo_motion_load sum = {0};
    int64_t pieces = 0;
    for (int64_t b = 0; b < report->last_beats; b++) {
        const halo_motion_load *loads = report->last[b].loads, *own = &loads[rank];
        sum.clusters += own->clusters;
        sum.pixels += own->pixels;
        sum.pieces += own->pieces;
        sum.compute_seconds += own->compute_seconds;
        sum.transfer_seconds += own->transfer_seconds;
        sum.predicted_seconds += own->predicted_seconds;
        for (int r = 0; r < ranks; r++) {
            pieces += loads[r].pieces;
        }
    }
    sum.share = pieces > 0 ? (double)sum.pieces / (double)pieces : 0;
    return sum;
}

halo_motion_figures halo_motion_figures_join(const halo_motion_figures *figures, int64_t count)
{
    halo_motion_figures all = {0};
    double n = count > 0 ? (double)count : 1;
    for (int64_t i = 0; i < count; i++) {
        const halo_motion_figures *f = &figures[i];
        all.empty += f->empty;
        all.mean += f->mean / n;
        all.median += f->median / n;
        all.max = fmax(all.max, f->max);
        all.right += f->right / n;
        all.down += f->down / n;
        all.difference += f->difference / n;
        all.beats += f->beats;
        all.seconds += f->seconds;
        all.predicted_seconds += f->predicted_seconds;
        all.imbalance += f->imbalance / n;
    }
    return all;
}
