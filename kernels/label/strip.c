#include "kernels/label/strip.h"

#include "base/memory.h"
#include "kernels/label/fold.h"
#include "kernels/label/forest.h"
#include "kernels/label/stretches.h"
#include "kernels/label/transposed.h"
#include "kernels/label/values.h"

#include <inttypes.h>
#include <string.h>

/* Vector loops read and write whole vectors past the end of what they were asked for. */
enum { SLACK = 64 };

/* Columns that a pixel touches in another row: its own, and the one to each side. */
enum { OFFSETS = 3 };

/* Room for `needed` entries in each of `count` buffers of the same room. After a failure the room
 * is 0: a buffer that is lost, or has not grown, must not be taken for a large one later. */
static halo_status ensure_by(void *(*allocate)(size_t count, size_t size, const char *what, ...),
                             int32_t **const *buffers, int count, int64_t *room, int64_t needed,
                             const char *what)
{
    if (needed <= *room && *buffers[0] != NULL) {
        return HALO_OK;
    }
    *room = 0;
    for (int i = 0; i < count; i++) {
        halo_memory_free(*buffers[i]);
        *buffers[i] = allocate((size_t)(needed + SLACK), sizeof **buffers[i], "%s", what);
        HALO_TRY(*buffers[i] != NULL ? HALO_OK : HALO_MEMORY);
    }
    *room = needed;
    return HALO_OK;
}

static halo_status ensure(int32_t **const *buffers, int count, int64_t *room, int64_t needed,
                          const char *what)
{
    return ensure_by(halo_memory_large, buffers, count, room, needed, what);
}

/* The same for rows of bits. */
static halo_status ensure_bits(uint64_t **buffer, int64_t *room, int64_t needed, const char *what)
{
    if (needed <= *room && *buffer != NULL) {
        return HALO_OK;
    }
    *room = 0;
    halo_memory_free(*buffer);
    HALO_TRY(HALO_ALLOCATE_LARGE(*buffer, needed + 1, "%s", what));
    *room = needed;
    return HALO_OK;
}

/* Pairs of rows, the links between which are kept at a time. */
static int64_t linked_pairs(const label_input *input)
{
    int64_t contacts = input->planes > 1 || input->periodic_rows ? LABEL_CONTACTS : 1;
    return contacts * (input->values != NULL ? OFFSETS : 1);
}

static halo_status ensure_links(label_strip *strip)
{
    label_links *links = &strip->links;
    int32_t **const lists[] = {&links->first_upper, &links->first_lower, &links->other_upper,
                               &links->other_lower};
    HALO_TRY(ensure(lists, 4, &strip->link_room,
                    linked_pairs(&strip->input) * (strip->input.width + 1), "links between rows"));
    int64_t words = label_input_words(&strip->input);
    int64_t masks = LABEL_MASKS + (strip->input.values != NULL ? LABEL_VALUE_MASKS : 0);
    HALO_TRY(ensure_bits(&strip->masks, &strip->mask_room, masks * words, "rows of bits"));
    memset(strip->masks, 0, (size_t)words * sizeof *strip->masks);
    return HALO_OK;
}

/* There are as many classes as runs only in noise. */
static halo_status ensure_labels(label_strip *strip)
{
    int32_t **const labels[] = {&strip->labels},
                    **const classes[] = {&strip->classes, &strip->apart};
    HALO_TRY(ensure(labels, 1, &strip->run_room, strip->runs, "labels of runs"));
    return ensure_by(halo_memory_room, classes, 2, &strip->class_room, strip->runs,
                     "labels of runs");
}

