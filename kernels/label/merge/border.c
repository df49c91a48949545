#include "kernels/label/merge/border.h"

#include "kernels/label/rows/forest.h"
#include "kernels/label/rows/values.h"

#include <string.h>

/* Bytes of a run, perhaps with its value. */
static size_t run_bytes(bool valued)
{
    return sizeof(border_run) + (valued ? sizeof(int64_t) : 0);
}

size_t border_room(int64_t runs, bool valued)
{
    return sizeof(border_head) + (size_t)runs * (run_bytes(valued) + sizeof(int64_t));
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
    return sizeof(border_head) + count_runs(border->head) * run_bytes(border->head->valued != 0) +
           (size_t)border->head->names * sizeof(int64_t);
}

label_border border_open(void *block)
{
    border_head *head = block;
    label_border border = {.head = head, .keys = (int64_t *)(void *)(head + 1)};
    border_run *runs = (border_run *)(void *)(border.keys + head->names);
    for (int side = 0; side < BORDER_SIDES; side++) {
        border.side[side].runs = runs;
        runs += head->runs[side];
    }
    int64_t *values = (int64_t *)(void *)runs;
    for (int side = 0; side < BORDER_SIDES && head->valued != 0; side++) {
        border.side[side].values = values;
        values += head->runs[side];
    }
    return border;
}

label_border border_begin(void *block, const int32_t runs[BORDER_SIDES], bool valued)
{
    border_head *head = block;
    *head = (border_head){.valued = valued};
    memcpy(head->runs, runs, sizeof head->runs);
    head->names = (int32_t)count_runs(head);
    return border_open(block);
}

label_border border_end(const label_border *border, const int32_t runs[BORDER_SIDES], int32_t names)
{
    memcpy(border->head->runs, runs, sizeof border->head->runs);
    border->head->names = names;
    label_border closed = border_open(border->head);
    for (int side = 0; side < BORDER_SIDES; side++) {
        memmove(closed.side[side].runs, border->side[side].runs,
                (size_t)runs[side] * sizeof(border_run));
    }
    for (int side = 0; side < BORDER_SIDES && border->head->valued != 0; side++) {
        memmove(closed.side[side].values, border->side[side].values,
                (size_t)runs[side] * sizeof(int64_t));
    }
    return closed;
}

/* Runs of one line, or of several after another. */
typedef struct {
    border_side of;
    int32_t count;
} run_list;

/* The runs that are linked, and how. */
typedef struct {
    int32_t reach; /* pixels that may lie between two runs, and one more */
    bool around;   /* runs' ends meet around the edge */
    int64_t width; /* pixels of a line that goes around */
    int32_t shift; /* of the lower names */
    const halo_label_near *near;
    int32_t *sets;
} line_link;

/* Unites run i of the upper line and run j of the lower one if their values are close. */
static void link_runs(const line_link *link, const run_list *upper, int32_t i,
                      const run_list *lower, int32_t j)
{
    if (label_keys_close(link->near, border_value(&upper->of, i), border_value(&lower->of, j))) {
        forest_unite(link->sets, upper->of.runs[i].name, lower->of.runs[j].name + link->shift);
    }
}

/* Unite what touches between two lines. Runs of one line may follow each other without a gap. */
static void link_lines(const line_link *link, run_list upper, run_list lower)
{
    const border_run *u = upper.of.runs, *l = lower.of.runs;
    for (int32_t i = 0, first = 0; i < upper.count; i++) {
        while (first < lower.count && l[first].end + link->reach <= u[i].begin) {
            first++;
        }
        for (int32_t j = first; j < lower.count && l[j].begin < u[i].end + link->reach; j++) {
            link_runs(link, &upper, i, &lower, j);
        }
    }
    if (!link->around || link->reach == 0 || upper.count == 0 || lower.count == 0) {
        return;
    }
    if (u[0].begin == 0 && l[lower.count - 1].end == link->width) {
        link_runs(link, &upper, 0, &lower, lower.count - 1);
    }
    if (l[0].begin == 0 && u[upper.count - 1].end == link->width) {
        link_runs(link, &upper, upper.count - 1, &lower, 0);
    }
}

