#ifndef HALOBEAT_IO_MOVIE_PIPE_H
#define HALOBEAT_IO_MOVIE_PIPE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Another program that is fed through its standard input. All functions are local. */
typedef struct halo_feed halo_feed;

/* Start `arguments[0]`, looked for in PATH, with these arguments (the last one NULL). It gets a
 * process group of its own, no output, and its error output is kept. HALO_FILE if there is no such
 * program (the message says how to install it) or it cannot be started, HALO_MEMORY. */
halo_status halo_feed_open(halo_feed **out, const char *const *arguments);

/* HALO_FILE if the program reads no more; halo_feed_close tells why. Never raises SIGPIPE. */
halo_status halo_feed_write(halo_feed *feed, const void *data, size_t bytes);

/* End the program's input and wait for its end; if it has stopped reading before, only for a
 * moment, after which it is killed. HALO_FILE with the last lines it wrote, unless its exit status
 * is 0. Without `wait` it is killed at once, and nothing is said about it. Sets *feed to NULL
 * either way. Accepts a pointer to NULL. */
halo_status halo_feed_close(halo_feed **feed, bool wait);

#endif
