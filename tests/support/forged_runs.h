#ifndef HALOBEAT_TESTS_FORGED_RUNS_H
#define HALOBEAT_TESTS_FORGED_RUNS_H

#include "app/stencil/stencil.h"
#include "cli/commands.h"

/* Commands that keep checkpoints, started many times in one process. */

enum { FORGED_ARGUMENTS = 24, FORGED_KINDS = 7 };

/* A command, how a checkpoint of it is made, and how a run goes on from one. */
typedef struct {
    const char *name;
    const app_command *command;
    const app_state *state; /* NULL: the command's */
    const char *make[FORGED_ARGUMENTS], *again[FORGED_ARGUMENTS];
} forged_kind;

extern const forged_kind forged_kinds[FORGED_KINDS];

/* Collective. Run the command with these arguments, [FORGED_ARGUMENTS] each; SIGALRM comes if that
 * takes a minute. Its exit status, or -1 if ranks differ. */
int forged_run(halo_world *world, const forged_kind *of, const char *const *first,
               const char *const *then);

/* Collective. The images that the commands read, in the current folder. False: it cannot be done.
 */
bool forged_make_pictures(halo_world *world);

#endif
