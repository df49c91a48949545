#ifndef HALOBEAT_CLI_COMMANDS_H
#define HALOBEAT_CLI_COMMANDS_H

#include "cli/command.h"

/* The commands of the program: name, what it is for. Each is `int NAME_command(int argc, char
 * **argv)`, called on all ranks with MPI running, argv[0] being its name; it returns the exit
 * status, the same on all ranks: 0, 1 for a failed run, 2 for unusable arguments. */
#define COMMAND_LIST(X)                                                         \
    X(bench, "measure strips against blocks here, and messages, votes, memory") \
    X(label, "find and number the regions of an image")                         \
    X(life, "compute generations of Life and its relatives")                    \
    X(run, "compute with any kernel, built in or your own")                     \
    X(synthetic, "compute rows of chosen cost, to try balancers and machines")

#define COMMAND_PROTOTYPE(name, help) int name##_command(int argc, char **argv);
COMMAND_LIST(COMMAND_PROTOTYPE)
#undef COMMAND_PROTOTYPE

#endif
