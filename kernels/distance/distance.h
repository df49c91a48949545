#ifndef HALOBEAT_DISTANCE_DISTANCE_H
#define HALOBEAT_DISTANCE_DISTANCE_H

#include "base/sample.h"
#include "core/field/field.h"
#include "core/world/world.h"

/* The exact Euclidean distance transform: of each pixel of the foreground, the distance of its
 * centre from that of the nearest pixel of the background.
 *
 * Squared distances are whole numbers, and exact. Of several background pixels that are as near,
 * the nearest one is that with the least index along the last axis, of these along the axis before
 * it, and so on: that of scipy.ndimage.distance_transform_edt. Without any background, distances
 * are infinite.
 *
 * Distances along axis 0 come first. They need the bits of a column only, so that ranks exchange,
 * whatever the data, one number for each column in either direction, and then compute alone:
 * results are the same bytes for any number of ranks. Squares of the other axes follow by rows,
 * while they are small in 16 bits, otherwise along whole lines. (Meijster, Roerdink and Hesselink
 * 2000: axis by axis; Felzenszwalb and Huttenlocher 2012: lower envelopes of parabolas.) */

/* Zero-initialise it: 0 is the default. */
typedef struct {
    bool edge[HALO_AXES];      /* what is beyond the ends of these axes is background, too */
    bool inverted;             /* distances of the background from the foreground */
    bool indices;              /* find the nearest background pixels */
    double spacing[HALO_AXES]; /* distance of pixels along each axis of the domain; 0 along all
                                * axes: 1. With other distances squares are rounded ones of
                                * float64 */
    const char *instructions;  /* the ISA; NULL: the best one */
} halo_distance_options;

/* A row of results. */
typedef struct {
    int64_t row;           /* among those of all planes of the domain */
    int64_t count;         /* pixels */
    halo_sample_type type; /* of the squares: U16, U32, U64 or F64, as far as they go in this row */
    double unit; /* of the distances: the size of pixels that are as large along all axes; 0: 1 */
    const void *squares; /* [count]; of whole numbers but U16, the largest one of the type stands
                          * for infinity */
    /* [count], along each axis of the domain: of the nearest background pixel. With `edge`, it may
     * be one beyond the domain, whose index is -1 or the length of the axis. Without any
     * background, -1 along all axes. NULL unless they are asked for. */
    const int32_t *nearest[HALO_AXES];
} halo_distance_row;

/* Takes a row, once each, in order. A failure ends the run. */
typedef halo_status halo_distance_take(void *context, const halo_distance_row *row);

/* The results of all ranks, besides rows. */
typedef struct {
    int64_t pixels, foreground; /* with `inverted`, the background */
    bool infinite;              /* there is foreground, and no background */
    double max;                 /* the largest distance, unless it is infinite: then 0 */
} halo_distance_report;

/* Collective. Finds the distances of the pixels of `bits`, a view of bits (1: foreground) of
 * `domain`, which has 2 or 3 axes and is cut into strips along axis 0, of ranks in order; strips
 * may be empty. Each rank passes its rows to `take`. `report` may be NULL. HALO_ARGUMENT for other
 * views, axes of 2^31 - 32 pixels or more, spacings that are not above 0, and ISAs that this
 * machine does not have; HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED, and failures of `take`: on
 * all ranks. */
halo_status halo_distance_run_sized(halo_world *world, const halo_domain *domain,
                                    const halo_view *bits, const halo_distance_options *options,
                                    halo_distance_take *take, void *context,
                                    halo_distance_report *report, size_t options_bytes,
                                    size_t report_bytes);
#define halo_distance_run(...)                                          \
    halo_distance_run_sized(__VA_ARGS__, sizeof(halo_distance_options), \
                            sizeof(halo_distance_report))

/* Local. The memory that a rank takes for these rows, at most. */
int64_t halo_distance_bytes_sized(const halo_domain *domain, const halo_box *owned,
                                  const halo_distance_options *options, size_t options_bytes);
#define halo_distance_bytes(...) \
    halo_distance_bytes_sized(__VA_ARGS__, sizeof(halo_distance_options))

/* Local. The distances of a row as float32 or float64: roots of the squares, which are rounded
 * once, to float64, and for float32 once more, which changes nothing (Figueroa 1995). `streams`:
 * the results, of all rows, are more than the cache holds, and go past it. */
void halo_distance_roots(const halo_distance_row *row, float *out, bool streams);
void halo_distance_roots_wide(const halo_distance_row *row, double *out, bool streams);

#endif
