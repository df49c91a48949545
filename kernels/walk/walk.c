#include "kernels/walk/walk.h"

#include "base/random.h"
#include "kernels/walk/walk_internal.h"

#include <stdbool.h>
#include <string.h>

/* ---- where walkers begin --------------------------------------------------------------------- */

/* The cell that has so many others before it. */
static void find_cell(const halo_walk *walk, int64_t index, int64_t cell[HALO_WALK_AXES])
{
    int64_t lo = 0, hi = walk->rows;
    while (hi - lo > 1) {
        int64_t middle = lo + (hi - lo) / 2;
        *(walk->before[middle] <= index ? &lo : &hi) = middle;
    }
    const uint64_t *word = walk->starts + lo * walk->row_words;
    int64_t left = index - walk->before[lo], x = 0;
    for (int count; (count = __builtin_popcountll(*word)) <= left; word++) {
        left -= count;
        x += WALK_WORD_BITS;
    }
    uint64_t bits = *word;
    for (; left > 0; left--) {
        bits &= bits - 1;
    }
    cell[0] = x + __builtin_ctzll(bits);
    cell[1] = lo % walk->n[1];
    cell[2] = lo / walk->n[1];
}

/* floor(a * b / 2^64) */
static uint64_t scale(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t one = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (one & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32);
}

static void find_start(const halo_walk *walk, uint64_t number, int64_t cell[HALO_WALK_AXES])
{
    const uint32_t counter[] = {(uint32_t)number, (uint32_t)(number >> 32), 0, WALK_DRAWS_START};
    uint32_t four[WALK_WORDS];
    halo_philox(counter, walk->table.key, four);
    uint64_t drawn = four[0] | (uint64_t)four[1] << 32;
    find_cell(walk, (int64_t)scale(drawn, (uint64_t)walk->facts.started), cell);
}

static void put_walker(const halo_walk *walk, walk_group *group, int lane, uint64_t number,
                       const int64_t cell[HALO_WALK_AXES])
{
    const walk_table *table = &walk->table;
    int64_t place = 0;
    for (int axis = 0; axis < table->axes; axis++) {
        group->at[axis][lane] = (int32_t)cell[axis];
        group->moved[axis][lane] = 0;
        place += (cell[axis] + table->margin) * table->stride[axis];
    }
    group->place[lane] = table->tiles == NULL
                             ? (uint32_t)place
                             : walk_tile_place(table, (uint32_t)(cell[0] + table->margin),
                                               (uint32_t)(cell[1] + table->margin));
    group->number[lane] = (uint32_t)number;
    group->upper = (uint32_t)(number >> 32);
}

/* ---- which walkers go together --------------------------------------------------------------- */

/* Walkers that begin near each other read the same part of the medium, so they go together: sorted
 * by the squares of a coarse grid, of two axes, in the order of G. M. Morton's curve. */
enum { SQUARE_BITS = 5, SQUARES = 1 << (2 * SQUARE_BITS) };

typedef struct {
    int64_t cell[HALO_WALK_TASK][HALO_WALK_AXES];
    int32_t order[HALO_WALK_TASK];
} walk_starts;

static int square_of(const halo_walk *walk, const int64_t cell[HALO_WALK_AXES])
{
    int deep = walk->table.axes == 3 ? 2 : 0, square = 0;
    int64_t x = (cell[deep] << SQUARE_BITS) / walk->n[deep];
    int64_t y = (cell[1] << SQUARE_BITS) / walk->n[1];
    for (int bit = 0; bit < SQUARE_BITS; bit++) {
        square |= (int)(x >> bit & 1) << (2 * bit) | (int)(y >> bit & 1) << (2 * bit + 1);
    }
    return square;
}

static void sort_starts(const halo_walk *walk, int64_t first, int count, walk_starts *starts)
{
    int next[SQUARES + 1] = {0}, square[HALO_WALK_TASK];
    for (int i = 0; i < count; i++) {
        find_start(walk, (uint64_t)(first + i), starts->cell[i]);
        square[i] = square_of(walk, starts->cell[i]);
        next[square[i] + 1]++;
    }
    for (int i = 0; i < SQUARES; i++) {
        next[i + 1] += next[i];
    }
    for (int i = 0; i < count; i++) {
        starts->order[next[square[i]]++] = i;
    }
}

