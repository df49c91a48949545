#include "kernels/label/border.h"

#include "kernels/label/forest.h"

#include <string.h>

size_t border_max_runs(int64_t width, int64_t height)
{
    return (size_t)width + 2 + (height > 0 ? (size_t)height + 2 : 0); /* of opposite sides */
}

size_t border_room(int64_t width, int64_t height)
{
    return sizeof(border_head) +
           border_max_runs(width, height) * (sizeof(border_run) + sizeof(int64_t));
}

static size_t count_runs(const border_head *head)
{
    size_t runs = 0;
    for (int side = 0; side < BORDER_SIDES; side++) {
        runs += (size_t)head->runs[side];
    }
    return runs;
}

size_t border_size(const label_border *border)
{
    return sizeof(border_head) + count_runs(border->head) * sizeof(border_run) +
           (size_t)border->head->names * sizeof(int64_t);
}

label_border border_open(void *block)
{
    border_head *head = block;
    label_border border = {.head = head, .keys = (int64_t *)(void *)(head + 1)};
    border_run *runs = (border_run *)(void *)(border.keys + head->names);
    for (int side = 0; side < BORDER_SIDES; side++) {
        border.side[side] = runs;
        runs += head->runs[side];
    }
    return border;
}

/* A border with at most these runs, whose components are not counted yet: the runs lie behind
 * room for as many keys as there can be. */
static label_border begin_border(void *block, const int32_t runs[BORDER_SIDES])
{
    border_head *head = block;
    *head = (border_head){0};
    memcpy(head->runs, runs, sizeof head->runs);
    head->names = (int32_t)count_runs(head);
    return border_open(block);
}

/* Now they are: bring the runs to their place behind the keys. */
static label_border end_border(const label_border *border, const int32_t runs[BORDER_SIDES],
                               int32_t names)
{
    memcpy(border->head->runs, runs, sizeof border->head->runs);
    border->head->names = names;
    label_border closed = border_open(border->head);
    for (int side = 0; side < BORDER_SIDES; side++) {
        memmove(closed.side[side], border->side[side], (size_t)runs[side] * sizeof(border_run));
    }
    return closed;
}

/* The first pixel from `x` on that is foreground (or background); `width` if there is none. */
static int64_t next_pixel(const uint64_t *row, int64_t x, int64_t width, bool foreground)
{
    while (x < width) {
        uint64_t word = (foreground ? row[x / 64] : ~row[x / 64]) >> (x % 64);
        if (word != 0) {
            x += __builtin_ctzll(word);
            return x < width ? x : width;
        }
        x = (x / 64 + 1) * 64;
    }
    return width;
}

/* The runs of row y, with their components' roots for names. */
static int32_t row_runs(const label_strip *strip, int64_t y, border_run *runs)
{
    const uint64_t *row = label_input_row(&strip->input, y);
    int64_t width = strip->input.width, left = strip->input.left, end = 0;
    int32_t first = strip->first_run[y], count = strip->first_run[y + 1] - first;
    for (int32_t i = 0; i < count; i++) {
        int64_t begin = next_pixel(row, end, width, true);
        end = next_pixel(row, begin, width, false);
        runs[i] = (border_run){(int32_t)(begin + left), (int32_t)(end + left),
                               label_strip_root(strip, first + i)};
    }
    return count;
}

/* The same of the first or the last column, whose runs go down. */
static int32_t column_runs(const label_strip *strip, int64_t x, border_run *runs)
{
    const label_input *input = &strip->input;
    int32_t count = 0;
    bool before = false;
    for (int64_t y = 0; y < input->height; y++) {
        bool foreground = (label_input_row(input, y)[x / 64] >> (x % 64) & 1) != 0;
        int32_t row = (int32_t)(input->top + y);
        if (foreground && !before) {
            int32_t run = x == 0 ? strip->first_run[y] : strip->first_run[y + 1] - 1;
            runs[count++] = (border_run){.begin = row, .name = label_strip_root(strip, run)};
        }
        if (foreground) {
            runs[count - 1].end = row + 1;
        }
        before = foreground;
    }
    return count;
}

/* Replace roots by names, given in the order of appearance. A root has a name if the name leads
 * back to it, so that `names` may hold anything at first (P. Briggs, L. Torczon, An efficient
 * representation for sparse sets, 1993). */
static int32_t name_runs(border_run *runs, int32_t count, int32_t named, int32_t *names,
                         int32_t *roots)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t root = runs[i].name, name = names[root];
        if (name < 0 || name >= named || roots[name] != root) {
            name = named++;
            names[root] = name;
            roots[name] = root;
        }
        runs[i].name = name;
    }
    return named;
}

label_border border_of_strip(void *block, const label_strip *strip, bool all_sides, int32_t *names,
                             int32_t *roots)
{
    int64_t last = strip->input.height - 1;
    int32_t sides = all_sides ? (int32_t)(last / 2 + 1) : 0;
    const int32_t max[BORDER_SIDES] = {strip->first_run[1] - strip->first_run[0],
                                       strip->first_run[last + 1] - strip->first_run[last], sides,
                                       sides};
    label_border border = begin_border(block, max);
    int32_t runs[BORDER_SIDES] = {row_runs(strip, 0, border.side[BORDER_TOP]),
                                  row_runs(strip, last, border.side[BORDER_BOTTOM])};
    if (all_sides) {
        runs[BORDER_LEFT] = column_runs(strip, 0, border.side[BORDER_LEFT]);
        runs[BORDER_RIGHT] = column_runs(strip, strip->input.width - 1, border.side[BORDER_RIGHT]);
    }
    int32_t named = 0;
    for (int side = 0; side < BORDER_SIDES; side++) {
        named = name_runs(border.side[side], runs[side], named, names, roots);
    }
    for (int32_t i = 0; i < named; i++) {
        border.keys[i] = label_strip_key(strip, roots[i]);
    }
    return end_border(&border, runs, named);
}

