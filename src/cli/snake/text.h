#ifndef HALOBEAT_CLI_SNAKE_TEXT_H
#define HALOBEAT_CLI_SNAKE_TEXT_H

#include "cli/snake/contours.h"

/* Contours as text: drawings and JSON. */

typedef struct {
    const snake_contours *contours;
    const snake_place *places; /* [points] of the contours, as they are now */
    int64_t width, height;     /* pixels of the picture */
    const char *link;          /* of an SVG: the picture's name, as the drawing should call it; or
                                * NULL: contours only */
} snake_text;

/* Local. Append a drawing of the picture's size, with a closed path for each contour in units of
 * pixels: the middle of pixel (0, 0) is at (0, 0). The picture is linked, not in it. HALO_MEMORY.
 */
halo_status snake_text_svg(halo_buffer *out, const snake_text *what);

/* Local. Append an object: width, height and contours, each with the area it encloses and its
 * points in order. HALO_MEMORY. */
halo_status snake_text_json(halo_buffer *out, const snake_text *what);

#endif
