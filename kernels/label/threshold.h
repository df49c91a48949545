#ifndef HALOBEAT_LABEL_THRESHOLD_H
#define HALOBEAT_LABEL_THRESHOLD_H

#include "core/field/field.h"

/* From grey to foreground. A pixel is foreground if its grey value is at least the threshold. All
 * functions are local; `grey` has cells of 1, 8 or 16 bits. */

/* Add the grey values of local rows `first` to `first + rows - 1` to counts[value], which has an
 * entry for each value the image can have (2, 256 or 65536, by the cell's size). */
void halo_histogram_add(const halo_view *grey, int64_t first, int64_t rows, int64_t *counts);

/* The threshold in the middle between the two classes that N. Otsu's method separates (A threshold
 * selection method from gray-level histograms, 1979): the largest variance between classes, the
 * lowest of several; so a two-valued image splits between its values. One value only: above it
 * if it is 0, that value itself otherwise. counts[levels] are not all 0. */
int64_t halo_otsu(const int64_t *counts, int64_t levels);

/* Write rows `first` to `first + rows - 1` of `foreground` (cells of 1 bit, same rows): grey >=
 * threshold, or grey < threshold with `invert`. `instructions` as in halo_label_options; the best
 * ones serve where this machine lacks them, which is for halo_label_create to refuse. */
void halo_threshold(const halo_view *grey, int64_t threshold, bool invert, int64_t first,
                    int64_t rows, const halo_view *foreground, const char *instructions);

/* Foreground cells of the owned rows. */
int64_t halo_foreground_count(const halo_view *foreground);

#endif
