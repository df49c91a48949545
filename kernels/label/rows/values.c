#include "kernels/label/rows/values.h"

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
    const label_input *input = &strip->input;
    uint64_t *bits = (uint64_t *)(uintptr_t)label_input_row_of(input, z, y);
    strip->value_ops->lit[input->near.type](label_values_row(input, z * input->rows + y),
                                            input->width,
                                            input->has_background ? input->background : NULL, bits);
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

label_close *label_values_close(const label_strip *strip)
{
    int size = bits_equal(strip);
    return size < 0 ? strip->value_ops->close[strip->input.near.type]
                    : strip->value_ops->equal[size];
}

/* A row whose pixel x is the other row's x + 1. */
static void shift(const uint64_t *row, int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0);
    }
}

/* The pixels that are close to those of another row. */
static void find_close(const label_strip *strip, const void *values, const uint64_t *bits,
                       const void *other, const uint64_t *other_bits, uint64_t *out)
{
    const label_delta delta = label_delta_of(&strip->input.near);
    strip->ops->all((const uint64_t *const[]){bits, other_bits, bits, other_bits},
                    label_input_words(&strip->input), out);
    label_values_close(strip)(values, other, strip->input.width, &delta, out);
}

static int64_t begin_runs(const label_strip *strip, const char *values, const uint64_t *bits,
                          uint64_t *begins)
{
    const label_input *input = &strip->input;
    const label_delta delta = label_delta_of(&input->near);
    int64_t words = label_input_words(input);
    shift(bits, words, begins);
    strip->ops->all((const uint64_t *const[]){bits, begins, bits, begins}, words, begins);
    label_values_close(strip)(values, values + halo_sample_types[input->near.type].bytes,
                              input->width - 1, &delta, begins);
    return strip->value_ops->begin(bits, words, begins);
}

int64_t label_values_begin(label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    int64_t r = z * input->rows + y, words = label_input_words(input);
    int64_t above = z > 0 ? r - input->rows : r, before = y > 0 ? r - 1 : r;
    const label_value_rows rows = {
        .own = label_values_row(input, r),
        .above = label_values_row(input, above),
        .before = label_values_row(input, before),
        .bits = label_input_row_of(input, z, y),
        .above_bits = z > 0 ? label_input_row_of(input, z - 1, y) : strip->masks,
        .before_bits = y > 0 ? label_input_row_of(input, z, y - 1) : strip->masks};
    uint64_t *begins = strip->begins + r * strip->begin_words;
    uint64_t *equal_above = begins + words, *equal_before = equal_above + words;
    if (bits_equal(strip) >= 0) {
        return strip->value_ops->find_equal[bits_equal(strip)](&rows, input->width, begins,
                                                               equal_above, equal_before);
    }
    if (label_values_transitive(strip)) {
        find_close(strip, rows.own, rows.bits, rows.above, rows.above_bits, equal_above);
        find_close(strip, rows.own, rows.bits, rows.before, rows.before_bits, equal_before);
    }
    return begin_runs(strip, rows.own, rows.bits, begins);
}

bool label_values_meet(const label_strip *strip, int64_t r, int64_t x, int64_t other,
                       int64_t other_x)
{
    const label_input *input = &strip->input;
    if (input->values == NULL) {
        return true;
    }
    halo_sample_type type = input->near.type;
    int64_t bytes = (int64_t)halo_sample_types[type].bytes;
    return label_keys_close(
        &input->near, halo_sample_key(type, label_values_row(input, r) + x * bytes),
        halo_sample_key(type, label_values_row(input, other) + other_x * bytes));
}
