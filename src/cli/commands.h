#ifndef HALOBEAT_CLI_COMMANDS_H
#define HALOBEAT_CLI_COMMANDS_H

#include "app/command.h"

/* The commands of the program, in the order of the help. */
#define COMMAND_LIST(X) \
    X(bench)            \
    X(chan_vese)        \
    X(cluster)          \
    X(distance)         \
    X(filter)           \
    X(label)            \
    X(life)             \
    X(measure)          \
    X(motion)           \
    X(paths)            \
    X(run)              \
    X(snake)            \
    X(synthetic)        \
    X(tasks)            \
    X(trace)            \
    X(walk)             \
    X(watershed)

#define COMMAND_OBJECT(name) extern const app_command name##_command;
COMMAND_LIST(COMMAND_OBJECT)
#undef COMMAND_OBJECT

#endif
