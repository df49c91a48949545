#ifndef HALOBEAT_FILTER_CAP_OPS_H
#define HALOBEAT_FILTER_CAP_OPS_H

#include "base/isa.h"
#include "base/sample.h"

#include <stddef.h>

/* The inner loops of erosions by a spherical cap, compiled for each ISA. Internal to the kernel.
 *
 * The cap rises by rise[s] at a distance whose square is s. Rows that are as many planes and rows
 * away, in any direction, rise alike: the least of their samples comes first, and then the least of
 * samples to the left and to the right. Rows that cannot have a lesser sum than those that are
 * known, by the least samples of their pieces, are passed over. */

/* X(code, type): types of samples that are computed in their own type. */
#define FILTER_CAP_LIST(X) \
    X(U8, uint8_t)         \
    X(U16, uint16_t)       \
    X(F32, float)          \
    X(F64, double)

enum { FILTER_CAP_PIECE = 64 }; /* samples of a row with a least one */

/* Distance of two rows from the row in the middle, one before it and one behind it. */
typedef struct {
    int32_t planes, rows;
    int64_t square; /* of their distance */
} filter_cap_rows;

typedef struct {
    double radius;
    int64_t square;   /* the largest of a distance within the cap */
    const void *rise; /* [square + 1] in the type of the samples; sums are cut off at its maximum */
    int64_t depth[3]; /* planes, rows and samples to each side that the cap reaches */
    int64_t count;    /* of `rows`, the nearest first */
    const filter_cap_rows *rows;
} filter_cap;

typedef struct {
    const filter_cap *cap;
    const void *const *in; /* as of filter_tile */
    int64_t in_pitch;
    int64_t rows, width;
    void *const *out;
    int64_t pieces; /* of a row */
    void *low; /* [2 * depth[0] + 1][in_pitch][pieces] the least sample that the cap reaches from a
                * piece, */
    void *column;  /* [in_pitch][pieces] that of all planes, */
    void *near;    /* [rows][pieces] and of all rows */
    void *line;    /* [pieces] */
    void *scratch; /* samples of a row that the cap reaches from some vectors */
} filter_cap_call;

typedef struct {
    void (*erode[HALO_SAMPLE_TYPES])(const filter_cap_call *call);
} filter_cap_ops;

extern const filter_cap_ops filter_cap_ops_avx512, filter_cap_ops_avx2, filter_cap_ops_plain;

#endif
