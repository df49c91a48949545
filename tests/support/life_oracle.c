#include "support/life_oracle.h"

#include "support/need.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

life_oracle life_oracle_make(const halo_life_options *options, int64_t generations)
{
    life_oracle made = {.rule = options->rule, .array = options->box};
    bool grows = false;
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        made.edges[axis] = options->edges[axis];
        if (options->edges[axis] == HALO_LIFE_GROW) {
            grows = true;
            made.array.lo[axis] -= generations + 2;
            made.array.n[axis] += 2 * (generations + 2);
        }
    }
    int64_t count = made.array.n[HALO_LIFE_ROWS] * made.array.n[HALO_LIFE_COLUMNS];
    made.cells = need_zeroed((size_t)count, 1);
    made.older = need_zeroed((size_t)count, 1);
    if (grows && (options->rule.born & 1) != 0 &&
        (options->rule.survive >> halo_life_neighbours(&options->rule) & 1) != 0) {
        made.background = 1;
        memset(made.cells, 1, (size_t)count);
    }
    return made;
}

void life_oracle_free(life_oracle *made)
{
    free(made->cells);
    free(made->older);
    *made = (life_oracle){0};
}

/* Return the place of a row or column, counted from the array's first: itself, the one it wraps
 * to, or -1 beyond an edge. */
static int64_t place_on(const life_oracle *of, int axis, int64_t index)
{
    int64_t n = of->array.n[axis];
    if (of->edges[axis] == HALO_LIFE_WRAP) {
        return (index % n + n) % n;
    }
    return index < 0 || index >= n ? -1 : index;
}

/* Return the state of cells beyond the edge of an axis. */
static uint8_t beyond(const life_oracle *of, int axis)
{
    return of->edges[axis] == HALO_LIFE_GROW ? of->background : 0;
}

static uint8_t state_at(const life_oracle *of, const uint8_t *cells, int64_t row, int64_t column)
{
    row = place_on(of, HALO_LIFE_ROWS, row);
    column = place_on(of, HALO_LIFE_COLUMNS, column);
    if (row < 0) {
        return beyond(of, HALO_LIFE_ROWS);
    }
    if (column < 0) {
        return beyond(of, HALO_LIFE_COLUMNS);
    }
    return cells[row * of->array.n[HALO_LIFE_COLUMNS] + column];
}

/* With so many live neighbours, or those in bits 0 to 8 of a map's index. */
static uint8_t state_after(const halo_life_rule *rule, uint8_t state, int neighbours)
{
    if (rule->neighbourhood == HALO_LIFE_WIREWORLD) {
        static const uint8_t next[] = {0, 2, 3, 3};
        return state == 3 && (neighbours == 1 || neighbours == 2) ? 1 : next[state];
    }
    if (rule->neighbourhood == HALO_LIFE_MAP) {
        int index = neighbours | (state == 1) << 4;
        bool alive = (rule->map[index / 64] >> index % 64 & 1) != 0;
        return (uint8_t)(state <= 1 && alive ? 1 : state == 0 ? 0 : (state + 1) % rule->states);
    }
    if (state == 0) {
        return (rule->born >> neighbours & 1) != 0 ? 1 : 0;
    }
    if (state == 1 && (rule->survive >> neighbours & 1) != 0) {
        return 1;
    }
    return (uint8_t)((state + 1) % rule->states);
}

/* The cells with what lies around them, one row and column more on every side. */
static uint8_t *with_rim(const life_oracle *of, const uint8_t *cells)
{
    int64_t rows = of->array.n[HALO_LIFE_ROWS], columns = of->array.n[HALO_LIFE_COLUMNS];
    uint8_t *made = need_zeroed((size_t)((rows + 2) * (columns + 2)), 1), *to = made;
    for (int64_t y = -1; y <= rows; y++, to += columns + 2) {
        bool inside = y >= 0 && y < rows;
        for (int64_t x = -1; x <= columns; x += inside && x < 0 ? columns + 1 : 1) {
            to[x + 1] = state_at(of, cells, y, x);
        }
        if (inside) {
            memcpy(to + 1, cells + y * columns, (size_t)columns);
        }
    }
    return made;
}

