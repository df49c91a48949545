#include "kernels/label/strip.h"

#include "base/memory.h"
#include "kernels/label/forest.h"

#include <inttypes.h>
#include <string.h>

/* Vector loops read and write whole vectors past the end of what they were asked for. */
enum { SLACK = 64 };

/* Room for `needed` entries in each of `count` buffers of the same room. After a failure the room
 * is 0: a buffer that is lost, or has not grown, must not be taken for a large one later. */
static halo_status ensure(int32_t **const *buffers, int count, int64_t *room, int64_t needed,
                          const char *what)
{
    if (needed <= *room && *buffers[0] != NULL) {
        return HALO_OK;
    }
    *room = 0;
    for (int i = 0; i < count; i++) {
        halo_memory_free(*buffers[i]);
        HALO_TRY(HALO_ALLOCATE_LARGE(*buffers[i], needed + SLACK, "%s", what));
    }
    *room = needed;
    return HALO_OK;
}

static halo_status ensure_links(label_strip *strip, int64_t needed)
{
    label_links *links = &strip->links;
    int32_t **const lists[] = {&links->first_upper, &links->first_lower, &links->other_upper,
                               &links->other_lower};
    return ensure(lists, 4, &strip->link_room, needed, "links between two rows");
}

static halo_status ensure_labels(label_strip *strip)
{
    int32_t **const tables[] = {&strip->labels, &strip->classes, &strip->apart};
    return ensure(tables, 3, &strip->run_room, strip->runs, "labels of runs");
}

/* Number the runs: exact sizes for everything that follows. */
static halo_status count_runs(label_strip *strip)
{
    const label_input *input = &strip->input;
    int32_t **const tables[] = {&strip->first_run, &strip->first_label};
    HALO_TRY(ensure(tables, 2, &strip->row_room, input->height + 1, "tables of rows"));
    int64_t runs = 0, words = label_input_words(input);
    for (int64_t y = 0; y < input->height; y++) {
        strip->first_run[y] = (int32_t)runs;
        runs += strip->ops->count_runs(label_input_row(input, y), words);
        if (runs > INT32_MAX - SLACK) {
            return halo_fail(HALO_ARGUMENT,
                             "a strip of %" PRId64 " x %" PRId64 " pixels has more than %d runs of "
                             "foreground pixels; use more ranks",
                             input->height, input->width, INT32_MAX - SLACK);
        }
    }
    strip->first_run[input->height] = (int32_t)runs;
    strip->runs = runs;
    return HALO_OK;
}

static bool is_foreground(const uint64_t *row, int64_t x)
{
    return (row[x / 64] >> (x % 64) & 1) != 0;
}

/* Links across the left and right edge of a row that is labelled already. */
static void unite_around(label_strip *strip, int64_t y)
{
    const label_input *input = &strip->input;
    const uint64_t *row = label_input_row(input, y);
    int64_t last = input->width - 1;
    const int32_t *labels = strip->labels;
    int32_t first_run = strip->first_run[y], last_run = strip->first_run[y + 1] - 1;
    if (is_foreground(row, 0) && is_foreground(row, last)) {
        forest_unite(strip->classes, labels[first_run], labels[last_run]);
    }
    if (!input->diagonal || y == 0) {
        return;
    }
    const uint64_t *above = label_input_row(input, y - 1);
    if (is_foreground(row, 0) && is_foreground(above, last)) {
        forest_unite(strip->classes, labels[first_run], labels[first_run - 1]);
    }
    if (is_foreground(row, last) && is_foreground(above, 0)) {
        forest_unite(strip->classes, labels[last_run], labels[strip->first_run[y - 1]]);
    }
}

static void label_row(label_strip *strip, int64_t y)
{
    const label_input *input = &strip->input;
    const label_row_ops *ops = strip->ops;
    label_links *links = &strip->links;
    int32_t *labels = strip->labels, first = strip->first_run[y];
    int64_t count = strip->first_run[y + 1] - first;
    if (count == 0) {
        return;
    }
    memset(labels + first, 0xff, (size_t)count * sizeof *labels); /* -1: no label yet */
    links->firsts = links->others = 0;
    if (y > 0 && strip->first_run[y - 1] < first) {
        label_row_pair pair = {.upper = label_input_row(input, y - 1),
                               .lower = label_input_row(input, y),
                               .words = label_input_words(input),
                               .diagonal = input->diagonal,
                               .upper_first = strip->first_run[y - 1],
                               .lower_first = first};
        ops->link(&pair, links);
        ops->copy(labels, links->first_lower, links->first_upper, links->firsts);
    }
    if (links->firsts < count) {
        strip->label_count =
            ops->found(labels + first, count, strip->classes, (int32_t)strip->label_count);
    }
    links->others =
        ops->differ(labels, strip->classes, links->other_upper, links->other_lower, links->others);
    for (int64_t i = 0; i < links->others; i++) {
        forest_unite(strip->classes, links->other_upper[i], links->other_lower[i]);
    }
    if (input->periodic) {
        unite_around(strip, y);
    }
}

halo_status label_strip_count(label_strip *strip, const label_input *input)
{
    strip->input = *input;
    strip->label_count = strip->representatives = strip->class_count = strip->apart_count = 0;
    HALO_TRY(count_runs(strip));
    return ensure_labels(strip);
}

int64_t label_strip_untouched(const label_strip *strip)
{
    int64_t begin = strip->label_count > 0 ? strip->label_count : strip->runs / 4 * 3;
    return (strip->runs - begin + strip->runs - strip->apart_count) * (int64_t)sizeof(int32_t);
}

halo_status label_strip_unite(label_strip *strip)
{
    const label_input *input = &strip->input;
    HALO_TRY(ensure_links(strip, input->width + 1));
    for (int64_t y = 0; y < input->height; y++) {
        strip->first_label[y] = (int32_t)strip->label_count;
        label_row(strip, y);
    }
    strip->first_label[input->height] = (int32_t)strip->label_count;
    return HALO_OK;
}

void label_strip_finish(label_strip *strip, const int32_t *apart, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        strip->classes[apart[i]] = (int32_t)(-1 - i);
    }
    strip->apart_count = 0;
    strip->representatives = count > 0 ? forest_flatten_apart(strip->classes, strip->label_count,
                                                              strip->apart, &strip->apart_count)
                                       : forest_flatten(strip->classes, strip->label_count);
    strip->class_count = strip->representatives + count;
    for (int64_t i = 0; i < strip->apart_count; i++) {
        int32_t *class = &strip->classes[strip->apart[i]];
        *class = (int32_t)strip->representatives - 1 - *class;
    }
}

void label_strip_free(label_strip *strip)
{
    halo_memory_free(strip->first_run);
    halo_memory_free(strip->first_label);
    halo_memory_free(strip->labels);
    halo_memory_free(strip->classes);
    halo_memory_free(strip->apart);
    halo_memory_free(strip->links.first_upper);
    halo_memory_free(strip->links.first_lower);
    halo_memory_free(strip->links.other_upper);
    halo_memory_free(strip->links.other_lower);
    *strip = (label_strip){.ops = strip->ops};
}
