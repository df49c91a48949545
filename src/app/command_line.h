#ifndef HALOBEAT_APP_COMMAND_LINE_H
#define HALOBEAT_APP_COMMAND_LINE_H

/* Local. The program and its arguments, argv[0] left out, as one would write them in a shell: words
 * with other characters than those of names and numbers are in single quotes. A new string, or NULL
 * for want of memory. */
char *app_command_line(const char *program, int argc, char *const *argv);

#endif
