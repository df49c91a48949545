#include "kernels/paths/paths_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_paths_array against a search of its own, in all layouts and types, and paths by their
 * definition. */

enum { MOST_CELLS = 4000, MOST_SOURCES = 9, MOST_ENDS = 12 };

/* ---- the definition -------------------------------------------------------------------------- */

typedef struct {
    int64_t n[3]; /* an image has one plane */
    int neighbours;
    double cell[3], max_distance; /* 0: none */
    int64_t sources;
    halo_paths_place source[MOST_SOURCES];
} search;

static double cost_of(double value)
{
    return value >= 0 ? value : HUGE_VAL;
}

static const int image_moves[16][3] = {{0, -1, 0},  {0, 0, -1}, {0, 0, 1},   {0, 1, 0},
                                       {0, -1, -1}, {0, -1, 1}, {0, 1, -1},  {0, 1, 1},
                                       {0, -2, -1}, {0, -2, 1}, {0, -1, -2}, {0, -1, 2},
                                       {0, 1, -2},  {0, 1, 2},  {0, 2, -1},  {0, 2, 1}};

/* Across faces, edges and corners. */
static const int volume_moves[26][3] = {
    {-1, 0, 0},  {0, -1, 0},  {0, 0, -1}, {0, 0, 1},   {0, 1, 0},    {1, 0, 0},   {-1, -1, 0},
    {-1, 0, -1}, {-1, 0, 1},  {-1, 1, 0}, {0, -1, -1}, {0, -1, 1},   {0, 1, -1},  {0, 1, 1},
    {1, -1, 0},  {1, 0, -1},  {1, 0, 1},  {1, 1, 0},   {-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1},
    {-1, 1, 1},  {1, -1, -1}, {1, -1, 1}, {1, 1, -1},  {1, 1, 1}};

static const int *move_of(const search *s, int m)
{
    bool volume = s->neighbours == 6 || s->neighbours == 18 || s->neighbours == 26;
    return volume ? volume_moves[m] : image_moves[m];
}

static int64_t cells_of(const search *s)
{
    return s->n[0] * s->n[1] * s->n[2];
}

/* The weight of move `m` from cell `from`, which is written to *to; infinite: it leads outside. */
static double weigh(const search *s, const double *grid, int64_t from, int m, int64_t *to)
{
    const int *move = move_of(s, m);
    int64_t width = s->n[2], dz = move[0], dy = move[1], dx = move[2];
    int64_t z = from / (s->n[1] * width) + dz, y = from / width % s->n[1] + dy;
    int64_t x = from % width + dx;
    if (z < 0 || z >= s->n[0] || y < 0 || y >= s->n[1] || x < 0 || x >= width) {
        return HUGE_VAL;
    }
    *to = (z * s->n[1] + y) * width + x;
    double a = cost_of(grid[from]), b = cost_of(grid[*to]);
    double d = (double)dz * s->cell[0], h = (double)dy * s->cell[1], w = (double)dx * s->cell[2];
    double length = sqrt(d * d + h * h + w * w);
    if (dy * dy + dx * dx < 5) {
        return (a + b) * (length * 0.5);
    }
    double p = cost_of(grid[from + dy / 2 * width + dx / 2]);
    double q = cost_of(grid[from + (dy - dy / 2) * width + dx - dx / 2]);
    return (p + q + b + a) * (length * 0.25);
}

