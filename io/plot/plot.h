#ifndef HALOBEAT_IO_PLOT_PLOT_H
#define HALOBEAT_IO_PLOT_PLOT_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

/* Plots drawn by the program gnuplot, to which commands are sent through a pipe. A plot appears
 * under its name only when it is complete. All functions are local: one rank draws. */

/* Checks, before the work begins, that a plot can be drawn: gnuplot draws a small one next to
 * `path`, which is removed. HALO_ARGUMENT if `path` ends neither in .png nor in .svg; HALO_FILE if
 * the folder cannot be written, gnuplot is not installed (with how to install it) or cannot draw
 * such plots (with its reason). */
halo_status halo_plot_check(const char *path);

/* Draws `script`, `length` bytes of gnuplot commands that set neither terminal nor output, as an
 * image of `width` x `height` pixels. An older file of that name is replaced only on success.
 * HALO_ARGUMENT, HALO_FILE with gnuplot's message, HALO_MEMORY. */
halo_status halo_plot_draw(const char *path, int width, int height, const char *script,
                           size_t length);

/* As halo_plot_draw, with the commands that `write` writes to a stream. Returns what it returns;
 * HALO_MEMORY if there is no memory for them. */
typedef halo_status halo_plot_writer(FILE *to, const void *context);
halo_status halo_plot_draw_written(const char *path, int width, int height, halo_plot_writer *write,
                                   const void *context);

#endif
