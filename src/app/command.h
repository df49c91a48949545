#ifndef HALOBEAT_APP_COMMAND_H
#define HALOBEAT_APP_COMMAND_H

#include "app/balance.h"
#include "app/common_options.h"
#include "core/world/world.h"

/* Exit statuses besides 0. */
enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* What a command does between its options and its exit status. Collective; the same status on all
 * ranks. `balance` moves boundaries if that was asked for; `context` is the command's own. */
typedef halo_status command_body(halo_world *world, cli_balance *balance, app_options *given,
                                 void *context);

/* A command that is called. */
typedef struct {
    const app_syntax *syntax;
    const char *program;      /* what users call it: "halobeat life" */
    void *arguments;          /* the structure of the syntax, */
    common_arguments *common; /* and the common ones in it */
    command_body *body;
    void *context;
} command;

/* Collective over all processes. Parse the arguments; make a world that waits and balances as they
 * say, and run `body` in it; say on stderr once what went wrong. Returns the exit status: 0 (also
 * after help), EXIT_USAGE for arguments that cannot be used and HALO_ARGUMENT, EXIT_FAILED for any
 * other failure. */
int command_call(const command *called, int argc, char **argv);

/* Local, once a command that a signal stopped is through: rank 0 says so on stderr, with how far it
 * came (`counted`: "at beat", or what else it counts) and where it can go on from, `checkpoint` or
 * NULL. Returns the exit status. */
int command_stopped(const char *program, const char *counted, int64_t count,
                    const char *checkpoint);

#endif
