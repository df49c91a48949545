#ifndef HALOBEAT_ARRAY_KERNEL_ARRAY_H
#define HALOBEAT_ARRAY_KERNEL_ARRAY_H

#include "base/option.h"
#include "core/beat/kernel.h"
#include "kernels/array/array.h"

/* A kernel, built-in or of one's own, on arrays in memory, in one call (kernels/array/array.h). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int64_t beats;            /* maximum number of beats; 0: until the kernel converges */
    bool periodic[HALO_AXES]; /* opposite ends of this axis of the arrays are neighbours */
    int64_t change_threshold; /* a beat that changes at most this number of cells ends the run, of
                               * kernels that converge */
    int beats_per_exchange;   /* of several ranks; 0: 1; no more than the beats are of use */
    /* The arrays are the inner parts of larger ones: on each side of each axis there is room for
     * the kernel's depth, before element (0, 0, 0) too. This room is written, and undefined
     * afterwards. Where there is one rank, and `in` and `out` are the same, in C's order, cells are
     * computed where they lie, without a copy. */
    bool margins;
    const void *kernel_options; /* passed to the kernel's create; NULL: its defaults */
} halo_kernel_array_options;

/* Options by name and value (halo_options_set); those of the kernel have rows of their own
 * (halo_kernel.options). */
extern const halo_option *const halo_kernel_array_rows;

typedef struct {
    int64_t beats;  /* done */
    bool converged; /* nothing changes any more, or no more than the threshold */
    int ranks;
} halo_kernel_array_report;

/* Local. Runs a kernel: `in` has an array for each of its fields, the cells before the first beat;
 * NULL: the kernel's own `start` fills them in. `out` has those to which the cells after the last
 * beat are written; an array without data (NULL) is not wanted; `out[i]` may be the same array as
 * in[i]. All have the same shape, of as many axes as the kernel has, and the type of the field's
 * cells, HALO_SAMPLE_BIT for those of 1 bit. Cells beyond the ends of an axis that is not periodic
 * are 0. `context`, `options` and `report` may be NULL. A kernel that is not thread-safe has one
 * rank, unless the context asks for more. HALO_ARGUMENT for arrays of another type or shape, and as
 * of halo_beat_create; HALO_RANKS, HALO_MEMORY, HALO_CANCELLED, and what the kernel returns. */
halo_status halo_kernel_array_sized(halo_context *context, const halo_kernel *kernel,
                                    const halo_array *in, const halo_array *out,
                                    const halo_kernel_array_options *options,
                                    halo_kernel_array_report *report, size_t options_bytes,
                                    size_t report_bytes);
#define halo_kernel_array(...)                                              \
    halo_kernel_array_sized(__VA_ARGS__, sizeof(halo_kernel_array_options), \
                            sizeof(halo_kernel_array_report))

#endif
