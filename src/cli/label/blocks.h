#ifndef HALOBEAT_CLI_LABEL_BLOCKS_H
#define HALOBEAT_CLI_LABEL_BLOCKS_H

#include "cli/label/job.h"

/* Files come and go in strips of rows; what is labelled may be cut into blocks. */

/* Local, once the image is open. How it is cut to be labelled, into job->blocks, if not into
 * strips. HALO_ARGUMENT, HALO_MEMORY. */
halo_status cli_label_cut(cli_label_job *job);

/* Local. Who labels what. */
const halo_partition *cli_label_partition(const cli_label_job *job);

/* Collective. The lit pixels, and the grey ones if they are there still, go from strips to blocks;
 * nothing happens where strips are labelled. */
halo_status cli_label_to_blocks(cli_label_job *job);

/* Painted rows on their way to a file: of strips made when they are asked for, of blocks all at
 * once, since rows of the file have pixels from several of them. */
typedef struct {
    cli_label_job *job;
    halo_label_paint as;
    int64_t first_row; /* of this rank's strip */
    char *strip;       /* its painted rows, or NULL: they are painted one by one */
    size_t pitch;      /* bytes from one to the next */
} label_painting;

/* Collective. HALO_ARGUMENT where numbers do not fit, HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status label_painting_begin(label_painting *painting, cli_label_job *job, halo_label_paint as);

/* Local. A halo_rows_fill whose context is a label_painting. */
halo_status label_painting_rows(void *context, int64_t first_row, int64_t rows, void *out,
                                size_t pitch);

/* Local. Accepts a zeroed painting. */
void label_painting_end(label_painting *painting);

#endif