/* Distances, and the lowest numbers of nearest sources, by updating cells until nothing changes. */
static void define(const search *s, const double *grid, double *distances, double *nearest)
{
    static int64_t list[2000 * MOST_CELLS];
    int64_t cells = cells_of(s), count = 0;
    for (int64_t i = 0; i < cells; i++) {
        distances[i] = HUGE_VAL;
        nearest[i] = HUGE_VAL;
    }
    for (int64_t i = s->sources - 1; i >= 0; i--) {
        int64_t at = s->source[i].row * s->n[2] + s->source[i].column;
        distances[at] = 0;
        nearest[at] = (double)(i + 1);
        list[count++] = at;
    }
    for (int64_t next = 0; next < count; next++) {
        for (int m = 0; m < s->neighbours; m++) {
            int64_t from = list[next], to = 0;
            double weight = weigh(s, grid, from, m, &to), far = distances[from] + weight;
            bool inside = far < HUGE_VAL && (s->max_distance <= 0 || far <= s->max_distance);
            bool nearer = inside && far < distances[to];
            bool lower = inside && far <= distances[to] && nearest[from] < nearest[to];
            if (nearer || lower) {
                distances[to] = far;
                nearest[to] = nearest[from];
                list[count++] = to;
            }
        }
    }
    for (int64_t i = 0; i < cells; i++) {
        nearest[i] = isinf(nearest[i]) ? 0 : nearest[i];
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static const int64_t image_shapes[][3] = {{1, 1, 1},   {1, 1, 90}, {1, 40, 1}, {1, 2, 3},
                                          {1, 17, 23}, {1, 70, 9}, {1, 5, 80}, {1, 33, 40}};
static const int64_t volume_shapes[][3] = {{1, 1, 1}, {1, 9, 12},   {40, 1, 1},  {2, 3, 2},
                                           {9, 1, 8}, {12, 15, 17}, {30, 9, 11}, {5, 20, 40}};

/* Costs that every type has, some of them 0 and barriers where the type has these. */
static void make_costs(halo_sample_type type, bool zeroes, int64_t cells, uint64_t *random,
                       double *grid)
{
    static const halo_sample_type with_sign[] = {HALO_SAMPLE_I8,  HALO_SAMPLE_I16, HALO_SAMPLE_I32,
                                                 HALO_SAMPLE_I64, HALO_SAMPLE_F32, HALO_SAMPLE_F64};
    bool real = halo_sample_types[type].real, negative = false;
    for (size_t i = 0; i < COUNT(with_sign); i++) {
        negative = negative || with_sign[i] == type;
    }
    for (int64_t i = 0; i < cells; i++) {
        int64_t pick = random_below(random, 30);
        grid[i] = (double)(1 + random_below(random, 100));
        if (type == HALO_SAMPLE_BIT) {
            grid[i] = !zeroes || pick < 15;
        } else if (pick < 12 && zeroes) {
            grid[i] = 0;
        } else if (real && pick < 20) {
            grid[i] = (double)random_below(random, 1 << 20) / 1024;
        } else if (negative && pick < 24) {
            grid[i] = real && pick < 22 ? (pick < 21 ? NAN : HUGE_VAL) : -3;
        }
    }
}

static bool choose_sources(search *s, const double *grid, uint64_t *random)
{
    int64_t cells = cells_of(s), wanted = 1 + random_below(random, MOST_SOURCES);
    s->sources = 0;
    for (int tries = 0; tries < 100 && s->sources < wanted; tries++) {
        int64_t at = random_below(random, cells);
        if (cost_of(grid[at]) < HUGE_VAL) {
            s->source[s->sources++] = (halo_paths_place){at / s->n[2], at % s->n[2]};
        }
    }
    return s->sources > 0;
}

static void compare(const halo_array *got, const double *wanted, int64_t cells, const char *what)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < cells; i++) {
        double value = array_value(got, i);
        wrong += value < wanted[i] || value > wanted[i] || isnan(value) || signbit(value);
    }
    check(wrong == 0, "%s: %" PRId64 " of %" PRId64 " cells differ", what, wrong, cells);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static int64_t cell_of(const search *s, const halo_paths_place *at)
{
    return at->row * s->n[2] + at->column;
}

static bool are_opposite(const int *a, const int *b)
{
    return a[0] == -b[0] && a[1] == -b[1] && a[2] == -b[2];
}

/* A path leads from a source to its end, each step adds to its distance what the step weighs, and
 * it is the first of the ways back to the smallest distance. */
static void check_path(const search *s, const double *grid, const double *distances,
                       const halo_paths_stop *stops, int64_t count, const halo_paths_place *end,
                       const char *what)
{
    bool starts = false,
         good = stops[count - 1].at.row == end->row && stops[count - 1].at.column == end->column;
    for (int64_t i = 0; i < s->sources; i++) {
        starts = starts || cell_of(s, &s->source[i]) == cell_of(s, &stops[0].at);
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = cell_of(s, &stops[i].at), to = 0;
        int first = -1;
        good = good && stops[i].step == i && memcmp(&stops[i].distance, &distances[at], 8) == 0;
        double least = distances[at];
        for (int m = 0; m < s->neighbours && i > 0; m++) {
            if (weigh(s, grid, at, m, &to) < HUGE_VAL && distances[to] < least) {
                int back = 0; /* the move from there to here */
                while (!are_opposite(move_of(s, back), move_of(s, m))) {
                    back++;
                }
                int64_t here;
                double far = distances[to] + weigh(s, grid, to, back, &here);
                if (far >= distances[at] && far <= distances[at]) {
                    first = m;
                    least = distances[to];
                }
            }
        }
        if (first >= 0) {
            weigh(s, grid, at, first, &to);
            good = good && to == cell_of(s, &stops[i - 1].at);
        } else if (i > 0) { /* within a plateau */
            double before = stops[i - 1].distance;
            good = good && before >= stops[i].distance && before <= stops[i].distance;
        }
    }
    check(starts && good, "%s: a path of %" PRId64 " cells", what, count);
}

static void check_trail(const search *s, const double *grid, const double *distances,
                        const halo_paths_place *ends, int64_t end_count,
                        const halo_paths_trail *trail, const char *what)
{
    int64_t at = 0;
    for (int64_t i = 0; i < end_count; i++) {
        int64_t first = at;
        while (at < trail->count && trail->stops[at].target == i) {
            at++;
        }
        bool reached = distances[cell_of(s, &ends[i])] < HUGE_VAL;
        check(reached == (at > first), "%s: end %" PRId64, what, i);
        if (at > first) {
            check_path(s, grid, distances, trail->stops + first, at - first, &ends[i], what);
        }
    }
    check(at == trail->count, "%s: %" PRId64 " of %" PRId64 " cells", what, at, trail->count);
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct {
    halo_sample_type type, numbers;
    array_layout layout, distances_layout, numbers_layout;
    int ranks, axes;
} way;

static void trace(const search *s, halo_context *context, const halo_array *costs,
                  const halo_array *distances, const double *grid, const double *wanted,
                  const halo_paths_array_options *options, uint64_t *random, const char *what)
{
    halo_paths_place places[MOST_ENDS];
    halo_paths_trail *trail;
    for (int i = 0; i < MOST_ENDS; i++) {
        places[i] = (halo_paths_place){random_below(random, s->n[0] * s->n[1]),
                                       random_below(random, s->n[2])};
    }
    SUCCEEDS(halo_paths_array_trace(context, costs, distances, s->source, s->sources, places,
                                    MOST_ENDS, options, &trail));
    check_trail(s, grid, wanted, places, MOST_ENDS, trail, what);
    halo_paths_trail_destroy(&trail);
}

static void search_one(const search *s, const way *w, const double *grid, uint64_t *random)
{
    static double distances[MOST_CELLS], nearest[MOST_CELLS];
    char what[300];
    int64_t cells = cells_of(s), reached = 0, barriers = 0;
    double farthest = 0;
    const int64_t *n = s->n + 3 - w->axes;
    laid_array costs = array_lay_values(w->layout, w->type, w->axes, n, grid);
    laid_array to = array_lay(w->distances_layout, HALO_SAMPLE_F64, w->axes, n);
    laid_array numbers = array_lay(w->numbers_layout, w->numbers, w->axes, n);
    halo_paths_array_options options = {.neighbours = s->neighbours,
                                        .max_distance = s->max_distance};
    memcpy(options.spacing, s->cell + 3 - w->axes, (size_t)w->axes * sizeof(double));
    halo_paths_array_report report;
    halo_context *context;
    snprintf(
        what, sizeof what,
        "%" PRId64 " x %" PRId64 " x %" PRId64 ", %s %s to %s and %s %s, %d neighbours, %d ranks",
        s->n[0], s->n[1], s->n[2], halo_sample_types[w->type].name, array_layout_names[w->layout],
        array_layout_names[w->distances_layout], halo_sample_types[w->numbers].name,
        array_layout_names[w->numbers_layout], s->neighbours, w->ranks);
    define(s, grid, distances, nearest);
    for (int64_t i = 0; i < cells; i++) {
        reached += distances[i] < HUGE_VAL;
        farthest = distances[i] < HUGE_VAL && distances[i] > farthest ? distances[i] : farthest;
        barriers += isinf(cost_of(grid[i]));
    }
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, w->ranks));
    SUCCEEDS(halo_paths_array(context, &costs.array, s->source, s->sources, &to.array,
                              &numbers.array, &options, &report));
    compare(&to.array, distances, cells, what);
    compare(&numbers.array, nearest, cells, what);
    check(report.reached == reached && report.barriers == barriers && report.farthest >= farthest &&
              report.farthest <= farthest,
          "%s: %" PRId64 " reached, not %" PRId64, what, report.reached, reached);
    check(array_gaps_are_kept(&to) && array_gaps_are_kept(&numbers), "%s: bytes between", what);
    trace(s, context, &costs.array, &to.array, grid, distances, &options, random, what);
    SUCCEEDS(halo_paths_array(context, &costs.array, s->source, s->sources, NULL, NULL, &options,
                              &report));
    check(report.reached == reached, "%s: %" PRId64 " reached without arrays", what,
          report.reached);
    halo_context_destroy(&context);
    array_free(&costs);
    array_free(&to);
    array_free(&numbers);
}

