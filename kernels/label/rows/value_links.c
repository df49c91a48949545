#include "kernels/label/rows/linker.h"
#include "kernels/label/rows/strip_memory.h"
#include "kernels/label/rows/values.h"

/* The linker of rows of pixels whose values count. */

/* Columns that a pixel touches in another row: its own, and the one to each side. */
enum { OFFSETS = 3 };

/* Rows of strip->masks behind those that contacts use. */
typedef struct {
    uint64_t *straight; /* edges of offset 0 of the contact */
    uint64_t *edges;    /* of another one */
    uint64_t *places;   /* two for each label_place */
} value_masks;

static value_masks masks_of(const label_strip *strip)
{
    int64_t words = label_input_words(&strip->input);
    uint64_t *first = strip->masks + LABEL_MASKS * words;
    return (value_masks){.straight = first, .edges = first + words, .places = first + 2 * words};
}

/* Links at edges are those of runs in the band (lower) and the contact (upper). */
static void link_edges(label_strip *strip, int64_t upper, int64_t lower, label_ahead ahead,
                       const uint64_t *edges)
{
    int64_t words = label_input_words(&strip->input);
    const uint64_t *upper_begins = strip->begins + upper * strip->begin_words,
                   *lower_begins = strip->begins + lower * strip->begin_words;
    int32_t upper_first = ahead == LABEL_UPPER_AHEAD ? (int32_t)(*upper_begins & 1) : 0;
    int32_t lower_first = ahead == LABEL_LOWER_AHEAD ? (int32_t)(*lower_begins & 1) : 0;
    const label_begun_pair pair = {.upper_begins = upper_begins,
                                   .lower_begins = lower_begins,
                                   .upper_run = strip->first_run[upper] - 1 + upper_first,
                                   .lower_run = strip->first_run[lower] - 1 + lower_first,
                                   .ahead = ahead};
    strip->ops->link_begun(&pair, edges, words, &strip->links);
}

/* Links columns x of the near row to x + 1 of the far one at the edges where values are close. */
static void link_if_close(label_strip *strip, int64_t band, int64_t other, int offset,
                          uint64_t *edges)
{
    static const label_ahead ahead[] = {LABEL_LOWER_AHEAD, LABEL_NONE_AHEAD, LABEL_UPPER_AHEAD};
    int64_t far = offset > 0 ? other : band, near = offset > 0 ? band : other;
    int ahead_of = offset != 0;
    if (label_values_compare(strip, far, ahead_of, near, strip->input.width - ahead_of, edges)) {
        link_edges(strip, other, band, ahead[offset + 1], edges);
    }
}

/* ---- values that are close ------------------------------------------------------------------- */

static void link_straight(label_strip *strip, const label_contact *contact, int64_t band)
{
    const value_masks masks = masks_of(strip);
    const uint64_t *upper = contact->rows.upper, *lower = contact->rows.lower;
    strip->ops->all((const uint64_t *const[]){upper, lower, upper, lower}, contact->rows.words,
                    masks.straight);
    link_if_close(strip, band, contact->band, 0, masks.straight);
}

static void link_aslant(label_strip *strip, const label_contact *contact, int64_t band, int offset)
{
    const value_masks masks = masks_of(strip);
    int64_t words = contact->rows.words;
    bool up = offset > 0; /* the upper row is the far one */
    int64_t far = up ? contact->band : band, near = up ? band : contact->band;
    const label_aslant_rows rows = {.near = up ? contact->rows.lower : contact->rows.upper,
                                    .far = up ? contact->rows.upper : contact->rows.lower,
                                    .near_begins = strip->begins + near * strip->begin_words,
                                    .far_begins = strip->begins + far * strip->begin_words,
                                    .straight = masks.straight};
    if (strip->value_ops->aslant(&rows, words, masks.edges)) {
        link_if_close(strip, band, contact->band, offset, masks.edges);
    }
}

/* ---- values that are equal ------------------------------------------------------------------- */

/* Equality is transitive. Which pixels are equal to their neighbours along the axes is known since
 * runs were counted, and says nearly all: a link to another neighbour is implied, or there is none,
 * wherever either pixel is equal to one between them (see label_value_ops.corners). */

