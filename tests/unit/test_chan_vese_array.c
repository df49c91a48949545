#include "kernels/chan_vese/chan_vese_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/chan_vese_naive.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Chan-Vese on arrays against the naive definition: layouts, types, ranks, first level sets, and
 * what it refuses. */

static const int rank_numbers[] = {1, 2, 3, 5};

static halo_context *context_of(int ranks)
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    return context;
}

static double *doubles(int64_t count)
{
    double *values = malloc((size_t)(count + 1) * sizeof *values);
    if (values == NULL) {
        exit(EXIT_FAILURE);
    }
    return values;
}

/* ---- random images --------------------------------------------------------------------------- */

typedef struct {
    halo_sample_type type, first_type, set_type;
    array_layout layout, first_layout, set_layout;
    int64_t n[2], beats, earlier;
    int ranks;
    bool reals; /* greys as floats of a range that has them all */
    halo_chan_vese_options kernel;
    char text[250];
} image_case;

static void make_case(image_case *c, uint64_t *random)
{
    static const int64_t sides[] = {1, 2, 3, 17, 40, 64, 65, 90, 129};
    static const halo_sample_type wide[] = {HALO_SAMPLE_U16, HALO_SAMPLE_I32, HALO_SAMPLE_U32,
                                            HALO_SAMPLE_I64, HALO_SAMPLE_U64},
                                  sets[] = {HALO_SAMPLE_U8, HALO_SAMPLE_I8, HALO_SAMPLE_BIT};
    static const double lambdas[] = {0, 1, 1, 1, 2, .5};
    int bits = random_below(random, 2) == 0 ? 8 : 16;
    *c = (image_case){
        .type = bits == 8 && random_below(random, 2) == 0 ? HALO_SAMPLE_U8
                                                          : wide[random_below(random, COUNT(wide))],
        .first_type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES),
        .set_type = sets[random_below(random, COUNT(sets))],
        .layout = (array_layout)random_below(random, LAYOUTS),
        .first_layout = (array_layout)random_below(random, LAYOUTS),
        .set_layout = (array_layout)random_below(random, LAYOUTS),
        .n = {sides[random_below(random, COUNT(sides))], sides[random_below(random, COUNT(sides))]},
        .beats = random_below(random, 5) == 0 ? 200 : random_below(random, 12),
        .ranks = rank_numbers[random_below(random, COUNT(rank_numbers))],
        .reals = random_below(random, 4) == 0,
        .kernel = {.grey_bits = bits,
                   .smoothing = (int)random_below(random, 4),
                   .lambda1 = lambdas[random_below(random, COUNT(lambdas))],
                   .lambda2 = lambdas[random_below(random, COUNT(lambdas))]}};
    if (c->beats > 1 && random_below(random, 3) == 0) {
        c->earlier = 1 + random_below(random, c->beats - 1);
    }
    if (c->reals) {
        c->type = random_below(random, 2) == 0 ? HALO_SAMPLE_F32 : HALO_SAMPLE_F64;
        c->kernel.grey_bits = 16;
    }
}

/* The first level set: values above 0 inside, and 0, and below it where the type has such. */
static void make_first(const image_case *c, const chan_vese_naive *truth, uint64_t *random,
                       double *first)
{
    bool negative =
        halo_sample_types[c->first_type].key_min < 0 && c->first_type != HALO_SAMPLE_U64;
    bool real = halo_sample_types[c->first_type].real;
    for (int64_t i = 0; i < truth->rows * truth->columns; i++) {
        bool odd = random_below(random, 2) == 0;
        double in = odd && real ? 1e-30 : odd && c->first_type != HALO_SAMPLE_BIT ? 100 : 1;
        double out = odd && real ? NAN : odd && negative ? -1 : 0;
        first[i] = truth->cells[i] != 0 ? in : out;
    }
}

/* Greys of floats are powers of two apart from each other, with the ends 0 and 65535 among them. */
static void make_image(const image_case *c, chan_vese_naive *truth, double *grid)
{
    int64_t count = truth->rows * truth->columns;
    if (c->reals) {
        truth->greys[0] = 0;
        truth->greys[count - 1] = count > 1 ? 65535 : 0;
    }
    for (int64_t i = 0; i < count; i++) {
        grid[i] = c->reals ? truth->greys[i] / 1024. - 3 : truth->greys[i];
    }
}

