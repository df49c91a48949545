#ifndef HALOBEAT_MOTION_FRAME_H
#define HALOBEAT_MOTION_FRAME_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole frame for matching, with reduced copies. Internal to the motion kernel. */

enum {
    MOTION_LEVELS = 4, /* the frame, and its copies reduced to 1/2, 1/4 and 1/8 */
    MOTION_MARGIN = 32 /* readable cells around the frame, since windows extend beyond it */
};

typedef struct {
    int rows, columns;
    ptrdiff_t pitch;       /* cells from row to row */
    const uint16_t *cells; /* cell (0, 0) */
} motion_plane;

typedef struct {
    motion_plane levels[MOTION_LEVELS];
    uint16_t *memory[MOTION_LEVELS];
} motion_frame;

/* Local. Creates a frame of zeroes. HALO_MEMORY. */
halo_status motion_frame_create(motion_frame *frame, int rows, int columns);

/* Local. Accepts a zeroed frame. */
void motion_frame_free(motion_frame *frame);

/* Local. Sets its cells to [rows * columns] numbers of 8 or 16 bits. */
void motion_frame_fill(motion_frame *frame, const void *cells, int cell_bits);

/* Local. True if the pixel is in the plane. */
static inline bool motion_plane_has(const motion_plane *plane, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < plane->columns && y < plane->rows;
}

static inline const uint16_t *motion_plane_at(const motion_plane *plane, int64_t x, int64_t y)
{
    return plane->cells + y * plane->pitch + x;
}

#endif
