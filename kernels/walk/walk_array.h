#ifndef HALOBEAT_WALK_WALK_ARRAY_H
#define HALOBEAT_WALK_WALK_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/walk/walk.h"
#include "kernels/walk/walk_estimate.h"

/* Random walkers in a medium that is an array in memory, in one call (kernels/array/array.h);
 * kernels/walk/walk.h says how they walk. Axes are those of the array: 0 is the first one. Lengths
 * are in elements. */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int64_t walkers;             /* 0: 100000 */
    int64_t steps;               /* of each walker; 0: 8192 */
    int64_t every;               /* steps from one record to the next; 0: a 64th of the steps */
    halo_walk_edge_choice edges; /* what is beyond the ends of each axis; 0: the medium repeats */
    double conductivity;         /* of the solid, where that of the fluid is 1; 0: walkers stay out
                                  * of it */
    double flow;                 /* mean velocity along the last axis in channels, as in
                                  * halo_walk_options; 0: none */
    halo_optional_integer seed;  /* of the random numbers; not given: 1 */
} halo_walk_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_walk_array_rows;

/* The displacements of the walkers of a call, of which the functions below make estimates. */
typedef struct halo_walk_result halo_walk_result;

/* Local. Lets walkers diffuse in `medium`, an array of 2 or 3 axes of any type: elements that are
 * not 0 are fluid, NaN among them, the others solid. Sets *result, which the caller frees with
 * halo_walk_result_destroy. Results depend on nothing but the medium and the options, and are those
 * of `halobeat walk` for the same. HALO_ARGUMENT also for a medium without fluid. */
halo_status halo_walk_array_sized(halo_context *context, const halo_array *medium,
                                  const halo_walk_array_options *options, halo_walk_result **result,
                                  size_t options_bytes);
#define halo_walk_array(...) halo_walk_array_sized(__VA_ARGS__, sizeof(halo_walk_array_options))

/* Local. Frees the result and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_walk_result_destroy(halo_walk_result **result);

/* The medium and the walkers of a result. */
typedef struct {
    int axes;                      /* of the medium */
    int64_t walkers, steps, every; /* of the options, or their defaults */
    int64_t records;               /* the last one is after the last step */
    int64_t cells, fluid;          /* elements of the medium; of them fluid */
    double free_slope; /* mean square of a walker's displacement along an axis for each step, in the
                        * fluid alone */
    const char *instructions; /* the instruction set in use */
} halo_walk_array_report;

/* Local. */
void halo_walk_result_get_report_sized(const halo_walk_result *result,
                                       halo_walk_array_report *report, size_t report_bytes);
static inline halo_walk_array_report halo_walk_result_get_report(const halo_walk_result *result)
{
    halo_walk_array_report halo_filled;
    halo_walk_result_get_report_sized(result, &halo_filled, sizeof(halo_walk_array_report));
    return halo_filled;
}

/* Local. Motion along axis `axis` after record `record`, 0 to records - 1. All numbers are NaN for
 * an axis or a record that there is not, as in the functions below. */
void halo_walk_result_get_motion_sized(const halo_walk_result *result, int64_t record, int axis,
                                       halo_walk_motion *motion, size_t motion_bytes);
static inline halo_walk_motion halo_walk_result_get_motion(const halo_walk_result *result,
                                                           int64_t record, int axis)
{
    halo_walk_motion halo_filled;
    halo_walk_result_get_motion_sized(result, record, axis, &halo_filled, sizeof(halo_walk_motion));
    return halo_filled;
}

/* Results along an axis after the last record. Errors are half of the 95 % confidence interval,
 * negative where there are too few walkers to tell. */
typedef struct {
    halo_walk_number diffusivity;  /* half of the growth of the spread, cells^2 per step; with a
                                    * flow along this axis, the dispersion */
    halo_walk_number relative;     /* beside that in the fluid alone */
    halo_walk_number effective;    /* the same, times the share of cells with walkers */
    halo_walk_interval tortuosity; /* 1 / relative; NaN for confined walkers, and with a flow along
                                    * this axis */
    bool linear;                   /* the spread has become linear: the steps were enough */
    bool confined;                 /* the walkers stay where they are */
} halo_walk_axis_report;

/* Local. The results along axis `axis`. */
void halo_walk_result_get_axis_sized(const halo_walk_result *result, int axis,
                                     halo_walk_axis_report *report, size_t report_bytes);
static inline halo_walk_axis_report halo_walk_result_get_axis(const halo_walk_result *result,
                                                              int axis)
{
    halo_walk_axis_report halo_filled;
    halo_walk_result_get_axis_sized(result, axis, &halo_filled, sizeof(halo_walk_axis_report));
    return halo_filled;
}

/* Local. Element (a, b) of the tensor of relative diffusivities, after the last record. Elements
 * (a, a) are halo_walk_axis_report.relative. */
halo_walk_number halo_walk_result_get_tensor(const halo_walk_result *result, int a, int b);

#endif
