#ifndef HALOBEAT_DISTANCE_THICKNESS_H
#define HALOBEAT_DISTANCE_THICKNESS_H

#include "kernels/distance/distance.h"

/* Local thickness: of each pixel of the foreground, the diameter of the largest ball that lies in
 * the foreground and has the pixel in it (Hildebrand and Ruegsegger 1997). The balls are those
 * about pixels q whose radius is the distance D(q) from the background, without their surface:
 *
 *     T(p) = 2 max { D(q) : |p - q| < D(q) }
 *
 * Squares are whole numbers, and all radii are tried, so that nothing is rounded but the root. A
 * bar of w pixels has the thickness w + 1 for an odd w, since distances go to centres of pixels,
 * and w for an even one.
 *
 * Balls that lie within the ball of a neighbour are left out (Remy and Thiel 2005: one look in a
 * table tells), and the others are sent to the ranks that they reach, and painted there, the
 * largest ones first: each pixel once. Results are the same bytes for any number of ranks. */

/* Zero-initialise it: 0 is the default. */
typedef struct {
    bool edge[HALO_AXES];     /* as of halo_distance_options */
    bool inverted;            /* the thickness of the background */
    const char *instructions; /* the ISA; NULL: the best one */
} halo_thickness_options;

/* The results of all ranks, besides rows. */
typedef struct {
    int64_t pixels, foreground; /* with `inverted`, the background */
    bool infinite;              /* there is foreground, and no background */
    double max, mean;           /* of foreground, unless it is infinite: then 0 */
} halo_thickness_report;

/* Collective. As halo_distance_run; rows have squares of radii, of U32: thickness is twice the
 * root. HALO_ARGUMENT also for domains in which such a square does not fit. */
halo_status halo_thickness_run_sized(halo_world *world, const halo_domain *domain,
                                     const halo_view *bits, const halo_thickness_options *options,
                                     halo_distance_take *take, void *context,
                                     halo_thickness_report *report, size_t options_bytes,
                                     size_t report_bytes);
#define halo_thickness_run(...)                                           \
    halo_thickness_run_sized(__VA_ARGS__, sizeof(halo_thickness_options), \
                             sizeof(halo_thickness_report))

#endif
