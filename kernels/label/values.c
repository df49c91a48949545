#include "kernels/label/values.h"

#include "kernels/label/raster_rows.h"

#include <inttypes.h>

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
    if (!halo_label_value_is_real(type)) {
        return (double)halo_label_value_whole(type, key);
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

void halo_foreground_of_values(const halo_view *values, halo_label_value type,
                               const halo_view *foreground, const char *instructions)
{
    const halo_isa_variant *variant;
    if (halo_isa_pick(&variant, label_value_variants, instructions) != HALO_OK) {
        halo_isa_pick(&variant, label_value_variants, NULL);
    }
    label_lit *lit = ((const label_value_ops *)variant->ops)->lit[type];
    for (int64_t r = 0; r < label_view_rows(values); r++) {
        lit(label_view_row(values, r), label_view_width(values), label_view_row(foreground, r));
    }
}

/* ---- in a row -------------------------------------------------------------------------------- */

static label_close *closeness(const label_strip *strip)
{
    const halo_label_near *near = &strip->input.near;
    return near->delta > 0 ? strip->value_ops->close[near->type]
                           : strip->value_ops->equal[near->type];
}

static uint64_t *begins_of(const label_strip *strip, int64_t r)
{
    return strip->begins + r * label_input_words(&strip->input);
}

int64_t label_values_begin(label_strip *strip, int64_t r)
{
    const label_input *input = &strip->input;
    const label_delta delta = label_delta_of(&input->near);
    const char *values = label_values_row(input, r);
    const uint64_t *bits = label_input_row(input, r);
    uint64_t *begins = begins_of(strip, r), carry = 0, joined_carry = 0;
    int64_t words = label_input_words(input), runs = 0;
    begins[words - 1] = 0;
    closeness(strip)(values, values + halo_label_value_bytes(input->near.type), input->width - 1,
                     &delta, begins);
    for (int64_t i = 0; i < words; i++) {
        /* begins[i] has, so far, which pixels are close to the one behind them */
        uint64_t close = begins[i], joined = (close << 1 | joined_carry) & (bits[i] << 1 | carry);
        begins[i] = bits[i] & ~joined;
        runs += __builtin_popcountll(begins[i]);
        joined_carry = close >> 63;
        carry = bits[i] >> 63;
    }
    return runs;
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

/* A row whose pixel x is the other row's x - 1. */
static void shift(const uint64_t *row, int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0);
    }
}

/* Two rows whose pixels x are compared, and the runs before them. */
typedef struct {
    const uint64_t *upper_begins, *lower_begins;
    int32_t upper_run, lower_run;
} begun_pair;

/* Edges are pixels where the rows are linked. A link is an edge that is in another run than the
 * edge before it, above or below. */
static void emit(const begun_pair *pair, const uint64_t *edges, int64_t words, label_links *links)
{
    int64_t firsts = 0, others = links->others;
    int32_t upper_run = pair->upper_run, lower_run = pair->lower_run, linked = -1;
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t upper = pair->upper_begins[i], lower = pair->lower_begins[i];
        uint64_t same = (edges[i] << 1 | carry) & ~upper & ~lower;
        for (uint64_t left = edges[i] & ~same; left != 0; left &= left - 1) {
            uint64_t up_to = left ^ (left - 1); /* the lowest edge and all bits below it */
            int32_t u = upper_run + (int32_t)__builtin_popcountll(upper & up_to);
            int32_t d = lower_run + (int32_t)__builtin_popcountll(lower & up_to);
            int64_t is_first = d != linked;
            links->first_upper[firsts] = u;
            links->first_lower[firsts] = d;
            links->other_upper[others] = u;
            links->other_lower[others] = d;
            firsts += is_first;
            others += 1 - is_first;
            linked = d;
        }
        upper_run += (int32_t)__builtin_popcountll(upper);
        lower_run += (int32_t)__builtin_popcountll(lower);
        carry = edges[i] >> 63;
    }
    links->firsts = firsts;
    links->others = others;
}