static label_equal_row equal_row(const label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    if (z < 0 || y < 0 || y >= input->rows) {
        const uint64_t *none = strip->masks;
        return (label_equal_row){none, none, none, none};
    }
    int64_t words = label_input_words(input);
    const uint64_t *begins = strip->begins + (z * input->rows + y) * strip->begin_words;
    return (label_equal_row){label_input_row_of(input, z, y), begins, begins + words,
                             begins + 2 * words};
}

/* Prefetches the masks of a row that comes soon: see label_prefetch_band. */
static inline void prefetch_equal(const label_strip *strip, int64_t z, int64_t y)
{
    enum { ROWS_AHEAD = 8, WORDS = 8 };
    int64_t band = z * strip->input.rows + y + ROWS_AHEAD;
    for (int64_t i = 0; i < strip->begin_words; i += WORDS) {
        __builtin_prefetch(strip->begins + band * strip->begin_words + i);
    }
}

/* Rows y and y + 1 of a plane have their corners in turn. */
static uint64_t *corner_rows(const label_strip *strip, int64_t y)
{
    return masks_of(strip).places + y % 2 * LABEL_PLACES * label_input_words(&strip->input);
}

static uint32_t find_corners(const label_strip *strip, int64_t z, int64_t y)
{
    const label_equal_rows rows = {.own = equal_row(strip, z, y),
                                   .before = equal_row(strip, z, y - 1),
                                   .behind = equal_row(strip, z, y + 1),
                                   .above = equal_row(strip, z - 1, y),
                                   .above_before = equal_row(strip, z - 1, y - 1),
                                   .above_behind = equal_row(strip, z - 1, y + 1)};
    return strip->value_ops->corners(&rows, label_input_words(&strip->input),
                                     corner_rows(strip, y));
}

/* Values of corners are not in the cache any more, and nobody else needs them. */
static inline void prefetch_corners(const label_strip *strip, int64_t z, int64_t y, uint32_t places)
{
    const label_input *input = &strip->input;
    int64_t words = label_input_words(input), own = z * input->rows + y, up = own - input->rows;
    const int64_t others[] = {own - 1, up, up - 1, up + 1}; /* of three places each */
    int64_t bytes = (int64_t)halo_sample_types[input->near.type].bytes;
    if (input->source != NULL) {
        return; /* which keeps few rows, and these are read right after */
    }
    for (; places != 0; places &= places - 1) {
        int place = __builtin_ctz(places);
        const uint64_t *row = corner_rows(strip, y) + place * words;
        for (int64_t i = 0; i < words; i++) {
            if (row[i] != 0) {
                int64_t at = (64 * i + __builtin_ctzll(row[i])) * bytes;
                __builtin_prefetch(label_values_row(input, own) + at);
                __builtin_prefetch(label_values_row(input, others[place / 3]) + at);
            }
        }
    }
}

static void begin_band(label_strip *strip, int64_t z, int64_t y)
{
    int64_t band = z * strip->plane_bands + y;
    strip->places = 1 << LABEL_BEFORE | 1 << LABEL_ABOVE;
    if (!label_values_transitive(strip)) {
        return;
    }
    prefetch_equal(strip, z, y);
    if (strip->input.order < 2) {
        return;
    }
    strip->places |= strip->corner_band == band ? strip->next_places : find_corners(strip, z, y);
    strip->corner_band = -1;
    if (y + 1 < strip->input.rows) {
        strip->corner_band = band + 1;
        strip->next_places = find_corners(strip, z, y + 1);
        prefetch_corners(strip, z, y + 1, strip->next_places);
    }
}

/* Links neighbours along an axis. Links to the row before are left out where all four pixels of a
 * square are equal: the three others are linked. */
static void link_axis(label_strip *strip, const label_contact *contact, int64_t z, int64_t y)
{
    const value_masks masks = masks_of(strip);
    int64_t band = z * strip->plane_bands + y, words = contact->rows.words;
    const label_equal_row own = equal_row(strip, z, y), before = equal_row(strip, z, y - 1);
    if (contact->dz != 0) {
        link_edges(strip, contact->band, band, LABEL_NONE_AHEAD, own.above);
        return;
    }
    if (strip->value_ops->open(&own, &before, words, masks.edges)) {
        link_edges(strip, contact->band, band, LABEL_NONE_AHEAD, masks.edges);
    }
}