static void search_ways(int count, bool zeroes, bool volumes, uint64_t random)
{
    static double grid[MOST_CELLS];
    static const int ranks[] = {1, 2, 3, 5}, in_image[] = {4, 8, 16}, in_volume[] = {6, 18, 26};
    static const halo_sample_type types[] = {HALO_SAMPLE_U8,  HALO_SAMPLE_I16, HALO_SAMPLE_U32,
                                             HALO_SAMPLE_I32, HALO_SAMPLE_U64, HALO_SAMPLE_I64};
    static const double sides[] = {1, 1, .5, 30};
    for (int i = 0; i < count; i++) {
        const int64_t *n = volumes ? volume_shapes[random_below(&random, COUNT(volume_shapes))]
                                   : image_shapes[random_below(&random, COUNT(image_shapes))];
        way w = {.type = (halo_sample_type)random_below(&random, HALO_SAMPLE_TYPES),
                 .numbers = types[random_below(&random, COUNT(types))],
                 .layout = (array_layout)random_below(&random, LAYOUTS),
                 .distances_layout = (array_layout)random_below(&random, LAYOUTS),
                 .numbers_layout = (array_layout)random_below(&random, LAYOUTS),
                 .ranks = ranks[random_below(&random, COUNT(ranks))]};
        search s = {.n = {n[0], n[1], n[2]},
                    .neighbours = (volumes ? in_volume : in_image)[random_below(&random, 3)],
                    .cell = {sides[random_below(&random, COUNT(sides))],
                             sides[random_below(&random, COUNT(sides))],
                             sides[random_below(&random, COUNT(sides))]},
                    .max_distance = random_below(&random, 4) == 0 ? 500 : 0};
        w.axes = volumes ? 3 : n[1] == 1 && random_below(&random, 2) == 0 ? 1 : 2;
        make_costs(w.type, zeroes, cells_of(&s), &random, grid);
        if (choose_sources(&s, grid, &random)) {
            search_one(&s, &w, grid, &random);
        }
    }
}

