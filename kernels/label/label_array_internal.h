#ifndef HALOBEAT_LABEL_LABEL_ARRAY_INTERNAL_H
#define HALOBEAT_LABEL_LABEL_ARRAY_INTERNAL_H

#include "kernels/array/array_internal.h"
#include "kernels/label/label.h"
#include "kernels/label/label_array.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/rows/value_source.h"

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

typedef struct label_array_reader label_array_reader;

/* Values of a box of an array, read where they lie. One thread reads them. */
typedef struct {
    halo_view view;                   /* of the array */
    const label_value_source *source; /* that reads rows which are not contiguous; NULL: they are */
    label_array_reader *reader;       /* of the source */
} label_array_values;

/* Local. Rows that are not contiguous take memory: about a plane of the box, 32 planes if axis 0 is
 * what is contiguous; at most half of the box, or a megabyte. HALO_MEMORY. Call
 * label_array_values_free in any case. */
halo_status label_array_values_take(label_array_values *values, const halo_world *world,
                                    const halo_array *image, const halo_box *box);

/* Local. HALO_CANCELLED, after values were read, if what watches the world ended it: the values are
 * then undefined. */
halo_status label_array_values_status(const label_array_values *values);

/* Local. Accepts zeroed values. */
void label_array_values_free(label_array_values *values);

/* Returns how many columns label_array_values_piece gives at once, at most, less one: all of a row,
 * or a multiple of 64; 0 if no values are compared. */
static inline int64_t label_array_values_columns(const label_array_values *values)
{
    return values->source != NULL  ? values->source->columns
           : values->view.axes > 0 ? values->view.owned.n[values->view.axes - 1]
                                   : 0;
}

/* The values of `count` columns of row `r` (of all rows of the box) from column `x` on. They stay
 * as label_value_source.read says. */
static inline const char *label_array_values_piece(const label_array_values *values, int64_t r,
                                                   int64_t x, int64_t count, int hand)
{
    const label_value_source *source = values->source;
    return source != NULL
               ? source->read(source->context, r, x, count, hand)
               : (const char *)label_view_row(&values->view, r) + x * (values->view.cell_bits / 8);
}

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
