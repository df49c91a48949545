#include "kernels/filter/filter_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <math.h>

/* Every filter of the table gives the same bytes for any number of ranks, tile, instruction set and
 * layout of the arrays; alone and in chains. What filters compute, others test. */

enum { STEPS_TEXT = 200, VALUES = 64 * 129 };

typedef struct {
    int axes;
    int64_t n[3];
} shape;

static const shape shapes[] = {{2, {23, 70, 1}}, {3, {7, 9, 33}}, {2, {5, 3, 1}},
                               {3, {2, 1, 66}},  {1, {50, 1, 1}}, {2, {64, 129, 1}}};

static int64_t cells_of(const shape *s)
{
    return s->n[0] * (s->axes > 1 ? s->n[1] : 1) * (s->axes > 2 ? s->n[2] : 1);
}

/* The second image of steps that name it: the values of the first one, the other way round, and
 * half as large where they are numbers, which are more than 0: division makes no NaN. */
static laid_array lay_other(array_layout layout, halo_sample_type type, const shape *s,
                            const double *values)
{
    static double other[VALUES];
    for (int64_t i = 0, cells = cells_of(s); i < cells; i++) {
        double value = values[cells - 1 - i];
        other[i] = type == HALO_SAMPLE_BIT ? value : trunc(value / 2) + 1;
    }
    return array_lay_values(layout, type, s->axes, s->n, other);
}

/* How a case is computed: the reference is on one rank, with plain instructions, in one tile. */
typedef struct {
    int ranks;
    const char *instructions;
    int64_t tile;
    array_layout in, out;
} manner;

/* False where there is no such instruction set, or samples are NaN, or not of the type of the mask,
 * and the filter refuses it. */
static bool compute(const char *steps, const shape *s, halo_sample_type type, halo_sample_type to,
                    const double *values, const manner *how, laid_array *out)
{
    halo_context *context;
    laid_array in = array_lay_values(how->in, type, s->axes, s->n, values);
    laid_array other = lay_other(how->out, type, s, values);
    const halo_filter_second seconds[] = {{"another.tif", &in.array}, {"other.tif", &other.array}};
    const halo_filter_array_options options = {
        .tile = how->tile, .seconds = seconds, .second_count = COUNT(seconds)};
    *out = array_lay(how->out, to, s->axes, s->n);
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, how->ranks));
    halo_context_set_instructions(context, how->instructions);
    halo_status status = halo_filter_array(context, &in.array, &out->array, steps, &options, NULL);
    bool known = how->instructions == NULL || status != HALO_ARGUMENT ||
                 strstr(halo_last_message(), how->instructions) == NULL;
    bool refused =
        status == HALO_ARGUMENT && (strstr(halo_last_message(), "NaN") != NULL ||
                                    strstr(halo_last_message(), "samples of the mask are") != NULL);
    check(!known || refused || status == HALO_OK, "%s: %s", steps, halo_last_message());
    check(array_gaps_are_kept(out), "%s wrote between elements", steps);
    halo_context_destroy(&context);
    array_free(&in);
    array_free(&other);
    return status == HALO_OK;
}

static bool same(const halo_array *a, const halo_array *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        double x = array_value(a, i), y = array_value(b, i);
        if (memcmp(&x, &y, sizeof x) != 0) {
            return false;
        }
    }
    return true;
}

/* Samples of a type; with `odd`, one in 16 of reals is NaN, infinite, 0, very large or very small.
 */
static void fill_values(double *values, int64_t count, halo_sample_type type, bool odd,
                        uint64_t *random)
{
    const double few[] = {(double)NAN, (double)INFINITY, 0, 1e30, 1e-40, 1e-20};
    for (int64_t i = 0; i < count; i++) {
        values[i] = type == HALO_SAMPLE_BIT ? (double)random_below(random, 2)
                                            : (double)random_below(random, 120);
        if (odd && halo_sample_types[type].real && random_below(random, 16) == 0) {
            double value = few[random_below(random, COUNT(few))];
            values[i] = random_below(random, 2) == 0 ? copysign(value, -1) : value;
        }
    }
}

