#include "core/move/redistribute.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/common_parts.h"
#include "core/move/strided_rows.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Every rank knows both partitions, so that it sees by itself which boxes go where. Where ranks are
 * threads, each copies its new cells from where their owners have them. Processes send them: in
 * round r a rank sends to the rank r places on and receives from the one r places back, in pieces
 * of bounded size; pieces of consecutive rounds travel together as far as their buffers are small.
 * Nobody waits in a circle: of all pieces under way those of the lowest round and number have both
 * their ranks at them. */

enum { REDISTRIBUTE_TAG = 105, ALIGNMENT = 64, WORD_BITS = 64 };

static const int64_t PIECE = (int64_t)4 << 20;     /* bytes of a message */
static const int64_t TOGETHER = (int64_t)16 << 20; /* bytes of a rank's messages at a time */

typedef struct {
    halo_world *world;
    int axes, cell_bits;
    halo_part from, to;
    const halo_partition *from_partition, *to_partition;
} redistribution;

/* One message: a part of a box's bytes. */
typedef struct {
    halo_strided_rows cells;
    int peer;
    int64_t lo, bytes; /* of the bytes of all rows */
    bool sending;
    char *buffer;
} piece;

/* All pieces in the order in which they travel. Those of one step, at most one that comes and one
 * that goes, have the same round and number. */
typedef struct {
    piece *pieces;
    int count;
    int *step_ends; /* after the last piece of each step */
    int steps;
    halo_request *requests;
    void *buffer; /* of the largest batch */
} journey;

/* ---- what goes where ------------------------------------------------------------------------- */

/* Return the rows that this rank sends to a peer, or receives from it; row_bytes is 0 if there are
 * none. */
static halo_strided_rows find_rows(const redistribution *r, int peer, bool sending)
{
    const halo_part *mine = sending ? &r->from : &r->to;
    halo_box theirs = halo_partition_box(sending ? r->to_partition : r->from_partition, peer);
    halo_box both = halo_box_intersection(&mine->box, &theirs);
    return halo_box_cells(&both) > 0 ? halo_strided_rows_of(r->axes, r->cell_bits, mine, &both)
                                     : (halo_strided_rows){.row_bytes = 0};
}

