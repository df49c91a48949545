#ifndef HALOBEAT_APP_OPTIONS_COMMAND_LINE_H
#define HALOBEAT_APP_OPTIONS_COMMAND_LINE_H

/* Local. The program and its arguments, without argv[0], as a shell command: words with special
 * characters are in single quotes. Allocated for the caller; NULL if there is no memory. */
char *app_command_line(const char *program, int argc, char *const *argv);

#endif
