#include "kernels/label/rows/linker.h"

#include "kernels/label/rows/values.h"

/* ---- single rows ----------------------------------------------------------------------------- */

static inline int64_t find_runs(label_strip *strip, int64_t z, int64_t y)
{
    return strip->ops->count_runs(label_input_row_of(&strip->input, z, y),
                                  label_input_words(&strip->input));
}

static inline int64_t link(label_strip *strip, label_contact *contact, int64_t z, int64_t y,
                           int64_t labelled)
{
    contact->rows.stretches = labelled == 0 && contact->rows.implied == NULL;
    strip->ops->link(&contact->rows, &strip->links);
    return label_adopt(strip, z * strip->plane_bands + y, labelled);
}

static const label_band_ops plain = {
    .fold = 1, .find_runs = find_runs, .find_contacts = label_contacts_of_row, .link = link};

static halo_status count_plain(label_strip *strip)
{
    return label_count_runs(strip, &plain);
}

static halo_status label_plain(label_strip *strip)
{
    return label_all_bands(strip, &plain);
}

halo_status label_name_by_root(label_strip *strip)
{
    strip->first_label[strip->input.height] = (int32_t)strip->label_count;
    strip->names = strip->label_count;
    return HALO_OK;
}

const label_linker label_linker_plain = {
    .offsets = 1, .count = count_plain, .label = label_plain, .name = label_name_by_root};

/* ---- around the edges of columns ------------------------------------------------------------- */

static bool is_foreground(const uint64_t *row, int64_t x)
{
    return (row[x / 64] >> (x % 64) & 1) != 0;
}

static void unite_ends(label_strip *strip, const uint64_t *runs, int64_t band)
{
    int64_t last = strip->input.width - 1;
    if (is_foreground(runs, 0) && is_foreground(runs, last) &&
        label_values_meet(strip, band, 0, band, last)) {
        forest_unite(strip->classes, strip->labels[strip->first_run[band]],
                     strip->labels[strip->first_run[band + 1] - 1]);
    }
}

static void unite_with(label_strip *strip, const label_contact *contact, int64_t band)
{
    int64_t last = strip->input.width - 1, other = contact->band;
    const label_row_pair *rows = &contact->rows;
    const int32_t *labels = strip->labels, *first_run = strip->first_run;
    bool lower_first = is_foreground(rows->lower, 0) || is_foreground(rows->lower_too, 0);
    bool upper_first = is_foreground(rows->upper, 0) || is_foreground(rows->upper_too, 0);
    if (lower_first && (is_foreground(rows->upper, last) || is_foreground(rows->upper_too, last)) &&
        label_values_meet(strip, band, 0, other, last)) {
        forest_unite(strip->classes, labels[first_run[band]], labels[first_run[other + 1] - 1]);
    }
    if (upper_first && (is_foreground(rows->lower, last) || is_foreground(rows->lower_too, last)) &&
        label_values_meet(strip, band, last, other, 0)) {
        forest_unite(strip->classes, labels[first_run[band + 1] - 1], labels[first_run[other]]);
    }
}

void label_unite_around(label_strip *strip, int64_t z, int64_t y, const label_contact *contacts,
                        int count)
{
    int64_t band = z * strip->plane_bands + y;
    unite_ends(strip, label_band_runs(strip, z, y), band);
    for (int i = 0; i < count; i++) {
        if (contacts[i].rows.diagonal) {
            unite_with(strip, &contacts[i], band);
        }
    }
}
