#ifndef HALOBEAT_CORE_FIELD_FIELD_H
#define HALOBEAT_CORE_FIELD_FIELD_H

#include "base/status.h"
#include "partition/box.h"

#include <stdbool.h>
#include <stddef.h>

/* A field: one rank's part of a distributed array, in one allocation with its halo. */
typedef struct halo_field halo_field;

enum { HALO_BIT = 1 }; /* cell_bits of a bit-packed field */

/* Layout of a field in memory. Local indices start at 0 for the first owned cell; halo cells have
 * the indices -depth to -1 and n to n + depth - 1 on every axis of the domain.
 *
 * The last axis is contiguous in memory and is called the row, even if it is the only axis. Cells
 * of 8 bits or more are addressable; the last stride is their size in bytes. Cells of 1 bit are
 * packed into 64-bit words: cell x is bit x % 64 of word x / 64, the least significant bit first;
 * the last stride is then 0. A bit-packed row has at least one readable word before its first word
 * and one after its last, whatever the depth. Cell -1 is bit 63 of word -1. If the length of the
 * row is not a multiple of 64, the halo after its last cell begins within the row's last word: a
 * kernel that reads whole words must mask these bits where they would count, and one that writes
 * the last word must keep or clear them. Bits that are neither cells nor halo are 0 and must stay
 * 0.
 *
 * The first cell of every row is aligned to 64 bytes, with two exceptions. In domains of 2 or 3
 * axes, rows of less than 64 bytes with their halo (bit-packed rows: of one word) are stored
 * without padding, aligned to their cells. In a movable field of one axis, only cell 0 of the
 * domain is aligned. */
typedef struct {
    void *origin;                /* address of cell (0, 0, 0) */
    ptrdiff_t stride[HALO_AXES]; /* bytes from a cell to the next along each axis */
    halo_box owned;              /* global position of the owned cells */
    int axes;                    /* axes of the domain */
    int depth;                   /* halo cells on each side of axis 0 */
    int side_depth;              /* halo cells on each side of the other axes: depth, or 0 */
    int cell_bits;               /* 1, or a multiple of 8 */
} halo_view;

/* Local. Creates a field for the cells `owned`, which must lie in `domain` and may be empty.
 * `cell_bits` is 1 or a multiple of 8; `depth`, in cells, is 0 or more. All cells are 0, and halo
 * cells stay 0 until an exchange. The caller destroys the field. HALO_ARGUMENT for a domain without
 * 1 to 3 axes or without cells, a box outside the domain, another cell size, or bit-packed cells in
 * a domain of one axis; HALO_MEMORY, also for sizes that cannot be represented. */
halo_status halo_field_create(halo_field **out, const halo_domain *domain, const halo_box *owned,
                              int cell_bits, int depth);

/* Local. As halo_field_create, for a strip that can move along axis 0. Address space is reserved
 * for the whole domain; memory is used for the owned layers and their halo only (and up to 3 MiB at
 * either end). HALO_MEMORY also if the system reserves no such address space; halo_field_create may
 * then still succeed. */
halo_status halo_field_create_movable(halo_field **out, const halo_domain *domain,
                                      const halo_box *owned, int cell_bits, int depth);

/* Options of a field. Zero-initialise it: 0 means the default. */
typedef struct {
    bool movable;      /* movable if possible, otherwise not movable */
    bool shared;       /* allocate memory that other ranks of the machine can read, for the exchange
                        * mode "shared". In a strip of fixed position, 4 MiB or more, only the cells
                        * near its ends are shared. HALO_MEMORY if the system has no such memory */
    bool no_side_halo; /* halo along axis 0 only, for rows with a layout of their own; see
                        * halo_side_halo */
} halo_field_options;

/* Local. As halo_field_create, with options. Errors are the same. */
halo_status halo_field_create_with_sized(halo_field **out, const halo_domain *domain,
                                         const halo_box *owned, int cell_bits, int depth,
                                         const halo_field_options *options, size_t options_bytes);
