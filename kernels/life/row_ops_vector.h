#ifndef HALOBEAT_LIFE_ROW_OPS_VECTOR_H
#define HALOBEAT_LIFE_ROW_OPS_VECTOR_H

#include "kernels/life/row_ops.h"

/* The vectors that a variant computes with: LIFE_VECTOR_BYTES wide. */

#define ALWAYS inline __attribute__((always_inline))

typedef uint64_t vec __attribute__((vector_size(LIFE_VECTOR_BYTES), may_alias));

/* Bits 0, 1, 2 and 3 of 512 numbers of live neighbours. */
typedef struct {
    vec bit[4];
} counts;

static ALWAYS vec load(const void *from)
{
    return *(const vec *)from;
}

static ALWAYS void store(void *to, vec value)
{
    *(vec *)to = value;
}

#endif
