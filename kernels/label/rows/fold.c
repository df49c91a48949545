#include "kernels/label/rows/linker.h"
#include "kernels/label/rows/strip_memory.h"

#include <string.h>

/* The linker of folded rows: with 26 neighbours a run of the union of 2 x 2 rows is in one
 * component (see strip.h), so that only these runs are linked. */

static halo_status ensure_folds(label_strip *strip)
{
    const label_input *input = &strip->input;
    int32_t **const plane_label[] = {&strip->plane_label};
    HALO_TRY(label_ensure(plane_label, 1, &strip->plane_room, input->planes / 2 + 2,
                          "tables of planes"));
    return label_ensure_bits(&strip->folds, &strip->fold_room,
                             strip->bands * label_input_words(input), "folded rows");
}

/* Computes the row with the runs of a band. */
static int64_t fold_rows(label_strip *strip, int64_t z, int64_t y)
{
    int64_t words = label_input_words(&strip->input);
    uint64_t *out = strip->folds + (z * strip->plane_bands + y) * words;
    const uint64_t *const rows[] = {
        label_row_or_none(strip, 2 * z, 2 * y), label_row_or_none(strip, 2 * z, 2 * y + 1),
        label_row_or_none(strip, 2 * z + 1, 2 * y), label_row_or_none(strip, 2 * z + 1, 2 * y + 1)};
    return strip->ops->fold(rows, words, out);
}

static inline int64_t link(label_strip *strip, label_contact *contact, int64_t z, int64_t y,
                           int64_t labelled)
{
    contact->rows.stretches = false;
    strip->ops->link(&contact->rows, &strip->links);
    return label_adopt(strip, z * strip->plane_bands + y, labelled);
}

static const label_band_ops folded = {
    .fold = 2, .find_runs = fold_rows, .find_contacts = label_contacts_of_fold, .link = link};

static halo_status count_folded(label_strip *strip)
{
    return label_count_runs(strip, &folded);
}

static halo_status label_folded(label_strip *strip)
{
    return label_all_bands(strip, &folded);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Names of the components that begin in a pair of planes. */
typedef struct {
    label_strip *strip;
    int32_t first, end; /* sets that begin in them */
    int32_t next;       /* the next name */
    int32_t *name;      /* [1 + end - first] of each, or -1, behind that of all before */
} naming;

/* The sets of labels `begin` to `end` - 1, numbered on from `next` in the order of their roots;
 * labels before are named already. */
static int32_t number_sets(int32_t *classes, int32_t begin, int32_t end, int32_t next)
{
    for (int32_t i = begin; i < end; i++) {
        int32_t parent = classes[i], is_root = parent == i;
        int32_t set = classes[parent]; /* whether it is a root or not: nobody could predict it */
        classes[i] = is_root ? next : set;
        next += is_root;
    }
    return next;
}

/* Labels get the names of their sets. Where these have begun before, they have them already;
 * without a branch, as before. */
static void rename_sets(const naming *n, int32_t begin, int32_t end)
{
    int32_t *classes = n->strip->classes;
    for (int32_t i = begin; i < end; i++) {
        int32_t class = classes[i], place = class - n->first + 1;
        int32_t name = n->name[place > 0 ? place : 0];
        classes[i] = place > 0 ? name : class;
    }
}

/* Sets that have their first pixel in a row get the next names. */
static void name_plane(naming *n, int64_t z)
{
    label_strip *strip = n->strip;
    const label_row_ops *ops = strip->ops;
    int64_t rows = strip->input.rows, words = label_input_words(&strip->input);
    int32_t *places = strip->links.first_upper; /* of the band's runs */
    uint64_t *unnamed = strip->masks + words;   /* those of them in sets without a name */
    bool reaches = false;
    for (int64_t y = 0; y < rows; y++) {
        strip->first_label[z * rows + y] = n->next;
        if (n->next == n->end) {
            continue;
        }
        const label_row row = label_strip_row_of(strip, z, y);
        label_strip_prefetch(strip, &row);
        if (y % 2 == 0) {
            reaches = ops->reach(row.labels, row.count, strip->classes, n->first, n->name, places,
                                 unnamed);
        }
        if (reaches) {
            n->next = ops->name(row.bits, row.runs, words, places, unnamed, n->name, n->next);
        }
    }
}

/* Names components in raster order of their first pixels, which is not the order of their labels,
 * and sets strip->classes to these names. */
static halo_status name_folded(label_strip *strip)
{
    const int32_t *plane_label = strip->plane_label;
    int32_t *classes = strip->classes;
    strip->plane_label[(strip->input.planes + 1) / 2] = (int32_t)strip->label_count;
    naming n = {.strip = strip, .name = strip->aliases};
    for (int64_t z = 0; z < strip->input.planes; z += 2) {
        HALO_TRY(label_watch(strip, LABEL_NAMING, LABEL_QUARTERS, z, strip->input.planes));
        int32_t begin = plane_label[z / 2], end = plane_label[z / 2 + 1];
        n.first = n.next = n.end;
        n.end = number_sets(classes, begin, end, n.first);
        n.name[0] = 0; /* of sets that have one */
        memset(n.name + 1, 0xff, (size_t)(n.end - n.first) * sizeof *n.name);
        name_plane(&n, z);
        if (z + 1 < strip->input.planes) {
            name_plane(&n, z + 1);
        }
        if (n.end - n.first > 1) {
            rename_sets(&n, begin, end);
        }
    }
    strip->first_label[strip->input.height] = n.end;
    strip->names = n.end;
    return HALO_OK;
}

const label_linker label_linker_folded = {.offsets = 1,
                                          .ensure = ensure_folds,
                                          .count = count_folded,
                                          .label = label_folded,
                                          .name = name_folded};