static void compare(const char *steps, const shape *s, halo_sample_type type, bool odd,
                    uint64_t *random)
{
    static const manner reference = {1, "plain", 1000, LAYOUT_C, LAYOUT_C};
    static const int ranks[] = {1, 2, 3, 5};
    static const char *const isas[] = {NULL, "avx2", "plain"};
    static const int64_t tiles[] = {0, 1, 3, 16};
    static double values[VALUES];
    halo_sample_type to;
    laid_array want, got;
    if (halo_filter_array_type(steps, type, s->axes, s->n, &to) != HALO_OK) {
        return; /* a type or a shape that the filter does not take */
    }
    fill_values(values, cells_of(s), type, odd, random);
    bool taken = compute(steps, s, type, to, values, &reference, &want);
    for (int i = 0, manners = unit_cases(3); i < manners && taken; i++) {
        const manner how = {
            ranks[random_below(random, COUNT(ranks))], isas[random_below(random, COUNT(isas))],
            tiles[random_below(random, COUNT(tiles))], (array_layout)random_below(random, LAYOUTS),
            (array_layout)random_below(random, LAYOUTS)};
        if (compute(steps, s, type, to, values, &how, &got)) {
            check(same(&want.array, &got.array, cells_of(s)),
                  "%s of %s, %d axes, %s, %d ranks, tiles of %d, from %s to %s", steps,
                  halo_sample_types[type].name, s->axes,
                  how.instructions != NULL ? how.instructions : "best", how.ranks, (int)how.tile,
                  array_layout_names[how.in], array_layout_names[how.out]);
        }
        array_free(&got);
    }
    array_free(&want);
}

/* Example `number` of a filter; false if there are fewer. */
static bool find_example(int filter, int number, char text[STEPS_TEXT])
{
    const char *at = halo_filter_examples(filter);
    for (int i = 0; i < number && at != NULL; i++) {
        at = strchr(at, '|');
        at = at != NULL ? at + 1 : NULL;
    }
    if (at != NULL) {
        snprintf(text, STEPS_TEXT, "%.*s", (int)strcspn(at, "|"), at);
    }
    return at != NULL;
}

TEST("every filter, of every type that it takes")
{
    uint64_t random = 7;
    char steps[STEPS_TEXT];
    for (int filter = 0; filter < halo_filters(); filter++) {
        for (int number = 0; find_example(filter, number, steps); number++) {
            int step = number > 0 ? 4 : 1; /* all types for the first example of each filter */
            for (int type = number % step; type < HALO_SAMPLE_TYPES; type += step) {
                compare(steps, &shapes[random_below(&random, COUNT(shapes))],
                        (halo_sample_type)type, false, &random);
            }
        }
    }
}

TEST("every filter, of odd samples")
{
    uint64_t random = 8;
    char steps[STEPS_TEXT];
    for (int filter = 0; filter < halo_filters(); filter++) {
        for (int number = 0; find_example(filter, number, steps); number++) {
            compare(steps, &shapes[random_below(&random, COUNT(shapes))],
                    number % 2 == 0 ? HALO_SAMPLE_F32 : HALO_SAMPLE_F64, true, &random);
        }
    }
}

TEST("chains")
{
    uint64_t random = 9;
    for (int i = 0; i < unit_cases(120); i++) {
        char one[STEPS_TEXT], steps[4 * STEPS_TEXT] = "";
        int length = 2 + (int)random_below(&random, 3);
        for (int k = 0; k < length; k++) {
            int filter = (int)random_below(&random, halo_filters());
            int number = (int)random_below(&random, 6);
            while (!find_example(filter, number, one)) {
                number--;
            }
            snprintf(steps + strlen(steps), sizeof steps - strlen(steps), "%s%s", k > 0 ? " " : "",
                     one);
        }
        compare(steps, &shapes[random_below(&random, COUNT(shapes))],
                (halo_sample_type)random_below(&random, HALO_SAMPLE_TYPES), i % 2 == 0, &random);
    }
}

