#ifndef HALOBEAT_FILTER_CUBE_OPS_H
#define HALOBEAT_FILTER_CUBE_OPS_H

#include "base/isa.h"
#include "base/sample.h"

#include <stddef.h>

/* Medians of 3 x 3 x 3 samples, whose networks are computed in registers, for each ISA. Internal to
 * the kernel; samples are keys (keys.h). */

enum {
    FILTER_CUBE_LIST = 9, /* samples of a row of the window, of its three planes */
    FILTER_CUBE_ROWS = 4  /* sorted rows of which two windows are computed */
};

typedef struct {
    /* Sorts the samples of windows' rows: sample x of list[k] is the one of rank k of samples x - 1
     * to x + 1 of three rows. Lists, `pitch` bytes each, are written as far as `count` samples
     * rounded up to vectors. */
    void (*sort[HALO_SAMPLE_TYPES])(const void *const rows[3], int64_t count, char *list,
                                    size_t pitch);
    /* Medians of two rows of windows, of four such rows; out[1] may be NULL. */
    void (*median[HALO_SAMPLE_TYPES])(const char *const lists[FILTER_CUBE_ROWS], size_t pitch,
                                      int64_t count, void *const out[2]);
} filter_cube_ops;

extern const filter_cube_ops filter_cube_ops_avx512, filter_cube_ops_avx2, filter_cube_ops_plain;

#endif
