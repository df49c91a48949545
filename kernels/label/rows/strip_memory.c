#include "kernels/label/rows/strip_memory.h"

#include "base/memory.h"
#include "kernels/label/rows/band_contacts.h"
#include "kernels/label/rows/linker.h"

#include <string.h>

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
        *buffers[i] = allocate((size_t)(needed + LABEL_SLACK), sizeof **buffers[i], "%s", what);
        HALO_TRY(*buffers[i] != NULL ? HALO_OK : HALO_MEMORY);
    }
    *room = needed;
    return HALO_OK;
}

halo_status label_ensure(int32_t **const *buffers, int count, int64_t *room, int64_t needed,
                         const char *what)
{
    return ensure_by(halo_memory_large, buffers, count, room, needed, what);
}

halo_status label_ensure_bits(uint64_t **buffer, int64_t *room, int64_t needed, const char *what)
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
static int64_t linked_pairs(const label_strip *strip)
{
    const label_input *input = &strip->input;
    int64_t contacts = input->planes > 1 || input->periodic_rows ? LABEL_CONTACTS : 1;
    return contacts * strip->linker->offsets;
}

enum { LINK_LISTS = 4 };

/* One block has all lists, each with room for whole vectors behind it. */
static halo_status ensure_lists(label_strip *strip)
{
    label_links *links = &strip->links;
    int32_t **const block[] = {&links->first_upper};
    int64_t room = linked_pairs(strip) * (strip->input.width + 1) + LABEL_SLACK;
    room = (room + LABEL_SLACK - 1) / LABEL_SLACK * LABEL_SLACK;
    HALO_TRY(ensure_by(halo_memory_room, block, 1, &strip->link_room, LINK_LISTS * room,
                       "links between rows"));
    links->first_lower = links->first_upper + room;
    links->other_upper = links->first_lower + room;
    links->other_lower = links->other_upper + room;
    return HALO_OK;
}

halo_status label_strip_ensure_links(label_strip *strip)
{
    HALO_TRY(ensure_lists(strip));
    int64_t words = label_input_words(&strip->input), masks = LABEL_MASKS + strip->linker->masks;
    HALO_TRY(label_ensure_bits(&strip->masks, &strip->mask_room, masks * words, "rows of bits"));
    memset(strip->masks, 0, (size_t)words * sizeof *strip->masks);
    return label_stretches_ensure(strip);
}

halo_status label_strip_ensure_labels(label_strip *strip)
{
    int32_t **const labels[] = {&strip->labels},
                    **const classes[] = {&strip->classes, &strip->aliases};
    HALO_TRY(label_ensure(labels, 1, &strip->run_room, strip->runs, "labels of runs"));
    /* There are as many classes as runs only in noise. */
    return ensure_by(halo_memory_room, classes, 2, &strip->class_room, strip->runs,
                     "labels of runs");
}

halo_status label_strip_ensure_bands(label_strip *strip, int fold)
{
    const label_input *input = &strip->input;
    strip->plane_bands = (input->rows + fold - 1) / fold;
    strip->bands = (input->planes + fold - 1) / fold * strip->plane_bands;
    int32_t **const first_run[] = {&strip->first_run},
                    **const first_label[] = {&strip->first_label};
    HALO_TRY(label_ensure(first_run, 1, &strip->band_room, strip->bands + 1, "tables of rows"));
    return label_ensure(first_label, 1, &strip->row_room, input->height + 1, "tables of rows");
}

halo_status label_strip_prepare(label_strip *strip, int64_t count)
{
    int32_t **const names[] = {&strip->renamed};
    return count > 0 && label_strip_is_named(strip)
               ? label_ensure(names, 1, &strip->name_room, strip->names, "names of components")
               : HALO_OK;
}

int64_t label_strip_untouched(const label_strip *strip)
{
    if (strip->linker == NULL) { /* no runs were counted */
        return 0;
    }
    int64_t begin = strip->label_count > 0 ? strip->label_count : strip->runs / 4 * 3;
    /* A pair of rows puts at most a link for each run of one row into a list; several, mostly no
     * more than two such. */
    int64_t listed = linked_pairs(strip) > 1 ? 2 * strip->most_runs : strip->most_runs;
    int64_t links = strip->link_room - LINK_LISTS * listed;
    links = links > 0 ? links : 0;
    return (strip->runs - begin + strip->runs - strip->alias_count + links) *
           (int64_t)sizeof(int32_t);
}

void label_strip_release_links(label_strip *strip)
{
    halo_memory_free(strip->links.first_upper);
    strip->links = (label_links){.stretches = strip->links.stretches};
    strip->link_room = 0;
}

void label_strip_free(label_strip *strip)
{
    halo_memory_free(strip->first_run);
    halo_memory_free(strip->first_label);
    halo_memory_free(strip->labels);
    halo_memory_free(strip->classes);
    halo_memory_free(strip->aliases);
    halo_memory_free(strip->folds);
    halo_memory_free(strip->begins);
    halo_memory_free(strip->masks);
    halo_memory_free(strip->plane_label);
    halo_memory_free(strip->renamed);
    halo_memory_free(strip->firsts.pixels);
    halo_memory_free(strip->firsts.before);
    halo_memory_free(strip->links.first_upper);
    halo_memory_free(strip->links.stretches);
    *strip = (label_strip){.ops = strip->ops, .value_ops = strip->value_ops, .world = strip->world};
}

/* There will be about as many labels in each of the bands to come as in those before this one. */
size_t label_strip_fill_classes(const label_strip *strip, int64_t band, size_t filled)
{
    size_t label = sizeof *strip->classes;
    size_t soon = (size_t)(strip->label_count + strip->most_runs + LABEL_SLACK) * label;
    double end = (double)strip->label_count / (double)(band + 1) * (double)strip->bands;
    while (soon > filled) {
        filled = halo_memory_room_fill(strip->classes, filled, (size_t)end * label);
    }
    return filled;
}
