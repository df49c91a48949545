#ifndef HALOBEAT_APP_STENCIL_TABLES_H
#define HALOBEAT_APP_STENCIL_TABLES_H

#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/services/checkpoint.h"

/* The command of a stencil: tables of its reports, checkpoints and outputs. */

/* Local, on rank 0: see app_command. */
json_t *stencil_facts(app_run *run, json_t *texts);
extern const app_line stencil_summary[];

/* The same of `--check`, which checks the kernel on rank 0. */
halo_status stencil_check_kernel(app_run *run);
json_t *stencil_check_facts(app_run *run, json_t *texts);
extern const app_line stencil_check_summary[];

extern const app_state stencil_state;
extern const app_output stencil_outputs[];

#endif
