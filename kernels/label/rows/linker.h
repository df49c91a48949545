#ifndef HALOBEAT_LABEL_LINKER_H
#define HALOBEAT_LABEL_LINKER_H

#include "base/status.h"
#include "kernels/label/rows/band_contacts.h"
#include "kernels/label/rows/forest.h"
#include "kernels/label/rows/stretches.h"
#include "kernels/label/rows/strip.h"
#include "kernels/label/rows/strip_memory.h"

#include <inttypes.h>
#include <string.h>

/* A linker finds the runs of a strip's bands and labels them by the bands that they touch. There is
 * one for single rows (linker.c), one for 2 x 2 rows together (fold.c), and one for rows whose
 * values count (value_links.c). Local; internal to the label kernel. */

/* Linkers differ in these operations on band y of plane (or pair of planes) z. They are given
 * to the functions below as a constant and are inlined there, so that each linker is compiled by
 * itself: a band may be four words, and calls through a table would take as long as its labels. */
typedef struct {
    int fold; /* rows, and planes, of a band */

    /* Finds the runs of the band, and returns their number. */
    int64_t (*find_runs)(label_strip *strip, int64_t z, int64_t y);

    /* Prepares for linking the band; NULL: no preparation. */
    void (*begin_band)(label_strip *strip, int64_t z, int64_t y);

    /* Finds the contacts of the band: see band_contacts.h. */
    int (*find_contacts)(const label_strip *strip, int64_t z, int64_t y, label_contact *contacts);

    /* Finds the links to a contact, from which runs get labels; `labelled` have one already.
     * Returns how many get one. */
    int64_t (*link)(label_strip *strip, label_contact *contact, int64_t z, int64_t y,
                    int64_t labelled);
} label_band_ops;

/* A linker, compiled: operations on a strip. */
struct label_linker {
    int offsets; /* columns of another row to which a pixel's links are found one by one */
    int masks;   /* rows of bits that it takes besides those of contacts */
    halo_status (*ensure)(label_strip *strip); /* allocates its own buffers; NULL: it has none */
    halo_status (*count)(label_strip *strip);  /* finds the runs of all bands */
    halo_status (*label)(label_strip *strip);  /* labels them */
    /* Names the components of the labels: see label_strip.names. `plane_label` is filled. */
    halo_status (*name)(label_strip *strip);
};

extern const label_linker label_linker_plain, label_linker_folded, label_linker_values;

/* Names components by the labels of their roots: linkers of single rows. */
halo_status label_name_by_root(label_strip *strip);

#define LABEL_INLINED __attribute__((always_inline)) static inline

/* ---- watching -------------------------------------------------------------------------------- */

/* How much of a strip's labelling is done before its runs are counted, labelled, and their
 * components named: quarters. */
enum { LABEL_COUNTING = 0, LABEL_LABELLING = 1, LABEL_NAMING = 3, LABEL_QUARTERS = 4 };

/* Bands that are labelled between two looks at who watches: a power of two, of about a million
 * pixels at most. */
static inline int64_t label_bands_between(const label_strip *strip)
{
    enum { BANDS = 64, PIXELS = 1 << 20 };
    int64_t bands = BANDS;
    while (bands > 1 && bands * strip->input.width > PIXELS) {
        bands /= 2;
    }
    return bands;
}

/* Says that `done` of `total` bands are done, from one of these quarters to another. */
static inline halo_status label_watch(const label_strip *strip, int from, int to, int64_t done,
                                      int64_t total)
{
    return halo_watch_work(strip->world, from * total + (to - from) * done, LABEL_QUARTERS * total);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Prefetches rows that come soon. A row of a volume is a cache line or two: the hardware does not
 * foresee the next ones, and each pass would wait for memory once a row. The compiler must inline
 * this: GCC takes a function that only prefetches for one without effects, and omits the call. */
LABEL_INLINED void label_prefetch_band(const label_input *input, int fold, int64_t z, int64_t y)
{
    enum { BANDS_AHEAD = 8, LINE = 64 };
    if (input->planes <= 1) {
        return;
    }
    const char *rows = (const char *)label_input_row_of(input, fold * z, fold * (y + BANDS_AHEAD));
    ptrdiff_t bytes = label_input_words(input) * (ptrdiff_t)sizeof *input->bits;
    for (ptrdiff_t i = 0; i < bytes; i += LINE) {
        for (int row = 0; row < fold; row++) {
            __builtin_prefetch(rows + row * input->pitch + i);
            if (fold > 1) {
                __builtin_prefetch(rows + input->plane_pitch + row * input->pitch + i);
            }
        }
    }
}

/* Fails if a strip has more runs than labels can be. */
static inline halo_status label_check_runs(const label_input *input, int64_t runs)
{
    enum { MOST = INT32_MAX - LABEL_SLACK };
    return runs <= MOST
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "a strip of %" PRId64 " x %" PRId64 " pixels has more than %d runs of "
                           "foreground pixels; use more ranks",
                           input->transposed ? input->width : input->height,
                           input->transposed ? input->height : input->width, MOST);
}