TEST("distances, nearest sources and paths, in all layouts and types")
{
    search_ways(unit_cases(250), false, false, 7);
}

TEST("the same in volumes")
{
    search_ways(unit_cases(150), false, true, 9);
}

TEST("the same in volumes with costs of 0")
{
    search_ways(unit_cases(100), true, true, 10);
}

TEST("the same with costs of 0, where paths cross plateaus")
{
    search_ways(unit_cases(150), true, false, 8);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

TEST("a path that winds through more cells than a tile has, and one beside the array's ends")
{
    enum { ROWS = 301, COLUMNS = 203 };
    static double grid[ROWS * COLUMNS], distances[ROWS * COLUMNS];
    static const int64_t n[] = {ROWS, COLUMNS};
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) { /* walls with a gap at alternate ends */
        int64_t y = i / COLUMNS, x = i % COLUMNS;
        bool gap = y / 2 % 2 == 0 ? x == COLUMNS - 1 : x == 0;
        grid[i] = y % 2 == 1 && !gap ? -1 : 1;
    }
    for (int neighbours = 4; neighbours <= 16; neighbours *= 2) {
        search s = {
            .n = {1, ROWS, COLUMNS}, .neighbours = neighbours, .cell = {1, 1, 1}, .sources = 1};
        laid_array costs = array_lay_values(LAYOUT_FORTRAN, HALO_SAMPLE_I8, 2, n, grid);
        laid_array to = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 2, n);
        halo_paths_array_options options = {.neighbours = neighbours};
        halo_paths_trail *trail;
        halo_paths_place end = {ROWS - 1, COLUMNS - 1};
        SUCCEEDS(
            halo_paths_array(NULL, &costs.array, s.source, 1, &to.array, NULL, &options, NULL));
        memcpy(distances, to.array.data, sizeof distances);
        SUCCEEDS(halo_paths_array_trace(NULL, &costs.array, &to.array, s.source, 1, &end, 1,
                                        &options, &trail));
        check(trail->count > 30000, "%" PRId64 " cells", trail->count);
        check_trail(&s, grid, distances, &end, 1, trail, "a winding path");
        halo_paths_trail_destroy(&trail);
        array_free(&costs);
        array_free(&to);
    }
}

