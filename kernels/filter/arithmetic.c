#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/map.h"
#include "kernels/filter/rounding.h"
#include "kernels/filter/second.h"

#include <math.h>
#include <stdlib.h>

/* Arithmetic with a second image, or with a number. Results are those of real numbers, rounded once
 * to the type of the step: whole numbers of 64 bits are computed with 128, all others as doubles,
 * which hold what has 32 bits. Pairs of types that are usual have loops of their own. */

typedef enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, OPERATIONS } operation;

typedef struct {
    filter_other other; /* the first one: halo_filter.second */
    operation kind;
    filter_map map; /* with a number */
} arithmetic;

/* ---- rows of one pair of types --------------------------------------------------------------- */

typedef void compute_row(const void *one, const void *other, int64_t width, void *out);

#define ROW(name, type, other_type, expression)                                    \
    static void name(const void *one, const void *other, int64_t width, void *out) \
    {                                                                              \
        const type *a = one;                                                       \
        const other_type *b = other;                                               \
        type *restrict to = out;                                                   \
        for (int64_t x = 0; x < width; x++) {                                      \
            to[x] = expression;                                                    \
        }                                                                          \
    }

/* Whole numbers, cut off at the end that they can pass. */
static inline uint32_t cut_above(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

static inline uint32_t cut_below(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

ROW(add_u8, uint8_t, uint8_t, (uint8_t)cut_above((uint32_t)a[x] + b[x], UINT8_MAX))
ROW(add_u16, uint16_t, uint16_t, (uint16_t)cut_above((uint32_t)a[x] + b[x], UINT16_MAX))
ROW(subtract_u8, uint8_t, uint8_t, (uint8_t)cut_below(a[x], b[x]))
ROW(subtract_u16, uint16_t, uint16_t, (uint16_t)cut_below(a[x], b[x]))
ROW(multiply_u8, uint8_t, uint8_t, (uint8_t)cut_above((uint32_t)a[x] * b[x], UINT8_MAX))
ROW(multiply_u16, uint16_t, uint16_t, (uint16_t)cut_above((uint32_t)a[x] * b[x], UINT16_MAX))

ROW(add_f32, float, float, a[x] + b[x])
ROW(subtract_f32, float, float, a[x] - b[x])
ROW(multiply_f32, float, float, a[x] * b[x])
ROW(divide_f32, float, float, a[x] / b[x])
ROW(add_f64, double, double, a[x] + b[x])
ROW(subtract_f64, double, double, a[x] - b[x])
ROW(multiply_f64, double, double, a[x] * b[x])
ROW(divide_f64, double, double, a[x] / b[x])

/* Greys and reals. A double of about 2^52 has no fraction: sums with it are rounded. NaN becomes 0.
 */
static inline uint32_t round_grey(double value, double most)
{
    const double whole = 6755399441055744.0; /* 1.5 * 2^52 */
    value = value > 0 ? value : 0;
    value = value < most ? value : most;
    return (uint32_t)(int32_t)(value + whole - whole);
}

ROW(add_u8_f32, uint8_t, float, (uint8_t)round_grey((double)a[x] + (double)b[x], UINT8_MAX))
ROW(add_u16_f32, uint16_t, float, (uint16_t)round_grey((double)a[x] + (double)b[x], UINT16_MAX))
ROW(subtract_u8_f32, uint8_t, float, (uint8_t)round_grey((double)a[x] - (double)b[x], UINT8_MAX))
ROW(subtract_u16_f32, uint16_t, float,
    (uint16_t)round_grey((double)a[x] - (double)b[x], UINT16_MAX))
ROW(multiply_u8_f32, uint8_t, float, (uint8_t)round_grey((double)a[x] * (double)b[x], UINT8_MAX))
ROW(multiply_u16_f32, uint16_t, float,
    (uint16_t)round_grey((double)a[x] * (double)b[x], UINT16_MAX))
ROW(divide_u8_f32, uint8_t, float, (uint8_t)round_grey((double)a[x] / (double)b[x], UINT8_MAX))
ROW(divide_u16_f32, uint16_t, float, (uint16_t)round_grey((double)a[x] / (double)b[x], UINT16_MAX))

/* Results have the type of the samples. */
static const struct {
    halo_sample_type type, other;
    compute_row *of[OPERATIONS];
} usual[] = {
    {HALO_SAMPLE_U8, HALO_SAMPLE_U8, {add_u8, subtract_u8, multiply_u8}},
    {HALO_SAMPLE_U16, HALO_SAMPLE_U16, {add_u16, subtract_u16, multiply_u16}},
    {HALO_SAMPLE_F32, HALO_SAMPLE_F32, {add_f32, subtract_f32, multiply_f32, divide_f32}},
    {HALO_SAMPLE_F64, HALO_SAMPLE_F64, {add_f64, subtract_f64, multiply_f64, divide_f64}},
    {HALO_SAMPLE_U8,
     HALO_SAMPLE_F32,
     {add_u8_f32, subtract_u8_f32, multiply_u8_f32, divide_u8_f32}},
    {HALO_SAMPLE_U16,
     HALO_SAMPLE_F32,
     {add_u16_f32, subtract_u16_f32, multiply_u16_f32, divide_u16_f32}},
};

/* NULL for another pair. */
static compute_row *find_row(operation kind, halo_sample_type in, halo_sample_type other,
                             halo_sample_type out)
{
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (usual[i].type == in && usual[i].other == other && out == in) {
            return usual[i].of[kind];
        }
    }
    return NULL;
}

/* ---- rows of doubles ------------------------------------------------------------------------- */

typedef struct {
    operation kind;
    halo_sample_type in, other, out;
    compute_row *row; /* or NULL */
    bool exact;       /* whole numbers of 64 bits */
    char *constant;   /* a row of the number, if it is one */
} computing;

static double compute_double(operation kind, double a, double b)
{
    switch (kind) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    default:
        return a / b;
    }
}