/* Numbers the runs: exact sizes for everything that follows. */
LABEL_INLINED halo_status label_count_runs(label_strip *strip, const label_band_ops *ops)
{
    int64_t runs = 0, most = 0, z = 0, y = 0, between = label_bands_between(strip);
    for (int64_t band = 0; band < strip->bands; band++) {
        if ((band & (between - 1)) == 0) {
            HALO_TRY(label_watch(strip, LABEL_COUNTING, LABEL_LABELLING, band, strip->bands));
        }
        strip->first_run[band] = (int32_t)runs;
        label_prefetch_band(&strip->input, ops->fold, z, y);
        int64_t own = ops->find_runs(strip, z, y);
        runs += own;
        most = own > most ? own : most;
        HALO_TRY(label_check_runs(&strip->input, runs));
        y++;
        if (y == strip->plane_bands) {
            y = 0;
            z++;
        }
    }
    strip->first_run[strip->bands] = (int32_t)runs;
    strip->runs = runs;
    strip->most_runs = most;
    return HALO_OK;
}

/* ---- labels from links ----------------------------------------------------------------------- */

/* Sets the labels of the band's runs that may have none to -1. */
static inline void label_forget(const label_strip *strip, int64_t band)
{
    int64_t count;
    int32_t *labels = label_stretches_rest(strip, band, &count);
    memset(labels, 0xff, (size_t)count * sizeof *labels);
}

/* Copies labels to the band's runs from the links that were found last. Returns how many get one.
 */
static inline int64_t label_adopt(label_strip *strip, int64_t band, int64_t labelled)
{
    label_links *links = &strip->links;
    if (labelled > 0) {
        return links->firsts == 0 ? 0 : strip->ops->adopt(strip->labels, links);
    }
    int64_t linked = links->firsts + links->stretch_runs;
    if (linked == 0) {
        return 0;
    }
    if (linked < strip->first_run[band + 1] - strip->first_run[band]) {
        label_forget(strip, band);
    }
    strip->ops->copy(strip->labels, links->first_lower, links->first_upper, links->firsts);
    label_stretches_copy(strip);
    return linked;
}

/* Gives fresh labels to the runs without one, and unites those of the links that are left. */
static inline void label_finish_band(label_strip *strip, int64_t band, int64_t labelled)
{
    const label_row_ops *ops = strip->ops;
    label_links *links = &strip->links;
    if (labelled < strip->first_run[band + 1] - strip->first_run[band]) {
        int64_t count;
        int32_t *labels = label_stretches_rest(strip, band, &count);
        strip->label_count = ops->found(labels, count, strip->classes, (int32_t)strip->label_count);
    }
    links->others = ops->differ(strip->labels, strip->classes, links->other_upper,
                                links->other_lower, links->others);
    for (int64_t i = 0; i < links->others; i++) {
        forest_unite(strip->classes, links->other_upper[i], links->other_lower[i]);
    }
}

/* Unites runs of a band that is labelled across the left and right edge of a periodic strip: with
 * each other, and with runs of its contacts. */
void label_unite_around(label_strip *strip, int64_t z, int64_t y, const label_contact *contacts,
                        int count);

LABEL_INLINED void label_one_band(label_strip *strip, const label_band_ops *ops, int64_t z,
                                  int64_t y, int64_t band)
{
    label_links *links = &strip->links;
    int64_t labelled = 0;
    label_prefetch_band(&strip->input, ops->fold, z, y);
    if (strip->first_run[band] == strip->first_run[band + 1]) {
        return;
    }
    label_contact contacts[LABEL_CONTACTS];
    int contact_count = ops->find_contacts(strip, z, y, contacts);
    links->firsts = links->others = links->stretch_count = links->stretch_runs = 0;
    if (ops->begin_band != NULL) {
        ops->begin_band(strip, z, y);
    }
    for (int i = 0; i < contact_count; i++) {
        labelled += ops->link(strip, &contacts[i], z, y, labelled);
    }
    if (labelled == 0) {
        label_forget(strip, band);
    }
    label_finish_band(strip, band, labelled);
    if (strip->input.periodic) {
        label_unite_around(strip, z, y, contacts, contact_count);
    }
}

LABEL_INLINED halo_status label_all_bands(label_strip *strip, const label_band_ops *ops)
{
    int64_t z = 0, y = 0, between = label_bands_between(strip);
    size_t filled = 0;
    for (int64_t band = 0; band < strip->bands; band++) {
        if ((band & (between - 1)) == 0) {
            HALO_TRY(label_watch(strip, LABEL_LABELLING, LABEL_NAMING, band, strip->bands));
        }
        int64_t most = strip->label_count + strip->most_runs + LABEL_SLACK;
        if ((size_t)most * sizeof *strip->classes > filled) {
            filled = label_strip_fill_classes(strip, band, filled);
        }
        if (ops->fold == 1) {
            strip->first_label[band] = (int32_t)strip->label_count;
        } else if (y == 0) {
            strip->plane_label[z] = (int32_t)strip->label_count;
        }
        label_one_band(strip, ops, z, y, band);
        y++;
        if (y == strip->plane_bands) {
            y = 0;
            z++;
        }
    }
    return HALO_OK;
}

#endif
