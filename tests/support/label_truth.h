#ifndef HALOBEAT_TESTS_LABEL_TRUTH_H
#define HALOBEAT_TESTS_LABEL_TRUTH_H

#include "kernels/label/measure/regions.h"
#include "support/oracle.h"

/* The expected results of labelling an image, computed pixel by pixel from the oracle. */
typedef struct {
    int64_t regions;     /* regions with at least min_area pixels */
    int64_t *scan;       /* [height * width] 0 background, else 1 to regions */
    int64_t *seed;       /* [height * width] -1 background, else the region's largest pixel index */
    halo_region *region; /* [regions] in the order of their numbers */
    int64_t *first_row;  /* [regions] row of the first pixel in raster order */
} label_truth;

/* A deterministic grey value of pixel (y, x), 0 to 2^bits - 1; 0 if bits is 0. */
int64_t grey_at(int bits, int64_t y, int64_t x);

/* Omits regions smaller than `min_area`. Exits the program if there is no memory. */
label_truth label_truth_make(const image *from, const oracle *flood, int64_t min_area,
                             int grey_bits);
void label_truth_free(label_truth *truth);

#endif
