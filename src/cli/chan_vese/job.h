#ifndef HALOBEAT_CLI_CHAN_VESE_JOB_H
#define HALOBEAT_CLI_CHAN_VESE_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "kernels/chan_vese/chan_vese.h"
#include "kernels/chan_vese/level_set.h"

/* The level set at the beginning. */
typedef struct {
    const char *path; /* of a picture; NULL: it is none, but */
    halo_chan_vese_start start;
} chan_vese_init;

typedef struct {
    app_arguments all;
    halo_chan_vese_options kernel;
    chan_vese_init init;
    const char *output, *overlay; /* or NULL */
} chan_vese_options;

typedef struct {
    halo_kernel kernel;
    int64_t steady_beats; /* of the last checkpoint: see halo_chan_vese_recall */
    uint64_t trace;
    halo_field *border; /* while the overlay is drawn: halo_chan_vese_border_create's */
} chan_vese_job;

/* Stores a chan_vese_init. */
halo_option_parse chan_vese_parse_init;

/* Collective. Fill in the first level set. */
halo_status chan_vese_fill(app_run *run);

enum { CHAN_VESE_INIT_TEXT = 200 };

/* Local. How it began, as --init has it. */
void chan_vese_init_print(const app_run *run, char text[CHAN_VESE_INIT_TEXT]);

#endif
