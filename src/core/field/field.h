#ifndef HALOBEAT_CORE_FIELD_FIELD_H
#define HALOBEAT_CORE_FIELD_FIELD_H

#include "base/status.h"
#include "partition/box.h"

#include <stdbool.h>
#include <stddef.h>

/* One rank's part of a distributed array, with its halo inside the same allocation. */
typedef struct halo_field halo_field;

enum { HALO_BIT = 1 }; /* bits of a cell of a bit-packed field */

/* Where the cells are. Local indices: 0 is the first owned cell, -depth the first halo cell, on
 * every axis the domain uses.
 *
 * The last axis the domain uses runs along memory: it is called the row, also where it is the
 * only one. A cell of 8 bits or more has its own address, and the last stride is its size. Cells
 * of one bit are packed into 64-bit words: cell x is bit x % 64 of word x / 64, the lowest bit
 * first; the last stride is then 0. A bit-packed row has at least one readable word before its
 * first and after its last word, whatever the depth: cell -1 is bit 63 of word -1, and the cell
 * after the last one follows it, in the middle of a word where the length is no multiple of 64:
 * a kernel that reads whole words masks it away where it counts, and where it writes the last
 * word leaves or clears it. Bits outside cells and halo are 0 and stay so. */
typedef struct {
    void *origin;                /* cell (0, 0, 0); aligned to 64 bytes, as is every row's first,
                                  * but for narrow rows: those of less than 64 bytes with their
                                  * halo, and of bits of one word besides, lie one after another,
                                  * aligned as their cells are. On a single axis that moves, cell 0
                                  * of the domain is aligned */
    ptrdiff_t stride[HALO_AXES]; /* bytes to the next cell along each axis */
    halo_box owned;              /* global place of the owned cells */
    int axes;                    /* as in the domain */
    int depth;                   /* halo cells on each side of axis 0 */
    int side_depth;              /* the same of every other used axis: depth, or 0 */
    int cell_bits;               /* 1, or a multiple of 8 */
} halo_view;

/* Local. `cell_bits` is 1 or a multiple of 8, `depth` 0 or more; `owned` lies in `domain` and may
 * be empty, which makes a field without cells. Everything is zero, halo cells until they are
 * exchanged. HALO_ARGUMENT for a domain without 1 to 3 axes or without cells, a cell of another
 * size, or bit-packed cells on a single axis (words cannot be cut); HALO_MEMORY, also for sizes
 * beyond any memory. The caller destroys the field. */
halo_status halo_field_create(halo_field **out, const halo_domain *domain, const halo_box *owned,
                              int cell_bits, int depth);

/* Local. The same for a field whose strip may move along axis 0: addresses for the whole domain are
 * set aside, memory is used only for what is owned and its halo (and for 3 MiB or less at either
 * end). HALO_MEMORY also where the system sets aside no such space; a field that cannot move
 * may still be had. */
halo_status halo_field_create_movable(halo_field **out, const halo_domain *domain,
                                      const halo_box *owned, int cell_bits, int depth);

/* How a field is made. Zero-initialise it: 0 means the default. */
typedef struct {
    bool movable; /* movable if that can be had, or else one that stays */
    bool shared;  /* cells near its ends, where only axis 0 can be cut, or else all of them, lie
                   * in memory that other ranks of the machine can read: exchange mode "shared".
                   * HALO_MEMORY where the system has none to give */
    bool no_side_halo; /* halo cells along axis 0 only: rows bring their own; see halo_side_halo */
} halo_field_options;

/* Local. The same as the options say. The errors are those above. */
halo_status halo_field_create_with(halo_field **out, const halo_domain *domain,
                                   const halo_box *owned, int cell_bits, int depth,
                                   const halo_field_options *options);

/* Local. Can its strip move (halo_field_set_owned)? */
bool halo_field_is_movable(const halo_field *field);

/* Local. The open file in memory behind a field made to be shared, and the place in it of the cell
 * at `address`, for other ranks to find; -1 for other fields. */
int halo_field_file(const halo_field *field, const void *address, size_t *place);

/* Local. A movable field owns these layers of its domain from now on, maybe none (other axes as
 * before). Every layer has its place in memory: cells that were and stay owned, or were written
 * through halo_field_layer before, keep their values. What other layers hold that come into the
 * strip or its halo is not defined, but bits outside cells and halo and halo cells beyond the
 * domain's edges are 0. The view that halo_field_view returns changes with it; copies of it must be
 * made anew. Memory of layers that are neither owned nor halo any more is given back. */
void halo_field_set_owned(halo_field *field, const halo_box *owned);

/* Local. The address of cell 0 (of row 0) of global layer `layer`. In a movable field it may be any
 * layer of the domain or of the halo beyond its ends, owned or not; in others one of the strip or
 * its halo. Layers that are not owned may be written, and are the strip's after the next move. */
void *halo_field_layer(const halo_field *field, int64_t layer);

/* Local. Accepts a pointer to NULL. */
void halo_field_destroy(halo_field **field);

/* Local. The cells; valid as long as the field. */
const halo_view *halo_field_view(const halo_field *field);

/* Local. The domain the field is a part of. */
const halo_domain *halo_field_domain(const halo_field *field);

/* Local. Bytes from the first cell or halo cell of a row to behind its last one, the padding up
 * to whole words included where cells are bits; `*before` is how many lie before cell 0. */
size_t halo_field_row_span(const halo_field *field, size_t *before);

/* Local. The address of index `y` on axis 0: a row where there are two axes, a plane where there
 * are three, a cell where there is one. Halo indices are allowed. */
static inline void *halo_row(const halo_view *view, int64_t y)
{
    return (char *)view->origin + y * view->stride[0];
}

/* Local. The address of row `y` of plane `z` where there are three axes. */
static inline void *halo_row_of_plane(const halo_view *view, int64_t z, int64_t y)
{
    return (char *)view->origin + z * view->stride[0] + y * view->stride[1];
}

#endif
