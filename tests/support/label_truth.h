#ifndef HALOBEAT_TESTS_LABEL_TRUTH_H
#define HALOBEAT_TESTS_LABEL_TRUTH_H

#include "kernels/label/regions.h"
#include "support/oracle.h"

/* What labelling an image must give, worked out pixel by pixel from the oracle's answer. */
typedef struct {
    int64_t regions;     /* that are large enough */
    int64_t *scan;       /* [height * width] 0 background, else 1 to regions */
    int64_t *seed;       /* [height * width] -1 background, else the region's largest pixel index */
    halo_region *region; /* [regions] in the order of their numbers */
    int64_t *first_row;  /* [regions] of their first pixels in raster order */
} label_truth;

/* The grey value of pixel (y, x), 0 to 2^bits - 1, made up; 0 where bits is 0. */
int64_t grey_at(int bits, int64_t y, int64_t x);

/* Smaller regions than `min_area` are left out. Exits the program when memory is out. */
label_truth label_truth_make(const image *from, const oracle *flood, int64_t min_area,
                             int grey_bits);
void label_truth_free(label_truth *truth);

#endif
