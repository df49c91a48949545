#ifndef HALOBEAT_ARRAY_KERNEL_ARRAY_H
#define HALOBEAT_ARRAY_KERNEL_ARRAY_H

#include "base/option.h"
#include "core/beat/kernel.h"
#include "kernels/array/array.h"

/* A kernel, built-in or of one's own, on arrays in memory, in one call (kernels/array/array.h). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int64_t beats;            /* at most; 0: until the kernel converges, which it must be able to */
    bool periodic[HALO_AXES]; /* opposite ends of this axis of the arrays are neighbours */
    int64_t change_threshold; /* a beat that changes at most this number of cells ends the run, if
                               * the kernel can converge */
    int beats_per_exchange;   /* beats from one exchange of halos between ranks to the next; 0: 1 */
    /* The arrays are the inner parts of larger ones: beside both ends of each axis there is room
     * for as many elements as the kernel's depth, also before element (0, 0, 0). This room is
     * written, and undefined afterwards. With one rank, and if `in` and `out` are the same arrays
     * in C's order, cells are then computed in place, without a copy. */
    bool margins;
    const void *kernel_options; /* structure of halo_kernel.options, passed to the kernel's create,
                                 * of the size that the kernel has; NULL: its defaults */
} halo_kernel_array_options;

/* Options by name and value (halo_options_set); those of the kernel have rows of their own
 * (halo_kernel.options). */
extern const halo_option *const halo_kernel_array_rows;

/* The result of a call, besides arrays. */
typedef struct {
    int64_t beats;  /* that were computed */
    bool converged; /* the last beat changed nothing, or no more cells than the threshold */
    int ranks;      /* that computed */
} halo_kernel_array_report;

/* Local. Runs a kernel on arrays, one for each of its fields: `in` [fields] has the cells before
 * the first beat; NULL: the kernel's own `start` fills them in. `out` [fields] is set to the cells
 * after the last beat; an array whose data are NULL is not wanted. out[i] may be the same array as
 * in[i]. All have the same shape, of as many axes as the kernel has, and the type of the field's
 * cells, HALO_SAMPLE_BIT for those of 1 bit. Cells beyond the ends of an axis that is not periodic
 * are 0. `report` may be NULL. A kernel with HALO_KERNEL_NOT_THREAD_SAFE runs on one rank, unless
 * the context asks for more. HALO_ARGUMENT also for a kernel that has no `start` and gets no `in`,
 * and for one that cannot converge and gets no number of beats; HALO_RANKS, and what the kernel
 * returns. */
halo_status halo_kernel_array_sized(halo_context *context, const halo_kernel *kernel,
                                    const halo_array *in, const halo_array *out,
                                    const halo_kernel_array_options *options,
                                    halo_kernel_array_report *report, size_t options_bytes,
                                    size_t report_bytes);
#define halo_kernel_array(...)                                              \
    halo_kernel_array_sized(__VA_ARGS__, sizeof(halo_kernel_array_options), \
                            sizeof(halo_kernel_array_report))

#endif
