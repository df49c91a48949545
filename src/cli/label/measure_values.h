#ifndef HALOBEAT_CLI_LABEL_MEASURE_VALUES_H
#define HALOBEAT_CLI_LABEL_MEASURE_VALUES_H

#include "cli/label/job.h"
#include "io/table/table.h"
#include "kernels/label/measure/shape.h"

/* The axes of the region that was asked for last: several measures are computed from them. */
typedef struct {
    int64_t next; /* the number of the region in the table, from 1; 0: none yet */
    halo_shape_axes axes;
} label_axes_found;

/* What is known of this rank's regions, from which measures are computed; arrays are in the order
 * of `regions`, and NULL where no measure needs them. */
typedef struct {
    const app_run *run;
    const label_options *asked;
    label_pixel pixel;
    int axes;
    halo_sample_type values;   /* that regions are of; ALIKE: they have greys */
    halo_sample_type samples;  /* the type of samples that are no greys; otherwise ALIKE */
    halo_sample_type measured; /* the type of samples, whichever it is */
    const halo_region *regions;
    halo_shape *shapes;
    label_axes_found *found; /* belongs to the thread that writes the table */
    int64_t *eulers;
    halo_region_measures sampled, coloured;
} label_facts;

/* Local. How a column is written in this table. */
halo_table_kind label_form_kind(const label_facts *facts, label_form form);

/* Local. Sets `values` to the columns of a measure of region `row`, in the order of its row in
 * LABEL_MEASURE_LIST. */
void label_measure_values(const label_facts *facts, label_measure measure, int64_t row,
                          halo_table_value *values);

#endif
