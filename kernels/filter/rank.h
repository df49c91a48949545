#ifndef HALOBEAT_FILTER_RANK_H
#define HALOBEAT_FILTER_RANK_H

#include "kernels/filter/element.h"

/* The sample of a rank in windows that are boxes, of keys (keys.h). Internal to the kernels; local.
 */

typedef struct {
    filter_element window;
    int64_t rank; /* from 0 */
} filter_rank_window;

/* Pure. Its samples along an axis. */
int64_t filter_window_size(const filter_element *window, int axis);

/* The functions of such a part by sorting networks; by counting; and of keys of 8 bits by
 * histograms of columns, if filter_histogram_fits. */
halo_status filter_sorted_create(void **state, const filter_step *step, const filter_part *part,
                                 const char *instructions);
void filter_sorted_destroy(void *state);
void filter_sorted_rows(const filter_tile *tile);

halo_status filter_counted_create(void **state, const filter_step *step, const filter_part *part,
                                  const char *instructions);
void filter_counted_destroy(void *state);
void filter_counted_rows(const filter_tile *tile);

/* The same of a median of 3 x 3 x 3 samples, by networks in registers. */
bool filter_cube_fits(const filter_rank_window *window);
halo_status filter_cube_create(void **state, const filter_step *step, const filter_part *part,
                               const char *instructions);
void filter_cube_destroy(void *state);
void filter_cube_rows(const filter_tile *tile);

bool filter_histogram_fits(const filter_rank_window *window);
halo_status filter_histogram_create(void **state, const filter_step *step, const filter_part *part,
                                    const char *instructions);
void filter_histogram_destroy(void *state);
void filter_histogram_rows(const filter_tile *tile);

#endif
