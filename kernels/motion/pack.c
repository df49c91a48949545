#include "kernels/motion/pack.h"

enum { MAX_SHIFTS = 32 };

/* ---- shifts to try --------------------------------------------------------------------------- */

/* Shifts, none of them twice. */
typedef struct {
    motion_shift shifts[MAX_SHIFTS];
    int count;
} tries;

static void add(tries *list, const motion_found *from, const motion_found *own)
{
    bool known = (from->u == own->u && from->v == own->v) || list->count == MAX_SHIFTS;
    for (int i = 0; i < list->count && !known; i++) {
        known = list->shifts[i].u == from->u && list->shifts[i].v == from->v;
    }
    if (!known) {
        list->shifts[list->count++] = (motion_shift){(int16_t)from->u, (int16_t)from->v};
    }
}

/* Add the shifts of neighbouring clusters to the list. Clusters that did not change in the last
 * beat were tried then, and are left out unless `all`. */
static void ask_clusters(const motion_parts *parts, int cluster, bool all, tries *list)
{
    const motion_found *own = &parts->table[cluster].found;
    for (int64_t i = parts->near_first[cluster]; i < parts->near_first[cluster + 1]; i++) {
        const motion_cluster *other = &parts->table[parts->near[i]];
        if (all || other->changed) {
            add(list, &other->found, own);
        }
    }
}

static void ask_tile(const motion_parts *parts, int64_t y, int64_t x, bool all,
                     const motion_found *own, tries *list)
{
    if (y < 0 || x < 0 || y >= parts->tile_rows || x >= parts->tile_columns) {
        return;
    }
    int64_t tile = y * parts->tile_columns + x;
    for (int64_t p = parts->tiles[tile]; p < parts->tiles[tile + 1]; p++) {
        if (all || parts->changed[p]) {
            add(list, &parts->pieces[p].found, own);
        }
    }
}

/* List the shifts of pieces in the same tile and those beside it; in the first round, those of the
 * neighbours of its cluster. */
static void ask_pieces(const motion_parts *parts, const motion_piece *piece, int round, tries *list)
{
    list->count = 0;
    if (round == 0) {
        ask_clusters(parts, piece->cluster, true, list);
        return;
    }
    static const int beside[][2] = {{0, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    int64_t y = piece->y / MOTION_TILE, x = piece->x / MOTION_TILE;
    for (int i = 0; i < 5; i++) {
        ask_tile(parts, y + beside[i][0], x + beside[i][1], round == 1, &piece->found, list);
    }
}

static void ask(const motion_parts *parts, const motion_batch *batch, int round, int cluster,
                tries *list)
{
    list->count = 0;
    if (batch->kind == MOTION_SPREAD) {
        ask_clusters(parts, cluster, round == 0, list);
    }
}

void motion_choose(motion_parts *parts, const motion_batch *batch, int round, int64_t *units)
{
    tries list;
    for (int k = 0; k < parts->clusters; k++) {
        const motion_cluster *c = &parts->table[k];
        ask(parts, batch, round, k, &list);
        bool whole = batch->kind == MOTION_MATCH || batch->fraction || list.count > 0;
        units[k] = batch->kind != MOTION_PLACE && whole ? c->count : 0;
        for (int64_t i = c->first; batch->kind == MOTION_PLACE && i < c->first + c->count; i++) {
            motion_piece *piece = &parts->pieces[parts->order[i]];
            ask_pieces(parts, piece, round, &list);
            piece->shifts = list.count;
            units[k] += motion_piece_is_active(piece, batch->fraction) ? 1 : 0;
        }
    }
}

/* ---- out and back ---------------------------------------------------------------------------- */

int64_t motion_findings(const motion_batch *batch, int64_t units)
{
    return batch->kind == MOTION_PLACE ? units : units > 0 ? 1 : 0;
}

static halo_status pack_pieces(const motion_parts *parts, const motion_batch *batch, int round,
                               const motion_cluster *c, halo_buffer *message)
{
    bool place = batch->kind == MOTION_PLACE;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const motion_piece *piece = &parts->pieces[parts->order[i]];
        if (!place || motion_piece_is_active(piece, batch->fraction)) {
            HALO_TRY(halo_buffer_append(message, piece, sizeof *piece));
        }
    }
    for (int64_t i = c->first; place && i < c->first + c->count; i++) {
        const motion_piece *piece = &parts->pieces[parts->order[i]];
        if (motion_piece_is_active(piece, batch->fraction)) {
            tries list;
            ask_pieces(parts, piece, round, &list);
            HALO_TRY(motion_append_shifts(message, list.shifts, list.count));
        }
    }
    return HALO_OK;
}

halo_status motion_pack(const motion_parts *parts, const motion_batch *batch, int round,
                        int cluster, halo_buffer *message)
{
    const motion_cluster *c = &parts->table[cluster];
    tries list;
    ask(parts, batch, round, cluster, &list);
    motion_task task = {.shifts = list.count, .found = c->found};
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const motion_piece *piece = &parts->pieces[parts->order[i]];
        bool out = batch->kind != MOTION_PLACE || motion_piece_is_active(piece, batch->fraction);
        task.pieces += out ? 1 : 0;
        task.pixels += out ? motion_piece_pixels(piece) : 0;
    }
    HALO_TRY(halo_buffer_append(message, &task, sizeof task));
    HALO_TRY(motion_append_shifts(message, list.shifts, list.count));
    return pack_pieces(parts, batch, round, c, message);
}

static bool moved(const motion_found *one, const motion_found *other)
{
    return one->u != other->u || one->v != other->v;
}

const motion_found *motion_unpack(motion_parts *parts, const motion_batch *batch, int cluster,
                                  const motion_found *back)
{
    motion_cluster *c = &parts->table[cluster];
    if (batch->kind != MOTION_PLACE) {
        c->changed = moved(&c->found, back);
        c->found = *back;
        return back + 1;
    }
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        motion_piece *piece = &parts->pieces[parts->order[i]];
        parts->changed[parts->order[i]] = false;
        if (motion_piece_is_active(piece, batch->fraction)) {
            parts->changed[parts->order[i]] = moved(&piece->found, back);
            piece->found = *back++;
        }
    }
    return back;
}

void motion_begin_pieces(motion_parts *parts)
{
    for (int64_t p = 0; p < parts->count; p++) {
        motion_piece *piece = &parts->pieces[p];
        piece->found = parts->table[piece->cluster].found;
        piece->found.cost = MOTION_UNKNOWN;
    }
}
