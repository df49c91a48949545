#include "kernels/label/keep_array.h"
#include "kernels/label/label_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_keep_array against a choice among the labels of halo_label_array, whose own test has a flood
 * fill. */

enum { MOST_CELLS = 5000 };

typedef struct {
    int axes;
    int64_t n[HALO_AXES], cells;
    double values[MOST_CELLS], wanted[MOST_CELLS];
    int64_t labels[MOST_CELLS]; /* 1 to `regions`, by ascending preference among equal areas */
    int64_t regions, kept;
} keep_case;

static const int all_ranks[] = {1, 2, 3, 5};

static const struct {
    int axes;
    int64_t n[HALO_AXES];
} shapes[] = {{1, {1}},       {1, {500}},      {2, {1, 1}},    {2, {37, 70}},   {2, {100, 45}},
              {2, {3, 1500}}, {3, {1, 30, 9}}, {3, {7, 6, 5}}, {3, {40, 11, 9}}};

static const int neighbours[HALO_AXES][HALO_AXES] = {{2}, {4, 8}, {6, 18, 26}};

/* ---- the definition -------------------------------------------------------------------------- */

static bool touches_edge(const keep_case *c, const halo_keep_array_options *options, int64_t label)
{
    for (int64_t i = 0; i < c->cells; i++) {
        int64_t rest = i;
        for (int axis = c->axes - 1; axis >= 0 && c->labels[i] == label; axis--) {
            int64_t at = rest % c->n[axis];
            rest /= c->n[axis];
            if (!options->periodic[axis] && (at == 0 || at == c->n[axis] - 1)) {
                return true;
            }
        }
    }
    return false;
}

/* Sets c->wanted from c->labels. */
static void choose(keep_case *c, const halo_keep_array_options *options)
{
    static int64_t area[MOST_CELLS + 1];
    static bool kept[MOST_CELLS + 1];
    memset(area, 0, sizeof area);
    memset(kept, 0, sizeof kept);
    for (int64_t i = 0; i < c->cells; i++) {
        area[c->labels[i]]++;
    }
    c->kept = 0;
    for (int64_t k = 1; k <= c->regions; k++) {
        kept[k] = area[k] >= options->min_area && area[k] > 0 &&
                  (options->max_area == 0 || area[k] <= options->max_area) &&
                  !(options->clear_border && touches_edge(c, options, k));
        c->kept += kept[k];
    }
    while (options->largest > 0 && c->kept > options->largest) {
        int64_t worst = 0;
        for (int64_t k = c->regions; k > 0; k--) {
            worst = kept[k] && (worst == 0 || area[k] < area[worst]) ? k : worst;
        }
        kept[worst] = false;
        c->kept--;
    }
    for (int64_t i = 0; i < c->cells; i++) {
        bool stays = kept[c->labels[i]] != options->invert;
        c->wanted[i] = stays && !(options->values && isnan(c->values[i])) ? c->values[i] : 0;
    }
}

/* Each value is a label: the numbers of the values that there are. */
static void label_values(keep_case *c)
{
    c->regions = 50; /* more than there are values */
    for (int64_t i = 0; i < c->cells; i++) {
        c->labels[i] = c->values[i] > 0 ? (int64_t)c->values[i] : 0;
    }
}

static void label_pieces(keep_case *c, halo_sample_type type,
                         const halo_keep_array_options *options)
{
    laid_array picture = array_lay_values(LAYOUT_C, type, c->axes, c->n, c->values);
    halo_array labels = array_plain(HALO_SAMPLE_I64, c->axes, c->n, c->labels);
    halo_label_array_options of_label = {.connectivity = options->connectivity,
                                         .values = options->values};
    memcpy(of_label.periodic, options->periodic, sizeof of_label.periodic);
    SUCCEEDS(halo_label_array(NULL, &picture.array, &labels, &of_label, &c->regions));
    array_free(&picture);
}

/* ---- layouts and types ----------------------------------------------------------------------- */

static void make_case(keep_case *c, halo_sample_type type, uint64_t *random)
{
    size_t s = (size_t)random_below(random, COUNT(shapes));
    bool negative = halo_sample_types[type].key_min < 0 && type != HALO_SAMPLE_U64;
    c->axes = shapes[s].axes;
    memcpy(c->n, shapes[s].n, sizeof c->n);
    c->cells = 1;
    for (int axis = 0; axis < c->axes; axis++) {
        c->cells *= c->n[axis];
    }
    double value = 0;
    for (int64_t i = 0; i < c->cells; i++) {
        if (random_below(random, 3) == 0) {
            int64_t pick = random_below(random, 9);
            value = pick < 5                  ? 0
                    : type == HALO_SAMPLE_BIT ? 1
                    : pick == 5 && negative   ? -2
                    : halo_sample_types[type].real && pick == 6
                        ? NAN
                        : (double)(pick + 10 * (i / 900 % 4));
        }
        c->values[i] = value;
    }
}

static halo_keep_array_options choose_options(const keep_case *c, halo_sample_type type,
                                              uint64_t *random)
{
    bool whole = !halo_sample_types[type].real && type != HALO_SAMPLE_BIT;
    int64_t of = random_below(random, whole ? 3 : 2);
    halo_keep_array_options options = {
        .connectivity = neighbours[c->axes - 1][random_below(random, c->axes)],
        .values = of == 1,
        .labels = of == 2,
        .min_area = random_below(random, 6),
        .max_area = random_below(random, 3) == 0 ? 6 + random_below(random, 90) : 0,
        .largest = random_below(random, 2) == 0 ? random_below(random, 6) : 0,
        .clear_border = random_below(random, 3) == 0,
        .invert = random_below(random, 3) == 0};
    for (int axis = 0; axis < c->axes; axis++) {
        options.periodic[axis] = random_below(random, 5) == 0;
    }
    return options;
}