static halo_status ensure_bands(label_strip *strip)
{
    const label_input *input = &strip->input;
    int fold = input->folded ? 2 : 1;
    strip->plane_bands = (input->rows + fold - 1) / fold;
    strip->bands = (input->planes + fold - 1) / fold * strip->plane_bands;
    int32_t **const first_run[] = {&strip->first_run},
                    **const first_label[] = {&strip->first_label};
    HALO_TRY(ensure(first_run, 1, &strip->band_room, strip->bands + 1, "tables of rows"));
    HALO_TRY(ensure(first_label, 1, &strip->row_room, input->height + 1, "tables of rows"));
    if (input->values != NULL) {
        int64_t rows = label_values_transitive(strip) ? LABEL_EQUAL_MASKS : 1;
        strip->begin_words = rows * label_input_words(input);
        return ensure_bits(&strip->begins, &strip->begin_room, strip->bands * strip->begin_words,
                           "beginnings of runs");
    }
    if (!input->folded) {
        return HALO_OK;
    }
    int32_t **const plane_label[] = {&strip->plane_label};
    HALO_TRY(ensure(plane_label, 1, &strip->plane_room, input->planes / 2 + 2, "tables of planes"));
    return ensure_bits(&strip->folds, &strip->fold_room, strip->bands * label_input_words(input),
                       "folded rows");
}

/* A row of a volume is a cache line or two: the hardware does not foresee the next ones, and each
 * pass would wait for memory once a row. The compiler must inline this: GCC takes a function that
 * only fetches ahead for one without effects, and leaves the call out. */
__attribute__((always_inline)) static inline void prefetch_rows(const label_input *input, int fold,
                                                                int64_t z, int64_t y)
{
    enum { BANDS_AHEAD = 8, LINE = 64 };
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

/* The rows of a band that comes soon after band y of plane (or pair of planes) z. */
__attribute__((always_inline)) static inline void prefetch_band(const label_input *input, int64_t z,
                                                                int64_t y)
{
    if (input->planes <= 1) {
        return;
    }
    if (input->folded) {
        prefetch_rows(input, 2, z, y);
    } else {
        prefetch_rows(input, 1, z, y);
    }
}

/* Number the runs: exact sizes for everything that follows. */
static halo_status count_runs(label_strip *strip)
{
    const label_input *input = &strip->input;
    HALO_TRY(ensure_bands(strip));
    int64_t runs = 0, words = label_input_words(input), z = 0, y = 0;
    for (int64_t band = 0; band < strip->bands; band++) {
        strip->first_run[band] = (int32_t)runs;
        prefetch_band(input, z, y);
        if (input->near.marks) {
            label_values_mark(strip, z, y);
        }
        runs += input->folded ? label_fold_rows(strip, z, y)
                : input->values != NULL
                    ? label_values_begin(strip, z, y)
                    : strip->ops->count_runs(label_input_row_of(input, z, y), words);
        if (runs > INT32_MAX - SLACK) {
            return halo_fail(HALO_ARGUMENT,
                             "a strip of %" PRId64 " x %" PRId64 " pixels has more than %d runs of "
                             "foreground pixels; use more ranks",
                             input->transposed ? input->width : input->height,
                             input->transposed ? input->height : input->width, INT32_MAX - SLACK);
        }
        y++;
        if (y == strip->plane_bands) {
            y = 0;
            z++;
        }
    }
    strip->first_run[strip->bands] = (int32_t)runs;
    strip->runs = runs;
    strip->most_runs = 0;
    for (int64_t band = 0; band < strip->bands; band++) {
        int64_t own = strip->first_run[band + 1] - strip->first_run[band];
        strip->most_runs = own > strip->most_runs ? own : strip->most_runs;
    }
    return HALO_OK;
}

/* Fresh labels for the runs without one, and the links that are left. */
static void finish_band(label_strip *strip, int64_t band, int64_t labelled)
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

static bool is_foreground(const uint64_t *row, int64_t x)
{
    return (row[x / 64] >> (x % 64) & 1) != 0;
}

/* Links across the left and right edge of a band that is labelled already, in itself ... */
static void unite_ends(label_strip *strip, const uint64_t *runs, int64_t band)
{
    int64_t last = strip->input.width - 1;
    if (is_foreground(runs, 0) && is_foreground(runs, last) &&
        label_values_meet(strip, band, 0, band, last)) {
        forest_unite(strip->classes, strip->labels[strip->first_run[band]],
                     strip->labels[strip->first_run[band + 1] - 1]);
    }
}

/* ... and to another one. */
static void unite_around(label_strip *strip, const label_contact *contact, int64_t band)
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

/* The band's runs have no label yet: -1. */
static void forget_labels(const label_strip *strip, int64_t band)
{
    int64_t count;
    int32_t *labels = label_stretches_rest(strip, band, &count);
    memset(labels, 0xff, (size_t)count * sizeof *labels);
}

/* Labels of the band's runs from the links that were found last. Returns how many get one. */
static int64_t adopt_labels(label_strip *strip, int64_t band, int64_t labelled)
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
        forget_labels(strip, band);
    }
    strip->ops->copy(strip->labels, links->first_lower, links->first_upper, links->firsts);
    label_stretches_copy(strip);
    return linked;
}

