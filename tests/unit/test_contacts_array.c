#include "kernels/label/contacts_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_contacts_array against a search through all neighbours of all elements. */

enum { MOST_CELLS = 5000, MOST_LABELS = 9 };

/* ---- the definition -------------------------------------------------------------------------- */

typedef struct {
    int axes;
    int64_t n[HALO_AXES];
    int order; /* number of axes on which neighbours may differ at once */
    int64_t cells;
    double labels[MOST_CELLS], spacing[HALO_AXES];
    int64_t pairs[MOST_LABELS][MOST_LABELS];
    double area[MOST_LABELS][MOST_LABELS];
} contact_case;

/* The neighbour of cell `i` by `step`, one of 27, or -1; *moves: the axes along which it is
 * another, *across: the last one of them. */
static int64_t neighbour(const contact_case *c, int64_t i, int step, int *moves, int *across)
{
    int64_t at[HALO_AXES], to = 0;
    *moves = 0;
    for (int axis = c->axes - 1; axis >= 0; axis--) {
        int64_t n = c->n[axis], d = step % 3 - 1;
        at[axis] = i % n + d;
        i /= n;
        step /= 3;
        *moves += d != 0;
        *across = d != 0 ? axis : *across;
        if (at[axis] < 0 || at[axis] >= n) {
            return -1;
        }
    }
    for (int axis = 0; axis < c->axes; axis++) {
        to = to * c->n[axis] + at[axis];
    }
    return step == 0 ? to : -1;
}

static void find_pairs(contact_case *c)
{
    memset(c->pairs, 0, sizeof c->pairs);
    memset(c->area, 0, sizeof c->area);
    for (int64_t i = 0; i < c->cells; i++) {
        for (int step = 0; step < 27; step++) {
            int moves, across = 0;
            int64_t to = neighbour(c, i, step, &moves, &across);
            if (to < 0 || moves > c->order || c->labels[i] <= 0 || c->labels[to] <= c->labels[i]) {
                continue;
            }
            int a = (int)c->labels[i], b = (int)c->labels[to];
            double area = 1;
            for (int axis = 0; axis < c->axes; axis++) {
                area *= axis != across ? c->spacing[axis] : 1;
            }
            c->pairs[a][b]++;
            c->area[a][b] += moves == 1 ? area : 0;
        }
    }
}

/* ---- layouts and types ----------------------------------------------------------------------- */

static const struct {
    int axes;
    int64_t n[HALO_AXES];
} shapes[] = {{1, {1}},       {1, {300}},     {2, {1, 1}},    {2, {37, 70}},  {2, {70, 37}},
              {2, {2, 1500}}, {3, {1, 1, 9}}, {3, {7, 6, 5}}, {3, {40, 9, 8}}};

static const int neighbours[HALO_AXES][HALO_AXES] = {{2}, {4, 8}, {6, 18, 26}};
static const int all_ranks[] = {1, 2, 3, 5};

static void make_case(contact_case *c, halo_sample_type type, uint64_t *random)
{
    size_t s = (size_t)random_below(random, COUNT(shapes));
    bool negative = halo_sample_types[type].key_min < 0 && type != HALO_SAMPLE_U64;
    c->axes = shapes[s].axes;
    memcpy(c->n, shapes[s].n, sizeof c->n);
    c->order = 1 + (int)random_below(random, c->axes);
    c->cells = 1;
    for (int axis = 0; axis < c->axes; axis++) {
        c->cells *= c->n[axis];
        c->spacing[axis] = (double)(1 + random_below(random, 4)) / 2;
    }
    double label = 0;
    for (int64_t i = 0; i < c->cells; i++) {
        bool changes = random_below(random, i / 100 % 2 == 0 ? 2 : 30) == 0;
        label = changes ? (double)(random_below(random, MOST_LABELS + 1) - 1) : label;
        c->labels[i] = label < 0 && !negative ? 0 : label;
    }
    find_pairs(c);
}

static void expect_table(const contact_case *c, const halo_array_table *table, const char *what)
{
    const int64_t *first = halo_array_table_column(table, 0)->values;
    const int64_t *second = halo_array_table_column(table, 1)->values;
    const int64_t *pairs = halo_array_table_find(table, "pairs")->values;
    const double *area = halo_array_table_find(table, "area")->values;
    int64_t row = 0;
    for (int a = 1; a < MOST_LABELS; a++) {
        for (int b = a + 1; b < MOST_LABELS; b++) {
            if (c->pairs[a][b] == 0) {
                continue;
            }
            if (!check(row < halo_array_table_rows(table), "%s: %d and %d are missing", what, a,
                       b)) {
                return;
            }
            check(first[row] == a && second[row] == b && pairs[row] == c->pairs[a][b] &&
                      fabs(area[row] - c->area[a][b]) < 1e-9,
                  "%s: %" PRId64 " %" PRId64 " %" PRId64 " %g, not %d %d %" PRId64 " %g", what,
                  first[row], second[row], pairs[row], area[row], a, b, c->pairs[a][b],
                  c->area[a][b]);
            row++;
        }
    }
    check(row == halo_array_table_rows(table), "%s: more pairs than there are", what);
}

