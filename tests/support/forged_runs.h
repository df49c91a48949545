#ifndef HALOBEAT_TESTS_FORGED_RUNS_H
#define HALOBEAT_TESTS_FORGED_RUNS_H

#include "app/services/checkpoint.h"
#include "app/stencil/tables.h"
#include "cli/commands.h"

/* Commands that write checkpoints, started many times in one process. */

enum { FORGED_ARGUMENTS = 24, FORGED_KINDS = 7 };

/* A command, its arguments that write a checkpoint, and those that restore one. */
typedef struct {
    const char *name;
    const app_command *command;
    const app_state *state; /* NULL: the command's */
    const char *make[FORGED_ARGUMENTS], *again[FORGED_ARGUMENTS];
} forged_kind;

extern const forged_kind forged_kinds[FORGED_KINDS];

/* Collective. Runs the command with these arguments, [FORGED_ARGUMENTS] each; SIGALRM is raised if
 * that takes a minute. Returns its exit status, or -1 if ranks differ. */
int forged_run(halo_world *world, const forged_kind *of, const char *const *first,
               const char *const *then);

/* Collective. Makes the images that the commands read, in the current folder. Returns false on
 * failure. */
bool forged_make_pictures(halo_world *world);

#endif