/* The line that begins a list. */
static run_list first_line(run_list list)
{
    int32_t count = 0;
    while (count < list.count && list.of.runs[count].line == list.of.runs[0].line) {
        count++;
    }
    return (run_list){list.of, count};
}

static run_list behind(run_list list, run_list line)
{
    return (run_list){border_behind(&list.of, line.count), list.count - line.count};
}

/* Each line of `upper` and the one of `lower` whose number is `apart` greater. */
static void link_lines_apart(const line_link *link, run_list upper, run_list lower, int32_t apart)
{
    while (upper.count > 0 && lower.count > 0) {
        run_list u = first_line(upper), l = first_line(lower);
        int32_t at = u.of.runs[0].line + apart, other = l.of.runs[0].line;
        if (at == other) {
            link_lines(link, u, l);
        }
        upper = at <= other ? behind(upper, u) : upper;
        lower = at >= other ? behind(lower, l) : lower;
    }
}

/* Unite what touches between the high side of one border and the low side of another along an
 * axis, whose names are shifted. Sides of later axes are whole, as those are joined before. */
static void link_sides(const label_border *low, const label_border *high, int axis, int32_t shift,
                       const border_touch *touch, int32_t *sets)
{
    int line_axis = axis == 0 ? 1 : 0, run_axis = axis == 2 ? 1 : 2;
    run_list upper = {low->side[2 * axis + 1], low->head->runs[2 * axis + 1]};
    run_list lower = {high->side[2 * axis], high->head->runs[2 * axis]};
    line_link link = {.reach = touch->order >= 2 ? 1 : 0,
                      .around = run_axis > axis && touch->periodic[run_axis],
                      .width = touch->n[run_axis],
                      .shift = shift,
                      .near = &touch->near,
                      .sets = sets};
    link_lines_apart(&link, upper, lower, 0);
    if (touch->order < 2) {
        return;
    }
    link.reach = touch->order >= 3 ? 1 : 0;
    link_lines_apart(&link, upper, lower, 1);
    link_lines_apart(&link, upper, lower, -1);
    int32_t last = (int32_t)(touch->n[line_axis] - 1);
    if (line_axis > axis && touch->periodic[line_axis] && last > 0) {
        link_lines_apart(&link, upper, lower, last);
        link_lines_apart(&link, upper, lower, -last);
    }
}

static int64_t *key_of(const label_border *low, const label_border *high, int32_t name)
{
    int32_t lows = low->head->names;
    return name < lows ? &low->keys[name] : &high->keys[name - lows];
}

int64_t border_joined_key(const label_border *low, const label_border *high,
                          const border_sets *joined, int32_t name)
{
    return *key_of(low, high, joined->sets[name]);
}

/* Finds the first name of each set, whose key becomes the smallest of the set. */
static void settle_sets(const label_border *low, const label_border *high,
                        const border_sets *scratch)
{
    int32_t names = low->head->names + (high != NULL ? high->head->names : 0);
    for (int32_t i = 0; i < names; i++) {
        int32_t first = scratch->sets[scratch->sets[i]]; /* no parent is larger than its child */
        int64_t key = *key_of(low, high, i), *min = key_of(low, high, first);
        scratch->sets[i] = first;
        *min = key < *min ? key : *min;
    }
    memset(scratch->renamed, 0xff, (size_t)names * sizeof *scratch->renamed);
}

static void start_sets(int32_t *sets, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        sets[i] = i;
    }
}

/* A side that is being made. */
typedef struct {
    border_side side;
    int32_t count;
    int32_t *named; /* names given so far */
    const border_sets *scratch;
} side_maker;

/* Add a run under its new name, naming sets as they appear. A run that goes on where the side's
 * last one ended is part of that one. */
