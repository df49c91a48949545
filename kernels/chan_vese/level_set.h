#ifndef HALOBEAT_CHAN_VESE_LEVEL_SET_H
#define HALOBEAT_CHAN_VESE_LEVEL_SET_H

#include "core/field/field.h"

/* Initial level sets: they fill in the owned rows of a field of bits, depending on global positions
 * only. All functions are local. Pixels are the same as by scikit-image's functions of these
 * names. */

/* A checkerboard with squares of `square` pixels per side; the first square is outside. */
void halo_chan_vese_checkerboard(const halo_view *cells, int64_t square);

/* A disk: pixels closer than `radius` to (row, column) are inside. Centres of pixels have integer
 * coordinates. */
void halo_chan_vese_disk(const halo_view *cells, double row, double column, double radius);

/* The first level set of a run. Zero-initialise it: a checkerboard. */
typedef enum { HALO_CHAN_VESE_CHECKERBOARD, HALO_CHAN_VESE_DISK } halo_chan_vese_shape;

typedef struct {
    halo_chan_vese_shape shape;
    int64_t square; /* pixels a side of a checkerboard; 0: 5, as in scikit-image */
    bool placed;    /* a disk with a place and a radius, in pixels; otherwise it is in
                     * the middle, and its radius 3/8 of the shorter side */
    double column, row, radius;
} halo_chan_vese_start;

/* Parses checkerboard[:SIZE] or disk[:X,Y,R] into a halo_chan_vese_start: a halo_option_parse.
 * HALO_ARGUMENT, without a message. */
halo_status halo_chan_vese_parse_start(const char *text, void *into);

/* The same start with all members set, for an image of `n` rows and columns. */
halo_chan_vese_start halo_chan_vese_complete(const halo_chan_vese_start *start, const int64_t *n);

/* Fills in a field for an image of `n` rows and columns. */
void halo_chan_vese_fill(const halo_view *cells, const halo_chan_vese_start *start,
                         const int64_t *n);

/* Local row `row` from that of an image: samples other than 0 are inside. */
void halo_chan_vese_binary(const halo_view *cells, int64_t row, const double *samples);

#endif
