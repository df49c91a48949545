#ifndef HALOBEAT_TESTS_SPLIT_NAIVE_H
#define HALOBEAT_TESTS_SPLIT_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

/* Splitting by its definition (kernels/split/split.h), pixel by pixel, for small images. */
typedef struct {
    int64_t n[3];
    int order;             /* neighbours differ along at most so many axes */
    const double *heights; /* [cells]; by distance, squares */
    const bool *mask;      /* [cells] */
    bool roots;            /* heights above passes are those of the roots */
    double h;
    int32_t *labels; /* [cells] out */
} split_naive;

/* Returns the number of parts. */
int32_t split_naive_run(const split_naive *naive);

/* Squares of distances from elements outside the mask, of which there must be one. */
void split_naive_squares(const int64_t n[3], const bool *mask, double *squares);

#endif
