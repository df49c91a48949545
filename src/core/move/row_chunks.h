#ifndef HALOBEAT_CORE_MOVE_ROW_CHUNKS_H
#define HALOBEAT_CORE_MOVE_ROW_CHUNKS_H

#include "core/field/field.h"
#include "core/file/rows.h"
#include "core/move/scatter_gather.h"
#include "core/world/clock.h"
#include "core/world/world.h"

/* Moving rows from one distribution to another, a few chunks at a time: the implementation of
 * core/move/scatter_gather.h. */

/* A distribution: rank r has rows cuts[r] to cuts[r + 1] - 1, or begins[r] to ends[r] - 1; if all
 * are NULL, rank 0 has rows lo to hi - 1. */
typedef struct {
    const int64_t *cuts;          /* [ranks + 1] or NULL */
    const int64_t *begins, *ends; /* [ranks] or NULL */
    int64_t lo, hi;
} halo_owners;

typedef struct {
    halo_world *world;
    halo_owners from, to; /* distributions of the rows */
    int64_t shift;        /* row r of `from` is row r + shift of `to` */
    size_t row_bytes, pitch;
    const halo_view *into; /* receive directly into these rows, whose stride is the pitch; or
                            * NULL */
    halo_rows_fill *fill;  /* called for rows of `from` */
    halo_rows_take *take;  /* called with rows of `to`; or NULL */
    void *context;         /* passed to both */
    halo_phase fill_phase, take_phase; /* DISTRIBUTE if they only copy rows */
    halo_clock *clock;
} halo_row_chunks;

/* Collective. Moves all rows that have an owner in both distributions. Every rank first takes its
 * own rows, then those from higher ranks, then those from lower ranks, each in ascending order.
 * HALO_ARGUMENT for rows of 0 bytes, or with several ranks of more bytes than a message can have;
 * HALO_MEMORY; HALO_TRANSPORT; and what `fill` and `take` return: all ranks then fail, and a rank
 * that misses rows takes no more. */
halo_status halo_row_chunks_move(const halo_row_chunks *chunks);

#endif
