#ifndef HALOBEAT_CLI_COMMANDS_H
#define HALOBEAT_CLI_COMMANDS_H

#include "app/command.h"
#include "app/frame.h"

/* The commands of the program: function, name, what it is for. Each is `int FUNCTION_command(int
 * argc, char **argv)`, called on all ranks with MPI running, argv[0] being its name; it returns the
 * exit status, the same on all ranks: 0, 1 for a failed run, 2 for unusable arguments. What it
 * takes is FUNCTION_syntax. */
#define COMMAND_LIST(X, NEW)                                                                \
    X(bench, "bench", "measure strips against blocks here, and messages, votes, memory")    \
    NEW(chan_vese, "chan-vese", "part an image into inside and outside by a smooth border") \
    NEW(cluster, "cluster", "find clusters of pixels that are near and alike: k-means")     \
    NEW(label, "label", "find and number the regions of an image")                          \
    NEW(life, "life", "compute generations of Life and its relatives")                      \
    NEW(motion, "motion", "find how the parts of a picture move from frame to frame")       \
    X(run, "run", "compute with any kernel, built in or your own")                          \
    NEW(snake, "snake", "draw closed contours to the edges of an image")                    \
    NEW(synthetic, "synthetic", "compute rows of chosen cost, to try balancers and machines")

#define COMMAND_PROTOTYPE(function, name, help)    \
    int function##_command(int argc, char **argv); \
    extern const app_syntax function##_syntax;
#define COMMAND_OBJECT(function, name, help)     \
    extern const app_command function##_command; \
    extern const app_syntax function##_syntax;
COMMAND_LIST(COMMAND_PROTOTYPE, COMMAND_OBJECT)
#undef COMMAND_PROTOTYPE
#undef COMMAND_OBJECT

#endif
