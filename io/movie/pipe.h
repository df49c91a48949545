#ifndef HALOBEAT_IO_MOVIE_PIPE_H
#define HALOBEAT_IO_MOVIE_PIPE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A child process that reads from a pipe. All functions are local. */
typedef struct halo_feed halo_feed;

/* Starts `arguments[0]`, searched in PATH, with these arguments (the last one is NULL), in a
 * process group of its own. Its output is discarded, its error output is stored. HALO_FILE if there
 * is no such program (with how to install it) or it cannot be started; HALO_MEMORY. */
halo_status halo_feed_open(halo_feed **out, const char *const *arguments);

/* Writes to the program's standard input. HALO_FILE if it no longer reads; halo_feed_close returns
 * the reason. Never raises SIGPIPE. */
halo_status halo_feed_write(halo_feed *feed, const void *data, size_t bytes);

/* Closes the program's input and waits for its end; if it has stopped reading before, only for a
 * moment, after which it is killed. HALO_FILE, with the last lines of its error output, unless its
 * exit status is 0. Without `wait` it is killed at once, without an error. Sets *feed to NULL in
 * either case. Accepts a pointer to NULL. */
halo_status halo_feed_close(halo_feed **feed, bool wait);

#endif
