#ifndef HALOBEAT_APP_PROGRESS_H
#define HALOBEAT_APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* One line on stderr that says how far the work is: phase, percent, time left. Local; only rank 0
 * shows one. */

#define PROGRESS_MODE_LIST(X)            \
    X(auto, "when stderr is a terminal") \
    X(always, "always")                  \
    X(never, "never")

/* Zero-initialisable: then it shows nothing. */
typedef struct {
    bool shown;
    const char *phase;
    double phase_begun, last_drawn; /* seconds */
    int width;                      /* columns of the terminal */
    bool drawn;                     /* is there anything to wipe? */
} progress;

/* Does a terminal show this stream, STDOUT_FILENO or STDERR_FILENO? Under mpiexec both are pipes
 * even when a person watches; a launcher that sees the terminal says so with HALOBEAT_STDOUT_TTY=1
 * and HALOBEAT_STDERR_TTY=1. */
bool terminal_shows(int stream);

/* `mode` is of PROGRESS_MODE_LIST. The line is as wide as COLUMNS says. */
progress progress_create(const char *mode, int rank);

/* Begin a phase. Its name must outlive it. */
void progress_phase(progress *shown, const char *phase);

/* `done` of `total` are through; draws at most ten times a second. */
void progress_update(progress *shown, int64_t done, int64_t total);

/* Wipe the line. */
void progress_end(progress *shown);

#endif