/* The same from a contact, where values count. */
static int64_t take_labels(label_strip *strip, const label_contact *contact, int64_t z, int64_t y,
                           int64_t labelled)
{
    static const int offsets[OFFSETS] = {0, -1, 1}; /* what the first implies is left out */
    uint32_t set = label_values_offsets(strip, contact, z, y);
    int64_t before = labelled;
    for (int i = 0; i < OFFSETS && set != 0; i++) {
        if ((set >> (offsets[i] + 1) & 1) != 0) {
            label_values_link(strip, contact, z, y, offsets[i]);
            labelled += adopt_labels(strip, z * strip->plane_bands + y, labelled);
        }
    }
    return labelled - before;
}

static void label_band(label_strip *strip, int64_t z, int64_t y, int64_t band)
{
    const label_input *input = &strip->input;
    label_links *links = &strip->links;
    int64_t labelled = 0;
    prefetch_band(input, z, y);
    if (strip->first_run[band] == strip->first_run[band + 1]) {
        return;
    }
    label_contact contacts[LABEL_CONTACTS];
    int contact_count = label_contacts(strip, z, y, contacts);
    links->firsts = links->others = links->stretch_count = links->stretch_runs = 0;
    if (input->values != NULL) {
        label_values_begin_band(strip, z, y);
    }
    for (int i = 0; i < contact_count; i++) {
        if (input->values != NULL) {
            labelled += take_labels(strip, &contacts[i], z, y, labelled);
        } else {
            contacts[i].rows.stretches =
                labelled == 0 && !input->folded && contacts[i].rows.implied == NULL;
            strip->ops->link(&contacts[i].rows, links);
            labelled += adopt_labels(strip, band, labelled);
        }
    }
    if (labelled == 0) {
        forget_labels(strip, band);
    }
    finish_band(strip, band, labelled);
    if (input->periodic) {
        unite_ends(strip, label_band_runs(strip, z, y), band);
        for (int i = 0; i < contact_count; i++) {
            if (contacts[i].rows.diagonal) {
                unite_around(strip, &contacts[i], band);
            }
        }
    }
}

halo_status label_strip_count(label_strip *strip, const label_input *input)
{
    strip->input = *input;
    strip->label_count = strip->representatives = strip->class_count = strip->apart_count = 0;
    HALO_TRY(ensure_links(strip));
    HALO_TRY(label_stretches_ensure(strip));
    HALO_TRY(count_runs(strip));
    return ensure_labels(strip);
}

int64_t label_strip_untouched(const label_strip *strip)
{
    enum { LINK_LISTS = 4 };
    int64_t begin = strip->label_count > 0 ? strip->label_count : strip->runs / 4 * 3;
    /* A pair of rows puts at most a link for each run of one row into a list; several, mostly no
     * more than two such. */
    int64_t listed = linked_pairs(&strip->input) > 1 ? 2 * strip->most_runs : strip->most_runs;
    int64_t links = strip->link_room - listed;
    links = links > 0 ? LINK_LISTS * links : 0;
    return (strip->runs - begin + strip->runs - strip->apart_count + links) *
           (int64_t)sizeof(int32_t);
}

static void label_bands(label_strip *strip)
{
    int64_t z = 0, y = 0;
    strip->corner_band = -1;
    for (int64_t band = 0; band < strip->bands; band++) {
        if (!strip->input.folded) {
            strip->first_label[band] = (int32_t)strip->label_count;
        } else if (y == 0) {
            strip->plane_label[z] = (int32_t)strip->label_count;
        }
        label_band(strip, z, y, band);
        y++;
        if (y == strip->plane_bands) {
            y = 0;
            z++;
        }
    }
}

