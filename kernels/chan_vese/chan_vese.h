#ifndef HALOBEAT_CHAN_VESE_H
#define HALOBEAT_CHAN_VESE_H

#include "core/beat/beat.h"

/* Morphological Chan-Vese: the picture falls into an inside and an outside, each as even in grey as
 * can be, and the border between them is kept smooth (P. Marquez-Neila, L. Baumela and L. Alvarez,
 * "A morphological approach to curvature-based evolution of curves and surfaces", 2014).
 *
 * A beat, of a level set of one bit a pixel: with c1 and c0, the mean greys inside and outside,
 *     c = sum / (pixels + 1e-8),
 * a pixel of grey g at which the level set has a gradient goes inside where
 *     lambda1 (g - c1)^2 - lambda2 (g - c0)^2
 * is negative, outside where it is positive, and stays where it is 0. Then the curvature operator
 * is applied `smoothing` times: by turns SI after IS and IS after SI, where SI is the union of the
 * erosions by four lines of three pixels and IS the intersection of the dilations by them; the
 * first operator of the first beat is SI after IS. The gradient is that of central differences,
 * one-sided at the picture's edges; beyond these, SI and IS find 0.
 *
 * These are scikit-image's definitions (morphological_chan_vese), rounding included: the formula is
 * computed in double in the order written here. Sums are exact integers, as that library's are for
 * whole samples; samples that it has scaled to 0 to 1 first give it sums that are rounded, and
 * where a pixel is as far from one mean as from the other that may decide otherwise. */

enum { HALO_CHAN_VESE_MAX_SMOOTHING = 64 };

/* The largest lambda, and the smallest one that is not 0: squares of differences of greys times
 * these are far from both ends of double. */
#define HALO_CHAN_VESE_MAX_LAMBDA 1e9
#define HALO_CHAN_VESE_MIN_LAMBDA 1e-9

/* What halo_beat_options.kernel_options points to. */
typedef struct {
    int grey_bits;            /* of a pixel: 8 or 16 */
    int smoothing;            /* curvature operators a beat, up to HALO_CHAN_VESE_MAX_SMOOTHING */
    double lambda1, lambda2;  /* weights of the inside's and the outside's unevenness */
    const char *instructions; /* "avx512", "avx2" or "plain"; NULL: the best there is */
} halo_chan_vese_options;

/* Where a level set stands. */
typedef struct {
    int64_t pixels, inside;            /* of the picture; of these inside */
    int64_t grey_sum, inside_grey_sum; /* of their samples */
    double inside_mean, outside_mean;  /* c1 and c0 */
    int64_t changed;                   /* pixels, by the last beat */
    int64_t still;                     /* beats since a pixel last changed */
    bool settled;                      /* nothing would change in any beat to come */
    uint64_t trace;                    /* a hash of the pixels that the last beat changed */
    bool swings; /* the last beat took back what the one before it had changed, and so will all to
                  * come: found by a hash of 64 bits */
} halo_chan_vese_report;

/* Local, pure. Bytes that the first beat takes beside the fields, for a strip of the picture. */
int64_t halo_chan_vese_bytes(const halo_box *owned, int smoothing);

/* Local. The kernel for these options, 1 + 2 * smoothing rows deep. Field 0 is the level set, in
 * bits, field 1 the picture, which does not change. It is stepped in place, in strips, on a domain
 * of two axes that is not periodic. Its create fails with HALO_ARGUMENT for options that make no
 * sense. */
halo_kernel halo_chan_vese_kernel(const halo_chan_vese_options *options);

/* Collective, once both fields are filled in and before the first beat: what level set and picture
 * add up to. `beat` runs such a kernel. HALO_MPI. */
halo_status halo_chan_vese_begin(halo_beat *beat, halo_world *world);

/* Local, the same on all ranks, after that: a run that goes on from another one's level set judges
 * its first beats as that one would have. `still` and `trace` are what its report said. */
void halo_chan_vese_recall(halo_beat *beat, int64_t still, uint64_t trace);

/* Local. The same on all ranks. */
halo_chan_vese_report halo_chan_vese_get_report(const halo_beat *beat);

#endif
