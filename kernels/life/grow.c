#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "kernels/life/grid.h"

#include <string.h>

enum {
    MIN_GROWTH = 128, /* cells: enlarging a small grid costs more than computing it */
    KEPT = 512,       /* cells: nor are smaller grids worth cutting off */
    WORD = 64         /* columns are added and cut off by words, so that rows move without shifting
                       * bits */
};

/* Empty cells between the live ones and the nearest edge that grows. */
static int64_t find_margin(const halo_life *life, const halo_life_box *live)
{
    const halo_life_box *box = &life->grid->box;
    int64_t margin = INT64_MAX;
    for (int axis = 0; axis < HALO_LIFE_AXES && live->n[0] > 0; axis++) {
        if (life->options.edges[axis] == HALO_LIFE_GROW) {
            int64_t before = live->lo[axis] - box->lo[axis];
            int64_t after = box->lo[axis] + box->n[axis] - live->lo[axis] - live->n[axis];
            margin = halo_min(margin, halo_min(before, after));
        }
    }
    return margin;
}

/* Return the number of cells of an axis that remain when empty ones are cut off. It is at least
 * the first number: parts of a grid need some. */
static int64_t least_kept(const halo_life *life, const halo_life_box *live, int axis, int64_t room)
{
    int64_t first =
        halo_max(life->options.box.n[axis], (int64_t)life->options.parts[axis] * LIFE_GHOSTS);
    return halo_max(halo_max(first, KEPT), live->n[axis] + 2 * room);
}

/* Cuts empty cells off along an axis if over half of them can go, so that the grid follows a
 * pattern that travels. */
static void cut_off(const halo_life *life, const halo_life_box *live, int axis, int64_t room,
                    halo_life_box *box)
{
    int64_t kept = least_kept(life, live, axis, room), old = life->grid->box.lo[axis];
    int64_t unit = axis == HALO_LIFE_COLUMNS ? WORD : 1;
    if (live->n[0] == 0 || box->n[axis] <= 2 * (kept + unit)) {
        return;
    }
    int64_t lo = live->lo[axis] - (kept - live->n[axis]) / 2, begin = lo - old;
    begin -= ((begin % unit) + unit) % unit;
    box->n[axis] = kept + lo - old - begin;
    box->lo[axis] = old + begin;
}

/* The box with at least `room` empty cells on the sides that grow, without most of those that a
 * pattern has left behind. */
static halo_life_box enlarged(const halo_life *life, const halo_life_box *live, int64_t room)
{
    const halo_life_box *old = &life->grid->box;
    halo_life_box box = *old;
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        if (life->options.edges[axis] != HALO_LIFE_GROW) {
            continue;
        }
        int64_t end = old->lo[axis] + old->n[axis], unit = axis == HALO_LIFE_COLUMNS ? WORD : 1;
        int64_t before = halo_max(0, room - (live->lo[axis] - old->lo[axis]));
        int64_t after = halo_max(0, room - (end - live->lo[axis] - live->n[axis]));
        before = (before + unit - 1) / unit * unit;
        box.lo[axis] -= before;
        box.n[axis] += before + after;
        cut_off(life, live, axis, room, &box);
    }
    return box;
}

/* Rows on their way from a grid to a larger one, or to one elsewhere. */
typedef struct {
    const life_grid *from;
    life_grid *to;
    int64_t from_first, to_first; /* rows of this rank's strips, counted from the grids' first */
    size_t cut, added;            /* bytes cut off and added on the left */
    void *row;                    /* room for one of the new rows */
} moving;

static halo_status give_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const moving *m = context;
    return life_grid_get_rows(m->from, first - m->from_first, rows, out, pitch);
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    moving *m = context;
    size_t rest = life_grid_row_bytes(m->from) - m->cut;
    size_t room = life_grid_row_bytes(m->to) - m->added, bytes = rest < room ? rest : room;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)m->row + m->added, (const char *)data + (size_t)i * pitch + m->cut, bytes);
        HALO_TRY(life_grid_put_rows(m->to, first - m->to_first + i, 1, m->row,
                                    life_grid_row_bytes(m->to)));
    }
    return HALO_OK;
}