/* Return the number of a cell's live neighbours; for a map, the bits of its neighbourhood. */
static int live_neighbours(const halo_life_rule *rule, const uint8_t *cell, int64_t pitch)
{
    const uint8_t *above = cell - pitch, *below = cell + pitch;
    int corners[] = {above[-1] == 1, above[1] == 1, below[-1] == 1, below[1] == 1};
    int live = (cell[-1] == 1) + (cell[1] == 1) + (above[0] == 1) + (below[0] == 1);
    switch (rule->neighbourhood) {
    case HALO_LIFE_MAP:
        return corners[0] << 8 | (above[0] == 1) << 7 | corners[1] << 6 | (cell[-1] == 1) << 5 |
               (cell[1] == 1) << 3 | corners[2] << 2 | (below[0] == 1) << 1 | corners[3];
    case HALO_LIFE_VON_NEUMANN:
        return live;
    case HALO_LIFE_HEXAGONAL:
        return live + corners[0] + corners[3];
    default:
        return live + corners[0] + corners[1] + corners[2] + corners[3];
    }
}

static int relative(const life_oracle *of, uint8_t state)
{
    return state ^ of->background;
}

static void check_margin(const life_oracle *of)
{
    halo_life_census now = life_oracle_census(of);
    for (int axis = 0; axis < HALO_LIFE_AXES && now.population > 0; axis++) {
        int64_t first = now.live.lo[axis] - of->array.lo[axis];
        if (of->edges[axis] == HALO_LIFE_GROW &&
            (first < 1 || first + now.live.n[axis] > of->array.n[axis] - 1)) {
            fprintf(stderr, "the oracle's margin is too small for this test\n");
            exit(1);
        }
    }
}

static void compute_step(life_oracle *of)
{
    int64_t rows = of->array.n[HALO_LIFE_ROWS], columns = of->array.n[HALO_LIFE_COLUMNS];
    bool grows = of->edges[0] == HALO_LIFE_GROW || of->edges[1] == HALO_LIFE_GROW;
    uint8_t *old = of->cells;
    life_oracle before = *of;
    check_margin(of);
    of->cells = of->older;
    of->older = old;
    uint8_t *around = with_rim(&before, old);
    for (int64_t y = 0; y < rows; y++) {
        const uint8_t *row = around + (y + 1) * (columns + 2) + 1;
        for (int64_t x = 0; x < columns; x++) {
            of->cells[y * columns + x] =
                state_after(&of->rule, row[x], live_neighbours(&of->rule, row + x, columns + 2));
        }
    }
    free(around);
    if (grows) {
        int all = of->rule.neighbourhood == HALO_LIFE_MAP ? 0x1ef : halo_life_neighbours(&of->rule);
        of->background = state_after(&of->rule, of->background, before.background == 1 ? all : 0);
    }
    of->births = of->deaths = 0;
    for (int64_t cell = 0; cell < rows * columns; cell++) {
        bool was = relative(&before, old[cell]) != 0, is = relative(of, of->cells[cell]) != 0;
        of->births += !was && is;
        of->deaths += was && !is;
    }
}

/* ---- the same steps again -------------------------------------------------------------------- */

/* A test that fails each allocation of a run in turn follows the same cells a hundred times, and so
 * do ranks that are threads, of which one computes a step for all. */
enum { REMEMBERED = 128, MAX_REMEMBERED_CELLS = 30000 };

/* A step: `after.older` are the cells before it, `background` is what it was then. */
typedef struct {
    life_oracle after;
    uint8_t background;
} step;

static pthread_mutex_t memory = PTHREAD_MUTEX_INITIALIZER;
static step remembered[REMEMBERED];
static int oldest;

static int64_t cells_of(const life_oracle *of)
{
    return of->array.n[HALO_LIFE_ROWS] * of->array.n[HALO_LIFE_COLUMNS];
}

