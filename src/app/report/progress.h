#ifndef HALOBEAT_APP_REPORT_PROGRESS_H
#define HALOBEAT_APP_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A progress line on stderr: phase, percent, time left. Local; shown by rank 0 only. */

#define PROGRESS_MODE_LIST(X)            \
    X(auto, "when stderr is a terminal") \
    X(always, "always")                  \
    X(never, "never")

/* Zero-initialised: shows nothing. */
typedef struct {
    bool shown;
    const char *phase;
    double phase_begun, last_drawn; /* seconds */
    int width;                      /* columns of the terminal */
    bool drawn;                     /* there is a line to erase */
} progress;

/* The size of the terminal at a stream, STDOUT_FILENO or STDERR_FILENO: as the system says, or else
 * COLUMNS and LINES of the environment; 0 where neither does. */
void terminal_measure(int stream, int *columns, int *lines);

/* `mode` is a name of PROGRESS_MODE_LIST. The line is as wide as the terminal, or 80 columns. */
progress progress_create(const char *mode, int rank);

/* Begins a phase. Its name must stay valid during the phase. */
void progress_phase(progress *shown, const char *phase);

/* `done` of `total` units are done. Draws at most ten times per second. */
void progress_update(progress *shown, int64_t done, int64_t total);

/* Erases the line. */
void progress_end(progress *shown);

#endif
