#include "kernels/label/border.h"

#include "kernels/label/forest.h"

#include <string.h>

size_t border_room(int64_t width)
{
    size_t runs = (size_t)width + 2; /* of both rows */
    return sizeof(border_head) + runs * (sizeof(border_run) + sizeof(int64_t));
}

size_t border_size(const label_border *border)
{
    size_t runs = (size_t)border->head->tops + (size_t)border->head->bottoms;
    return sizeof(border_head) + runs * sizeof(border_run) +
           (size_t)border->head->names * sizeof(int64_t);
}

label_border border_open(void *block)
{
    border_head *head = block;
    int64_t *keys = (int64_t *)(void *)(head + 1);
    border_run *top = (border_run *)(void *)(keys + head->names);
    return (label_border){.head = head, .keys = keys, .top = top, .bottom = top + head->tops};
}

/* A border whose components are not counted yet: the runs lie behind room for the most there can
 * be. */
static label_border begin_border(void *block, int32_t tops, int32_t bottoms)
{
    border_head *head = block;
    *head = (border_head){.tops = tops, .bottoms = bottoms, .names = tops + bottoms};
    return border_open(block);
}

/* Now they are: bring the runs to their place behind the keys. */
static label_border end_border(const label_border *border, int32_t names)
{
    const border_head *head = border->head;
    size_t bytes = ((size_t)head->tops + (size_t)head->bottoms) * sizeof(border_run);
    border->head->names = names;
    label_border closed = border_open(border->head);
    memmove(closed.top, border->top, bytes);
    return closed;
}

/* The first pixel from `x` on that is lit (or unlit); `width` if there is none. */
static int64_t next_pixel(const uint64_t *row, int64_t x, int64_t width, bool lit)
{
    while (x < width) {
        uint64_t word = (lit ? row[x / 64] : ~row[x / 64]) >> (x % 64);
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
    int64_t width = strip->input.width, end = 0;
    int32_t first = strip->first_run[y], count = strip->first_run[y + 1] - first;
    for (int32_t i = 0; i < count; i++) {
        int64_t begin = next_pixel(row, end, width, true);
        end = next_pixel(row, begin, width, false);
        runs[i] = (border_run){(int32_t)begin, (int32_t)end, label_strip_root(strip, first + i)};
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

label_border border_of_strip(void *block, const label_strip *strip, int64_t first_key,
                             int32_t *names, int32_t *roots)
{
    int64_t last = strip->input.height - 1;
    int32_t tops = strip->first_run[1] - strip->first_run[0];
    int32_t bottoms = strip->first_run[last + 1] - strip->first_run[last];
    label_border border = begin_border(block, tops, bottoms);
    row_runs(strip, 0, border.top);
    row_runs(strip, last, border.bottom);
    int32_t named = name_runs(border.top, tops, 0, names, roots);
    named = name_runs(border.bottom, bottoms, named, names, roots);
    for (int32_t i = 0; i < named; i++) {
        border.keys[i] = first_key + roots[i];
    }
    return end_border(&border, named);
}

/* Unite what touches between two neighbouring rows; the lower row's names are shifted. */
static void link_rows(const border_run *upper, int32_t uppers, const border_run *lower,
                      int32_t lowers, int32_t shift, const border_touch *touch, int32_t *sets)
{
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
    if (!touch->diagonal || !touch->wrap || uppers == 0 || lowers == 0) {
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
static int64_t settle_sets(const label_border *upper, const label_border *lower,
                           const border_sets *scratch)
{
    int32_t uppers = upper->head->names, names = uppers + (lower ? lower->head->names : 0);
    int64_t sets = forest_flatten(scratch->sets, names);
    for (int64_t i = 0; i < sets; i++) {
        scratch->set_keys[i] = INT64_MAX;
    }
    for (int32_t i = 0; i < names; i++) {
        int64_t key = i < uppers ? upper->keys[i] : lower->keys[i - uppers];
        int64_t *smallest = &scratch->set_keys[scratch->sets[i]];
        *smallest = key < *smallest ? key : *smallest;
    }
    return sets;
}

static void start_sets(int32_t *sets, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        sets[i] = i;
    }
}

/* Copy a row's runs under their new names, naming sets as they appear. */
static int32_t rename_runs(border_run *to, const border_run *from, int32_t count, int32_t shift,
                           int32_t named, const border_sets *scratch)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t *name = &scratch->renamed[scratch->sets[from[i].name + shift]];
        if (*name < 0) {
            *name = named++;
        }
        to[i] = (border_run){from[i].begin, from[i].end, *name};
    }
    return named;
}

label_border border_join(void *block, const label_border *upper, const label_border *lower,
                         const border_touch *touch, const border_sets *scratch)
{
    int32_t shift = upper->head->names;
    start_sets(scratch->sets, shift + lower->head->names);
    link_rows(upper->bottom, upper->head->bottoms, lower->top, lower->head->tops, shift, touch,
              scratch->sets);
    int64_t sets = settle_sets(upper, lower, scratch);
    memset(scratch->renamed, 0xff, (size_t)sets * sizeof *scratch->renamed);

    int32_t tops = upper->head->tops, bottoms = lower->head->bottoms;
    label_border joined = begin_border(block, tops, bottoms);
    int32_t named = rename_runs(joined.top, upper->top, tops, 0, 0, scratch);
    named = rename_runs(joined.bottom, lower->bottom, bottoms, shift, named, scratch);
    for (int64_t i = 0; i < sets; i++) {
        if (scratch->renamed[i] >= 0) {
            joined.keys[scratch->renamed[i]] = scratch->set_keys[i];
        }
    }
    return end_border(&joined, named);
}

void border_close(const label_border *border, const border_touch *touch, const border_sets *scratch)
{
    start_sets(scratch->sets, border->head->names);
    link_rows(border->bottom, border->head->bottoms, border->top, border->head->tops, 0, touch,
              scratch->sets);
    settle_sets(border, NULL, scratch);
}
