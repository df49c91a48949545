#ifndef HALOBEAT_DISTANCE_CONVERT_H
#define HALOBEAT_DISTANCE_CONVERT_H

#include "kernels/distance/distance.h"

/* Squares of distances as samples of any type. Internal; everything is local. */

/* A square becomes its root, or: */
typedef struct {
    bool squared;  /* it stays one */
    bool subtract; /* from what is there */
    bool streams;  /* past the cache */
} distance_form;

/* Makes samples of a type of a row's squares, at `out`. HALO_ARGUMENT if the type is
 * one of whole numbers and does not have one of them. */
halo_status distance_convert(const halo_distance_row *row, halo_sample_type type,
                             const distance_form *form, void *out);

#endif
