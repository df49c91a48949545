#ifndef HALOBEAT_FILTER_KEYS_H
#define HALOBEAT_FILTER_KEYS_H

#include "kernels/filter/filter.h"

/* Samples of all types as whole numbers of four types that have the same order, for filters that
 * only compare: minima, medians, openings. Internal to the kernels; everything here is local.
 *
 * Signed and unsigned numbers differ in their first bit, and reals are compared as their bits are.
 * NaN is greater than all other samples, whatever its sign. */

/* X(code, type): the types of keys. */
#define FILTER_KEY_LIST(X) \
    X(U8, uint8_t)         \
    X(U16, uint16_t)       \
    X(I32, int32_t)        \
    X(I64, int64_t)

/* Pure. Makes samples of a type of keys. */
void filter_samples_of(halo_sample_type type, const void *keys, int64_t width, void *row);

/* Pure. The edge of keys that stands for the edge of samples. */
filter_edge filter_key_edge(halo_sample_type type, const filter_edge *edge);

/* Add the part that makes keys of samples, which later parts then have, and the one that makes
 * samples of keys, if these differ. */
void filter_add_keys(filter_step *step);
void filter_add_samples(filter_step *step);

#endif
