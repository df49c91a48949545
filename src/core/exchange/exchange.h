#ifndef HALOBEAT_CORE_EXCHANGE_EXCHANGE_H
#define HALOBEAT_CORE_EXCHANGE_EXCHANGE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

#include <stddef.h>

/* Halo exchange: begin it, compute the cells that do not need the halo, end it, compute the others.
 *
 * Strips send whole rows (planes in three axes) with their own halo cells, directly from and to the
 * fields. Blocks send what each neighbour needs, packed if it is not contiguous. Halo cells beyond
 * an edge that is not periodic are not written: they stay 0. */
typedef struct halo_exchange halo_exchange;

/* Modes of exchange: how messages are sent. */
#define HALO_EXCHANGE_LIST(X)                              \
    X(p2p, "a fresh send and receive for every message")   \
    X(persistent, "messages prepared once, started often") \
    X(neighbour, "one collective among neighbours")        \
    X(shared, "halos read from the memory of ranks on the same machine")

/* How cells travel to diagonal neighbours. */
#define HALO_EXCHANGE_CORNERS_LIST(X)                  \
    X(direct, "in messages of their own, all at once") \
    X(phases, "along one axis after the other, with the cells beside them")

/* How cells that are not contiguous are put into messages. */
#define HALO_EXCHANGE_PACKING_LIST(X)                          \
    X(automatic, "auto", "whichever is measured to be faster") \
    X(copy, "copy", "copied to and from buffers")              \
    X(datatype, "datatype", "MPI's derived datatypes")

/* Halo along axis 1 of fields whose rows have a layout of their own (`side_halo` of halo_kernel).
 * The field has no halo cells there; the exchange sends the bytes that `take` writes, and gives the
 * bytes it receives to `give`. `side` is 0 for the low end of axis 1, 1 for the high end. Rows are
 * lo to lo + rows - 1, local indices of axis 0. All functions are local. */
typedef struct {
    /* Bytes of one row at one side; the same on all ranks. */
    size_t (*bytes)(const void *state, int field);
    /* Writes the cells of the rows next to that side, for the rank beyond it, to `out` [rows *
     * bytes]. */
    void (*take)(const void *state, const halo_view *view, int field, int side, int64_t lo,
                 int64_t rows, void *out);
    /* Stores the cells beyond that side, received from the rank that owns them in `in` [rows *
     * bytes]. */
    void (*give)(void *state, const halo_view *view, int field, int side, int64_t lo, int64_t rows,
                 const void *in);
} halo_side_halo;

/* Options of an exchange. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *mode; /* a name of HALO_EXCHANGE_LIST; NULL: shared between threads that have a core
                         each, else p2p */
    const char *corner_way; /* a name of HALO_EXCHANGE_CORNERS_LIST; NULL: direct where possible */
    const char *packing;    /* a name of HALO_EXCHANGE_PACKING_LIST; NULL: auto */
    bool corners;           /* diagonal neighbours are needed too; strips always send them */
    bool double_buffered;   /* the caller exchanges two copies of its fields in turn: cells near
                             * a cut are not written directly after an exchange, but only after a
                             * later exchange of the other copy has ended. halo_exchange_end then
                             * need not wait until other ranks have read them */
    const halo_side_halo *side_halo; /* or NULL; with it, corners travel in phases */
    void *side_halo_state;           /* passed to its functions */
} halo_exchange_options;

/* The traffic that one rank has sent to others since the exchange was created. Copies within the
 * rank do not count. Halos read from shared memory count as the messages they replace. */
typedef struct {
    int64_t exchanges;
    int64_t messages;
    int64_t bytes;
} halo_exchange_counts;

/* Local. HALO_ARGUMENT, with the names there are, for an unknown mode, corner way or packing. */
halo_status halo_exchange_check_sized(const halo_exchange_options *options, size_t options_bytes);
#define halo_exchange_check(...) \
    halo_exchange_check_sized(__VA_ARGS__, sizeof(halo_exchange_options))

/* Local. The mode in which the world's ranks exchange halos if `mode` (a name of
 * HALO_EXCHANGE_LIST; NULL: the default) is asked for: ranks that are threads have no persistent
 * and no neighbours' messages, and do it as in p2p, with the same results. */
const char *halo_exchange_mode_used(const halo_world *world, const char *mode);

/* Local. True if the world's fields exchanged in this mode must be created with
 * halo_field_options.shared, as those of processes in mode shared: threads read any field. */
bool halo_exchange_shares_fields(const halo_world *world, const char *mode);

/* Collective. Creates an exchange for [count] fields, each this rank's part of `partition`; cell
 * sizes and depths may differ (depth 0 sends nothing). The fields must outlive the exchange.
 * `options` may be NULL, and must be the same on all ranks. Several exchanges may be under way at a
 * time, in any order that is the same on all ranks. The caller destroys the exchange. HALO_RANKS,
 * with the largest number of ranks that is possible, if a halo is deeper than a part it is taken
 * from; HALO_ARGUMENT for unknown options, a mode that this transport or machine lacks,
 * bit-packed rows that are cut, a partition that has not one part per rank, or fields that are not
 * this rank's part of it; HALO_MEMORY; HALO_TRANSPORT. */
halo_status halo_exchange_create_sized(halo_exchange **out, halo_world *world,
                                       const halo_partition *partition, halo_field *const *fields,
                                       int count, const halo_exchange_options *options,
                                       size_t options_bytes);
#define halo_exchange_create(...) \
    halo_exchange_create_sized(__VA_ARGS__, sizeof(halo_exchange_options))

/* Local; not between begin and end. Frees the exchange and sets the pointer to NULL. Accepts a
 * pointer to NULL. */
void halo_exchange_destroy(halo_exchange **exchange);

/* Collective, does not wait. Fills the halos whose cells this rank owns itself (periodic axes) and
 * starts the messages. Until halo_exchange_end, cells within the halo's depth of a cut may be read
 * but not written; halo cells along axes that are cut may be neither read nor written.
 * HALO_ARGUMENT if the exchange has begun already; HALO_TRANSPORT. */
halo_status halo_exchange_begin(halo_exchange *exchange);

/* Collective. Waits until all halo cells have arrived. HALO_ARGUMENT if the exchange has not begun;
 * HALO_TRANSPORT. */
halo_status halo_exchange_end(halo_exchange *exchange);

/* Local. The messages and bytes that this rank has sent so far. */
void halo_exchange_count_sized(const halo_exchange *exchange, halo_exchange_counts *counts,
                               size_t counts_bytes);
static inline halo_exchange_counts halo_exchange_count(const halo_exchange *exchange)
{
    halo_exchange_counts halo_filled;
    halo_exchange_count_sized(exchange, &halo_filled, sizeof(halo_exchange_counts));
    return halo_filled;
}

#endif
