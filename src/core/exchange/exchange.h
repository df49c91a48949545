#ifndef HALOBEAT_CORE_EXCHANGE_EXCHANGE_H
#define HALOBEAT_CORE_EXCHANGE_EXCHANGE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Bringing halos up to date: begin, compute what reads no halo, end, compute the rest.
 *
 * Strips send whole rows (planes in three axes), their own halo cells included, straight from and
 * into the fields. Blocks send what each neighbour needs, packed where it is not contiguous. Cells
 * beyond an edge that is not periodic are not touched: they stay 0. */
typedef struct halo_exchange halo_exchange;

/* How messages are made, by the name a user gives. */
#define HALO_EXCHANGE_LIST(X)                              \
    X(p2p, "a fresh send and receive for every message")   \
    X(persistent, "messages prepared once, started often") \
    X(neighbour, "one collective among neighbours")        \
    X(shared, "halos read from the memory of ranks on the same machine")

/* Which way cells travel that are neighbours diagonally. */
#define HALO_EXCHANGE_CORNERS_LIST(X)                  \
    X(direct, "in messages of their own, all at once") \
    X(phases, "along one axis after the other, with the cells beside them")

/* How cells that are not contiguous get into messages. */
#define HALO_EXCHANGE_PACKING_LIST(X)                          \
    X(automatic, "auto", "whichever is measured to be faster") \
    X(copy, "copy", "copied to and from buffers")              \
    X(datatype, "datatype", "MPI's derived datatypes")

/* Halos along axis 1 of fields whose rows have a layout of their own (see halo_kernel's
 * `side_halo`): the field has no halo cells there, and the exchange carries what these functions
 * take and give. `side` is 0 for the low end of axis 1, 1 for the high one; rows are lo to lo +
 * rows - 1, local indices of axis 0. All local. */
typedef struct {
    /* Bytes for one row and side; the same on all ranks. */
    size_t (*bytes)(const void *state, int field);
    /* Cells of the rows next to that side, for the rank beyond it. */
    void (*take)(const void *state, const halo_view *view, int field, int side, int64_t lo,
                 int64_t rows, void *out);
    /* Cells that lie beyond that side, from the rank that owns them. */
    void (*give)(void *state, const halo_view *view, int field, int side, int64_t lo, int64_t rows,
                 const void *in);
} halo_side_halo;

/* Zero-initialise it: 0 means the default. */
typedef struct {
    const char *mode;       /* a name of HALO_EXCHANGE_LIST; p2p */
    const char *corner_way; /* of HALO_EXCHANGE_CORNERS_LIST; direct where that is possible */
    const char *packing;    /* of HALO_EXCHANGE_PACKING_LIST; auto */
    bool corners;           /* cells that are neighbours diagonally are needed too; strips bring
                             * them in any case */
    bool double_buffered;   /* cells near a cut are not written right after an end, but only after
                             * the end of another exchange among the same parts that has begun
                             * later (two copies of fields, exchanged in turn): ends need not wait
                             * until others have read them */
    const halo_side_halo *side_halo; /* or NULL; then corners go in phases */
    void *side_halo_state;           /* handed to its functions */
} halo_exchange_options;

/* What one rank has sent to others since its exchange was made; copies inside the rank are not
 * messages. Halos read from shared memory count as what they would be as messages. */
typedef struct {
    int64_t exchanges;
    int64_t messages;
    int64_t bytes;
} halo_exchange_counts;

/* Local. HALO_ARGUMENT, and the names there are, for a mode, way or packing that is in no list. */
halo_status halo_exchange_check(const halo_exchange_options *options);

/* Local. Do fields that are exchanged by this mode (a name of HALO_EXCHANGE_LIST; NULL: the
 * default) have to lie in shared memory (`shared` of halo_field_options)? */
bool halo_exchange_shares_fields(const char *mode);

/* Collective. One exchange for `count` fields of the same box: this rank's part of `partition`. The
 * fields must outlive the exchange; each may have its own cell size and depth (0 sends nothing).
 * `options` may be NULL, and is the same on all ranks. Exchanges that are alive together may be
 * used in any order that is the same on all ranks. HALO_RANKS, naming the largest number of ranks
 * that would do, if a halo is deeper than a part it is taken from; HALO_ARGUMENT for unknown
 * options, a mode that this MPI library or machine lacks, bit-packed rows that are cut, or a
 * partition that has not one part per rank or that the fields do not follow; HALO_MEMORY;
 * HALO_MPI. */
halo_status halo_exchange_create(halo_exchange **out, halo_world *world,
                                 const halo_partition *partition, halo_field *const *fields,
                                 int count, const halo_exchange_options *options);

/* Local; not between begin and end. Accepts a pointer to NULL. */
void halo_exchange_destroy(halo_exchange **exchange);

/* Collective, does not wait. Fills halos that this rank owns itself (periodic axes) and starts
 * the messages. Until the end, cells within the halo's depth of a cut may be read but not
 * written, and halo cells along axes that are cut not even read. */
halo_status halo_exchange_begin(halo_exchange *exchange);

/* Collective. Waits through halo_wait until the halos are there. */
halo_status halo_exchange_end(halo_exchange *exchange);

/* Local. */
halo_exchange_counts halo_exchange_count(const halo_exchange *exchange);

#endif