static void expect_elements(const keep_case *c, const halo_array *out, const char *what)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < c->cells; i++) {
        double got = array_value(out, i), wanted = c->wanted[i];
        wrong += isnan(wanted) ? !isnan(got) : got < wanted || got > wanted || isnan(got);
    }
    check(wrong == 0, "%s: %" PRId64 " of %" PRId64 " elements", what, wrong, c->cells);
}

TEST("the regions that a choice among labels keeps, in all layouts and types, and in place")
{
    static keep_case c;
    uint64_t random = 41;
    for (int i = 0; i < unit_cases(500); i++) {
        halo_sample_type type = (halo_sample_type)random_below(&random, HALO_SAMPLE_TYPES);
        array_layout layout = (array_layout)random_below(&random, LAYOUTS);
        array_layout out_layout = (array_layout)random_below(&random, LAYOUTS);
        int ranks = all_ranks[random_below(&random, COUNT(all_ranks))];
        int64_t kept = -1;
        char what[160];
        make_case(&c, type, &random);
        halo_keep_array_options options = choose_options(&c, type, &random);
        snprintf(what, sizeof what, "case %d: %d axes, %s %s to %s, %d ranks, %s%s", i, c.axes,
                 halo_sample_types[type].name, array_layout_names[layout],
                 array_layout_names[out_layout], ranks,
                 options.labels   ? "labels"
                 : options.values ? "values"
                                  : "foreground",
                 options.invert ? ", inverted" : "");
        if (options.labels) {
            label_values(&c);
        } else {
            label_pieces(&c, type, &options);
        }
        choose(&c, &options);
        laid_array picture = array_lay_values(layout, type, c.axes, c.n, c.values);
        laid_array out = array_lay(out_layout, type, c.axes, c.n);
        halo_context *context;
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        SUCCEEDS(halo_keep_array(context, &picture.array, &out.array, &options, &kept));
        check(kept == c.kept, "%s: %" PRId64 " kept, not %" PRId64, what, kept, c.kept);
        expect_elements(&c, &out.array, what);
        SUCCEEDS(halo_keep_array(context, &picture.array, &picture.array, &options, NULL));
        expect_elements(&c, &picture.array, what);
        check(array_gaps_are_kept(&picture) && array_gaps_are_kept(&out), "%s: bytes", what);
        halo_context_destroy(&context);
        array_free(&picture);
        array_free(&out);
    }
}

TEST("options by name and value, arrays without elements, and what is refused")
{
    static uint8_t row[] = {1, 0, 2, 2, 0, 1};
    static const int64_t n[] = {COUNT(row)}, none[] = {0};
    halo_keep_array_options options = {0};
    int64_t kept = -1;
    halo_array picture = array_plain(HALO_SAMPLE_U8, 1, n, row);
    halo_array empty = array_plain(HALO_SAMPLE_U8, 1, none, NULL), other = picture;
    SUCCEEDS(halo_options_set_defaults(halo_keep_array_rows, &options));
    SUCCEEDS(halo_keep_array(NULL, &empty, &empty, NULL, &kept));
    check(kept == 0, "no elements");
#define REFUSES(words, out, ...) \
    FAILS(HALO_ARGUMENT, words,  \
          halo_keep_array(NULL, &picture, out, &(halo_keep_array_options){__VA_ARGS__}, NULL))
    REFUSES("choose one of them", &picture, .values = true, .labels = true);
    REFUSES("connectivity 8 is not possible in 1 axis; use 2", &picture, .connectivity = 8);
    REFUSES("must not be negative", &picture, .min_area = -1);
    REFUSES("must not be negative", &picture, .labels = true, .largest = -1);
    REFUSES("no region has at least 5 and at most 2", &picture, .min_area = 5, .max_area = 2);
    other.type = HALO_SAMPLE_I8;
    REFUSES("the image is of uint8, and the output of int8; make an output of uint8", &other,
            .min_area = 1);
    other = picture;
    other.stride[0] = 0;
    REFUSES("share memory", &other, .min_area = 1);
    other = picture;
    other.n[0] = 3;
    REFUSES("the image has 6 elements along axis 0, and the output has 3", &other, .min_area = 1);
    picture.type = other.type = HALO_SAMPLE_BIT;
    other.n[0] = 6;
    REFUSES("label the array first", &other, .labels = true);
#undef REFUSES
    picture.type = HALO_SAMPLE_U8;
    SUCCEEDS(halo_options_set(halo_keep_array_rows, &options, "keep", "min-area", "2"));
    SUCCEEDS(halo_options_set(halo_keep_array_rows, &options, "keep", "labels", "true"));
    SUCCEEDS(halo_options_set(halo_keep_array_rows, &options, "keep", "largest", "1"));
    SUCCEEDS(halo_keep_array(NULL, &picture, &picture, &options, &kept));
    check(kept == 1 && row[0] == 1 && row[5] == 1 && row[2] == 0 && row[3] == 0,
          "of equal areas the lower label");
}

TEST("a function of progress cancels")
{
    static uint8_t grid[64][64];
    static const int64_t n[] = {64, 64};
    halo_array picture = array_plain(HALO_SAMPLE_U8, 2, n, grid);
    for (size_t r = 0; r < 2 * COUNT(all_ranks); r++) {
        array_progress w = array_progress_until(1);
        halo_context *context;
        halo_keep_array_options options = {.labels = r % 2 == 1};
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, all_ranks[r / 2]));
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled",
              halo_keep_array(context, &picture, &picture, &options, NULL));
        check(w.calls > 0, "%d calls", w.calls);
        halo_context_destroy(&context);
    }
}
