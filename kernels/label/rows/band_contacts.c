#include "kernels/label/rows/band_contacts.h"

#include "base/minmax.h"

const uint64_t *label_band_runs(const label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    return input->folded ? strip->folds + (z * strip->plane_bands + y) * label_input_words(input)
                         : label_input_row_of(input, z, y);
}

/* Rows of a band and of one that is dz planes (or pairs of them) and dy rows from it. `fold` is how
 * many rows and planes a band has, known to the compiler: this is the work of a short row. */
static inline void find_rows(const label_strip *strip, int fold, int64_t z, int64_t y,
                             int64_t other, int dz, int dy, label_row_pair *pair)
{
    const label_input *input = &strip->input;
    int64_t last_row = input->rows - 1, bottom = fold * y + fold - 1, end = fold * other + fold - 1;
    int64_t plane = fold * z;
    int64_t lower_row = dy > 0 ? halo_min(bottom, last_row) : fold * y;
    int64_t upper_row = dy < 0 ? halo_min(end, last_row) : fold * other;
    const uint64_t *upper = label_input_row_of(input, plane + dz, upper_row);
    const uint64_t *lower = label_input_row_of(input, plane, lower_row);
    pair->upper = pair->upper_too = upper;
    pair->lower = pair->lower_too = lower;
    if (fold > 1 && dz == 0) { /* the planes behind touch as well */
        pair->upper_too = label_row_or_none(strip, plane + 1, upper_row);
        pair->lower_too = label_row_or_none(strip, plane + 1, lower_row);
    } else if (fold > 1 && dy == 0) {
        pair->upper_too = label_row_or_none(strip, plane + dz, upper_row + 1);
        pair->lower_too = label_row_or_none(strip, plane, lower_row + 1);
    }
}

/* Pixels of both faces that other contacts link already: those of two rows that meet at an edge by
 * either row beside both; those of two rows of a plane by the two rows before them, which are
 * linked to each other. Only faces between planes are always linked, so that no contact implies
 * another that implies it. */
static inline const uint64_t *find_implied(const label_strip *strip, int64_t plane, int dz, int dy,
                                           const label_row_pair *pair, uint64_t *out)
{
    const label_input *input = &strip->input;
    const label_row_ops *ops = strip->ops;
    bool beside = dz == 0 || dy == 0;
    if (input->values != NULL || (beside && (dz != 0 || plane == 0))) {
        return NULL; /* of values foreground beside them need not be linked to them */
    }
    const char *upper = (const char *)pair->upper, *lower = (const char *)pair->lower;
    ptrdiff_t pitch = input->plane_pitch;
    if (!beside) {
        ops->either((const uint64_t *)(const void *)(upper + pitch),
                    (const uint64_t *)(const void *)(lower - pitch), pair->words, out);
        return out;
    }
    const uint64_t *const rows[] = {(const uint64_t *)(const void *)(upper - pitch),
                                    (const uint64_t *)(const void *)(lower - pitch), pair->upper,
                                    pair->lower};
    ops->all(rows, pair->words, out);
    return out;
}

/* The band at y + dy of a plane, or -1 if it is none, or not to be linked to from here. */
static inline int64_t find_band(const label_strip *strip, int64_t y, int dz, int dy)
{
    int64_t bands = strip->plane_bands, other = y + dy;
    bool around = other < 0 || other >= bands;
    bool periodic = strip->input.periodic_rows && bands > 1;
    if (!around) {
        return dz == 0 && dy > 0 ? -1 : other; /* in its plane only to bands that are labelled */
    }
    return !periodic || (dz == 0 && dy < 0) ? -1 : other < 0 ? bands - 1 : 0;
}

static inline bool make_contact(const label_strip *strip, int fold, int64_t z, int64_t y, int dz,
                                int dy, uint64_t *mask, label_contact *contact)
{
    const label_input *input = &strip->input;
    int axes = (dz != 0) + (dy != 0);
    int64_t other = axes <= input->order ? find_band(strip, y, dz, dy) : -1;
    int64_t band = (z + dz) * strip->plane_bands + other, own = z * strip->plane_bands + y;
    if (other < 0 || strip->first_run[band] == strip->first_run[band + 1]) {
        return false;
    }
    label_row_pair *pair = &contact->rows;
    contact->band = band;
    contact->dz = dz;
    contact->dy = dy;
    pair->words = label_input_words(input);
    pair->diagonal = input->order > axes;
    pair->upper_first = strip->first_run[band];
    pair->lower_first = strip->first_run[own];
    find_rows(strip, fold, z, y, other, dz, dy, pair);
    pair->upper_runs = fold > 1 ? strip->folds + band * pair->words : pair->upper;
    pair->lower_runs = fold > 1 ? strip->folds + own * pair->words : pair->lower;
    pair->implied = find_implied(strip, fold * z, dz, dy, pair, mask);
    return true;
}

static inline int make_contacts(const label_strip *strip, int fold, int64_t z, int64_t y,
                                label_contact *contacts)
{
    uint64_t *mask = strip->masks + label_input_words(&strip->input);
    int count = 0;
#define CONTACT(dz, dy)                                                        \
    if (make_contact(strip, fold, z, y, (dz), (dy), mask, &contacts[count])) { \
        count++;                                                               \
        mask += label_input_words(&strip->input);                              \
    }
    if (z > 0) {
        CONTACT(-1, 0)
    }
    CONTACT(0, -1)
    if (z > 0) {
        CONTACT(-1, -1)
        CONTACT(-1, 1)
    }
    CONTACT(0, 1)
#undef CONTACT
    return count;
}

int label_contacts_of_row(const label_strip *strip, int64_t z, int64_t y, label_contact *contacts)
{
    return make_contacts(strip, 1, z, y, contacts);
}

int label_contacts_of_fold(const label_strip *strip, int64_t z, int64_t y, label_contact *contacts)
{
    return make_contacts(strip, 2, z, y, contacts);
}