/* Whole numbers have no NaN: 0. */
static void compute_doubles(const computing *c, const void *one, const void *other, int64_t width,
                            void *out)
{
    enum { PIECE = 512 };
    double a[PIECE], b[PIECE];
    bool whole = !halo_sample_types[c->out].real;
    for (int64_t first = 0; first < width; first += PIECE) {
        int64_t count = halo_min(PIECE, width - first);
        halo_sample_to_doubles(c->in, one, first, count, a);
        halo_sample_to_doubles(c->other, other, first, count, b);
        for (int64_t x = 0; x < count; x++) {
            double value = compute_double(c->kind, a[x], b[x]);
            a[x] = whole && isnan(value) ? 0 : value;
        }
        filter_round(c->out, a, count,
                     (char *)out + first * (int64_t)halo_sample_types[c->out].bytes);
    }
}

/* ---- rows of whole numbers of 64 bits -------------------------------------------------------- */

__extension__ typedef __int128 wide;

static wide wide_of_key(halo_sample_type type, int64_t key)
{
    return key + (type == HALO_SAMPLE_U64 ? (wide)1 << 63 : 0);
}

/* The nearest whole number, of two the even one; 0 / 0 is 0. */
static wide divide_wide(wide a, wide b)
{
    if (b == 0) {
        return a < 0 ? INT64_MIN : a > 0 ? (wide)UINT64_MAX : 0;
    }
    wide quotient = a / b, rest = a % b, size = b < 0 ? -b : b;
    wide twice = 2 * (rest < 0 ? -rest : rest);
    bool away = twice > size || (twice == size && quotient % 2 != 0);
    return quotient + (!away ? 0 : (a < 0) == (b < 0) ? 1 : -1);
}

static wide compute_wide(operation kind, wide a, wide b)
{
    wide product;
    switch (kind) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return !__builtin_mul_overflow(a, b, &product) ? product
               : (a < 0) == (b < 0)                    ? (wide)UINT64_MAX
                                                       : (wide)INT64_MIN;
    default:
        return divide_wide(a, b);
    }
}

static void compute_whole(const computing *c, const void *one, const void *other, int64_t width,
                          void *out)
{
    const halo_sample_type_entry *to = &halo_sample_types[c->out];
    wide low = wide_of_key(c->out, to->key_min), high = wide_of_key(c->out, to->key_max);
    for (int64_t x = 0; x < width; x++) {
        wide a = wide_of_key(c->in, halo_sample_key_of(c->in, one, x));
        wide b = wide_of_key(c->other, halo_sample_key_of(c->other, other, x));
        wide value = compute_wide(c->kind, a, b);
        value = value < low ? low : value > high ? high : value;
        int64_t bits = (int64_t)(uint64_t)value;
        switch (to->bytes) {
        case sizeof(int8_t):
            ((int8_t *)out)[x] = (int8_t)bits;
            break;
        case sizeof(int16_t):
            ((int16_t *)out)[x] = (int16_t)bits;
            break;
        case sizeof(int32_t):
            ((int32_t *)out)[x] = (int32_t)bits;
            break;
        default:
            ((int64_t *)out)[x] = bits;
        }
    }
}

/* ---- a part ---------------------------------------------------------------------------------- */

static bool is_wide(halo_sample_type type)
{
    return !halo_sample_types[type].real && halo_sample_types[type].bytes == sizeof(int64_t);
}

/* The type of a number as a sample: as NumPy has it beside reals. */
static halo_sample_type type_of_number(const filter_step *step, const halo_number *number)
{
    bool long_ones = is_wide(step->in) || is_wide(step->out);
    return step->in == HALO_SAMPLE_F32 && step->out == HALO_SAMPLE_F32 ? HALO_SAMPLE_F32
           : !long_ones || !number->whole                              ? HALO_SAMPLE_F64
           : number->negative                                          ? HALO_SAMPLE_I64
                                                                       : HALO_SAMPLE_U64;
}

