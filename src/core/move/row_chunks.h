#ifndef HALOBEAT_CORE_MOVE_ROW_CHUNKS_H
#define HALOBEAT_CORE_MOVE_ROW_CHUNKS_H

#include "core/field/field.h"
#include "core/file/rows.h"
#include "core/move/scatter_gather.h"
#include "core/world/clock.h"
#include "core/world/world.h"

/* Rows on their way from one decomposition to another, a few chunks of them at a time: what all
 * functions of core/move/scatter_gather.h do. */

/* Who has which rows: rank r rows cuts[r] to cuts[r + 1] - 1, or begins[r] to ends[r] - 1; without
 * either, rank 0 rows lo to hi - 1. */
typedef struct {
    const int64_t *cuts;          /* [ranks + 1] or NULL */
    const int64_t *begins, *ends; /* [ranks] or NULL */
    int64_t lo, hi;
} halo_owners;

typedef struct {
    halo_world *world;
    halo_owners from, to; /* of rows */
    int64_t shift;        /* row r of `from` is row r + shift of `to` */
    size_t row_bytes, pitch;
    const halo_view *into; /* receive into these rows, whose stride is the pitch; or NULL */
    halo_rows_fill *fill;  /* asked for rows of `from` */
    halo_rows_take *take;  /* given rows of `to`; or NULL */
    void *context;         /* handed to both */
    halo_phase fill_phase, take_phase; /* DISTRIBUTE for what is part of handing rows over */
    halo_clock *clock;
} halo_row_chunks;

/* Collective. Hands over all rows that have an owner in both. Every rank first takes its own rows,
 * then those from higher ranks, then those from lower ones, in ascending order each. HALO_ARGUMENT
 * for rows of no bytes, or longer than a message can be where there are several ranks; HALO_MEMORY;
 * HALO_MPI; what fill and take return: then all ranks fail with it, and nobody goes on taking who
 * misses rows. */
halo_status halo_row_chunks_move(const halo_row_chunks *chunks);

#endif