static bool begins_with(const step *s, const life_oracle *of)
{
    const life_oracle *after = &s->after;
    return after->cells != NULL && after->rule.born == of->rule.born &&
           after->rule.survive == of->rule.survive && after->rule.states == of->rule.states &&
           after->rule.neighbourhood == of->rule.neighbourhood &&
           memcmp(after->rule.map, of->rule.map, sizeof of->rule.map) == 0 &&
           memcmp(after->edges, of->edges, sizeof of->edges) == 0 &&
           memcmp(&after->array, &of->array, sizeof of->array) == 0 &&
           s->background == of->background &&
           memcmp(after->older, of->cells, (size_t)cells_of(of)) == 0;
}

static void remember(const life_oracle *after, uint8_t background)
{
    size_t bytes = (size_t)cells_of(after);
    step *s = &remembered[oldest];
    oldest = (oldest + 1) % REMEMBERED;
    life_oracle_free(&s->after);
    *s = (step){*after, background};
    s->after.cells = memcpy(need_zeroed(bytes, 1), after->cells, bytes);
    s->after.older = memcpy(need_zeroed(bytes, 1), after->older, bytes);
}

/* Repeat a step, of which cells and counts are all that changes. */
static void repeat(life_oracle *of, const step *s)
{
    uint8_t *next = of->older;
    of->older = of->cells;
    of->cells = memcpy(next, s->after.cells, (size_t)cells_of(of));
    of->background = s->after.background;
    of->births = s->after.births;
    of->deaths = s->after.deaths;
}

static const step *find_step(const life_oracle *of)
{
    for (int i = 0; i < REMEMBERED; i++) {
        if (begins_with(&remembered[i], of)) {
            return &remembered[i];
        }
    }
    return NULL;
}

void life_oracle_step(life_oracle *of)
{
    if (cells_of(of) > MAX_REMEMBERED_CELLS) {
        compute_step(of);
        return;
    }
    pthread_mutex_lock(&memory);
    const step *known = find_step(of);
    if (known != NULL) {
        repeat(of, known);
    } else {
        uint8_t background = of->background;
        compute_step(of);
        remember(of, background);
    }
    pthread_mutex_unlock(&memory);
}

static uint8_t *address(const life_oracle *of, int64_t y, int64_t x)
{
    int64_t row = y - of->array.lo[HALO_LIFE_ROWS], column = x - of->array.lo[HALO_LIFE_COLUMNS];
    bool inside = row >= 0 && row < of->array.n[HALO_LIFE_ROWS] && column >= 0 &&
                  column < of->array.n[HALO_LIFE_COLUMNS];
    return inside ? &of->cells[row * of->array.n[HALO_LIFE_COLUMNS] + column] : NULL;
}

int life_oracle_cell(const life_oracle *of, int64_t y, int64_t x)
{
    const uint8_t *cell = address(of, y, x);
    return cell != NULL ? relative(of, *cell) : 0;
}

void life_oracle_set(life_oracle *of, int64_t y, int64_t x, int state)
{
    *address(of, y, x) = (uint8_t)relative(of, (uint8_t)state);
}

halo_life_census life_oracle_census(const life_oracle *of)
{
    halo_life_census found = {0};
    int64_t low[HALO_LIFE_AXES] = {INT64_MAX, INT64_MAX}, high[HALO_LIFE_AXES];
    high[0] = high[1] = INT64_MIN;
    const uint8_t *cell = of->cells;
    for (int64_t row = 0; row < of->array.n[HALO_LIFE_ROWS]; row++) {
        for (int64_t column = 0; column < of->array.n[HALO_LIFE_COLUMNS]; column++) {
            if (relative(of, *cell++) != 0) {
                const int64_t at[] = {row + of->array.lo[0], column + of->array.lo[1]};
                found.population++;
                for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
                    low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
                    high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
                }
            }
        }
    }
    for (int axis = 0; axis < HALO_LIFE_AXES && found.population > 0; axis++) {
        found.live.lo[axis] = low[axis];
        found.live.n[axis] = high[axis] - low[axis] + 1;
    }
    return found;
}