/* Unite what touches between the high side of one border and the low side of another along an
 * axis, whose names are shifted. */
static void link_sides(const label_border *low, const label_border *high, int axis, int32_t shift,
                       const border_touch *touch, int32_t *sets)
{
    const border_run *upper = low->side[2 * axis + 1], *lower = high->side[2 * axis];
    int32_t uppers = low->head->runs[2 * axis + 1], lowers = high->head->runs[2 * axis];
    int32_t reach = touch->diagonal ? 1 : 0;
    for (int32_t i = 0, j = 0; i < uppers && j < lowers;) {
        if (upper[i].begin < lower[j].end + reach && lower[j].begin < upper[i].end + reach) {
            forest_unite(sets, upper[i].name, lower[j].name + shift);
        }
        if (upper[i].end < lower[j].end) {
            i++;
        } else {
            j++;
        }
    }
    if (!touch->diagonal || !touch->periodic || axis != 0 || uppers == 0 || lowers == 0) {
        return;
    }
    if (upper[0].begin == 0 && lower[lowers - 1].end == touch->width) {
        forest_unite(sets, upper[0].name, lower[lowers - 1].name + shift);
    }
    if (lower[0].begin == 0 && upper[uppers - 1].end == touch->width) {
        forest_unite(sets, upper[uppers - 1].name, lower[0].name + shift);
    }
}

/* Number the sets and find the smallest key of each. Returns how many sets there are. */
static int64_t settle_sets(const label_border *low, const label_border *high,
                           const border_sets *scratch)
{
    int32_t lows = low->head->names, names = lows + (high != NULL ? high->head->names : 0);
    int64_t sets = forest_flatten(scratch->sets, names);
    for (int64_t i = 0; i < sets; i++) {
        scratch->set_keys[i] = INT64_MAX;
    }
    for (int32_t i = 0; i < names; i++) {
        int64_t key = i < lows ? low->keys[i] : high->keys[i - lows];
        int64_t *min = &scratch->set_keys[scratch->sets[i]];
        *min = key < *min ? key : *min;
    }
    memset(scratch->renamed, 0xff, (size_t)sets * sizeof *scratch->renamed);
    return sets;
}

static void start_sets(int32_t *sets, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        sets[i] = i;
    }
}

/* Add the runs of `from` to a side under their new names, naming sets as they appear. A run that
 * goes on where the side's last one ended is part of that one. */
static void add_runs(label_border *to, int32_t runs[BORDER_SIDES], int side,
                     const label_border *from, int32_t shift, int32_t *named,
                     const border_sets *scratch)
{
    const border_run *run = from->side[side];
    int32_t count = from->head->runs[side], i = 0;
    border_run *last = to->side[side] + runs[side];
    if (count > 0 && runs[side] > 0 && last[-1].end == run[0].begin) {
        last[-1].end = run[i++].end;
    }
    runs[side] += count - i;
    for (; i < count; i++) {
        int32_t *name = &scratch->renamed[scratch->sets[run[i].name + shift]];
        if (*name < 0) {
            *name = (*named)++;
        }
        *last++ = (border_run){run[i].begin, run[i].end, *name};
    }
}

static label_border finish_join(const label_border *joined, const int32_t runs[BORDER_SIDES],
                                int32_t named, int64_t sets, const border_sets *scratch)
{
    for (int64_t i = 0; i < sets; i++) {
        if (scratch->renamed[i] >= 0) {
            joined->keys[scratch->renamed[i]] = scratch->set_keys[i];
        }
    }
    return end_border(joined, runs, named);
}

label_border border_join(void *block, const label_border *low, const label_border *high, int axis,
                         const border_touch *touch, const border_sets *scratch)
{
    int32_t shift = low->head->names, named = 0, runs[BORDER_SIDES] = {0}, max[BORDER_SIDES];
    start_sets(scratch->sets, shift + high->head->names);
    link_sides(low, high, axis, shift, touch, scratch->sets);
    int64_t sets = settle_sets(low, high, scratch);
    for (int side = 0; side < BORDER_SIDES; side++) {
        max[side] = (side == 2 * axis + 1 ? 0 : low->head->runs[side]) +
                    (side == 2 * axis ? 0 : high->head->runs[side]);
    }
    label_border joined = begin_border(block, max);
    for (int side = 0; side < BORDER_SIDES; side++) {
        if (side != 2 * axis + 1) {
            add_runs(&joined, runs, side, low, 0, &named, scratch);
        }
        if (side != 2 * axis) {
            add_runs(&joined, runs, side, high, shift, &named, scratch);
        }
    }
    return finish_join(&joined, runs, named, sets, scratch);
}

label_border border_close(void *block, const label_border *border, int axis, bool round,
                          const border_touch *touch, const border_sets *scratch)
{
    int32_t named = 0, runs[BORDER_SIDES] = {0}, max[BORDER_SIDES];
    start_sets(scratch->sets, border->head->names);
    if (round) {
        link_sides(border, border, axis, 0, touch, scratch->sets);
    }
    int64_t sets = settle_sets(border, NULL, scratch);
    memcpy(max, border->head->runs, sizeof max);
    max[2 * axis] = max[2 * axis + 1] = 0;
    label_border closed = begin_border(block, max);
    for (int side = 0; side < BORDER_SIDES; side++) {
        if (side / 2 != axis) {
            add_runs(&closed, runs, side, border, 0, &named, scratch);
        }
    }
    return finish_join(&closed, runs, named, sets, scratch);
}
