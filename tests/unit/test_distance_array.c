#include "kernels/distance/distance.h"
#include "kernels/distance/distance_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Distances on arrays against the definition: layouts, types, ranks, ISAs, options, and what is
 * refused. */

static halo_context *context_of(int ranks, const char *instructions)
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    halo_context_set_instructions(context, instructions);
    return context;
}

static void *room(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* ---- the definition -------------------------------------------------------------------------- */

/* An image of 3 axes, the caller's among them last. */
typedef struct {
    int64_t n[3];
    double size[3];
    bool edge, spaced;
    const bool *foreground;
} truth;

typedef struct {
    double square;
    int64_t at[3];
} nearest;

static int64_t index_of(const truth *t, const int64_t at[3])
{
    return (at[0] * t->n[1] + at[1]) * t->n[2] + at[2];
}

static bool is_background(const truth *t, const int64_t at[3], bool of)
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] >= t->n[axis]) {
            return true;
        }
    }
    return t->foreground[index_of(t, at)] != of;
}

/* The nearest pixel of the other kind than `of`: of several, the first by the last axis, then the
 * one before it. `lo` is -1 along axes whose edges are background. */
static nearest find_nearest(const truth *t, const int64_t p[3], const int lo[3], bool of)
{
    nearest best = {INFINITY, {-1, -1, -1}};
    int64_t q[3];
    for (q[2] = lo[2]; q[2] < t->n[2] - lo[2]; q[2]++) {
        for (q[1] = lo[1]; q[1] < t->n[1] - lo[1]; q[1]++) {
            for (q[0] = lo[0]; q[0] < t->n[0] - lo[0]; q[0]++) {
                double sum = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double along = (double)(q[axis] - p[axis]) * t->size[axis];
                    sum += along * along;
                }
                if (sum < best.square && is_background(t, q, of)) {
                    best = (nearest){sum, {q[0], q[1], q[2]}};
                }
            }
        }
    }
    return best;
}

/* ---- random images --------------------------------------------------------------------------- */

typedef struct {
    int axes, ranks;
    int64_t n[3]; /* of the caller's axes */
    halo_sample_type type, distance_type, index_type;
    array_layout layout, distance_layout, index_layout;
    const char *instructions;
    halo_distance_array_options options;
    bool indices;
    char text[200];
} image_case;

static const char *const isas[] = {NULL, "plain", "avx2", "avx512"};

/* The variants that this machine runs. */
static const char *choose_isa(uint64_t *random)
{
    uint8_t one = 0;
    float far;
    const int64_t n[] = {1};
    const halo_array from = array_plain(HALO_SAMPLE_U8, 1, n, &one);
    const halo_array to = array_plain(HALO_SAMPLE_F32, 1, n, &far);
    const char *chosen = isas[random_below(random, COUNT(isas))];
    halo_context *context = context_of(1, chosen);
    bool runs = halo_distance_array(context, &from, &to, NULL, NULL, NULL) == HALO_OK;
    halo_context_destroy(&context);
    return runs ? chosen : NULL;
}

static void make_shape(image_case *c, uint64_t *random)
{
    static const int64_t longest[] = {1000, 40, 12};
    c->axes = 1 + (int)random_below(random, 3);
    for (int axis = 0; axis < c->axes; axis++) {
        c->n[axis] = 1 + random_below(random, longest[c->axes - 1]);
    }
    if (random_below(random, 6) == 0 && c->axes > 1) { /* distances that need more than 16 bits */
        int axis = (int)random_below(random, c->axes);
        for (int other = 0; other < c->axes; other++) {
            c->n[other] = other == axis ? 300 + random_below(random, 100) : 1 + other % 2;
        }
    }
}

