#include "core/exchange/exchange_internal.h"

#include "base/memory.h"

#include <string.h>

/* Who sends what where.
 *
 * Halos along axes that nobody else has cells of are filled by the rank itself before anything is
 * sent; so every transfer takes those halo cells along. Along the other axes either each neighbour,
 * diagonal ones too, sends its own cells at once, or one axis follows the other, the last axis
 * first, and takes along the halos that came before. */

enum { EXCHANGE_TAG = 1000, DIRECTIONS = 27 }; /* steps -1, 0, 1 on three axes */

static int count_owners(const int64_t *cuts, int parts)
{
    int owners = 0;
    for (int p = 0; p < parts; p++) {
        owners += cuts[p] < cuts[p + 1];
    }
    return owners;
}

/* How far the transfers of a phase take along an axis that their step does not lead along. */
typedef struct {
    bool halo[HALO_AXES]; /* halo cells too, not only owned ones */
} reach;

/* Cells that go out (or come in) along `step`; false if there are none. */
static bool find_box(const halo_view *view, const int step[HALO_AXES], const reach *with,
                     bool incoming, halo_box *box)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t n = view->owned.n[axis];
        int64_t depth = axis >= view->axes ? 0 : axis == 0 ? view->depth : view->side_depth;
        if (step[axis] == 0) {
            box->lo[axis] = with->halo[axis] ? -depth : 0;
            box->n[axis] = n + (with->halo[axis] ? 2 * depth : 0);
            continue;
        }
        box->n[axis] = depth;
        box->lo[axis] = step[axis] < 0 ? 0 : n - depth;
        if (incoming) {
            box->lo[axis] = step[axis] < 0 ? -depth : n;
        }
    }
    return halo_box_cells(box) > 0;
}

/* A message has the same tag on the sender and on the receiver. With two owners on a periodic axis
 * both neighbours are the same rank, so the tag says which way a message travels. */
static void set_tags(halo_transfer *transfer, int direction)
{
    int first = EXCHANGE_TAG + DIRECTIONS * transfer->field;
    transfer->tags[HALO_EXCHANGE_OUT] = first + direction;
    transfer->tags[HALO_EXCHANGE_IN] = first + DIRECTIONS - 1 - direction;
}

/* Add the transfer of one field along `step`, if there is one. Without room yet, count. */
static void add_transfer(halo_exchange *exchange, int field, int peer, int direction,
                         const int step[HALO_AXES], const reach *with)
{
    const halo_view *view = halo_field_view(exchange->fields[field]);
    halo_transfer transfer = {.field = field, .peer = peer};
    memcpy(transfer.step, step, sizeof transfer.step);
    set_tags(&transfer, direction);
    const halo_exchange_options *options = &exchange->options;
    transfer.side_halo = options->side_halo != NULL && step[1] != 0;
    if (transfer.side_halo) {
        transfer.boxes[HALO_EXCHANGE_OUT] = (halo_box){.n = {view->owned.n[0], 1, 1}};
        if (options->side_halo->bytes(options->side_halo_state, field) == 0) {
            return;
        }
    } else if (!find_box(view, step, with, false, &transfer.boxes[HALO_EXCHANGE_OUT]) ||
               !find_box(view, step, with, true, &transfer.boxes[HALO_EXCHANGE_IN])) {
        return;
    }
    if (exchange->transfers != NULL) {
        exchange->transfers[exchange->transfer_count] = transfer;
    }
    exchange->transfer_count++;
}

/* A phase along the axes of `along`, diagonals among them included or not; in the order of tags. */
static void add_phase(halo_exchange *exchange, const halo_partition *partition,
                      const bool along[HALO_AXES], bool diagonals, const reach *with)
{
    halo_exchange_phase *phase = &exchange->phases[exchange->phase_count++];
    *phase = (halo_exchange_phase){.first_transfer = exchange->transfer_count};
    int rank = halo_world_rank(exchange->world);
    for (int field = 0; field < exchange->field_count; field++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int step[HALO_AXES] = {direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1};
            int steps = 0;
            bool follows = true;
            for (int axis = 0; axis < HALO_AXES; axis++) {
                steps += step[axis] != 0;
                follows = follows && (step[axis] == 0 || along[axis]);
            }
            if (follows && (steps == 1 || (steps > 1 && diagonals))) {
                int peer = halo_partition_neighbour(partition, &exchange->domain, rank, step);
                if (peer >= 0) {
                    add_transfer(exchange, field, peer, direction, step, with);
                }
            }
        }
    }
    phase->transfers = exchange->transfer_count - phase->first_transfer;
}

static bool goes_in_phases(const halo_exchange_options *options)
{
    return options->side_halo != NULL ||
           (options->corner_way != NULL && strcmp(options->corner_way, "phases") == 0);
}

static void add_phases(halo_exchange *exchange, const halo_partition *partition)
{
    const bool *cut = exchange->cut;
    reach with = {.halo = {!cut[0], !cut[1], !cut[2]}};
    exchange->transfer_count = 0;
    exchange->phase_count = 0;
    if (!goes_in_phases(&exchange->options)) {
        if (cut[0] || cut[1] || cut[2]) {
            add_phase(exchange, partition, cut, exchange->options.corners, &with);
        }
        return;
    }
    for (int axis = HALO_AXES - 1; axis >= 0; axis--) {
        if (cut[axis]) {
            bool along[HALO_AXES] = {false};
            along[axis] = true;
            add_phase(exchange, partition, along, false, &with);
            with.halo[axis] = true;
        }
    }
}

halo_status halo_exchange_plan(halo_exchange *exchange, const halo_partition *partition)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        exchange->cut[axis] = count_owners(partition->cuts[axis], partition->parts[axis]) > 1;
    }
    add_phases(exchange, partition);
    int count = exchange->transfer_count;
    exchange->transfer_count = 0;
    HALO_TRY(HALO_ALLOCATE(exchange->transfers, count, "halo transfers"));
    add_phases(exchange, partition);
    return HALO_OK;
}
