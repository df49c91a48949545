#include "kernels/label/fold.h"

#include <string.h>

const uint64_t *label_band_runs(const label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    return input->folded ? strip->folds + (z * strip->plane_bands + y) * label_input_words(input)
                         : label_input_row_of(input, z, y);
}

/* Row y of plane z, zeroes where there is none. */
static const uint64_t *row_or_none(const label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    return z < input->planes && y < input->rows ? label_input_row_of(input, z, y) : strip->masks;
}

int64_t label_fold_rows(label_strip *strip, int64_t z, int64_t y)
{
    int64_t words = label_input_words(&strip->input);
    uint64_t *out = strip->folds + (z * strip->plane_bands + y) * words;
    const uint64_t *const rows[] = {
        row_or_none(strip, 2 * z, 2 * y), row_or_none(strip, 2 * z, 2 * y + 1),
        row_or_none(strip, 2 * z + 1, 2 * y), row_or_none(strip, 2 * z + 1, 2 * y + 1)};
    return strip->ops->fold(rows, words, out);
}

/* ---- contacts ------------------------------------------------------------------------------ */

/* Where two bands touch: rows on both sides. */
typedef struct {
    int64_t upper_plane, upper_row, lower_plane, lower_row;
} touching_rows;

static touching_rows find_rows(const label_input *input, int64_t z, int64_t y, int64_t other,
                               int dz, int dy)
{
    int fold = input->folded ? 2 : 1;
    int64_t last_row = input->rows - 1, bottom = fold * y + fold - 1,
            last = fold * other + fold - 1;
    return (touching_rows){.upper_plane = fold * z + dz, /* the last one of the planes before */
                           .lower_plane = fold * z,
                           .upper_row = dy < 0 ? (last < last_row ? last : last_row) : fold * other,
                           .lower_row =
                               dy > 0 ? (bottom < last_row ? bottom : last_row) : fold * y};
}

/* What touches besides row `row` of `plane`: of a fold the next plane or row. */
static const uint64_t *find_more(const label_strip *strip, int64_t plane, int64_t row, int dz,
                                 int dy)
{
    bool meets_at_edge = dz != 0 && dy != 0;
    if (!strip->input.folded || meets_at_edge) {
        return row_or_none(strip, plane, row);
    }
    return dz != 0 ? row_or_none(strip, plane, row + 1) : row_or_none(strip, plane + 1, row);
}

/* Pixels of both faces that other contacts link already: those of two rows that meet at an edge by
 * either row beside both; those of two rows of a plane by the two rows before them, which are
 * linked to each other. Only faces between planes are always linked, so that no contact implies
 * another that implies it. */
static const uint64_t *find_implied(const label_strip *strip, const touching_rows *at, int dz,
                                    int dy, uint64_t *out)
{
    int64_t words = label_input_words(&strip->input);
    const label_row_ops *ops = strip->ops;
    if (strip->input.values != NULL) {
        return NULL; /* foreground beside them need not be linked to them */
    }
    if (dz != 0 && dy != 0) {
        ops->either(row_or_none(strip, at->upper_plane, at->lower_row),
                    row_or_none(strip, at->lower_plane, at->upper_row), words, out);
        return out;
    }
    if (dz != 0 || at->lower_plane == 0) {
        return NULL;
    }
    int64_t before = at->lower_plane - 1;
    const uint64_t *const rows[] = {row_or_none(strip, before, at->lower_row),
                                    row_or_none(strip, before, at->upper_row),
                                    row_or_none(strip, at->lower_plane, at->lower_row),
                                    row_or_none(strip, at->lower_plane, at->upper_row)};
    ops->all(rows, words, out);
    return out;
}

/* The band at y + dy of a plane, or -1 if it is none, or not to be linked to from here. */
static int64_t find_band(const label_strip *strip, int64_t y, int dz, int dy)
{
    int64_t bands = strip->plane_bands, other = y + dy;
    bool around = other < 0 || other >= bands;
    if (dz == 0) { /* only to bands that are labelled */
        return dy < 0 ? other : around && strip->input.periodic_rows && bands > 1 ? 0 : -1;
    }
    if (!around) {
        return other;
    }
    return strip->input.periodic_rows && bands > 1 ? (other + bands) % bands : -1;
}

/* In the first plane only the row above touches. */
static int contact_above(const label_strip *strip, int64_t y, label_contact *contact)
{
    if (y == 0 || strip->first_run[y - 1] == strip->first_run[y]) {
        return 0;
    }
    contact->band = y - 1;
    contact->dz = 0;
    contact->dy = -1;
    contact->upper = label_input_row_of(&strip->input, 0, y - 1);
    contact->lower = label_input_row_of(&strip->input, 0, y);
    contact->upper_too = contact->upper_runs = contact->upper;
    contact->lower_too = contact->lower_runs = contact->lower;
    contact->implied = NULL;
    contact->diagonal = strip->input.order > 1;
    return 1;
}