static void make_case(image_case *c, uint64_t *random)
{
    static const halo_sample_type wholes[] = {HALO_SAMPLE_I32, HALO_SAMPLE_I64},
                                  floats[] = {HALO_SAMPLE_F32, HALO_SAMPLE_F64};
    static const double sizes[] = {.5, .7, 1, 2, 2.5, 1.2345678901};
    *c = (image_case){
        .ranks = 1 + (int)random_below(random, 5),
        .type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES),
        .distance_type = floats[random_below(random, 2)],
        .index_type = wholes[random_below(random, 2)],
        .layout = (array_layout)random_below(random, LAYOUTS),
        .distance_layout = (array_layout)random_below(random, LAYOUTS),
        .index_layout = (array_layout)random_below(random, LAYOUTS),
        .instructions = choose_isa(random),
        .indices = random_below(random, 2) == 0,
    };
    make_shape(c, random);
    halo_distance_array_options *options = &c->options;
    options->squared = random_below(random, 3) == 0;
    options->with_sign = random_below(random, 4) == 0;
    options->invert = random_below(random, 4) == 0;
    options->edge = random_below(random, 3) == 0;
    bool spaced = random_below(random, 4) == 0;
    for (int axis = 0; axis < c->axes && spaced; axis++) {
        options->spacing[axis] = sizes[random_below(random, COUNT(sizes))];
    }
    if (options->squared && !spaced && random_below(random, 2) == 0) {
        c->distance_type = wholes[random_below(random, 2)];
    }
}

/* Compares numbers of one pixel, and says where they differ. */
typedef struct {
    const image_case *c;
    const truth *t;
    const halo_array *distances, *indices;
    int64_t wrong;
} comparison;

static double wanted_distance(const image_case *c, const truth *t, const nearest *of,
                              const int64_t p[3])
{
    bool whole = !halo_sample_types[c->distance_type].real;
    double square = of->square;
    bool behind = t->foreground[index_of(t, p)] == c->options.invert;
    if (isinf(square) && whole) {
        square = c->distance_type == HALO_SAMPLE_I32 ? INT32_MAX : (double)INT64_MAX;
    }
    double value = c->options.squared ? square : sqrt(square);
    value = behind ? -value : value;
    return c->distance_type == HALO_SAMPLE_F32 ? (double)(float)value : value;
}

static void compare_pixel(comparison *k, const int64_t p[3], const int lo[3])
{
    const image_case *c = k->c;
    bool kind = k->t->foreground[index_of(k->t, p)], behind = kind == c->options.invert;
    nearest of = find_nearest(k->t, p, lo, kind);
    int64_t i = index_of(k->t, p);
    if (behind && !c->options.with_sign) {
        of.square = 0;
    }
    double got = array_value(k->distances, i), wanted = wanted_distance(c, k->t, &of, p);
    double error = k->t->spaced ? 4e-16 * fabs(wanted) : 0;
    bool same = (isinf(wanted) && got == wanted) || fabs(got - wanted) <= error ||
                (k->t->spaced && c->distance_type == HALO_SAMPLE_F32 &&
                 fabs(got - wanted) <= 1e-7 * fabs(wanted));
    k->wrong += !same;
    for (int axis = 0; axis < c->axes && c->indices && !k->t->spaced; axis++) {
        int in = 3 - c->axes + axis;
        double at = array_value(k->indices + axis, i);
        int64_t should = behind ? p[in] : of.at[in];
        k->wrong += at < (double)should || at > (double)should;
    }
}

static void compare(comparison *k)
{
    const truth *t = k->t;
    int lo[3] = {0, 0, 0};
    int64_t p[3];
    for (int axis = 3 - k->c->axes; axis < 3; axis++) {
        lo[axis] = t->edge ? -1 : 0;
    }
    for (p[0] = 0; p[0] < t->n[0]; p[0]++) {
        for (p[1] = 0; p[1] < t->n[1]; p[1]++) {
            for (p[2] = 0; p[2] < t->n[2]; p[2]++) {
                compare_pixel(k, p, lo);
            }
        }
    }
    check(k->wrong == 0, "%s: %" PRId64 " numbers differ", k->c->text, k->wrong);
}

static void run_case(image_case *c, const truth *t, const double *values)
{
    laid_array from = array_lay_values(c->layout, c->type, c->axes, c->n, values);
    laid_array distances = array_lay(c->distance_layout, c->distance_type, c->axes, c->n);
    laid_array indices[3];
    halo_array parts[3];
    for (int axis = 0; axis < c->axes; axis++) {
        indices[axis] = array_lay(c->index_layout, c->index_type, c->axes, c->n);
        parts[axis] = indices[axis].array;
    }
    halo_context *context = context_of(c->ranks, c->instructions);
    halo_distance_array_report report;
    SUCCEEDS(halo_distance_array(context, &from.array, &distances.array, c->indices ? parts : NULL,
                                 &c->options, &report));
    comparison k = {.c = c, .t = t, .distances = &distances.array, .indices = parts};
    compare(&k);
    check(array_gaps_are_kept(&distances), "%s: bytes between elements were written", c->text);
    halo_context_destroy(&context);
    array_free(&from);
    array_free(&distances);
    for (int axis = 0; axis < c->axes; axis++) {
        array_free(&indices[axis]);
    }
}