/* Walkers `done` on of the sorted ones; the last one again in place of those that are missing. */
static void start_group(const halo_walk *walk, walk_group *group, int64_t first, int done,
                        int count, const walk_starts *starts)
{
    for (int lane = 0; lane < WALK_GROUP; lane++) {
        int i = starts->order[done + lane < count ? done + lane : count - 1];
        put_walker(walk, group, lane, (uint64_t)(first + i), starts->cell[i]);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void advance(const halo_walk *walk, walk_group *group, int64_t from, int64_t to)
{
    const walk_table *table = &walk->table;
    (table->around != NULL  ? walk->ops->hop
     : table->tiles != NULL ? walk->ops->stride
                            : walk->ops->choose)(table, group, from, to);
}

static void add_sums(const walk_group *group, int axes, int count, int64_t *sums)
{
    for (int i = 0; i < count; i++) {
        int64_t *next = sums;
        for (int a = 0; a < axes; a++) {
            *next++ += group->moved[a][i];
        }
        for (int a = 0; a < axes; a++) {
            for (int b = a; b < axes; b++) {
                *next++ += (int64_t)group->moved[a][i] * group->moved[b][i];
            }
        }
    }
}

/* A group may do millions of steps: there are looks between some of them. */
static halo_status advance_watched(const halo_world *world, const halo_walk *walk,
                                   walk_group *group, int64_t from, int64_t to)
{
    enum { STEPS = 1 << 16 };
    for (int64_t end; from < to; from = end) {
        end = to - from < STEPS ? to : from + STEPS;
        advance(walk, group, from, end);
        HALO_TRY(end < to ? halo_watch_work(world, 0, 0) : HALO_OK);
    }
    return HALO_OK;
}

halo_status walk_run_watched(const halo_world *world, const halo_walk *walk, int64_t first,
                             int count, int64_t steps, int64_t every, int64_t *sums)
{
    const int axes = walk->table.axes;
    int64_t since = 0;
    walk_starts starts;
    sort_starts(walk, first, count, &starts);
    for (int done = 0; done < count; done += WALK_GROUP) {
        walk_group group;
        int64_t *record = sums;
        int walkers = count - done < WALK_GROUP ? count - done : WALK_GROUP;
        start_group(walk, &group, first, done, count, &starts);
        for (int64_t from = 0; from < steps;) {
            int64_t to = steps - from < every ? steps : from + every;
            HALO_TRY(advance_watched(world, walk, &group, from, to));
            HALO_TRY(halo_watch_piece(world, &since, to - from));
            add_sums(&group, axes, walkers, record);
            record += halo_walk_sums(axes);
            from = to;
        }
    }
    return HALO_OK;
}

void halo_walk_run(const halo_walk *walk, int64_t first, int count, int64_t steps, int64_t every,
                   int64_t *sums)
{
    (void)walk_run_watched(NULL, walk, first, count, steps, every, sums);
}

void halo_walk_trace(const halo_walk *walk, int64_t number, int64_t steps,
                     int32_t (*places)[HALO_WALK_AXES])
{
    walk_group group;
    int64_t start[HALO_WALK_AXES];
    find_start(walk, (uint64_t)number, start);
    for (int lane = 0; lane < WALK_GROUP; lane++) {
        put_walker(walk, &group, lane, (uint64_t)number, start);
    }
    for (int64_t step = 0; step <= steps; step++) {
        for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
            int32_t moved = axis < walk->table.axes ? group.moved[axis][0] : 0;
            places[step][axis] = (int32_t)start[axis] + moved;
        }
        if (step < steps) {
            advance(walk, &group, step, step + 1);
        }
    }
}

static const char *const edge_names[] = {
#define EDGES_NAME(code, name, help) #name,
    HALO_WALK_EDGES_LIST(EDGES_NAME)
#undef EDGES_NAME
};
const char *const *const halo_walk_edge_names = edge_names;

int64_t halo_walk_fold(halo_walk_edges edges, int64_t n, int64_t place, int64_t *copy)
{
    *copy = place >= 0 ? place / n : -((-place + n - 1) / n);
    int64_t at = place - *copy * n;
    return edges == HALO_WALK_MIRRORED && *copy % 2 != 0 ? n - 1 - at : at;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool take_edges(const char **text, halo_walk_edges *edges)
{
    size_t length = strcspn(*text, ",");
    for (int i = 0; i < HALO_WALK_EDGE_KINDS; i++) {
        const char *name = halo_walk_edge_names[i];
        if (length == strlen(name) && strncmp(*text, name, length) == 0) {
            *edges = (halo_walk_edges)i;
            *text += length;
            return true;
        }
    }
    return false;
}

/* One word for all axes, or one for each. */
halo_status halo_walk_parse_edges(const char *text, void *into)
{
    halo_walk_edges *along = ((halo_walk_edge_choice *)into)->along;
    int given = 0;
    do {
        if (given == HALO_WALK_AXES || !take_edges(&text, &along[given])) {
            return HALO_ARGUMENT;
        }
        given++;
    } while (*text++ == ',');
    for (int axis = 1; axis < HALO_WALK_AXES; axis++) {
        along[axis] = axis < given ? along[axis] : along[given - 1];
    }
    ((halo_walk_edge_choice *)into)->count = given;
    return HALO_OK;
}