#define halo_field_create_with(...) \
    halo_field_create_with_sized(__VA_ARGS__, sizeof(halo_field_options))

/* Local. A field in memory of the caller, which outlives it. Of `view`, `owned`, `cell_bits`,
 * `depth` and `side_depth`, which is `depth` or 0, are as of a field that is created; `origin` is
 * where cell (0, 0, 0) lies, and the strides ascend from the last axis, where cells are next to
 * each other. The memory has room for the halo, which is set to 0; cells keep their values.
 * HALO_ARGUMENT as of halo_field_create, for cells of 1 bit, for cells that are not at multiples of
 * their size (of at most 8 bytes), and for strides with no room for the halo; HALO_MEMORY. */
halo_status halo_field_adopt(halo_field **out, const halo_domain *domain, const halo_view *view);

/* Local. True if the strip can be moved by halo_field_set_owned. */
bool halo_field_is_movable(const halo_field *field);

/* Local. For a field in shared memory: returns the file descriptor of its memory and sets *place to
 * the byte offset of `address` in it, so that other ranks can map it. Returns -1 for other
 * fields. */
int halo_field_file(const halo_field *field, const void *address, size_t *place);

/* Local. Sets the layers that a movable field owns, possibly none; `owned` differs from the present
 * box along axis 0 only. Cells keep their values if they were and stay owned, or were written
 * through halo_field_layer. Other cells that become owned or halo have undefined values, except
 * that halo cells beyond the domain's edges, and bits that are neither cells nor halo, are 0. The
 * structure that halo_field_view returns is updated; copies of it are out of date. Memory of layers
 * that are no longer owned or halo is released. */
void halo_field_set_owned(halo_field *field, const halo_box *owned);

/* Local. The address of cell 0 (of row 0) of global layer `layer`. In a movable field it may be any
 * layer of the domain, or of the halo beyond the domain's ends; in other fields, a layer of the
 * strip or its halo. Layers that are not owned may be written: they keep what was written if the
 * next halo_field_set_owned makes them owned. */
void *halo_field_layer(const halo_field *field, int64_t layer);

/* Local. Frees the field and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_field_destroy(halo_field **field);

/* Local. The layout of the field; owned by the field, valid as long as it exists. */
const halo_view *halo_field_view(const halo_field *field);

/* Local. The domain of the field; owned by the field. */
const halo_domain *halo_field_domain(const halo_field *field);

/* Local. Bytes from the first cell or halo cell of a row to the end of its last one, for bit-packed
 * rows rounded up to whole words. *before is the number of these bytes before cell 0. */
size_t halo_field_row_span(const halo_field *field, size_t *before);

/* Local. The address of local index `y` on axis 0: a cell in one axis, a row in two, a plane in
 * three. Halo indices are allowed. */
static inline void *halo_row(const halo_view *view, int64_t y)
{
    return (char *)view->origin + y * view->stride[0];
}

/* Local. The address of layer `layer` of the domain, as of halo_row. */
static inline void *halo_row_of_domain(const halo_view *view, int64_t layer)
{
    return halo_row(view, layer - view->owned.lo[0]);
}

/* Local. The address of row `y` of plane `z` in a domain of three axes. Halo indices are
 * allowed. */
static inline void *halo_row_of_plane(const halo_view *view, int64_t z, int64_t y)
{
    return (char *)view->origin + z * view->stride[0] + y * view->stride[1];
}

/* Local. The number of owned rows of cells, along the last axis: one in a domain of one axis, and
 * none if no cell is owned. */
int64_t halo_view_rows(const halo_view *view);

/* Local. The address of the first cell of owned row `i`, from 0, plane by plane. */
static inline void *halo_view_row(const halo_view *view, int64_t i)
{
    return view->axes == 1   ? view->origin
           : view->axes == 2 ? halo_row(view, i)
                             : halo_row_of_plane(view, i / view->owned.n[1], i % view->owned.n[1]);
}

/* Local. Copies the owned cells of a view to another one of the same cells. */
void halo_view_copy(const halo_view *to, const halo_view *from);

#endif
