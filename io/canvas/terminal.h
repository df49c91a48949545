#ifndef HALOBEAT_IO_CANVAS_TERMINAL_H
#define HALOBEAT_IO_CANVAS_TERMINAL_H

#include "base/memory.h"

#include <stddef.h>

/* Small images as text for a terminal: half blocks in UTF-8, with two pixels, one above the other,
 * per character. Pure functions. */

typedef enum {
    HALO_OVERVIEW_COLOURS_NONE, /* no escape codes: blocks and shades */
    HALO_OVERVIEW_COLOURS_256,  /* escape codes for xterm's 256 colours */
    HALO_OVERVIEW_COLOURS_TRUE  /* escape codes for red, green and blue of 8 bits */
} halo_overview_colours;

typedef struct {
    int columns, rows;           /* pixels: columns of characters, and half rows of characters */
    const unsigned char *levels; /* [rows * columns] brightness: 0 is empty, 255 the maximum */
    halo_overview_colours colours;
    const unsigned char *palette; /* [256 * 3] red, green, blue of each level; unused without
                                   * colours */
} halo_overview;

/* The colours a terminal supports, by the environment variables COLORTERM, TERM and NO_COLOR (each
 * may be NULL). The caller must check that there is a terminal. */
halo_overview_colours halo_overview_colours_of(const char *colorterm, const char *term,
                                               const char *no_color);

/* Appends the image: (rows + 1) / 2 lines, each ended by a newline with default colours restored.
 * Pixels that are not empty are always visible. HALO_MEMORY. */
halo_status halo_overview_draw(halo_buffer *out, const halo_overview *overview);

#endif
