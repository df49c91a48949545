#ifndef HALOBEAT_MOTION_TASK_H
#define HALOBEAT_MOTION_TASK_H

#include "base/memory.h"
#include "core/master/master_worker.h"
#include "kernels/motion/match_context.h"

/* Messages between master and workers. Local. Internal to the motion kernel.
 *
 * A message is a motion_batch, then for each cluster a motion_task, its shifts, its pieces and the
 * pieces' shifts, each list padded to 8 bytes. Results are a motion_found for each cluster, or in
 * MOTION_PLACE for each piece. */

/* kind of a beat, name */
#define MOTION_KIND_LIST(X)                                               \
    X(MATCH, "match")   /* clusters are searched over the whole radius */ \
    X(SPREAD, "spread") /* clusters try the motion of their neighbours */ \
    X(PLACE, "place")   /* pieces try the motion of clusters and other pieces */

typedef enum {
#define MOTION_KIND_ENUM(code, name) MOTION_##code,
    MOTION_KIND_LIST(MOTION_KIND_ENUM)
#undef MOTION_KIND_ENUM
        MOTION_KINDS
} motion_kind;

typedef struct {
    int32_t kind;
    int32_t fraction; /* the last beat of its kind: also find fractions of pixels */
    int64_t tasks;
} motion_batch;

typedef struct {
    int64_t pieces, pixels;
    int64_t shifts; /* number of shifts to try */
    motion_found found;
} motion_task;

/* Local. True if a piece has work in MOTION_PLACE. */
static inline bool motion_piece_is_active(const motion_piece *piece, bool fraction)
{
    return fraction || piece->shifts > 0 || piece->found.cost == MOTION_UNKNOWN;
}

/* Local. Appends shifts, padded to 8 bytes. HALO_MEMORY. */
halo_status motion_append_shifts(halo_buffer *message, const motion_shift *shifts, int count);

/* Local. Does the tasks of a message of these workers. */
void motion_run_tasks(const motion_match_context *context, const void *message, motion_found *back,
                      halo_master_worker *workers);

#endif
