#ifndef HALOBEAT_TESTS_WATERSHED_NAIVE_H
#define HALOBEAT_TESTS_WATERSHED_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

/* The watershed by its definition (kernels/watershed/watershed.h), cell after cell: costs by
 * trying all steps until none lowers one, labels in the order of costs. Small images only. */

typedef struct {
    int64_t n[3];        /* planes, rows, columns */
    int order;           /* along how many axes neighbours differ at most */
    const double *image; /* [cells] */
    const bool *mask;    /* [cells] */
    int32_t *markers;    /* [cells] 0: none; those outside the mask become 0 */
    int32_t *labels;     /* [cells] result */
} watershed_naive;

void watershed_naive_run(const watershed_naive *naive);

/* Sets the markers to the minima that are deeper than the height: cells from which no path leads
 * to a lower one without rising by more than the height, and whose level has no other way out. */
void watershed_naive_minima(const watershed_naive *naive, double height);

/* Labels become 0 beside smaller ones. */
void watershed_naive_line(const watershed_naive *naive);

#endif
