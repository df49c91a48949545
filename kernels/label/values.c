#include "kernels/label/values.h"

#include "kernels/label/raster_rows.h"

const halo_isa_variant label_value_variants[] = HALO_ISA_VARIANTS(label_value_ops, AVX512);

size_t halo_label_value_bytes(halo_label_value type)
{
    static const size_t bytes[] = {[HALO_LABEL_ALIKE] = 0,
#define BYTES_ENTRY(code, type, kind) [HALO_LABEL_VALUE_##code] = sizeof(type),
                                   HALO_LABEL_VALUE_LIST(BYTES_ENTRY)
#undef BYTES_ENTRY
    };
    return bytes[type];
}

bool halo_label_value_is_real(halo_label_value type)
{
    return type == HALO_LABEL_VALUE_F32 || type == HALO_LABEL_VALUE_F64;
}

int64_t halo_label_value_whole(halo_label_value type, int64_t key)
{
    if (type != HALO_LABEL_VALUE_U64) {
        return key;
    }
    return key < 0 ? (int64_t)((uint64_t)key ^ UINT64_C(1) << 63) : INT64_MAX;
}

double halo_label_value_real(halo_label_value type, int64_t key)
{
    if (type == HALO_LABEL_VALUE_U64) {
        return (double)((uint64_t)key ^ UINT64_C(1) << 63);
    }
    if (!halo_label_value_is_real(type)) {
        return (double)key;
    }
    int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

label_delta label_delta_of(const halo_label_near *near)
{
    const double beyond = 0x1p64;
    return (label_delta){.whole = near->delta < beyond ? (uint64_t)near->delta : UINT64_MAX,
                         .real = near->delta};
}

/* Is it a value of the type? */
static bool has_value(halo_label_value type, double value)
{
    bool whole = trunc(value) >= value && trunc(value) <= value;
    switch (type) {
#define LIMITS_UNSIGNED(bits) 0, ldexp(1, bits)
#define LIMITS_SIGNED(bits)   -ldexp(1, (bits)-1), ldexp(1, (bits)-1)
#define LIMITS_REAL(bits)     -HUGE_VAL, HUGE_VAL
#define LIMITS_CASE(code, c_type, kind)                                   \
    case HALO_LABEL_VALUE_##code: {                                       \
        const double limits[] = {LIMITS_##kind(8 * (int)sizeof(c_type))}; \
        return value >= limits[0] && value < limits[1] &&                 \
               (whole || halo_label_value_is_real(type));                 \
    }
        HALO_LABEL_VALUE_LIST(LIMITS_CASE)
#undef LIMITS_CASE
#undef LIMITS_UNSIGNED
#undef LIMITS_SIGNED
#undef LIMITS_REAL
    default:
        return false;
    }
}

void halo_foreground_of_values(const halo_view *values, halo_label_value type,
                               const double *background, const halo_view *foreground,
                               const char *instructions)
{
    background = background != NULL && has_value(type, *background) ? background : NULL;
    const halo_isa_variant *variant;
    if (halo_isa_pick(&variant, label_value_variants, instructions) != HALO_OK) {
        halo_isa_pick(&variant, label_value_variants, NULL);
    }
    label_lit *lit = ((const label_value_ops *)variant->ops)->lit[type];
    for (int64_t r = 0; r < label_view_rows(values); r++) {
        lit(label_view_row(values, r), label_view_width(values), background,
            label_view_row(foreground, r));
    }
}

/* ---- in a row -------------------------------------------------------------------------------- */

static label_close *closeness(const label_strip *strip)
{
    const halo_label_near *near = &strip->input.near;
    return near->delta > 0 || halo_label_value_is_real(near->type)
               ? strip->value_ops->close[near->type]
               : strip->value_ops->equal[__builtin_ctzll(halo_label_value_bytes(near->type))];
}

static uint64_t *begins_of(const label_strip *strip, int64_t r)
{
    return strip->begins + r * label_input_words(&strip->input);
}

/* A row whose pixel x is the other row's x + 1. */
static void shift(const uint64_t *row, int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0);
    }
}

int64_t label_values_begin(label_strip *strip, int64_t r)
{
    const label_input *input = &strip->input;
    const label_delta delta = label_delta_of(&input->near);
    const char *values = label_values_row(input, r);
    const uint64_t *bits = label_input_row(input, r);
    uint64_t *begins = begins_of(strip, r);
    int64_t words = label_input_words(input);
    shift(bits, words, begins);
    for (int64_t i = 0; i < words; i++) {
        begins[i] &= bits[i];
    }
    closeness(strip)(values, values + halo_label_value_bytes(input->near.type), input->width - 1,
                     &delta, begins);
    return strip->value_ops->begin(bits, words, begins);
}

bool label_values_meet(const label_strip *strip, int64_t r, int64_t x, int64_t other,
                       int64_t other_x)
{
    const label_input *input = &strip->input;
    if (input->values == NULL) {
        return true;
    }
    halo_label_value type = input->near.type;
    int64_t bytes = (int64_t)halo_label_value_bytes(type);
    return label_keys_close(
        &input->near, label_value_key(type, label_values_row(input, r) + x * bytes),
        label_value_key(type, label_values_row(input, other) + other_x * bytes));
}

/* ---- between rows ---------------------------------------------------------------------------- */

