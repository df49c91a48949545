#ifndef HALOBEAT_LABEL_LABEL_SIGNS_H
#define HALOBEAT_LABEL_LABEL_SIGNS_H

#include "core/field/field.h"

/* Otsu's method makes sense for pictures, not for label images and segmentations. These have few
 * values; or values from 0 on of which most occur, in runs of equal pixels. All functions are local
 * and pure. */

/* Neighbours along rows, where one of the two at least is not `background`, mostly 0, and how many
 * of these pairs are equal, in about 512 rows of an image of `height` rows (of all planes).
 * Zero-initialise it but for the height. Sums of several ranks' pairs are those of the whole image.
 */
typedef struct {
    int64_t height;
    uint64_t background; /* bits of a sample, in the low ones */
    int64_t pairs, equal;
} halo_label_signs;

/* Adds owned rows `first` to `first + rows - 1` of a view with cells of 8 to 64 bits, numbered as
 * in threshold.h; row `first` is row `number` of the image, by which rows are chosen. Bits are
 * passed over. */
void halo_label_signs_add(halo_label_signs *signs, const halo_view *values, int64_t first,
                          int64_t rows, int64_t number);

typedef struct {
    const int64_t *counts; /* [levels] pixels with each value, or with those of each bin */
    int64_t levels;
    int64_t first; /* the value of counts[0]; -1: below 0, or no whole number */
    bool wide;     /* whole numbers of 32 or 64 bits, which pictures seldom have */
} halo_label_histogram;

typedef enum {
    HALO_LOOKS_PICTURE,
    HALO_LOOKS_MASK, /* one or two values */
    HALO_LOOKS_FEW,  /* 3 to 8, or numbers from 0 or 1 to 16 */
    HALO_LOOKS_LABELS
} halo_label_look;

/* Judges an image by its signs; *values is set to the number of counts above 0. */
halo_label_look halo_label_signs_judge(const halo_label_signs *signs,
                                       const halo_label_histogram *histogram, int64_t *values);

#endif