/* A negative number may be too small for 64 bits: then its double is what counts. */
static halo_status create_constant(computing *c, const filter_step *step)
{
    const arithmetic *a = step->params;
    int64_t width = step->n[2];
    uint64_t sample = 0;
    c->other = type_of_number(step, &a->other.number);
    if (c->other == HALO_SAMPLE_F32) {
        float value = (float)a->other.number.value;
        memcpy(&sample, &value, sizeof value);
    } else if (c->other == HALO_SAMPLE_F64 ||
               !halo_sample_put(c->other, &a->other.number, &sample)) {
        c->other = HALO_SAMPLE_F64;
        memcpy(&sample, &a->other.number.value, sizeof sample);
    }
    size_t bytes = halo_sample_types[c->other].bytes;
    HALO_TRY(HALO_ALLOCATE(c->constant, (size_t)width * bytes, "a row of a number"));
    for (int64_t x = 0; x < width; x++) {
        memcpy(c->constant + (size_t)x * bytes, &sample, bytes);
    }
    return HALO_OK;
}

static halo_status create(void **state, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    const arithmetic *a = step->params;
    computing *c;
    (void)instructions;
    HALO_TRY(HALO_ALLOCATE(c, 1, "a filter"));
    *state = c;
    *c = (computing){.kind = a->kind, .in = part->in, .out = part->out};
    if (part->second) {
        c->other = step->second.type;
    } else {
        HALO_TRY(create_constant(c, step));
    }
    bool whole = !halo_sample_types[c->in].real && !halo_sample_types[c->other].real &&
                 !halo_sample_types[c->out].real;
    c->exact = whole && (is_wide(c->in) || is_wide(c->other) || is_wide(c->out));
    c->row = find_row(c->kind, c->in, c->other, c->out);
    return HALO_OK;
}

static void destroy(void *state)
{
    if (state != NULL) {
        free(((computing *)state)->constant);
    }
    free(state);
}

static void compute_tile(const filter_tile *tile)
{
    const computing *c = tile->state;
    for (int64_t i = 0; i < tile->planes * tile->rows; i++) {
        const void *one = tile->in[i], *other = c->constant;
        other = tile->second != NULL ? tile->second[i] : other;
        if (c->row != NULL) {
            c->row(one, other, tile->width, tile->out[i]);
        } else {
            (c->exact ? compute_whole : compute_doubles)(c, one, other, tile->width, tile->out[i]);
        }
    }
}

/* ---- the filters ----------------------------------------------------------------------------- */

static double map_number(const void *own, double sample)
{
    const arithmetic *a = own;
    double value = compute_double(a->kind, sample, a->other.number.value);
    return isnan(value) ? 0 : value;
}

/* Numbers and greys of 8 or 16 bits have a table of results. */
static halo_status resolve(filter_step *step, operation kind)
{
    arithmetic *a = step->params;
    a->kind = kind;
    a->map = (filter_map){map_number, a};
    bool grey = step->in == HALO_SAMPLE_U8 || step->in == HALO_SAMPLE_U16;
    if (a->other.name == NULL && grey && !halo_sample_types[step->out].real &&
        !is_wide(step->out)) {
        filter_add_map(step, &a->map);
    } else {
        filter_add_part(step, &(filter_part){.rows = compute_tile,
                                             .create = create,
                                             .destroy = destroy,
                                             .second = a->other.name != NULL});
    }
    return HALO_OK;
}

/* The filter of an operation: what it makes, what it does with the other image, an example of one
 * and of a number, and others. */
#define ARITHMETIC(which, code, made, done, file, number, examples_)                               \
    static const halo_option which##_rows[] = {                                                    \
        {HALO_OPTION_ROW(arithmetic, "other", CUSTOM, other), .parse = filter_parse_other,         \
         .value = "FILE|NUMBER", .takes = "the name of an image, or a number",                     \
         .required = "it needs an image or a number: " #which ":" file ", " #which ":" number,     \
         .help = "Image of the same shape, or a number, " done},                                   \
        {0}};                                                                                      \
    static halo_status resolve_##which(filter_step *step)                                          \
    {                                                                                              \
        return resolve(step, code);                                                                \
    }                                                                                              \
    const halo_filter filter_##which = {.name = #which,                                            \
                                        .help = "The " made " of samples and those of another "    \
                                                "image, or a number, rounded, and cut off at the " \
                                                "ends of the type",                                \
                                        .authority = "numpy." #which,                              \
                                        .examples = examples_,                                     \
                                        .params = which##_rows,                                    \
                                        .params_bytes = sizeof(arithmetic),                        \
                                        .takes = FILTER_NUMBERS,                                   \
                                        .gives = FILTER_NUMBERS,                                   \
                                        .second = true,                                            \
                                        .resolve = resolve_##which};
ARITHMETIC(add, ADD, "sum", "that is added", "other.tif", "12",
           "add:30|add:other.tif|add:1.5|add:-20:dtype=float32")
ARITHMETIC(subtract, SUBTRACT, "difference", "that is subtracted", "dark.tif", "12",
           "subtract:30|subtract:other.tif|subtract:.5|subtract:60:dtype=int16")
ARITHMETIC(multiply, MULTIPLY, "product", "by which samples are multiplied", "gain.tif", "1.5",
           "multiply:1.5|multiply:other.tif|multiply:3|multiply:.37:dtype=float64")
ARITHMETIC(divide, DIVIDE, "quotient", "by which samples are divided", "flat.tif", "1.5",
           "divide:7|divide:other.tif|divide:.3|divide:9:dtype=float32")
