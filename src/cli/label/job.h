#ifndef HALOBEAT_CLI_LABEL_JOB_H
#define HALOBEAT_CLI_LABEL_JOB_H

#include "app/balance.h"
#include "app/image.h"
#include "app/progress.h"
#include "cli/label/options.h"
#include "core/field/field.h"
#include "kernels/label/label.h"
#include "partition/cuts.h"

/* `halobeat label` from the file to the files: read and distribute, find foreground pixels, label,
 * write.
 */
typedef struct {
    halo_world *world;
    cli_balance *balance;
    const label_arguments *arguments;
    cli_image image;
    halo_partition strips; /* of rows, as the file is read */
    halo_field *grey,
        *foreground; /* of the strips; from labelling on, as halo_label_partition tells */
    halo_label *label;
    int64_t *histogram;
    int64_t threshold;         /* in use */
    int64_t foreground_pixels; /* of the whole image */
    halo_clock clock;          /* reading and writing; labelling has its own */
    double label_seconds;      /* from foreground pixels to regions, on this rank */
    double seconds;            /* the whole job, on this rank */
    progress progress;
} cli_label_job;

/* Collective. Returns the same status on all ranks. `job` must be freed in any case; it refers to
 * `world`, `balance` and `arguments`. */
halo_status cli_label_run(cli_label_job *job, halo_world *world, cli_balance *balance,
                          const label_arguments *arguments);

/* Local. */
void cli_label_free(cli_label_job *job);

#endif
