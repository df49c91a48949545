#ifndef HALOBEAT_CHAN_VESE_CHAN_VESE_ARRAY_H
#define HALOBEAT_CHAN_VESE_CHAN_VESE_ARRAY_H

#include "base/option.h"
#include "base/sample_greys.h"
#include "kernels/array/array.h"
#include "kernels/chan_vese/level_set.h"

/* Morphological Chan-Vese segmentation of an array in memory, in one call (kernels/array/array.h);
 * kernels/chan_vese/chan_vese.h says what is computed. */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    halo_optional_integer beats;         /* at most, 0 or more; not given: 100 */
    halo_optional_integer smoothing;     /* curvature operators per beat; not given: 1 */
    halo_optional_real lambda1, lambda2; /* weights of the variation inside and outside; not
                                          * given: 1 */
    halo_chan_vese_start init;           /* the level set before the first beat */
    halo_sample_range range;             /* elements that become black and white; not given:
                                          * see below */
    int64_t
        first_beat; /* beats of earlier calls, which have led to the first level set: with an odd
                     * smoothing the curvature operators alternate, and go on as in one call */
} halo_chan_vese_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_chan_vese_array_rows;

/* The result of a call, besides arrays. */
typedef struct {
    int64_t beats;  /* that were computed: fewer than options->beats where no
                     * further one would change the level set */
    int64_t inside; /* elements inside */
    double inside_mean,
        outside_mean; /* means of the image's elements, which the next beat would use */
    int64_t changed;  /* elements changed by the last beat */
    bool converged;   /* no further beat would change the level set */
    bool swings;      /* further beats would only alternate between two level sets
                       * (halo_chan_vese_report.swings) */
} halo_chan_vese_array_report;

/* Local. Computes beats of morphological Chan-Vese on `image`, an array of 2 axes of any
 * type, and sets the elements of `level_set`, of bool, uint8 or int8, to 1 inside and 0 outside.
 * The first level set is `initial`, of any type, inside where it is above 0; or, where `initial` is
 * NULL, options->init. `level_set` may be `initial` itself. `report` may be NULL.
 *
 * The result is that of scikit-image's morphological_chan_vese, element for element, where greys
 * are whole numbers: elements of uint8, uint16 and bool, and of other whole types where all are
 * from 0 to 65535. (Its curvature operators alternate from call to call within a process; those of
 * this call begin as its first call does.) Elements of other ranges and floats become greys of 16
 * bits, spread from the least finite one to the largest (base/sample_greys.h), or over
 * options->range: the result can differ for elements that are about as far from one mean as from
 * the other.
 *
 * HALO_ARGUMENT also for an image with NaN or infinity. */
halo_status halo_chan_vese_array_sized(halo_context *context, const halo_array *image,
                                       const halo_array *initial, const halo_array *level_set,
                                       const halo_chan_vese_array_options *options,
                                       halo_chan_vese_array_report *report, size_t options_bytes,
                                       size_t report_bytes);
#define halo_chan_vese_array(...)                                                 \
    halo_chan_vese_array_sized(__VA_ARGS__, sizeof(halo_chan_vese_array_options), \
                               sizeof(halo_chan_vese_array_report))

#endif
