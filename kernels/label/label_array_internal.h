#ifndef HALOBEAT_LABEL_LABEL_ARRAY_INTERNAL_H
#define HALOBEAT_LABEL_LABEL_ARRAY_INTERNAL_H

#include "kernels/array/array_internal.h"
#include "kernels/label/label.h"
#include "kernels/label/label_array.h"

/* What calls that label an array share. Internal to the label kernel. */

typedef struct label_array_job label_array_job;

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
    int64_t regions;          /* result */
};

/* Local. Sets the image and the options of a job; `out` and `write` are the caller's. The image has
 * passed array_check. HALO_ARGUMENT. */
halo_status label_array_take(label_array_job *job, const halo_context *context,
                             const halo_array *image, const halo_label_array_options *options);

/* Local. Labels the image, and writes the result. */
halo_status label_array_run(halo_context *context, label_array_job *job);

#endif
