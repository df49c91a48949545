#ifndef HALOBEAT_IO_CANVAS_TERMINAL_H
#define HALOBEAT_IO_CANVAS_TERMINAL_H

#include "base/memory.h"

#include <stddef.h>

/* Small pictures as text for a terminal: half blocks, two pixels above each other in a character,
 * in UTF-8. Pure functions. */

typedef enum {
    HALO_OVERVIEW_COLOURS_NONE, /* no escape codes: blocks and shades */
    HALO_OVERVIEW_COLOURS_256,  /* escape codes for xterm's 256 colours */
    HALO_OVERVIEW_COLOURS_TRUE  /* escape codes for red, green and blue of 8 bits */
} halo_overview_colours;

typedef struct {
    int columns, rows;           /* pixels; columns of characters, half rows of characters */
    const unsigned char *levels; /* [rows * columns] brightness: 0 is empty, 255 the brightest */
    halo_overview_colours colours;
    const unsigned char *palette; /* [256 * 3] red, green, blue of each level; unused without
                                   * colours */
} halo_overview;

/* What a terminal can do, from the environment variables COLORTERM, TERM and NO_COLOR (each may be
 * NULL). That there is a terminal at all is for the caller to find out. */
halo_overview_colours halo_overview_colours_of(const char *colorterm, const char *term,
                                               const char *no_color);

/* Append the picture, (rows + 1) / 2 lines, each ended by a newline and with the terminal's own
 * colours restored. Anything that is not empty can be told from what is. HALO_MEMORY. */
halo_status halo_overview_draw(halo_buffer *out, const halo_overview *overview);

#endif
