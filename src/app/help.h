#ifndef HALOBEAT_APP_HELP_H
#define HALOBEAT_APP_HELP_H

#include <argp.h>

/* Local. Print the help that argp has to stdout, for a terminal of 80 columns or, if the user has
 * set ARGP_HELP_FMT, as that says. glibc's own breaking of lines goes wrong where its buffer
 * happens to end (2.36: the name of an option far to the right, its text at the left margin); this
 * asks it for lines without end, and breaks them. */
void help_print(struct argp_state *state);

#endif
