#include "kernels/motion/task.h"

#include "core/world/simulated_compute.h"
#include "kernels/motion/fraction.h"
#include "kernels/motion/match.h"

/* On simulated machines, where only their proportions matter: flops of a piece in each kind of
 * beat, and of finding fractions of pixels. */
static const double flops_of[MOTION_KINDS] = {
    [MOTION_MATCH] = 6e4, [MOTION_SPREAD] = 5e3, [MOTION_PLACE] = 1e4};
static const double fraction_flops = 1.5e4;

halo_status motion_append_shifts(halo_buffer *message, const motion_shift *shifts, int count)
{
    static const motion_shift none;
    HALO_TRY(halo_buffer_append(message, shifts, (size_t)count * sizeof *shifts));
    return count % 2 != 0 ? halo_buffer_append(message, &none, sizeof none) : HALO_OK;
}

static int64_t filled(int64_t shifts)
{
    return shifts + shifts % 2;
}

static void find_cluster(const motion_match_context *context, const motion_batch *batch,
                         const motion_task *task, const motion_shift *shifts,
                         const motion_piece *pieces, motion_found *back)
{
    motion_seeker seeker = {.pieces = pieces,
                            .count = task->pieces,
                            .pixels = task->pixels,
                            .shift = {(int16_t)task->found.u, (int16_t)task->found.v},
                            .score = {task->found.cost, task->found.compared}};
    if (batch->kind == MOTION_MATCH) {
        motion_match(&seeker, context);
    }
    if (motion_seek(&seeker, context, shifts, (int)task->shifts)) {
        motion_refine(&seeker, context);
    }
    *back = (motion_found){.u = seeker.shift.u,
                           .v = seeker.shift.v,
                           .cost = seeker.score.cost,
                           .compared = seeker.score.weight};
    if (batch->fraction) {
        motion_fraction(context, pieces, task->pieces, MOTION_TILE, back);
    }
}

static const motion_shift *find_pieces(const motion_match_context *context,
                                       const motion_batch *batch, const motion_task *task,
                                       const motion_piece *pieces, motion_found *back)
{
    const motion_shift *shifts = (const motion_shift *)(pieces + task->pieces);
    for (int64_t p = 0; p < task->pieces; p++) {
        motion_piece piece = pieces[p];
        motion_place(&piece, context, shifts);
        if (batch->fraction) {
            motion_fraction(context, &piece, 1, MOTION_WINDOW, &piece.found);
        }
        back[p] = piece.found;
        shifts += filled(piece.shifts);
    }
    return shifts;
}

void motion_run_tasks(const motion_match_context *context, const void *message, motion_found *back,
                      halo_master_worker *workers)
{
    const motion_batch *batch = message;
    const void *at = batch + 1;
    for (int64_t t = 0; t < batch->tasks; t++) {
        const motion_task *task = at;
        const motion_shift *shifts = (const motion_shift *)(task + 1);
        const motion_piece *pieces =
            (const motion_piece *)(const void *)(shifts + filled(task->shifts));
        double each = flops_of[batch->kind] + (batch->fraction ? fraction_flops : 0);
        halo_simulated_compute((double)task->pieces * each);
        if (batch->kind == MOTION_PLACE) {
            at = find_pieces(context, batch, task, pieces, back);
            back += task->pieces;
        } else {
            find_cluster(context, batch, task, shifts, pieces, back);
            at = pieces + task->pieces;
            back++;
        }
        halo_master_worker_progress(workers);
    }
}