static int64_t rounded(int64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Pieces from `first` on that travel together: whole steps, one at least. */
static int end_of_batch(const journey *j, int first, int64_t *bytes)
{
    int end = first, step = 0;
    *bytes = 0;
    while (step < j->steps && j->step_ends[step] <= first) {
        step++;
    }
    for (; step < j->steps; step++) {
        int64_t more = 0;
        for (int i = end; i < j->step_ends[step]; i++) {
            more += rounded(j->pieces[i].bytes);
        }
        if (*bytes > 0 && *bytes + more > TOGETHER) {
            break;
        }
        *bytes += more;
        end = j->step_ends[step];
    }
    return end;
}

/* Piece number `k` to or from another rank, if there is one. Without room yet, count. */
static void add_piece(journey *j, const halo_strided_rows *cells, int peer, int64_t k, bool sending)
{
    int64_t lo = k * PIECE, rest = halo_strided_rows_bytes(cells) - lo;
    if (rest <= 0) {
        return;
    }
    if (j->pieces != NULL) {
        j->pieces[j->count] = (piece){.cells = *cells,
                                      .peer = peer,
                                      .lo = lo,
                                      .bytes = halo_min(PIECE, rest),
                                      .sending = sending};
    }
    j->count++;
}

static void add_pieces(const redistribution *r, journey *j)
{
    int rank = halo_world_rank(r->world), ranks = halo_world_ranks(r->world);
    j->count = 0;
    j->steps = 0;
    for (int round = 1; round < ranks; round++) {
        int to = (rank + round) % ranks, from = (rank + ranks - round) % ranks;
        halo_strided_rows in = find_rows(r, from, false), out = find_rows(r, to, true);
        int64_t max = halo_max(halo_strided_rows_bytes(&in), halo_strided_rows_bytes(&out));
        for (int64_t k = 0; k * PIECE < max; k++) {
            add_piece(j, &in, from, k, false);
            add_piece(j, &out, to, k, true);
            if (j->step_ends != NULL) {
                j->step_ends[j->steps] = j->count;
            }
            j->steps++;
        }
    }
}

static halo_status plan(const redistribution *r, journey *j)
{
    add_pieces(r, j);
    HALO_TRY(HALO_ALLOCATE(j->pieces, j->count, "messages of cells"));
    HALO_TRY(HALO_ALLOCATE(j->step_ends, j->steps, "messages of cells"));
    HALO_TRY(HALO_ALLOCATE(j->requests, j->count, "messages of cells"));
    add_pieces(r, j);
    int64_t max = 0;
    for (int first = 0, end; first < j->count; first = end) {
        int64_t bytes;
        end = end_of_batch(j, first, &bytes);
        max = halo_max(max, bytes);
    }
    return max > 0 ? halo_memory_create(&j->buffer, (size_t)max, "cells for other ranks") : HALO_OK;
}

/* ---- carrying it out ------------------------------------------------------------------------- */

static halo_status post(const redistribution *r, piece *p, halo_request *request)
{
    if (p->sending) {
        halo_strided_rows_copy(&p->cells, p->lo, p->bytes, p->buffer, true);
    }
    return halo_post(r->world, p->sending, p->buffer, (int)p->bytes, p->peer, REDISTRIBUTE_TAG,
                     request);
}

static halo_status carry_batch(const redistribution *r, journey *j, int first, int end)
{
    char *buffer = j->buffer;
    for (int i = first; i < end; i++) {
        j->pieces[i].buffer = buffer;
        buffer += rounded(j->pieces[i].bytes);
        HALO_TRY(post(r, &j->pieces[i], &j->requests[i]));
    }
    HALO_TRY(halo_wait(r->world, end - first, j->requests + first));
    for (int i = first; i < end; i++) {
        const piece *p = &j->pieces[i];
        if (!p->sending) {
            halo_strided_rows_copy(&p->cells, p->lo, p->bytes, p->buffer, false);
        }
    }
    return HALO_OK;
}

static halo_status carry_out(const redistribution *r, journey *j)
{
    halo_part_copy(r->axes, r->cell_bits, &r->from, &r->to); /* what stays with its owner */
    for (int first = 0, end; first < j->count; first = end) {
        int64_t bytes;
        end = end_of_batch(j, first, &bytes);
        HALO_TRY(carry_batch(r, j, first, end));
    }
    return HALO_OK;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static halo_status check_partition(const redistribution *r, const halo_partition *partition,
                                   const halo_part *mine, const halo_domain *domain)
{
    int ranks = halo_world_ranks(r->world), last = r->axes - 1;
    if (halo_partition_parts(partition) != ranks || !halo_partition_is_valid(partition, domain)) {
        return halo_fail(HALO_ARGUMENT,
                         "cells among %d ranks need as many parts of the whole domain, not %d x %d"
                         " x %d with other cuts",
                         ranks, partition->parts[0], partition->parts[1], partition->parts[2]);
    }
    halo_box wanted = halo_partition_box(partition, halo_world_rank(r->world));
    if (!halo_box_same(&wanted, &mine->box)) {
        return halo_fail(HALO_ARGUMENT, "cells to redistribute are not this rank's part");
    }
    for (int p = 1; r->cell_bits == HALO_BIT && p < partition->parts[last]; p++) {
        int64_t cut = partition->cuts[last][p];
        if (cut % WORD_BITS != 0 && cut != domain->n[last]) {
            return halo_fail(HALO_ARGUMENT,
                             "bit-packed rows cannot be cut at cell %" PRId64
                             "; use a multiple of %d",
                             cut, WORD_BITS);
        }
    }
    return HALO_OK;
}

static halo_status check(const redistribution *r)
{
    if (r->axes < 1 || r->axes > HALO_AXES ||
        (r->cell_bits != HALO_BIT && (r->cell_bits < 8 || r->cell_bits % 8 != 0))) {
        return halo_fail(HALO_ARGUMENT,
                         "cells of %d bits on %d axes cannot be redistributed; use 1 bit or a"
                         " multiple of 8, and 1 to %d axes",
                         r->cell_bits, r->axes, HALO_AXES);
    }
    halo_domain domain = {.axes = r->axes};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        domain.n[axis] = r->from_partition->cuts[axis][r->from_partition->parts[axis]];
    }
    HALO_TRY(check_partition(r, r->from_partition, &r->from, &domain));
    return check_partition(r, r->to_partition, &r->to, &domain);
}

/* Collective. `status` is this rank's. */
static halo_status send_all(const redistribution *r, halo_status status)
{
    journey j = {.count = 0};
    if (status == HALO_OK) {
        status = plan(r, &j);
    }
    status = halo_agree(r->world, status);
    if (status == HALO_OK) {
        status = halo_agree(r->world, carry_out(r, &j));
    }
    free(j.pieces);
    free(j.step_ends);
    free(j.requests);
    halo_memory_free(j.buffer);
    return status;
}

/* ---- between threads ------------------------------------------------------------------------- */

/* Copy the parts of all ranks into this rank's, beginning with its own. */
static halo_status copy_all(const redistribution *r, const halo_common_parts *parts)
{
    int rank = halo_world_rank(r->world), ranks = halo_world_ranks(r->world);
    for (int round = 0; round < ranks; round++) {
        int peer = (rank + ranks - round) % ranks;
        halo_strided_rows in = find_rows(r, peer, false);
        if (halo_strided_rows_bytes(&in) == 0) {
            continue;
        }
        const halo_part *theirs;
        HALO_TRY(halo_common_parts_borrow(parts, peer, "its cells", &theirs));
        halo_part_copy(r->axes, r->cell_bits, theirs, &r->to);
        halo_common_parts_give_back(parts, peer);
    }
    return HALO_OK;
}

/* Collective. `status` is this rank's. After the first agreement all parts are there, after the
 * second all have been read. */
static halo_status copy_between_threads(const redistribution *r, halo_common_parts *parts,
                                        halo_status status)
{
    status = halo_agree(r->world, status);
    if (status == HALO_OK) {
        status = halo_agree(r->world, copy_all(r, parts));
    }
    halo_common_parts_leave(parts);
    return status;
}

static halo_status redistribute(const redistribution *r, halo_status so_far, halo_clock *clock)
{
    halo_stretch stretch = halo_clock_begin(r->world);
    halo_common_parts parts;
    halo_status checked = so_far == HALO_OK ? check(r) : so_far;
    halo_status status = halo_common_parts_join(&parts, r->world, &r->from);
    if (status == HALO_OK) {
        status = parts.of != NULL ? copy_between_threads(r, &parts, checked) : send_all(r, checked);
    }
    halo_clock_end(clock, HALO_PHASE_MIGRATE, stretch, r->world);
    return status;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static halo_part part_of_field(const halo_view *view)
{
    halo_part p = {.box = view->owned, .origin = view->origin};
    memcpy(p.stride, view->stride, sizeof p.stride);
    return p;
}

halo_status halo_redistribute(halo_world *world, const halo_view *from,
                              const halo_partition *from_partition, const halo_view *to,
                              const halo_partition *to_partition, halo_clock *clock)
{
    redistribution r = {.world = world,
                        .axes = from->axes,
                        .cell_bits = from->cell_bits,
                        .from = part_of_field(from),
                        .to = part_of_field(to),
                        .from_partition = from_partition,
                        .to_partition = to_partition};
    halo_status status = HALO_OK;
    if (from->axes != to->axes || from->cell_bits != to->cell_bits) {
        status = halo_fail(HALO_ARGUMENT,
                           "cells of %d bits on %d axes cannot become cells of %d bits on %d axes",
                           from->cell_bits, from->axes, to->cell_bits, to->axes);
    }
    return redistribute(&r, status, clock);
}

halo_status halo_field_replace_sized(halo_world *world, halo_field **field,
                                     const halo_partition *from, const halo_partition *to,
                                     int depth, const halo_field_options *given, halo_clock *clock,
                                     size_t given_bytes)
{
    halo_field *other = NULL;
    halo_box owned = halo_partition_box(to, halo_world_rank(world));
    halo_status status =
        halo_field_create_with_sized(&other, halo_field_domain(*field), &owned,
                                     halo_field_view(*field)->cell_bits, depth, given, given_bytes);
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_redistribute(world, halo_field_view(*field), from,
                                        halo_field_view(other), to, clock));
    halo_field *old = *field;
    *field = other;
    other = old;
done:
    halo_field_destroy(&other);
    return status;
}
