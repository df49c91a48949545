#ifndef HALOBEAT_TESTS_ARRAY_LAYOUTS_H
#define HALOBEAT_TESTS_ARRAY_LAYOUTS_H

#include "kernels/array/array.h"

/* Arrays with the same elements in all layouts that programs have, for tests of calls on arrays. */

typedef enum {
    LAYOUT_C,         /* the last axis is contiguous */
    LAYOUT_FORTRAN,   /* axis 0 is contiguous */
    LAYOUT_REVERSED,  /* negative strides along all axes */
    LAYOUT_SPACED,    /* other bytes lie between elements */
    LAYOUT_SWAPPED,   /* the other byte order */
    LAYOUT_UNALIGNED, /* elements begin at odd addresses */
    LAYOUT_TURNED,    /* the last two axes are exchanged */
    LAYOUTS
} array_layout;

extern const char *const array_layout_names[LAYOUTS];

/* An array, and the block of memory it lies in. */
typedef struct {
    halo_array array;
    unsigned char *block;
    size_t bytes;
} laid_array;

/* An array over memory in C's order, without gaps. */
halo_array array_plain(halo_sample_type type, int axes, const int64_t *n, void *data);

/* An array of zeroes. Bytes between its elements are 0xa5. Exits the program if there is no memory;
 * the caller frees it with array_free. */
laid_array array_lay(array_layout layout, halo_sample_type type, int axes, const int64_t *n);

/* The same with `values`, in C's order, [cells]; they must be values of the type. */
laid_array array_lay_values(array_layout layout, halo_sample_type type, int axes, const int64_t *n,
                            const double *values);

/* Accepts an array that was freed. */
void array_free(laid_array *laid);

/* Element `i`, in C's order, by the definition of strides and byte order. */
double array_value(const halo_array *array, int64_t i);
void array_set(const halo_array *array, int64_t i, double value);

/* True if no byte between elements has changed. */
bool array_gaps_are_kept(const laid_array *laid);

#endif