TEST("the distances and indices of the definition, in all layouts and types, with all ranks")
{
    static const int64_t shares[] = {0, 20, 500, 980, 998, 1000};
    uint64_t random = 5;
    for (int i = 0; i < unit_cases(240); i++) {
        image_case c;
        make_case(&c, &random);
        truth t = {.n = {1, 1, 1}, .size = {1, 1, 1}, .edge = c.options.edge};
        int64_t share = shares[random_below(&random, COUNT(shares))], cells = 1;
        for (int axis = 0; axis < c.axes; axis++) {
            int in = 3 - c.axes + axis;
            t.n[in] = c.n[axis];
            t.spaced = c.options.spacing[axis] > 0;
            t.size[in] = t.spaced ? c.options.spacing[axis] : 1;
            cells *= c.n[axis];
        }
        bool *foreground = room((size_t)cells);
        double *values = room((size_t)cells * sizeof *values);
        for (int64_t p = 0; p < cells; p++) {
            foreground[p] = random_below(&random, 1000) < share;
            values[p] = foreground[p];
        }
        t.foreground = foreground;
        snprintf(c.text, sizeof c.text,
                 "case %d: %d axes, %" PRId64 "x%" PRId64 "x%" PRId64 ", %s %s to %s %s, %" PRId64
                 " of 1000, %d ranks, %s%s%s%s%s%s%s",
                 i, c.axes, c.n[0], c.n[1], c.n[2], halo_sample_types[c.type].name,
                 array_layout_names[c.layout], halo_sample_types[c.distance_type].name,
                 array_layout_names[c.distance_layout], share, c.ranks,
                 c.instructions != NULL ? c.instructions : "best", c.indices ? ", indices" : "",
                 c.options.squared ? ", squared" : "", c.options.with_sign ? ", with sign" : "",
                 c.options.invert ? ", inverted" : "", c.options.edge ? ", edge" : "",
                 t.spaced ? ", spaced" : "");
        run_case(&c, &t, values);
        free(foreground);
        free(values);
    }
}

/* ---- far from background --------------------------------------------------------------------- */

TEST("a single element of background, farther away than 8 and 16 bits tell, along each axis")
{
    static const int64_t shapes[][3] = {{600, 5, 3},   {3, 600, 5},   {5, 3, 600},
                                        {70001, 3, 1}, {1, 2, 66000}, {300, 1, 300}};
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const int64_t *n = shapes[s], cells = n[0] * n[1] * n[2];
        const int64_t places[] = {0, cells / 3, cells - 1};
        uint8_t *grid = room((size_t)cells);
        int64_t *squares = room((size_t)cells * sizeof *squares);
        memset(grid, 1, (size_t)cells);
        for (size_t i = 0; i < COUNT(places); i++) {
            const halo_array from = array_plain(HALO_SAMPLE_U8, 3, n, grid);
            const halo_array to = array_plain(HALO_SAMPLE_I64, 3, n, squares);
            halo_context *context = context_of(1 + (int)i, NULL);
            int64_t wrong = 0, at = places[i];
            grid[at] = 0;
            SUCCEEDS(halo_distance_array(context, &from, &to, NULL,
                                         &(halo_distance_array_options){.squared = true}, NULL));
            for (int64_t p = 0; p < cells; p++) {
                int64_t z = p / n[2] / n[1] - at / n[2] / n[1];
                int64_t y = p / n[2] % n[1] - at / n[2] % n[1], x = p % n[2] - at % n[2];
                wrong += squares[p] != z * z + y * y + x * x;
            }
            check(wrong == 0, "shape %zu, background at %" PRId64 ": %" PRId64 " squares differ", s,
                  at, wrong);
            grid[at] = 1;
            halo_context_destroy(&context);
        }
        free(grid);
        free(squares);
    }
}

/* ---- many pixels ----------------------------------------------------------------------------- */

