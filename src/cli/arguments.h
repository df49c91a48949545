#ifndef HALOBEAT_CLI_ARGUMENTS_H
#define HALOBEAT_CLI_ARGUMENTS_H

#include "base/status.h"

/* A file of arguments, each with a 0 byte behind it, for `halobeat --arguments FILE`: MPICH's
 * mpiexec dies of a thousand arguments. All functions are local. */

typedef struct {
    char *text;   /* of the file */
    char **words; /* [count + 1]: the program's name, the arguments, NULL */
    int count;
} cli_arguments;

/* Reads the file `path`. `program`, which must stay valid, becomes the first word. HALO_FILE if it
 * cannot be read; HALO_FORMAT if it does not end with a 0 byte, or has too many arguments;
 * HALO_MEMORY. Call cli_arguments_free in any case. */
halo_status cli_arguments_read(cli_arguments *out, char *program, const char *path);

void cli_arguments_free(cli_arguments *arguments);

#endif