static void compare(const image_case *c, const chan_vese_naive *truth, const halo_array *set,
                    const halo_chan_vese_array_report *report)
{
    int64_t wrong = 0, inside = 0;
    double sums[2] = {0, 0};
    for (int64_t i = 0; i < truth->rows * truth->columns; i++) {
        double value = array_value(set, i);
        wrong += value < truth->cells[i] || value > truth->cells[i];
        inside += truth->cells[i];
        sums[truth->cells[i]] += truth->greys[i];
    }
    double in = sums[1] / ((double)inside + 1e-8);
    double out = sums[0] / ((double)(truth->rows * truth->columns - inside) + 1e-8);
    check(wrong == 0, "%s: %" PRId64 " elements differ", c->text, wrong);
    check(report->inside == inside, "%s: %" PRId64 " inside, not %" PRId64, c->text, report->inside,
          inside);
    NEAR(report->inside_mean, c->reals ? in / 1024 - 3 : in, 1e-9 * (1 + in));
    NEAR(report->outside_mean, c->reals ? out / 1024 - 3 : out, 1e-9 * (1 + out));
    int64_t beats = c->beats - c->earlier;
    check(report->beats == beats ||
              ((report->converged || report->swings) && report->beats < beats),
          "%s: %" PRId64 " beats", c->text, report->beats);
}

static void run_case(image_case *c, uint64_t *random)
{
    chan_vese_naive truth = chan_vese_naive_make(c->n[0], c->n[1], &c->kernel);
    double *grid = doubles(c->n[0] * c->n[1]), *first = doubles(c->n[0] * c->n[1]);
    chan_vese_naive_draw(&truth, random);
    make_image(c, &truth, grid);
    make_first(c, &truth, random, first);
    laid_array from = array_lay_values(c->layout, c->type, 2, c->n, grid);
    laid_array initial = array_lay_values(c->first_layout, c->first_type, 2, c->n, first);
    laid_array set = array_lay(c->set_layout, c->set_type, 2, c->n);
    halo_context *context = context_of(c->ranks);
    halo_chan_vese_array_report report;
    halo_chan_vese_array_options options = {.beats = {c->earlier, true},
                                            .smoothing = {c->kernel.smoothing, true},
                                            .lambda1 = {c->kernel.lambda1, true},
                                            .lambda2 = {c->kernel.lambda2, true}};
    const halo_array *start = &initial.array;
    if (c->earlier > 0) { /* in an earlier call */
        SUCCEEDS(halo_chan_vese_array(context, &from.array, start, &set.array, &options, NULL));
        start = &set.array;
        options.first_beat = c->earlier;
    }
    options.beats.value = c->beats - c->earlier;
    SUCCEEDS(halo_chan_vese_array(context, &from.array, start, &set.array, &options, &report));
    for (int64_t beat = 0; beat < c->beats; beat++) {
        chan_vese_naive_step(&truth);
    }
    compare(c, &truth, &set.array, &report);
    check(array_gaps_are_kept(&set), "%s: bytes between elements were written", c->text);
    halo_context_destroy(&context);
    array_free(&from);
    array_free(&initial);
    array_free(&set);
    free(grid);
    free(first);
    chan_vese_naive_free(&truth);
}

