#ifndef HALOBEAT_MOTION_TASK_H
#define HALOBEAT_MOTION_TASK_H

#include "base/memory.h"
#include "core/master/master_worker.h"
#include "kernels/motion/match_context.h"

/* What the master sends a worker in a beat, and what comes back. Local. Internal to the motion
 * kernel.
 *
 * A message is a motion_batch, then for each cluster a motion_task, its shifts, its pieces and the
 * pieces' shifts, each list filled up to 8 bytes; findings are a motion_found for each cluster, or
 * in MOTION_PLACE for each piece. */

/* name of a kind of beat, what it does */
#define MOTION_KIND_LIST(X)                                               \
    X(MATCH, "match")   /* clusters are looked for all over the radius */ \
    X(SPREAD, "spread") /* clusters try what their neighbours found */    \
    X(PLACE, "place")   /* pieces try what clusters and other pieces found */

typedef enum {
#define MOTION_KIND_ENUM(code, name) MOTION_##code,
    MOTION_KIND_LIST(MOTION_KIND_ENUM)
#undef MOTION_KIND_ENUM
        MOTION_KINDS
} motion_kind;

typedef struct {
    int32_t kind;
    int32_t fraction; /* the last of its kind: find fractions of pixels too */
    int64_t tasks;
} motion_batch;

typedef struct {
    int64_t pieces, pixels;
    int32_t cluster;
    int32_t shifts; /* to be tried */
    motion_found found;
} motion_task;

/* Local. Is there something to do for a piece in MOTION_PLACE? */
static inline bool motion_piece_is_active(const motion_piece *piece, bool fraction)
{
    return fraction || piece->shifts > 0 || piece->found.cost == MOTION_UNKNOWN;
}

/* Local. Append shifts, filled up to 8 bytes. HALO_MEMORY. */
halo_status motion_append_shifts(halo_buffer *message, const motion_shift *shifts, int count);

/* Local. Do what a message of these workers says. */
void motion_run_tasks(const motion_match_context *context, const void *message, motion_found *back,
                      halo_master_worker *workers);

#endif