TEST("the pairs that a search finds, in all layouts and types, with any number of ranks")
{
    static contact_case c;
    uint64_t random = 31;
    for (int i = 0; i < unit_cases(400); i++) {
        const int64_t whole = HALO_SAMPLE_F32 - HALO_SAMPLE_U8;
        halo_sample_type type = (halo_sample_type)(HALO_SAMPLE_U8 + random_below(&random, whole));
        array_layout layout = (array_layout)random_below(&random, LAYOUTS);
        int ranks = all_ranks[random_below(&random, COUNT(all_ranks))];
        char what[120];
        make_case(&c, type, &random);
        snprintf(what, sizeof what, "case %d: %d axes, order %d, %s %s, %d ranks", i, c.axes,
                 c.order, halo_sample_types[type].name, array_layout_names[layout], ranks);
        halo_contacts_array_options options = {
            .connectivity = neighbours[c.axes - 1][c.order - 1],
            .spacing = {c.spacing[0], c.spacing[1], c.spacing[2]}};
        laid_array labels = array_lay_values(layout, type, c.axes, c.n, c.labels);
        halo_array_table *table;
        halo_context *context;
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        SUCCEEDS(halo_contacts_array(context, &labels.array, &options, &table));
        expect_table(&c, table, what);
        halo_array_table_destroy(&table);
        halo_context_destroy(&context);
        array_free(&labels);
    }
}

TEST("labels of 64 bits, defaults, and options by name and value")
{
    static uint64_t grid[2][3] = {{UINT64_MAX, UINT64_MAX, 3}, {UINT64_MAX - 1, 3, 0}};
    static const int64_t n[] = {2, 3};
    halo_contacts_array_options options = {0};
    halo_array labels = array_plain(HALO_SAMPLE_U64, 2, n, grid);
    halo_array_table *table;
    SUCCEEDS(halo_contacts_array(NULL, &labels, NULL, &table));
    const uint64_t *first = halo_array_table_column(table, 0)->values;
    const uint64_t *second = halo_array_table_column(table, 1)->values;
    check(halo_array_table_column(table, 0)->type == HALO_SAMPLE_U64 &&
              halo_array_table_rows(table) == 3 && first[0] == 3 && second[0] == UINT64_MAX - 1 &&
              second[1] == UINT64_MAX && first[2] == UINT64_MAX - 1 && second[2] == UINT64_MAX,
          "pairs");
    halo_array_table_destroy(&table);
    SUCCEEDS(halo_options_set_defaults(halo_contacts_array_rows, &options));
    SUCCEEDS(halo_options_set(halo_contacts_array_rows, &options, "contacts", "connectivity", "8"));
    SUCCEEDS(halo_contacts_array(NULL, &labels, &options, &table));
    const int64_t *pairs = halo_array_table_find(table, "pairs")->values;
    check(pairs[0] == 1 && pairs[1] == 3 && pairs[2] == 2, "%" PRId64 " %" PRId64 " %" PRId64,
          pairs[0], pairs[1], pairs[2]);
    halo_array_table_destroy(&table);
}

TEST("arrays without elements, and what is refused, with the remedy")
{
    static uint8_t grid[4];
    static const int64_t n[] = {2, 2}, none[] = {0, 2};
    halo_array_table *table;
    halo_array labels = array_plain(HALO_SAMPLE_U8, 2, n, grid);
    halo_array empty = array_plain(HALO_SAMPLE_U8, 2, none, NULL);
    SUCCEEDS(halo_contacts_array(NULL, &empty, NULL, &table));
    check(halo_array_table_rows(table) == 0 && halo_array_table_columns(table) == 4, "no elements");
    halo_array_table_destroy(&table);
#define REFUSES(words, ...)     \
    FAILS(HALO_ARGUMENT, words, \
          halo_contacts_array(NULL, &labels, &(halo_contacts_array_options){__VA_ARGS__}, &table))
    REFUSES("connectivity 26 is not possible in 2 axes; use 4 or 8", .connectivity = 26);
    REFUSES("the spacing along axis 1 is nan", .spacing = {1, NAN});
    labels.type = HALO_SAMPLE_F64;
    labels.n[0] = labels.n[1] = 0;
    REFUSES("must be whole numbers", .connectivity = 4);
#undef REFUSES
}

TEST("a function of progress cancels")
{
    static uint8_t grid[64][64];
    static const int64_t n[] = {64, 64};
    halo_array labels = array_plain(HALO_SAMPLE_U8, 2, n, grid);
    for (size_t r = 0; r < COUNT(all_ranks); r++) {
        array_progress w = array_progress_until(1);
        halo_context *context;
        halo_array_table *table;
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, all_ranks[r]));
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled", halo_contacts_array(context, &labels, NULL, &table));
        check(w.calls > 0 && table == NULL, "%d calls", w.calls);
        halo_context_destroy(&context);
    }
}