TEST("the level sets of the definition, in all layouts and types, with all ranks")
{
    uint64_t random = 3;
    for (int i = 0; i < unit_cases(250); i++) {
        image_case c;
        make_case(&c, &random);
        snprintf(c.text, sizeof c.text,
                 "case %d: %" PRId64 "x%" PRId64 ", %s %s, first %s %s, to %s %s, %" PRId64
                 " beats, %d ranks",
                 i, c.n[0], c.n[1], halo_sample_types[c.type].name, array_layout_names[c.layout],
                 halo_sample_types[c.first_type].name, array_layout_names[c.first_layout],
                 halo_sample_types[c.set_type].name, array_layout_names[c.set_layout], c.beats,
                 c.ranks);
        run_case(&c, &random);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

enum { ROWS = 30, COLUMNS = 45 };

static halo_array plain(halo_sample_type type, void *data)
{
    ptrdiff_t size = (ptrdiff_t)halo_sample_types[type].stored;
    return (halo_array){.data = data,
                        .type = type,
                        .axes = 2,
                        .n = {ROWS, COLUMNS},
                        .stride = {COLUMNS * size, size}};
}

static void expect_start(const halo_chan_vese_array_options *options, int64_t square, double row,
                         double column, double radius)
{
    static uint8_t grid[ROWS][COLUMNS], set[ROWS][COLUMNS];
    const halo_array from = plain(HALO_SAMPLE_U8, grid), to = plain(HALO_SAMPLE_U8, set);
    halo_chan_vese_array_report report;
    int64_t wrong = 0;
    halo_chan_vese_array_options none = {0};
    if (options != NULL) {
        none = *options;
    }
    none.beats.given = true;
    SUCCEEDS(halo_chan_vese_array(NULL, &from, NULL, &to, &none, &report));
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            double dy = y - row, dx = x - column;
            bool in = square > 0 ? (y / square + x / square) % 2 != 0
                                 : radius - sqrt(dy * dy + dx * dx) > 0;
            wrong += set[y][x] != in;
        }
    }
    check(wrong == 0 && report.beats == 0, "square %" PRId64 ": %" PRId64 " differ", square, wrong);
}

TEST("first level sets, by members and by rows")
{
    halo_chan_vese_array_options named = {0};
    SUCCEEDS(halo_options_set_defaults(halo_chan_vese_array_rows, &named));
    expect_start(NULL, 5, 0, 0, 0);
    expect_start(&named, 5, 0, 0, 0);
    expect_start(&(halo_chan_vese_array_options){.init = {.shape = HALO_CHAN_VESE_DISK}}, 0, 15, 22,
                 30 * 3 / 8.);
    SUCCEEDS(halo_options_set(halo_chan_vese_array_rows, &named, "o", "init", "checkerboard:7"));
    expect_start(&named, 7, 0, 0, 0);
    SUCCEEDS(halo_options_set(halo_chan_vese_array_rows, &named, "o", "init", "disk:40,10,9.5"));
    expect_start(&named, 0, 10, 40, 9.5);
    FAILS(HALO_ARGUMENT, "init takes checkerboard[:SIZE] with squares of 1 element or more",
          halo_options_set(halo_chan_vese_array_rows, &named, "o", "init", "square"));
    SUCCEEDS(halo_options_set(halo_chan_vese_array_rows, &named, "o", "smoothing", "0"));
    SUCCEEDS(halo_options_set(halo_chan_vese_array_rows, &named, "o", "lambda2", ".5"));
    SUCCEEDS(halo_options_set(halo_chan_vese_array_rows, &named, "o", "range", "-1..2.5"));
    check(named.smoothing.given && named.smoothing.value == 0 && named.lambda2.given &&
              !named.lambda1.given && named.range.given && named.range.low.negative,
          "options by name");
}

TEST("a range: floats beyond it are its ends, and means are the image's values")
{
    static float grid[ROWS][COLUMNS];
    static int8_t set[ROWS][COLUMNS];
    halo_array from = plain(HALO_SAMPLE_F32, grid), to = plain(HALO_SAMPLE_I8, set);
    halo_chan_vese_array_options options = {
        .init = {.shape = HALO_CHAN_VESE_DISK},
        .range = {.given = true, .low = halo_number_of(-1), .high = halo_number_of(1)}};
    halo_chan_vese_array_report report;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        grid[i / COLUMNS][i % COLUMNS] = i % COLUMNS < 20 ? -1e30F : 1e30F;
    }
    SUCCEEDS(halo_chan_vese_array(NULL, &from, NULL, &to, &options, &report));
    check(report.converged && report.beats > 0 && report.beats < 100, "converged after %" PRId64,
          report.beats);
    NEAR(report.inside_mean, 1, 1e-9);
    check(report.outside_mean >= -1 && report.outside_mean < -.9, "outside: %g, but for corners",
          report.outside_mean);
    grid[0][0] = NAN;
    FAILS(HALO_ARGUMENT, "the image has 1 elements that are NaN, which is no grey; replace them",
          halo_chan_vese_array(NULL, &from, NULL, &to, &options, &report));
    grid[0][0] = INFINITY;
    FAILS(HALO_ARGUMENT, "the image has 1 infinite elements, which are no greys; replace them",
          halo_chan_vese_array(NULL, &from, NULL, &to, &options, &report));
    options.range.high = halo_number_of(-2);
    grid[0][0] = 0;
    FAILS(HALO_ARGUMENT, "give two finite numbers, the lower one first",
          halo_chan_vese_array(NULL, &from, NULL, &to, &options, NULL));
}