/* The first of a contact's three places, or LABEL_PLACES where nothing is known of them: around the
 * edge of the planes, and of values that are close. */
static inline label_place place_of(const label_strip *strip, const label_contact *contact,
                                   int64_t z, int64_t y)
{
    static const label_place above[] = {LABEL_ABOVE_BEFORE_LEFT, LABEL_ABOVE_LEFT,
                                        LABEL_ABOVE_BEHIND_LEFT};
    int64_t band = (z + contact->dz) * strip->plane_bands + y + contact->dy;
    return !label_values_transitive(strip) || contact->band != band ? LABEL_PLACES
           : contact->dz == 0                                       ? LABEL_BEFORE_LEFT
                                                                    : above[contact->dy + 1];
}

/* The offsets at which a contact of the row may have links: the set of 1 (-1), 2 (0) and 4 (1). */
static uint32_t find_offsets(const label_strip *strip, const label_contact *contact, int64_t z,
                             int64_t y)
{
    label_place place = place_of(strip, contact, z, y);
    uint32_t all = contact->rows.diagonal ? 7 : 2;
    return place == LABEL_PLACES ? all : strip->places >> place & all;
}

/* Finds the links of the row's pixels x to the upper row's x + `offset`. Offset 0 of a contact
 * comes first: links that it implies are left out. */
static void link_at(label_strip *strip, const label_contact *contact, int64_t z, int64_t y,
                    int offset)
{
    int64_t band = z * strip->plane_bands + y;
    label_place place = place_of(strip, contact, z, y);
    bool axis = contact->dz == 0 || contact->dy == 0;
    strip->links.firsts = 0;
    if (place != LABEL_PLACES && axis && offset == 0) {
        link_axis(strip, contact, z, y);
    } else if (place != LABEL_PLACES) {
        int64_t row = (int64_t)place + 1 + offset;
        link_if_close(strip, band, contact->band, offset,
                      corner_rows(strip, y) + row * contact->rows.words);
    } else if (offset == 0) {
        link_straight(strip, contact, band);
    } else {
        link_aslant(strip, contact, band, offset);
    }
}

static inline int64_t link(label_strip *strip, label_contact *contact, int64_t z, int64_t y,
                           int64_t labelled)
{
    static const int offsets[OFFSETS] = {0, -1, 1};
    uint32_t set = find_offsets(strip, contact, z, y);
    int64_t before = labelled;
    for (int i = 0; i < OFFSETS && set != 0; i++) {
        if ((set >> (offsets[i] + 1) & 1) != 0) {
            link_at(strip, contact, z, y, offsets[i]);
            labelled += label_adopt(strip, z * strip->plane_bands + y, labelled);
        }
    }
    return labelled - before;
}

/* ---- the linker ------------------------------------------------------------------------------ */

static halo_status ensure_begins(label_strip *strip)
{
    int64_t rows = label_values_transitive(strip) ? LABEL_EQUAL_MASKS : 1;
    strip->begin_words = rows * label_input_words(&strip->input);
    return label_ensure_bits(&strip->begins, &strip->begin_room, strip->bands * strip->begin_words,
                             "beginnings of runs");
}

static inline int64_t find_runs(label_strip *strip, int64_t z, int64_t y)
{
    if (strip->input.near.sets_foreground) {
        label_values_set_foreground(strip, z, y);
    }
    return label_values_begin(strip, z, y);
}

static const label_band_ops values = {.fold = 1,
                                      .find_runs = find_runs,
                                      .begin_band = begin_band,
                                      .find_contacts = label_contacts_of_row,
                                      .link = link};

static halo_status count_values(label_strip *strip)
{
    return label_count_runs(strip, &values);
}

static halo_status label_values(label_strip *strip)
{
    strip->corner_band = -1;
    return label_all_bands(strip, &values);
}

const label_linker label_linker_values = {.offsets = OFFSETS,
                                          .masks = LABEL_VALUE_MASKS,
                                          .ensure = ensure_begins,
                                          .count = count_values,
                                          .label = label_values,
                                          .name = label_name_by_root};