/* Rows of strip->masks behind those that contacts use. */
typedef struct {
    uint64_t *straight; /* edges of offset 0 */
    uint64_t *edges, *far_bits, *far_begins, *near_begins, *straight_shifted;
} value_masks;

static value_masks masks_of(const label_strip *strip)
{
    int64_t words = label_input_words(&strip->input);
    uint64_t *first = strip->masks + LABEL_MASKS * words;
    return (value_masks){first,
                         first + words,
                         first + 2 * words,
                         first + 3 * words,
                         first + 4 * words,
                         first + 5 * words};
}

static void link_straight(label_strip *strip, const label_contact *contact, int64_t band)
{
    const label_input *input = &strip->input;
    const label_delta delta = label_delta_of(&input->near);
    const value_masks masks = masks_of(strip);
    int64_t words = label_input_words(input);
    closeness(strip)(label_values_row(input, contact->band), label_values_row(input, band),
                     input->width, &delta, masks.straight);
    for (int64_t i = 0; i < words; i++) {
        masks.straight[i] &= contact->upper[i] & contact->lower[i];
    }
    const begun_pair pair = {.upper_begins = begins_of(strip, contact->band),
                             .lower_begins = begins_of(strip, band),
                             .upper_run = strip->first_run[contact->band] - 1,
                             .lower_run = strip->first_run[band] - 1};
    emit(&pair, masks.straight, words, &strip->links);
}

/* The row of which x + 1 is linked to the other one's x is the far one, and shifted. A link is
 * implied if pixel x of both rows is linked and the far row's x joined to its x + 1, or x + 1 of
 * both is and the near row's x is joined to its x + 1. */
static void link_aslant(label_strip *strip, const label_contact *contact, int64_t band,
                        bool upper_is_far)
{
    const label_input *input = &strip->input;
    const label_delta delta = label_delta_of(&input->near);
    const value_masks masks = masks_of(strip);
    int64_t words = label_input_words(input);
    size_t step = halo_label_value_bytes(input->near.type);
    int64_t far = upper_is_far ? contact->band : band, near = upper_is_far ? band : contact->band;
    const uint64_t *far_bits = upper_is_far ? contact->upper : contact->lower;
    const uint64_t *near_bits = upper_is_far ? contact->lower : contact->upper;
    shift(far_bits, words, masks.far_bits);
    shift(begins_of(strip, far), words, masks.far_begins);
    shift(begins_of(strip, near), words, masks.near_begins);
    shift(masks.straight, words, masks.straight_shifted);
    masks.edges[words - 1] = 0;
    closeness(strip)(label_values_row(input, far) + step, label_values_row(input, near),
                     input->width - 1, &delta, masks.edges);
    for (int64_t i = 0; i < words; i++) {
        uint64_t implied = (masks.straight[i] & ~masks.far_begins[i]) |
                           (masks.straight_shifted[i] & ~masks.near_begins[i]);
        masks.edges[i] &= masks.far_bits[i] & near_bits[i] & ~implied;
    }
    int32_t first_of_far = (int32_t)(begins_of(strip, far)[0] & 1);
    begun_pair pair = {.upper_begins = begins_of(strip, contact->band),
                       .lower_begins = begins_of(strip, band),
                       .upper_run = strip->first_run[contact->band] - 1,
                       .lower_run = strip->first_run[band] - 1};
    if (upper_is_far) {
        pair.upper_begins = masks.far_begins;
        pair.upper_run += first_of_far;
    } else {
        pair.lower_begins = masks.far_begins;
        pair.lower_run += first_of_far;
    }
    emit(&pair, masks.edges, words, &strip->links);
}

void label_values_link(label_strip *strip, const label_contact *contact, int64_t band, int offset)
{
    if (offset == 0) {
        link_straight(strip, contact, band);
    } else {
        link_aslant(strip, contact, band, offset > 0);
    }
}