/* Rows of strip->masks behind those that contacts use. */
typedef struct {
    uint64_t *above;    /* pixels that are equal to the one in the plane before, */
    uint64_t *before;   /* or to the one in the row before */
    uint64_t *straight; /* edges of offset 0 of the contact */
    uint64_t *edges;    /* of another one */
} value_masks;

static value_masks masks_of(const label_strip *strip)
{
    int64_t words = label_input_words(&strip->input);
    uint64_t *first = strip->masks + LABEL_MASKS * words;
    return (value_masks){first, first + words, first + 2 * words, first + 3 * words};
}

void label_values_begin_band(label_strip *strip)
{
    const value_masks masks = masks_of(strip);
    size_t bytes = (size_t)label_input_words(&strip->input) * sizeof *masks.above;
    memset(masks.above, 0, bytes);
    memset(masks.before, 0, bytes);
}

/* Equality is transitive. What a pixel A is equal to in the plane before is equal to the pixel D
 * straight above A, too, if A is: then it is D's neighbour, so that the link is implied. So is what
 * A is equal to in the row before by C, straight before A in its plane; and, if all 26 neighbours
 * count, by D. Of what touches an edge of A in the plane before, behind C, the link is implied by
 * C. Links to D are never left out, and those to C only for D, so that this ends. */
static bool is_settled_above(const label_strip *strip, const label_contact *contact, int offset)
{
    return strip->input.near.delta <= 0 && !(contact->dz != 0 && contact->dy == 0 && offset == 0) &&
           (contact->dz != 0 || (strip->input.order >= 3 && contact->dy < 0));
}

static bool is_settled_before(const label_strip *strip, const label_contact *contact, int offset)
{
    return strip->input.near.delta <= 0 && contact->dy < 0 && (contact->dz != 0 || offset != 0);
}

static void link_straight(label_strip *strip, const label_contact *contact, int64_t band)
{
    const label_input *input = &strip->input;
    const label_delta delta = label_delta_of(&input->near);
    const value_masks masks = masks_of(strip);
    int64_t words = label_input_words(input);
    uint64_t above = is_settled_above(strip, contact, 0) ? UINT64_MAX : 0;
    uint64_t before = is_settled_before(strip, contact, 0) ? UINT64_MAX : 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t settled = (masks.above[i] & above) | (masks.before[i] & before);
        masks.straight[i] = contact->rows.upper[i] & contact->rows.lower[i] & ~settled;
    }
    closeness(strip)(label_values_row(input, contact->band), label_values_row(input, band),
                     input->width, &delta, masks.straight);
    bool to_above = contact->dz != 0 && contact->dy == 0;
    bool to_before = contact->dz == 0 && contact->dy < 0;
    if (to_above || to_before) {
        memcpy(to_above ? masks.above : masks.before, masks.straight,
               (size_t)words * sizeof *masks.straight);
    }
    const label_begun_pair pair = {.upper_begins = begins_of(strip, contact->band),
                                   .lower_begins = begins_of(strip, band),
                                   .upper_run = strip->first_run[contact->band] - 1,
                                   .lower_run = strip->first_run[band] - 1};
    strip->value_ops->emit(&pair, masks.straight, words, &strip->links);
}

static void link_aslant(label_strip *strip, const label_contact *contact, int64_t band, int offset)
{
    const label_input *input = &strip->input;
    const label_value_ops *ops = strip->value_ops;
    const label_delta delta = label_delta_of(&input->near);
    const value_masks masks = masks_of(strip);
    int64_t words = label_input_words(input);
    bool up = offset > 0; /* the upper row is the far one */
    int64_t far = up ? contact->band : band, near = up ? band : contact->band, settled = 0;
    label_aslant_rows rows = {.near = up ? contact->rows.lower : contact->rows.upper,
                              .far = up ? contact->rows.upper : contact->rows.lower,
                              .near_begins = begins_of(strip, near),
                              .far_begins = begins_of(strip, far),
                              .straight = masks.straight,
                              .lower_is_far = !up};
    if (is_settled_above(strip, contact, offset)) {
        rows.settled[settled++] = masks.above;
    }
    if (is_settled_before(strip, contact, offset)) {
        rows.settled[settled] = masks.before;
    }
    strip->links.firsts = 0;
    if (!ops->aslant(&rows, words, masks.edges)) {
        return;
    }
    closeness(strip)(label_values_row(input, far) + halo_label_value_bytes(input->near.type),
                     label_values_row(input, near), input->width - 1, &delta, masks.edges);
    int32_t first_of_far = (int32_t)(rows.far_begins[0] & 1);
    const label_begun_pair pair = {
        .upper_begins = begins_of(strip, contact->band),
        .lower_begins = begins_of(strip, band),
        .upper_run = strip->first_run[contact->band] - 1 + (up ? first_of_far : 0),
        .lower_run = strip->first_run[band] - 1 + (up ? 0 : first_of_far),
        .ahead = up ? LABEL_UPPER_AHEAD : LABEL_LOWER_AHEAD};
    ops->emit(&pair, masks.edges, words, &strip->links);
}

void label_values_link(label_strip *strip, const label_contact *contact, int64_t band, int offset)
{
    if (offset == 0) {
        link_straight(strip, contact, band);
    } else {
        link_aslant(strip, contact, band, offset);
    }
}
