#ifndef HALOBEAT_CLI_SYNTHETIC_JOB_H
#define HALOBEAT_CLI_SYNTHETIC_JOB_H

#include "app/run.h"
#include "app/services/tasks.h"
#include "kernels/synthetic/synthetic.h"

typedef struct {
    app_arguments all; /* beats_per_exchange is never auto */
    halo_synthetic_options synthetic;
    int64_t tasks, bytes; /* in place of a grid; 0: a grid */
    int64_t request_flops;
} synthetic_options;

extern const app_syntax synthetic_syntax; /* of both commands */

/* --tasks: rows that are handed out, in place of a grid. */
extern const app_tasks_work synthetic_work;
extern const app_command synthetic_tasks_command;

#endif
