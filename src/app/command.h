#ifndef HALOBEAT_APP_COMMAND_H
#define HALOBEAT_APP_COMMAND_H

#include "app/arguments.h"
#include "app/balance.h"
#include "core/world/world.h"

/* Exit statuses besides 0. */
enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* What a command does between its arguments and its exit status. Collective; the same status on
 * all ranks. `balance` moves boundaries if that was asked for; `job` is the command's own. */
typedef halo_status command_body(halo_world *world, cli_balance *balance, void *job);

/* Collective. Make a world that waits and balances as `common` says, run `body` in it, and say on
 * stderr once, as `name`, what went wrong. Returns the exit status: 0, EXIT_USAGE for
 * HALO_ARGUMENT, EXIT_FAILED for any other failure. */
int command_run(const char *name, const common_arguments *common, command_body *body, void *job);

/* The same for a program of another name than `halobeat NAME`. */
int command_run_as(const char *program, const common_arguments *common, command_body *body,
                   void *job);

/* Local, once a command that a signal stopped is through: rank 0 says so on stderr, with how far it
 * came (`counted`: "at beat", or what else it counts) and where it can go on from, `checkpoint` or
 * NULL. Returns the exit status. */
int command_stopped(const char *program, const char *counted, int64_t count,
                    const char *checkpoint);

#endif