static halo_status move_rows(halo_life *life, life_grid *to)
{
    const life_grid *from = life->grid;
    int rank = halo_world_rank(life->world);
    int64_t columns = from->box.lo[HALO_LIFE_COLUMNS] - to->box.lo[HALO_LIFE_COLUMNS];
    int64_t bytes = columns * life_grid_cell_bits(from) / 8;
    moving m = {.from = from,
                .to = to,
                .from_first = life_grid_cuts(from)[rank],
                .to_first = life_grid_cuts(to)[rank],
                .cut = (size_t)halo_max(-bytes, 0),
                .added = (size_t)halo_max(bytes, 0)};
    halo_status status =
        halo_agree(life->world, halo_memory_create(&m.row, life_grid_row_bytes(to), "a row"));
    if (status == HALO_OK) {
        int64_t shift = from->box.lo[HALO_LIFE_ROWS] - to->box.lo[HALO_LIFE_ROWS];
        status = halo_rows_redistribute(life->world, life_grid_cuts(from), life_grid_cuts(to),
                                        shift, life_grid_row_bytes(from), give_rows, take_rows, &m,
                                        &life->past_beats.clock);
    }
    halo_memory_free(m.row);
    return status;
}

void life_add_beats(halo_beat_report *sum, const life_grid *grid)
{
    halo_beat_report more = halo_beat_get_report(grid->beat);
    sum->beats += more.beats;
    sum->converged = more.converged;
    sum->messages += more.messages;
    sum->bytes += more.bytes;
    sum->votes += more.votes;
    sum->vote = more.vote;
    sum->vote_messages += more.vote_messages;
    sum->vote_steps += more.vote_steps;
    sum->edge_seconds += more.edge_seconds;
    halo_clock_add(&sum->clock, &more.clock);
}

static halo_status enlarge(halo_life *life, const halo_life_box *box)
{
    life_grid *grid;
    HALO_TRY(life_staging_bring(life, life->grid));
    HALO_TRY(life_grid_create(&grid, life, box));
    grid->engine->counting = life->grid->engine->counting;
    if (life->stop_requested) {
        halo_beat_stop(grid->beat);
    }
    halo_status status = move_rows(life, grid);
    if (status == HALO_OK) {
        status = life_staging_end(life, grid);
    }
    if (status != HALO_OK) {
        life_grid_destroy(&grid);
        return status;
    }
    life_add_beats(&life->past_beats, life->grid);
    life->enlargements++;
    life_grid_destroy(&life->grid);
    life->grid = grid;
    return HALO_OK;
}

/* With more room than is needed, in step with the pattern's size, so that enlarging stays rare; if
 * there is no memory for that, with what a superstep or two need. */
static halo_status grow(halo_life *life, const halo_life_box *live)
{
    int64_t size = halo_max(live->n[HALO_LIFE_ROWS], live->n[HALO_LIFE_COLUMNS]);
    int64_t min = 2 * (int64_t)life->grid->engine->levels;
    int64_t room = halo_max(halo_max(MIN_GROWTH, size / 4), min);
    halo_life_box box = enlarged(life, live, room);
    halo_status status = enlarge(life, &box);
    if (status == HALO_MEMORY && room > min) {
        room = min;
        box = enlarged(life, live, room);
        status = enlarge(life, &box);
    }
    if (status == HALO_OK) {
        life->margin = room;
    }
    return status;
}

halo_status life_check_margin(halo_life *life)
{
    int64_t touched = life->touched;
    if (!life_grows(&life->options)) {
        return HALO_OK;
    }
    HALO_TRY(halo_allreduce_max(life->world, &touched, 1));
    life->margin = touched != 0 ? 0 : life->margin;
    life->touched = false;
    return HALO_OK;
}

halo_status life_make_room(halo_life *life, int64_t *generations)
{
    if (!life_grows(&life->options)) {
        return HALO_OK;
    }
    int64_t wanted = halo_min(*generations, life->grid->engine->levels);
    if (life->margin < wanted) {
        halo_life_census census;
        HALO_TRY(life_count_live(life, &census));
        life->margin = find_margin(life, &census.live);
        if (life->margin < wanted) {
            HALO_TRY(grow(life, &census.live));
        }
    }
    *generations = halo_min(*generations, life->margin);
    return HALO_OK;
}
