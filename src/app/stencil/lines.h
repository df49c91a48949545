#ifndef HALOBEAT_APP_STENCIL_LINES_H
#define HALOBEAT_APP_STENCIL_LINES_H

#include "core/beat/beat.h"
#include "core/file/rows.h"
#include "core/world/clock.h"

/* A run's cells as lines along the last axis, in strips of layers whatever the decomposition: what
 * files and checkpoints are made of. A line of several fields is that of the first one, then that
 * of the next; bits are packed, the lowest first, and fill bytes. */
typedef struct {
    halo_world *world;
    const halo_beat *beat;
    halo_domain domain;
    const halo_kernel *kernel;
    int first, count;      /* fields */
    int64_t lines_a_layer; /* of axis 0 */
    int64_t *cuts;         /* [ranks + 1] of lines: rank r brings cuts[r] to cuts[r + 1] - 1 */
    size_t line_bytes;     /* of all the fields */
    bool blocks;           /* then the strips' cells are copies: */
    halo_partition strips;
    halo_field *cells[HALO_KERNEL_FIELDS];
} stencil_lines;

/* Bytes of a line of field `field`. Local. */
size_t stencil_lines_bytes(const halo_kernel *kernel, int field, const halo_domain *domain);

/* Collective. Lines of `count` fields from `first` on, for filling them in; stencil_lines_end in
 * any case, before the next beat. HALO_MEMORY. */
halo_status stencil_lines_begin(stencil_lines *lines, halo_world *world, const halo_kernel *kernel,
                                const halo_domain *domain, const halo_beat *beat, int first,
                                int count);

/* Collective. Bring the cells of blocks into the strips, to be read; or, when these have been
 * filled in, back. HALO_MEMORY, HALO_TRANSPORT. */
halo_status stencil_lines_gather(stencil_lines *lines, halo_clock *clock);
halo_status stencil_lines_scatter(stencil_lines *lines, halo_clock *clock);

/* Local. Copy lines of this rank out, as halo_rows_fill, and in. `context` is a stencil_lines. */
halo_status stencil_lines_fill(void *context, int64_t first, int64_t lines, void *out,
                               size_t pitch);
halo_status stencil_lines_take(void *context, int64_t first, int64_t lines, const void *data,
                               size_t pitch);

/* Local. [ranks + 1] who has which layers. */
const int64_t *stencil_lines_layers(const stencil_lines *lines);

/* Local. The address of a line of this rank. */
void *stencil_lines_at(const stencil_lines *lines, int field, int64_t line);

/* Local. */
void stencil_lines_end(stencil_lines *lines);

#endif
