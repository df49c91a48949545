#ifndef HALOBEAT_FILTER_SURVEY_H
#define HALOBEAT_FILTER_SURVEY_H

#include "base/exact_sum.h"
#include "core/world/world.h"
#include "kernels/filter/filter.h"

/* A survey of an image, or of what a step of a chain makes of it, whose rows are passed once: its
 * extremes, and if asked for its mean, histogram and a small picture. Internal to the kernels. */

/* Codes of the histogram. Whole numbers of 8 and 16 bits have one each, all others share one with
 * those whose floats have the same first 16 bits. */
enum { FILTER_SURVEY_CODES = 1 << 16 };

typedef struct {
    halo_sample_type type;
    int axis;             /* of layers */
    int64_t n[HALO_AXES]; /* planes, rows, columns of the image */
    int64_t lo, hi;       /* layers of this rank */

    /* These describe the samples so far, once joined those of all ranks. */
    bool known;                   /* any is a number; or else the following are undefined */
    int64_t min, max;             /* keys of the samples that are numbers, infinities included */
    bool detailed;                /* was more asked for? */
    int64_t numbers;              /* samples that are finite */
    double mean;                  /* of them, on rank 0 once joined */
    int64_t *codes;               /* [FILTER_SURVEY_CODES] of the samples that are numbers */
    int64_t width, height, plane; /* of the picture, and the plane that it shows, the middle one */
    double *sums;    /* [height * width] of finite samples that a dot covers, or of some of them; */
    int64_t *counts; /* and their number; on rank 0 once joined */
    uint64_t sum[HALO_SUM_MAX_WORDS];
} filter_survey;

/* Local. Creates a survey for layers lo to hi - 1 of an image with this domain, of two or three
 * axes. `largest` are the dots of its picture along the longer side; 0: only extremes are found.
 * HALO_MEMORY. */
halo_status halo_filter_survey_create(filter_survey **out, halo_sample_type type,
                                      const halo_domain *domain, int64_t lo, int64_t hi,
                                      int largest);

/* Local. Accepts a pointer to NULL. */
void halo_filter_survey_destroy(filter_survey **survey);

/* Local. Adds the rows of `count` layers from `first` on; layers of other ranks are passed over. */
void halo_filter_survey_add(filter_survey *survey, int64_t first, int64_t count, void *const *rows);

/* Local. Adds row `y` of a layer of this rank. */
void halo_filter_survey_add_row(filter_survey *survey, int64_t layer, int64_t y, const void *row);

/* Collective. Joins the surveys of all ranks. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks.
 */
halo_status halo_filter_survey_join(filter_survey *survey, halo_world *world);

/* Local. The number of samples in each of `bins` intervals from `low` to `high`, as near as codes
 * tell it. A whole number v of 8 or 16 bits takes the interval from v to v + 1. */
void halo_filter_survey_bins(const filter_survey *survey, double low, double high, int bins,
                             double *out);

#endif
