#include "kernels/label/rows/values.h"

#include "base/minmax.h"
#include "kernels/label/rows/raster_rows.h"

const halo_isa_variant label_value_variants[] = HALO_ISA_VARIANTS(label_value_ops, AVX512);

label_delta label_delta_of(const halo_label_near *near)
{
    bool negative;
    uint64_t whole;
    bool fits = halo_number_to_whole(&near->delta, true, &negative, &whole);
    return (label_delta){.whole = fits ? whole : UINT64_MAX, .real = near->delta.value};
}

void halo_foreground_of_values(const halo_view *values, halo_sample_type type,
                               const halo_number *background, const halo_view *foreground,
                               const char *instructions)
{
    _Alignas(8) unsigned char value[8] = {0};
    bool has = background != NULL && halo_sample_put(type, background, value);
    const halo_isa_variant *variant;
    if (halo_isa_pick(&variant, label_value_variants, instructions) != HALO_OK) {
        halo_isa_pick(&variant, label_value_variants, NULL);
    }
    label_lit *lit = ((const label_value_ops *)variant->ops)->lit[type];
    for (int64_t r = 0; r < label_view_rows(values); r++) {
        lit(label_view_row(values, r), label_view_width(values), has ? value : NULL,
            label_view_row(foreground, r));
    }
}

void label_values_set_foreground(const label_strip *strip, int64_t z, int64_t y)
{
    enum { WORD = 64 };
    const label_input *input = &strip->input;
    uint64_t *bits = (uint64_t *)(uintptr_t)label_input_row_of(input, z, y);
    int64_t columns = label_values_columns(input);
    for (int64_t x = 0; x < input->width; x += columns) {
        int64_t count = halo_min(columns, input->width - x);
        strip->value_ops->lit[input->near.type](
            label_values_piece(input, z * input->rows + y, x, count, 0), count,
            input->has_background ? input->background : NULL, bits + x / WORD);
    }
}

/* ---- in a row -------------------------------------------------------------------------------- */

/* Whole numbers of these bytes are equal if all bits are; -1 for values compared otherwise. */
static int bits_equal(const label_strip *strip)
{
    const halo_label_near *near = &strip->input.near;
    return near->delta.value > 0 || halo_sample_types[near->type].real
               ? -1
               : __builtin_ctzll(halo_sample_types[near->type].bytes);
}

static bool compare(const label_strip *strip, const char *ours, const char *theirs, int64_t count,
                    uint64_t *bits)
{
    const label_delta delta = label_delta_of(&strip->input.near);
    int size = bits_equal(strip);
    label_close *close =
        size < 0 ? strip->value_ops->close[strip->input.near.type] : strip->value_ops->equal[size];
    return close(ours, theirs, count, &delta, bits);
}

static bool has_bits(const uint64_t *bits, int64_t count)
{
    enum { WORD = 64 };
    for (int64_t i = 0; i * WORD < count; i++) {
        if (bits[i] != 0) {
            return true;
        }
    }
    return false;
}

/* label_values_compare with values that a source reads. */
static bool compare_copies(const label_strip *strip, int64_t a, int ahead, int64_t b, int64_t width,
                           uint64_t *bits)
{
    enum { WORD = 64 };
    const label_input *input = &strip->input;
    int64_t columns = label_values_columns(input);
    int64_t bytes = (int64_t)halo_sample_types[input->near.type].bytes;
    bool any = false;
    for (int64_t x = 0; x < width; x += columns) {
        int64_t count = halo_min(columns, width - x);
        if (!has_bits(bits + x / WORD, count)) {
            continue; /* without a copy of values that nobody compares */
        }
        const char *theirs = label_values_piece(input, b, x, count + (a == b ? ahead : 0), 1);
        const char *ours =
            a == b ? theirs + ahead * bytes : label_values_piece(input, a, x + ahead, count, 0);
        any = compare(strip, ours, theirs, count, bits + x / WORD) || any;
    }
    return any;
}

