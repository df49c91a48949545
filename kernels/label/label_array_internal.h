#ifndef HALOBEAT_LABEL_LABEL_ARRAY_INTERNAL_H
#define HALOBEAT_LABEL_LABEL_ARRAY_INTERNAL_H

#include "kernels/array/array_internal.h"
#include "kernels/label/label.h"
#include "kernels/label/label_array.h"

/* Calls that label an array share this. Internal to the label kernel. */

typedef struct label_array_job label_array_job;

/* The neighbours of an element that are none of a connectivity. */
typedef struct {
    bool given;
    int axes; /* of the array */
    int count;
    int8_t step[13][HALO_AXES]; /* [count] to one of each pair of opposite neighbours */
    bool periodic[HALO_AXES];   /* planes, rows, columns */
} label_structure;

/* Local, after a run on all ranks: writes this rank's part of a result. */
typedef halo_status label_array_write(array_call *call, const halo_world *world,
                                      const label_array_job *job, halo_label *label);

struct label_array_job {
    halo_array image; /* of 2 or 3 axes */
    halo_array out;   /* the same; no data if nothing is written */
    label_array_write *write;
    const void *context; /* of `write` */
    bool keeps_image;    /* `write` reads the image, which it may overwrite */
    halo_label_options label;
    bool periodic[HALO_AXES]; /* by the array's axes */
    label_structure structure;
    int64_t regions; /* result */
};

/* Values of a box of an array, where they lie or in a copy, which the caller destroys. */
typedef struct {
    halo_view view;
    halo_field *copy; /* or NULL */
} label_array_values;

/* Local. Watches the call. HALO_MEMORY, HALO_CANCELLED. */
halo_status label_array_take_values(array_call *call, const halo_world *world,
                                    const halo_array *image, const halo_domain *domain,
                                    const halo_box *box, label_array_values *out);

/* Local. Sets the type in which labels are written, bytes for bool. HALO_ARGUMENT if there are more
 * regions than the type of the labels has numbers. */
halo_status label_array_check_type(const label_array_job *job, halo_sample_type *type);

/* The type in which numbers of regions are found for labels of a type: U16, I32 or I64, of the size
 * of the labels if there is one that holds all numbers, so that they are not converted. */
halo_sample_type label_array_numbers(halo_sample_type type, int64_t regions);

/* Local. Sets the image and the options of a job; `out` and `write` are the caller's. The image has
 * passed array_check. HALO_ARGUMENT. */
halo_status label_array_take(label_array_job *job, const halo_context *context,
                             const halo_array *image, const halo_label_array_options *options);

/* Local. Labels the image, and writes the result. */
halo_status label_array_run(halo_context *context, label_array_job *job);

#endif