/* ---- refusals, progress ---------------------------------------------------------------------- */

TEST("what is refused, with the remedy")
{
    static uint8_t grid[ROWS][COLUMNS], set[ROWS][COLUMNS];
    halo_array from = plain(HALO_SAMPLE_U8, grid), to = plain(HALO_SAMPLE_U8, set), other = to;
    halo_array none = {.type = HALO_SAMPLE_U8, .axes = 2, .n = {0, 5}};
#define REFUSES(words, ...)                            \
    FAILS(HALO_ARGUMENT, words,                        \
          halo_chan_vese_array(NULL, &from, NULL, &to, \
                               &(halo_chan_vese_array_options){__VA_ARGS__}, NULL))
    REFUSES("-1 beats cannot be computed; give 0 or more", .beats = {-1, true});
    REFUSES("smoothing -1 times a beat; use 0 to 64 times", .smoothing = {-1, true});
    REFUSES("smoothing 65 times a beat; use 0 to 64 times", .smoothing = {65, true});
    REFUSES("weights lambda of -1 and 1; use 0, or numbers from 1e-09", .lambda1 = {-1, true});
    REFUSES("beat -1 is not possible; give a first beat from 0 on", .first_beat = -1);
    REFUSES("must be above 0", .init = {.square = -1});
    REFUSES("must be above 0", .init = {.placed = true});
    REFUSES("range of greys is none of the image, whose elements are uint8; give two whole numbers",
            .range = {.given = true, .low = halo_number_of(.5), .high = halo_number_of(9)});
#undef REFUSES
#define REFUSES(from, initial, to, words) \
    FAILS(HALO_ARGUMENT, words, halo_chan_vese_array(NULL, from, initial, to, NULL, NULL))
    other.type = HALO_SAMPLE_F32;
    other.n[1] = 1;
    REFUSES(&from, NULL, &other, "elements of float32, and must have bool, uint8 or int8");
    other = to;
    other.n[0] = 9;
    REFUSES(&from, NULL, &other, "the image has 30 elements along axis 0");
    REFUSES(&from, &other, &to, "and the first level set has 9");
    other.axes = 3;
    REFUSES(&other, NULL, &to, "the image has 3 axes, and must have 2");
#undef REFUSES
    SUCCEEDS(halo_chan_vese_array(NULL, &none, NULL, &none, NULL, NULL));
}

static halo_status run_beats(halo_context *context, const halo_array *from,
                             const halo_array *initial, const halo_array *to, int64_t beats)
{
    const halo_chan_vese_array_options options = {.beats = {beats, true}};
    return halo_chan_vese_array(context, from, initial, to, &options, NULL);
}

TEST("a function of progress cancels; a level set in place")
{
    static uint8_t grid[ROWS][COLUMNS], set[ROWS][COLUMNS], whole[ROWS][COLUMNS];
    halo_array from = plain(HALO_SAMPLE_U8, grid), to = plain(HALO_SAMPLE_U8, set);
    halo_array all = plain(HALO_SAMPLE_U8, whole);
    uint64_t random = 4;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        grid[i / COLUMNS][i % COLUMNS] = (uint8_t)random_below(&random, 256);
    }
    for (int ranks = 1; ranks <= 3; ranks++) {
        halo_context *context = context_of(ranks);
        array_progress w = array_progress_until(1);
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled", run_beats(context, &from, NULL, &to, 1000));
        check(w.calls == 1, "%d calls", w.calls);
        halo_context_set_progress(context, NULL, NULL);
        SUCCEEDS(run_beats(context, &from, NULL, &to, 2));
        SUCCEEDS(run_beats(context, &from, &to, &to, 4));
        SUCCEEDS(run_beats(context, &from, NULL, &all, 6));
        check(memcmp(set, whole, sizeof set) == 0, "in place, with %d ranks", ranks);
        halo_context_set_instructions(context, "sse9");
        FAILS(HALO_ARGUMENT, "sse9", run_beats(context, &from, NULL, &to, 2));
        halo_context_destroy(&context);
    }
}