bool label_values_compare(const label_strip *strip, int64_t a, int ahead, int64_t b, int64_t width,
                          uint64_t *bits)
{
    const label_input *input = &strip->input;
    int64_t bytes = (int64_t)halo_sample_types[input->near.type].bytes;
    return input->source != NULL ? compare_copies(strip, a, ahead, b, width, bits)
                                 : compare(strip, label_values_row(input, a) + ahead * bytes,
                                           label_values_row(input, b), width, bits);
}

/* A row while its runs are found, and those beside it. */
typedef struct {
    int64_t r;
    const char *values; /* or NULL: they are read by pieces */
    const uint64_t *bits;
} value_row;

static void compare_rows(const label_strip *strip, const value_row *a, int ahead,
                         const value_row *b, int64_t width, uint64_t *bits)
{
    int64_t bytes = (int64_t)halo_sample_types[strip->input.near.type].bytes;
    if (a->values != NULL) {
        compare(strip, a->values + ahead * bytes, b->values, width, bits);
    } else {
        label_values_compare(strip, a->r, ahead, b->r, width, bits);
    }
}

/* A row whose pixel x is the other row's x + 1. */
static void shift(const uint64_t *row, int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0);
    }
}

/* The pixels that are close to those of another row. */
static void find_close(const label_strip *strip, const value_row *row, const value_row *other,
                       uint64_t *out)
{
    strip->ops->all((const uint64_t *const[]){row->bits, other->bits, row->bits, other->bits},
                    label_input_words(&strip->input), out);
    compare_rows(strip, row, 0, other, strip->input.width, out);
}

static int64_t begin_runs(const label_strip *strip, const value_row *row, uint64_t *begins)
{
    int64_t words = label_input_words(&strip->input);
    shift(row->bits, words, begins);
    strip->ops->all((const uint64_t *const[]){row->bits, begins, row->bits, begins}, words, begins);
    compare_rows(strip, row, 1, row, strip->input.width - 1, begins);
    return strip->value_ops->begin(row->bits, words, begins);
}

static value_row row_of(const label_strip *strip, int64_t r, const uint64_t *bits)
{
    const label_input *input = &strip->input;
    bool whole = label_values_columns(input) >= input->width;
    return (value_row){r, whole ? label_values_piece(input, r, 0, input->width, 0) : NULL, bits};
}

int64_t label_values_begin(label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    int64_t r = z * input->rows + y, words = label_input_words(input);
    const value_row own = row_of(strip, r, label_input_row_of(input, z, y));
    const value_row above = row_of(strip, z > 0 ? r - input->rows : r,
                                   z > 0 ? label_input_row_of(input, z - 1, y) : strip->masks);
    const value_row before = row_of(strip, y > 0 ? r - 1 : r,
                                    y > 0 ? label_input_row_of(input, z, y - 1) : strip->masks);
    uint64_t *begins = strip->begins + r * strip->begin_words;
    uint64_t *equal_above = begins + words, *equal_before = equal_above + words;
    if (bits_equal(strip) >= 0 && own.values != NULL) {
        const label_value_rows rows = {own.values, above.values, before.values,
                                       own.bits,   above.bits,   before.bits};
        return strip->value_ops->find_equal[bits_equal(strip)](&rows, input->width, begins,
                                                               equal_above, equal_before);
    }
    if (label_values_transitive(strip)) {
        find_close(strip, &own, &above, equal_above);
        find_close(strip, &own, &before, equal_before);
    }
    return begin_runs(strip, &own, begins);
}

bool label_values_meet(const label_strip *strip, int64_t r, int64_t x, int64_t other,
                       int64_t other_x)
{
    const label_input *input = &strip->input;
    return input->values == NULL || label_keys_close(&input->near, label_values_at(input, r, x),
                                                     label_values_at(input, other, other_x));
}