halo_status label_strip_unite(label_strip *strip)
{
    label_bands(strip);
    if (strip->input.transposed && strip->input.rows > 1) {
        return label_transposed_name(strip);
    }
    if (!strip->input.folded) {
        strip->first_label[strip->input.height] = (int32_t)strip->label_count;
        strip->names = strip->label_count;
        return HALO_OK;
    }
    strip->plane_label[(strip->input.planes + 1) / 2] = (int32_t)strip->label_count;
    label_fold_name(strip, strip->plane_label);
    return HALO_OK;
}

/* Of named components all labels have the name of their component, and only names become numbers.
 * Without components that are apart, names are the numbers already. */
static void finish_names(label_strip *strip, const int32_t *apart, int64_t count)
{
    int32_t *renamed = strip->renamed, *classes = strip->classes;
    int64_t next = 0;
    strip->apart_count = 0;
    if (count == 0) {
        strip->representatives = strip->names;
        strip->class_of = NULL;
        return;
    }
    memset(renamed, 0, (size_t)strip->names * sizeof *renamed);
    for (int64_t i = 0; i < count; i++) {
        renamed[apart[i]] = (int32_t)(-1 - i);
    }
    for (int64_t name = 0; name < strip->names; name++) {
        if (renamed[name] == 0) {
            renamed[name] = (int32_t)next++;
        }
    }
    strip->representatives = next;
    for (int64_t i = 0; i < count; i++) {
        renamed[apart[i]] = (int32_t)(next + i);
    }
    strip->ops->look_up(classes, strip->label_count, renamed, 0, classes);
    for (int64_t label = 0; label < strip->label_count; label++) {
        strip->apart[strip->apart_count] = (int32_t)label;
        strip->apart_count += classes[label] >= next;
    }
    strip->class_of = renamed;
}

static void finish_roots(label_strip *strip, const int32_t *apart, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        strip->classes[apart[i]] = (int32_t)(-1 - i);
    }
    strip->apart_count = 0;
    strip->representatives = strip->ops->flatten(
        strip->classes, strip->label_count, count > 0 ? strip->apart : NULL, &strip->apart_count);
    for (int64_t i = 0; i < strip->apart_count; i++) {
        int32_t *class = &strip->classes[strip->apart[i]];
        *class = (int32_t)strip->representatives - 1 - *class;
    }
    strip->class_of = strip->classes;
}

halo_status label_strip_prepare(label_strip *strip, int64_t count)
{
    int32_t **const names[] = {&strip->renamed};
    return count > 0 && label_strip_is_named(strip)
               ? ensure(names, 1, &strip->name_room, strip->names, "names of components")
               : HALO_OK;
}

void label_strip_finish(label_strip *strip, const int32_t *apart, int64_t count)
{
    if (label_strip_is_named(strip)) {
        finish_names(strip, apart, count);
    } else {
        finish_roots(strip, apart, count);
    }
    strip->class_count = strip->representatives + count;
}

void label_strip_free(label_strip *strip)
{
    halo_memory_free(strip->first_run);
    halo_memory_free(strip->first_label);
    halo_memory_free(strip->labels);
    halo_memory_free(strip->classes);
    halo_memory_free(strip->apart);
    halo_memory_free(strip->folds);
    halo_memory_free(strip->begins);
    halo_memory_free(strip->masks);
    halo_memory_free(strip->plane_label);
    halo_memory_free(strip->renamed);
    halo_memory_free(strip->firsts.pixels);
    halo_memory_free(strip->firsts.before);
    halo_memory_free(strip->links.first_upper);
    halo_memory_free(strip->links.first_lower);
    halo_memory_free(strip->links.other_upper);
    halo_memory_free(strip->links.other_lower);
    halo_memory_free(strip->links.stretches);
    *strip = (label_strip){.ops = strip->ops, .value_ops = strip->value_ops};
}