TEST("a path through a volume of many tiles, whose planes are walls with a gap at alternate ends")
{
    enum { PLANES = 41, ROWS = 37, COLUMNS = 50, CELLS = PLANES * ROWS * COLUMNS };
    static double grid[CELLS], distances[CELLS];
    static const int64_t n[] = {PLANES, ROWS, COLUMNS};
    for (int64_t i = 0; i < CELLS; i++) {
        int64_t z = i / (ROWS * COLUMNS), at = i % (ROWS * COLUMNS);
        bool gap = z / 2 % 2 == 0 ? at == ROWS * COLUMNS - 1 : at == 0;
        grid[i] = z % 2 == 1 && !gap ? -1 : 1;
    }
    for (int neighbours = 6; neighbours <= 26; neighbours += 20) {
        search s = {.n = {PLANES, ROWS, COLUMNS},
                    .neighbours = neighbours,
                    .cell = {1, 1, 1},
                    .sources = 1};
        laid_array costs = array_lay_values(LAYOUT_FORTRAN, HALO_SAMPLE_I8, 3, n, grid);
        laid_array to = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 3, n);
        halo_paths_array_options options = {.neighbours = neighbours};
        halo_paths_trail *trail;
        halo_paths_place end = {PLANES * ROWS - 1, COLUMNS - 1};
        SUCCEEDS(
            halo_paths_array(NULL, &costs.array, s.source, 1, &to.array, NULL, &options, NULL));
        memcpy(distances, to.array.data, sizeof distances);
        SUCCEEDS(halo_paths_array_trace(NULL, &costs.array, &to.array, s.source, 1, &end, 1,
                                        &options, &trail));
        check(trail->count > 20 * COLUMNS, "%" PRId64 " cells", trail->count);
        check_trail(&s, grid, distances, &end, 1, trail, "a path through planes");
        halo_paths_trail_destroy(&trail);
        array_free(&costs);
        array_free(&to);
    }
}
