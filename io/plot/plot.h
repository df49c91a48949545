#ifndef HALOBEAT_IO_PLOT_PLOT_H
#define HALOBEAT_IO_PLOT_PLOT_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

/* Pictures drawn by the program gnuplot, which gets what to draw through a pipe. A picture appears
 * under its name only when it is whole. All functions are local: one rank draws. */

/* Could a picture be drawn there? For asking before the work begins: gnuplot is started and draws
 * something small beside the target, which is removed. HALO_ARGUMENT if `path` ends neither in
 * .png nor in .svg; HALO_FILE if the folder cannot be written to or gnuplot is not installed
 * (saying how to install it) or cannot draw such pictures (saying why). */
halo_status halo_plot_check(const char *path);

/* Draw `script`, `length` bytes of gnuplot's commands, which set neither terminal nor output, to a
 * picture of `width` x `height` pixels. A file already under that name stays as it was unless all
 * went well. HALO_ARGUMENT, HALO_FILE with what gnuplot said, HALO_MEMORY. */
halo_status halo_plot_draw(const char *path, int width, int height, const char *script,
                           size_t length);

/* The same of what `write` writes to a stream. What it returns; HALO_MEMORY if there is none for
 * all of it. */
typedef halo_status halo_plot_writer(FILE *to, const void *context);
halo_status halo_plot_draw_written(const char *path, int width, int height, halo_plot_writer *write,
                                   const void *context);

#endif