/* A hash of the distances of an image that is the same for all ranks and ISAs. */
static uint64_t hash_of(const halo_array *from, const halo_array *to, size_t bytes, int ranks,
                        const char *isa)
{
    halo_context *context = context_of(ranks, isa);
    uint64_t hash = 0;
    memset(to->data, 0, bytes);
    if (halo_distance_array(context, from, to, NULL, NULL, NULL) == HALO_OK) {
        for (size_t i = 0; i < bytes; i++) {
            hash = (hash ^ ((const uint8_t *)to->data)[i]) * UINT64_C(1099511628211);
        }
    }
    halo_context_destroy(&context);
    return hash;
}

TEST("the same bytes for every number of ranks and every ISA, near and far from background")
{
    enum { ROWS = 700, COLUMNS = 301, CELLS = ROWS * COLUMNS };
    static const int64_t shares[] = {2, 1000, 300000, CELLS};
    uint8_t *grid = room(CELLS);
    float *far = room(CELLS * sizeof *far);
    uint64_t random = 8;
    for (size_t s = 0; s < COUNT(shares); s++) {
        memset(grid, 1, CELLS);
        for (int64_t i = 0; i < shares[s]; i++) {
            grid[random_below(&random, CELLS)] = 0;
        }
        for (int axes = 2; axes <= 3; axes++) {
            const int64_t flat[] = {ROWS, COLUMNS}, solid[] = {70, 10, COLUMNS};
            const int64_t *n = axes == 2 ? flat : solid;
            const halo_array from = array_plain(HALO_SAMPLE_U8, axes, n, grid);
            const halo_array to = array_plain(HALO_SAMPLE_F32, axes, n, far);
            uint64_t first = hash_of(&from, &to, CELLS * sizeof *far, 1, "plain");
            for (int ranks = 1; ranks <= 5; ranks++) {
                const char *isa = isas[ranks % (int)COUNT(isas)];
                uint64_t hash = hash_of(&from, &to, CELLS * sizeof *far, ranks, isa);
                check(hash == first || (hash == 0 && isa != NULL),
                      "%" PRId64 " dots, %d axes, %d ranks, %s", shares[s], axes, ranks,
                      isa != NULL ? isa : "best");
            }
        }
    }
    free(grid);
    free(far);
}

/* ---- roots ----------------------------------------------------------------------------------- */

TEST("roots of all squares of 16 bits, and of larger ones, are rounded once")
{
    enum { SQUARES = 1 << 16, STEP = 65537 };
    uint16_t *squares = room(SQUARES * sizeof *squares);
    uint32_t *large = room(SQUARES * sizeof *large);
    float *roots = room(SQUARES * sizeof *roots);
    double *wide = room(SQUARES * sizeof *wide);
    for (int i = 0; i < SQUARES; i++) {
        squares[i] = (uint16_t)i;
        large[i] = (uint32_t)i * STEP % (i % 2 == 0 ? 1 << 24 : UINT32_MAX);
    }
    for (int kind = 0; kind < 3; kind++) { /* U16; any of U32; and below 2^24 */
        int64_t wrong = 0, count = SQUARES - 5;
        for (int i = 0; i < SQUARES && kind == 2; i++) {
            large[i] %= 1 << 24;
        }
        const halo_distance_row row = {.count = count,
                                       .type = kind == 0 ? HALO_SAMPLE_U16 : HALO_SAMPLE_U32,
                                       .squares = kind == 0 ? (const void *)(squares + 5)
                                                            : (const void *)(large + 5)};
        halo_distance_roots(&row, roots + 3, kind == 2);
        halo_distance_roots_wide(&row, wide + 1, kind == 2);
        for (int64_t i = 0; i < count; i++) {
            double root = sqrt(kind == 0 ? (double)squares[i + 5] : (double)large[i + 5]);
            wrong += roots[i + 3] < (float)root || roots[i + 3] > (float)root;
            wrong += wide[i + 1] < root || wide[i + 1] > root;
        }
        check(wrong == 0, "kind %d: %" PRId64 " roots differ", kind, wrong);
    }
    free(squares);
    free(large);
    free(roots);
    free(wide);
}

/* ---- refusals, progress ---------------------------------------------------------------------- */