static void add_run(side_maker *to, const border_run *run, int64_t value, int32_t shift)
{
    border_run *last = to->side.runs + to->count - 1;
    if (to->count > 0 && last->line == run->line && last->end == run->begin &&
        border_value(&to->side, to->count - 1) == value) {
        last->end = run->end;
        return;
    }
    int32_t *name = &to->scratch->renamed[to->scratch->sets[run->name + shift]];
    if (*name < 0) {
        *name = (*to->named)++;
    }
    border_put(&to->side, to->count++, (border_run){run->line, run->begin, run->end, *name}, value);
}

/* The runs of two lists, line by line, those of the second with shifted names. Returns how many. */
static int32_t add_lists(side_maker *to, run_list low, run_list high, int32_t shift)
{
    while (low.count + high.count > 0) {
        bool takes_low =
            low.count > 0 && (high.count == 0 || low.of.runs[0].line <= high.of.runs[0].line);
        run_list *from = takes_low ? &low : &high;
        run_list line = first_line(*from);
        for (int32_t i = 0; i < line.count; i++) {
            add_run(to, &line.of.runs[i], border_value(&line.of, i), takes_low ? 0 : shift);
        }
        *from = behind(*from, line);
    }
    return to->count;
}

/* `high` is NULL in a border that is closed. */
static label_border finish_join(const label_border *joined, const int32_t runs[BORDER_SIDES],
                                int32_t named, const label_border *low, const label_border *high,
                                const border_sets *scratch)
{
    int32_t names = low->head->names + (high != NULL ? high->head->names : 0);
    for (int32_t i = 0; i < names; i++) {
        if (scratch->renamed[i] >= 0) {
            joined->keys[scratch->renamed[i]] = *key_of(low, high, i);
        }
    }
    return border_end(joined, runs, named);
}

label_border border_join(void *block, const label_border *low, const label_border *high, int axis,
                         const border_touch *touch, const border_sets *scratch)
{
    int32_t shift = low->head->names, named = 0, runs[BORDER_SIDES] = {0}, max[BORDER_SIDES];
    start_sets(scratch->sets, shift + high->head->names);
    link_sides(low, high, axis, shift, touch, scratch->sets);
    settle_sets(low, high, scratch);
    for (int side = 0; side < BORDER_SIDES; side++) {
        max[side] = (side == 2 * axis + 1 ? 0 : low->head->runs[side]) +
                    (side == 2 * axis ? 0 : high->head->runs[side]);
    }
    label_border joined = border_begin(block, max, low->head->valued != 0);
    for (int side = 0; side < BORDER_SIDES; side++) {
        bool has_low = side != 2 * axis + 1, has_high = side != 2 * axis;
        side_maker maker = {.side = joined.side[side], .named = &named, .scratch = scratch};
        run_list lows = {low->side[side], has_low ? low->head->runs[side] : 0};
        run_list highs = {high->side[side], has_high ? high->head->runs[side] : 0};
        runs[side] = add_lists(&maker, lows, highs, shift);
    }
    return finish_join(&joined, runs, named, low, high, scratch);
}

label_border border_close(void *block, const label_border *border, int axis, bool round,
                          const border_touch *touch, const border_sets *scratch)
{
    int32_t named = 0, runs[BORDER_SIDES] = {0}, max[BORDER_SIDES];
    start_sets(scratch->sets, border->head->names);
    if (round) {
        link_sides(border, border, axis, 0, touch, scratch->sets);
    }
    settle_sets(border, NULL, scratch);
    memcpy(max, border->head->runs, sizeof max);
    max[2 * axis] = max[2 * axis + 1] = 0;
    label_border closed = border_begin(block, max, border->head->valued != 0);
    for (int side = 0; side < BORDER_SIDES; side++) {
        side_maker maker = {.side = closed.side[side], .named = &named, .scratch = scratch};
        run_list all = {border->side[side], side / 2 != axis ? border->head->runs[side] : 0};
        runs[side] = add_lists(&maker, all, (run_list){0}, 0);
    }
    return finish_join(&closed, runs, named, border, NULL, scratch);
}
