#ifndef HALOBEAT_CLI_LABEL_OUTPUT_H
#define HALOBEAT_CLI_LABEL_OUTPUT_H

#include "cli/label/job.h"

/* Collective. Can all files that were asked for be made? Before any work is done. */
halo_status label_output_check(cli_label_job *job);

/* Collective. Write the labels, the coloured picture and the table of regions. */
halo_status label_output_write(cli_label_job *job);

#endif