TEST("what is refused, with the remedy; results that are not wanted; no elements")
{
    enum { ROWS = 3, COLUMNS = 300 };
    static uint8_t grid[ROWS][COLUMNS];
    static float far[ROWS][COLUMNS];
    static int32_t near[2][ROWS][COLUMNS];
    const int64_t n[] = {ROWS, COLUMNS};
    const halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid);
    halo_array to = array_plain(HALO_SAMPLE_F32, 2, n, far), other = to;
    halo_array indices[] = {array_plain(HALO_SAMPLE_I32, 2, n, near[0]),
                            array_plain(HALO_SAMPLE_I32, 2, n, near[1])};
    halo_distance_array_report report;
    memset(grid, 1, sizeof grid);
    grid[1][0] = 0;
#define REFUSES(to, words, ...)                                                                   \
    FAILS(HALO_ARGUMENT, words,                                                                   \
          halo_distance_array(NULL, &from, to, NULL, &(halo_distance_array_options){__VA_ARGS__}, \
                              NULL))
    REFUSES(&to, "the spacing along axis 1 is 0; use numbers above 0", .spacing = {1, 0});
    REFUSES(&to, "the spacing along axis 0 is -1", .spacing = {-1, 1});
    other.type = HALO_SAMPLE_I32;
    REFUSES(&other, "must have float32 or float64; squared distances may be whole numbers",
            .edge = true);
    REFUSES(&other, "must have float32 or float64", .squared = true, .spacing = {2, 2});
    other.type = HALO_SAMPLE_U32;
    REFUSES(&other, "must have a sign", .squared = true, .with_sign = true);
    other = array_plain(HALO_SAMPLE_U8, 2, n, far);
    REFUSES(&other, "a squared distance is 257, which uint8 does not have; take uint32",
            .squared = true);
    other = to;
    other.n[1] = COLUMNS - 1;
    REFUSES(&other, "the image has 300 elements along axis 1, and the array for distances has 299",
            .edge = true);
    other = to;
    other.stride[0] = 0;
    REFUSES(&other, "share memory", .edge = true);
#undef REFUSES
    indices[1].type = HALO_SAMPLE_I8;
    FAILS(HALO_ARGUMENT, "must have int32 or int64, or another type with a sign and numbers up to",
          halo_distance_array(NULL, &from, NULL, indices, NULL, NULL));
    indices[1].type = HALO_SAMPLE_I32;
    SUCCEEDS(halo_distance_array(NULL, &from, NULL, indices, NULL, NULL));
    CU_ASSERT_EQUAL(near[0][2][9], 1);
    SUCCEEDS(halo_distance_array(NULL, &from, NULL, NULL, NULL, &report));
    NEAR(report.max, sqrt(1 + 299 * 299), 1e-12);
    CU_ASSERT_EQUAL(report.foreground, ROWS * COLUMNS - 1);
    grid[1][0] = 1;
    SUCCEEDS(halo_distance_array(NULL, &from, &to, NULL, NULL, &report));
    check(report.infinite && isinf(far[2][2]) && report.max == 0, "no background");
    halo_distance_array_options named = {0};
    SUCCEEDS(halo_options_set(halo_distance_array_rows, &named, "o", "edge", "true"));
    SUCCEEDS(halo_distance_array(NULL, &from, &to, NULL, &named, &report));
    NEAR(report.max, 2, 0);
    const halo_array none = {.type = HALO_SAMPLE_F32, .axes = 2, .n = {0, 5}};
    SUCCEEDS(halo_distance_array(NULL, &none, &none, NULL, NULL, &report));
    check(!report.infinite && report.foreground == 0, "no elements");
}

TEST("a function of progress cancels")
{
    enum { SIDE = 500 };
    uint8_t *grid = room(SIDE * SIDE);
    float *far = room(SIDE * SIDE * sizeof *far);
    const int64_t n[] = {SIDE, SIDE};
    const halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid);
    const halo_array to = array_plain(HALO_SAMPLE_F32, 2, n, far);
    memset(grid, 1, SIDE * SIDE);
    grid[0] = 0;
    for (int ranks = 1; ranks <= 3; ranks++) {
        halo_context *context = context_of(ranks, NULL);
        array_progress w = array_progress_until(1);
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled",
              halo_distance_array(context, &from, &to, NULL, NULL, NULL));
        check(w.calls == 1, "%d calls", w.calls);
        halo_context_destroy(&context);
    }
    free(grid);
    free(far);
}