int label_contacts(label_strip *strip, int64_t z, int64_t y, label_contact *contacts)
{
    static const struct {
        int dz, dy;
    } places[LABEL_CONTACTS] = {{-1, 0}, {0, -1}, {-1, -1}, {-1, 1}, {0, 1}};
    const label_input *input = &strip->input;
    int64_t words = label_input_words(input);
    uint64_t *mask = strip->masks + words;
    int count = 0;
    if (z == 0 && !input->folded && !input->periodic_rows) {
        return contact_above(strip, y, contacts);
    }
    for (int i = z == 0; i < LABEL_CONTACTS; i++) {
        int dz = places[i].dz, dy = places[i].dy, axes = (dz != 0) + (dy != 0);
        int64_t other = find_band(strip, y, dz, dy), band = (z + dz) * strip->plane_bands + other;
        if (axes > input->order || z + dz < 0 || other < 0 ||
            strip->first_run[band] == strip->first_run[band + 1]) {
            continue;
        }
        const touching_rows at = find_rows(input, z, y, other, dz, dy);
        label_contact *contact = &contacts[count++];
        contact->band = band;
        contact->dz = dz;
        contact->dy = dy;
        contact->upper = row_or_none(strip, at.upper_plane, at.upper_row);
        contact->lower = row_or_none(strip, at.lower_plane, at.lower_row);
        contact->upper_too = find_more(strip, at.upper_plane, at.upper_row, dz, dy);
        contact->lower_too = find_more(strip, at.lower_plane, at.lower_row, dz, dy);
        contact->implied = find_implied(strip, &at, dz, dy, mask);
        contact->upper_runs = label_band_runs(strip, z + dz, other);
        contact->lower_runs = label_band_runs(strip, z, y);
        contact->diagonal = input->order > axes;
        mask += words;
    }
    return count;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Names of the components that begin in a pair of planes. */
typedef struct {
    label_strip *strip;
    int32_t first, end; /* sets that begin in them */
    int32_t next;       /* the next name */
    int32_t *name;      /* [end - first] of each, or -1 */
} naming;

/* The sets of labels `begin` to `end` - 1, numbered on from `next` in the order of their roots;
 * labels before are named already. */
static int32_t number_sets(int32_t *classes, int32_t begin, int32_t end, int32_t next)
{
    for (int32_t i = begin; i < end; i++) {
        int32_t parent = classes[i];
        classes[i] = parent == i ? next : classes[parent];
        next += parent == i;
    }
    return next;
}

/* Sets that have their first pixel in a row get the next names. */
static void name_row(naming *n, int64_t r)
{
    const label_strip *strip = n->strip;
    const label_row row = label_strip_row(strip, r);
    uint64_t carry = 0, run_carry = 0;
    int64_t words = label_input_words(&strip->input), run = -1;
    for (int64_t i = 0; i < words; i++) {
        uint64_t starts = row.bits[i] & ~(row.bits[i] << 1 | carry);
        uint64_t run_starts = row.runs[i] & ~(row.runs[i] << 1 | run_carry);
        for (; starts != 0; starts &= starts - 1) {
            uint64_t up_to = starts ^ (starts - 1);
            int64_t at = run + __builtin_popcountll(run_starts & up_to);
            int32_t set = strip->classes[row.labels[at]];
            if (set >= n->first && n->name[set - n->first] < 0) {
                n->name[set - n->first] = n->next++;
            }
        }
        run += __builtin_popcountll(run_starts);
        carry = row.bits[i] >> 63;
        run_carry = row.runs[i] >> 63;
    }
}

static void name_plane(naming *n, int64_t z)
{
    label_strip *strip = n->strip;
    int64_t rows = strip->input.rows;
    bool reaches = false;
    for (int64_t y = 0; y < rows; y++) {
        int64_t r = z * rows + y;
        strip->first_label[r] = n->next;
        if (n->next == n->end) {
            continue;
        }
        if (y % 2 == 0) {
            const label_row row = label_strip_row(strip, r);
            reaches = strip->ops->reaches(row.labels, row.count, strip->classes, n->first);
        }
        if (reaches) {
            name_row(n, r);
        }
    }
}

void label_fold_name(label_strip *strip, const int32_t *plane_label)
{
    int32_t *classes = strip->classes;
    naming n = {.strip = strip, .name = strip->apart};
    for (int64_t z = 0; z < strip->input.planes; z += 2) {
        int32_t begin = plane_label[z / 2], end = plane_label[z / 2 + 1];
        n.first = n.next = n.end;
        n.end = number_sets(classes, begin, end, n.first);
        memset(n.name, 0xff, (size_t)(n.end - n.first) * sizeof *n.name);
        name_plane(&n, z);
        if (z + 1 < strip->input.planes) {
            name_plane(&n, z + 1);
        }
        for (int32_t i = begin; n.end - n.first > 1 && i < end; i++) {
            classes[i] = classes[i] >= n.first ? n.name[classes[i] - n.first] : classes[i];
        }
    }
    strip->first_label[strip->input.height] = n.end;
    strip->names = n.end;
}
