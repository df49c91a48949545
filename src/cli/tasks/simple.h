#ifndef HALOBEAT_CLI_TASKS_SIMPLE_H
#define HALOBEAT_CLI_TASKS_SIMPLE_H

#include "base/status.h"

/* A command that a shell would only take apart at its blanks: run without one it takes half the
 * processor time. */
typedef struct {
    char **words; /* as execvp wants them; NULL: the command needs a shell */
    char *text;
} simple_command;

/* Local, pure. A command of plain words and of words in single quotes, whose first one is neither a
 * word of the shell's language nor a command that shells have built in, as echo, which they do in
 * their own way. HALO_MEMORY. */
halo_status simple_command_parse(simple_command *out, const char *command);

/* Local. */
void simple_command_free(simple_command *command);

#endif