/* Steps that take no bits get black and white of the type that they make. */
TEST("bits as numbers")
{
    static const struct {
        const char *bits, *numbers;
        halo_sample_type type;
        double white;
    } cases[] = {
        {"gaussian:1.5", "gaussian:1.5", HALO_SAMPLE_U8, 255},
        {"gaussian:1:dtype=float32", "gaussian:1", HALO_SAMPLE_F32, 1},
        {"uniform:3:dtype=float64", "uniform:3", HALO_SAMPLE_F64, 1},
        {"rescale:0,65535:dtype=uint16", "rescale:0,65535", HALO_SAMPLE_U16, 65535},
        {"sobel", "sobel", HALO_SAMPLE_F32, 1},
        {"clip:9,99", "clip:9,99", HALO_SAMPLE_U8, 255},
        {"threshold:255 gaussian:1", "gaussian:1", HALO_SAMPLE_U8, 255},
        {"rescale opening:box:1 background:5", "opening:box:1 background:5", HALO_SAMPLE_U8, 255}};
    static const manner one = {1, NULL, 0, LAYOUT_C, LAYOUT_C},
                        some = {3, NULL, 1, LAYOUT_C, LAYOUT_C};
    const shape s = {2, {37, 70, 1}};
    static double bits[VALUES], numbers[VALUES];
    uint64_t random = 11;
    for (size_t k = 0; k < COUNT(cases); k++) {
        laid_array got, want;
        halo_sample_type to;
        for (int64_t i = 0; i < cells_of(&s); i++) {
            bits[i] = (double)random_below(&random, 2);
            numbers[i] = bits[i] * cases[k].white;
        }
        SUCCEEDS(halo_filter_array_type(cases[k].bits, HALO_SAMPLE_BIT, 2, s.n, &to));
        compute(cases[k].bits, &s, HALO_SAMPLE_BIT, to, bits, &some, &got);
        compute(cases[k].numbers, &s, cases[k].type, to, numbers, &one, &want);
        check(same(&want.array, &got.array, cells_of(&s)), "%s of bits", cases[k].bits);
        array_free(&got);
        array_free(&want);
    }
}

TEST("what is refused")
{
    const int64_t n[] = {4, 5};
    unsigned char data[20] = {0};
    const halo_array bytes = array_plain(HALO_SAMPLE_U8, 2, n, data),
                     wide = array_plain(HALO_SAMPLE_U16, 2, n, data);
    halo_sample_type type;
    FAILS(HALO_ARGUMENT, "did you mean gaussian",
          halo_filter_array_type("gausian:2", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "gaussian:2",
          halo_filter_array_type("gaussian", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "step 2, gaussian: a standard deviation of -1",
          halo_filter_array_type("invert gaussian:-1", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "there are 3 standard deviations",
          halo_filter_array_type("gaussian:1,2,3", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "a derivative of order 1.5 is not possible",
          halo_filter_array_type("gaussian:1:order=1.5", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "use more than 0",
          halo_filter_array_type("gaussian_laplace:0", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "a box of 2.5 samples is not possible",
          halo_filter_array_type("uniform:2.5", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "there is no axis 2; the image has axes 0 to 1",
          halo_filter_array_type("sobel:2", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "mode takes",
          halo_filter_array_type("gaussian:1:mode=edge", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "one value too many",
          halo_filter_array_type("invert:2", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "has no option 'size'",
          halo_filter_array_type("gaussian:2:size=3", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "dtype=uint16 is not possible",
          halo_filter_array_type("gaussian:2:dtype=uint16", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "give one of them",
          halo_filter_array_type("median:2:size=5", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "a radius of -1 is not possible",
          halo_filter_array_type("minimum:-1", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "dtype takes a type",
          halo_filter_array_type("gaussian:2:dtype=int", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "dtype=int16 is not possible",
          halo_filter_array_type("gaussian:2:dtype=int16", HALO_SAMPLE_BIT, 2, n, &type));
    FAILS(HALO_ARGUMENT, "there is no step",
          halo_filter_array_type(" ", HALO_SAMPLE_U8, 2, n, &type));
    FAILS(HALO_ARGUMENT, "the steps make uint8",
          halo_filter_array(NULL, &bytes, &wide, "invert", NULL, NULL));
}
