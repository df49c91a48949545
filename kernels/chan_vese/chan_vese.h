#ifndef HALOBEAT_CHAN_VESE_H
#define HALOBEAT_CHAN_VESE_H

#include "core/beat/beat.h"

#include <stddef.h>

/* Morphological Chan-Vese segmentation: divides an image into an inside and an outside, each as
 * uniform in grey as possible, with a smooth border (P. Marquez-Neila, L. Baumela and L. Alvarez,
 * "A morphological approach to curvature-based evolution of curves and surfaces", 2014).
 *
 * The level set has one bit per pixel, 1 inside. In each beat, with c1 and c0 the mean greys inside
 * and outside (sum / (pixels + 1e-8)), a pixel of grey g at which the level set has a gradient goes
 * inside if lambda1 (g - c1)^2 - lambda2 (g - c0)^2 is negative, outside if it is positive, and
 * stays if it is 0. Then the curvature operator is applied `smoothing` times: alternately SI after
 * IS and IS after SI, where SI is the union of the erosions by four lines of three pixels, and IS
 * the intersection of the dilations by them. The first operator of the first beat is SI after IS.
 * The gradient is by central differences, one-sided at the edges of the image; SI and IS find 0
 * beyond the edges.
 *
 * These are the definitions of scikit-image (morphological_chan_vese), including rounding: the
 * formula is computed in double in the order written here. Sums are exact integers, as they are in
 * that library for integer samples. For samples scaled to 0 to 1 its sums are rounded, which can
 * decide otherwise for a pixel equally far from both means. */

enum { HALO_CHAN_VESE_MAX_SMOOTHING = 64 };

/* Maximum of lambda, and its minimum other than 0, so that products with squares of differences of
 * greys neither overflow nor underflow. */
#define HALO_CHAN_VESE_MAX_LAMBDA 1e9
#define HALO_CHAN_VESE_MIN_LAMBDA 1e-9

/* The options, passed as halo_beat_options.kernel_options. */
typedef struct {
    int grey_bits;            /* bits per pixel: 8 or 16 */
    int smoothing;            /* curvature operators per beat, up to HALO_CHAN_VESE_MAX_SMOOTHING */
    double lambda1, lambda2;  /* weights of the variation inside and outside */
    const char *instructions; /* "avx512", "avx2" or "plain"; NULL: the best of this machine */
} halo_chan_vese_options;

/* The state of a level set; all counts are over all ranks. */
typedef struct {
    int64_t pixels, inside;            /* pixels of the image, and of them inside */
    int64_t grey_sum, inside_grey_sum; /* sums of their greys */
    double inside_mean, outside_mean;  /* c1 and c0 */
    int64_t changed;                   /* pixels changed by the last beat */
    int64_t steady_beats;              /* beats since a pixel last changed */
    bool settled;                      /* no further beat would change a pixel */
    uint64_t trace;                    /* a hash of the pixels changed by the last beat */
    bool swings; /* the last beat reverted the changes of the beat before, and all further beats
                  * will do so in turn; detected by a hash of 64 bits */
} halo_chan_vese_report;

/* Local, pure. Bytes that the first beat allocates besides the fields, for a strip of the image. */
int64_t halo_chan_vese_bytes(const halo_box *owned, int smoothing);

/* Local. The kernel for these options, with a halo of 1 + 2 * smoothing rows. Field 0 is the level
 * set, in bits; field 1 is the image, which does not change. It runs in place, in strips, on a
 * domain of two axes that is not periodic. Its create returns HALO_ARGUMENT for invalid options. */
halo_kernel halo_chan_vese_kernel(const halo_chan_vese_options *options);

/* Collective. To be called when both fields are filled in and before the first beat: sums up level
 * set and image. `beat` runs such a kernel. HALO_TRANSPORT. */
halo_status halo_chan_vese_begin(halo_beat *beat, halo_world *world);

/* Local, the same on all ranks, after halo_chan_vese_begin: continues an earlier run from its level
 * set. `still` and `trace` are those of its report. */
void halo_chan_vese_recall(halo_beat *beat, int64_t steady_beats, uint64_t trace);

/* Local. The state; the same on all ranks. */
void halo_chan_vese_get_report_sized(const halo_beat *beat, halo_chan_vese_report *report,
                                     size_t report_bytes);
static inline halo_chan_vese_report halo_chan_vese_get_report(const halo_beat *beat)
{
    halo_chan_vese_report halo_filled;
    halo_chan_vese_get_report_sized(beat, &halo_filled, sizeof(halo_chan_vese_report));
    return halo_filled;
}

#endif
