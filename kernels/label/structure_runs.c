#include "kernels/label/structure_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/label/rows/values.h"

#include <string.h>

/* Runs of foreground, and the links between them: union-find. A root is the first run of its
 * region, so that roots in order are regions in order. */

/* ---- runs ------------------------------------------------------------------------------------ */

static bool are_close(const halo_label_near *near, const char *a, const char *b)
{
    return label_keys_close(near, halo_sample_key(near->type, a), halo_sample_key(near->type, b));
}

static bool is_close(const structure_strip *s, int64_t row, int64_t x, int64_t other,
                     int64_t other_x)
{
    return are_close(&s->all->job->label.near, label_array_values_piece(&s->values, row, x, 1, 0),
                     label_array_values_piece(&s->values, other, other_x, 1, 1));
}

/* The first column from `x` on whose bit is `bit`; `width` if there is none. */
static int64_t find_bit(const uint64_t *bits, int64_t x, int64_t width, bool bit)
{
    enum { WORD = 64 };
    for (int64_t at = x / WORD; at * WORD < width; at++) {
        uint64_t word = bit ? bits[at] : ~bits[at];
        word &= at == x / WORD ? UINT64_MAX << x % WORD : UINT64_MAX;
        if (word != 0) {
            return halo_min(at * WORD + __builtin_ctzll(word), width);
        }
    }
    return width;
}

/* Returns where a run ends that has the columns up to `end` - 1, of values that are compared. */
static int64_t end_of_values(const structure_strip *s, int64_t row, const uint64_t *bits,
                             int64_t end)
{
    const halo_label_near *near = &s->all->job->label.near;
    int64_t bytes = (int64_t)halo_sample_types[near->type].bytes;
    int64_t columns = label_array_values_columns(&s->values), width = s->all->n[2];
    while (end < width) {
        int64_t count = halo_min(columns, width - end);
        const char *at = label_array_values_piece(&s->values, row, end - 1, count + 1, 0);
        for (int64_t i = 0; i < count; i++, end++, at += bytes) {
            if ((bits[end / 64] >> end % 64 & 1) == 0 || !are_close(near, at, at + bytes)) {
                return end;
            }
        }
    }
    return end;
}

/* Finds the next run from column `x` on. False if there is none. */
static bool find_run(const structure_strip *s, int64_t row, int64_t x, structure_run *out)
{
    const structure_image *all = s->all;
    int64_t width = all->n[2];
    const uint64_t *bits = halo_view_row(halo_field_view(s->bits), row - s->first);
    out->begin = find_bit(bits, x, width, true);
    if (out->begin == width) {
        return false;
    }
    out->end = out->begin + 1;
    if (all->in_rows) {
        out->end = all->job->label.near.sets_foreground ? end_of_values(s, row, bits, out->end)
                                                        : find_bit(bits, out->end, width, false);
    }
    return true;
}

/* Local. The values of the whole image, if they are compared: other strips have neighbours. */
static halo_status take_values(structure_strip *s)
{
    const structure_image *all = s->all;
    halo_box whole = {.n = {0}};
    memcpy(whole.n, all->domain.n, sizeof whole.n);
    return all->job->label.near.sets_foreground
               ? label_array_values_take(&s->values, s->world, &all->job->image, &whole)
               : HALO_OK;
}

/* Sets the foreground of a row of the strip. */
static void find_row(const structure_strip *s, int64_t row)
{
    enum { WORD = 64 };
    const halo_label_near *near = &s->all->job->label.near;
    const halo_number *background = near->has_background ? &near->background : NULL;
    int64_t width = s->all->n[2], columns = label_array_values_columns(&s->values);
    uint64_t *bits = halo_view_row(halo_field_view(s->bits), row - s->first);
    for (int64_t x = 0; x < width; x += columns) {
        int64_t count = halo_min(columns, width - x);
        const char *at = label_array_values_piece(&s->values, row, x, count, 0);
        halo_view from = {.origin = (void *)(uintptr_t)at,
                          .owned = {.n = {1, count}},
                          .axes = 2,
                          .stride = {0, s->values.view.cell_bits / 8},
                          .cell_bits = s->values.view.cell_bits};
        const halo_view to = {
            .origin = bits + x / WORD, .owned = from.owned, .axes = 2, .cell_bits = HALO_BIT};
        halo_foreground_of_values(&from, near->type, background, &to,
                                  s->all->job->label.instructions);
    }
}

static halo_status find_foreground(structure_strip *s)
{
    const structure_image *all = s->all;
    const label_array_job *job = all->job;
    int64_t since = 0;
    HALO_TRY(halo_field_create(&s->bits, &all->domain, &s->own, HALO_BIT, 0));
    if (!job->label.near.sets_foreground) {
        return array_nonzero(s->call, s->world, &job->image, halo_field_view(s->bits));
    }
    for (int64_t row = s->first; row < s->end; row++) {
        find_row(s, row);
        HALO_TRY(halo_watch_piece(s->world, &since, all->n[2]));
    }
    return HALO_OK;
}

/* Counts the runs of the strip; or stores them from run `number` on. */
static halo_status find_runs(const structure_strip *s, int64_t number, int64_t *count)
{
    const structure_image *all = s->all;
    int64_t before = number, since = 0;
    for (int64_t row = s->first; row < s->end; row++) {
        HALO_TRY(halo_watch_piece(s->world, &since, all->n[2]));
        if (all->runs != NULL) {
            all->first_run[row] = number;
        }
        for (structure_run one = {.end = 0}; find_run(s, row, one.end, &one); number++) {
            HALO_TRY(halo_watch_entry(s->world, number));
            if (all->runs != NULL) {
                all->runs[number] = (structure_run){one.begin, one.end, number};
            }
        }
    }
    *count = number - before;
    return HALO_OK;
}

halo_status label_structure_make_runs(structure_strip *s)
{
    structure_image *all = s->all;
    halo_status status = halo_agree(s->world, take_values(s));
    if (status == HALO_OK) {
        status = halo_agree(s->world, find_foreground(s));
    }
    int64_t count = 0;
    HALO_IF_OK(status, halo_agree(s->world, find_runs(s, 0, &count)));
    int64_t before = count, runs = count;
    HALO_IF_OK(status, halo_exscan(s->world, &before, 1));
    HALO_IF_OK(status, halo_allreduce_sum(s->world, &runs, 1));
    if (status == HALO_OK && halo_world_rank(s->world) == 0) {
        status = HALO_ALLOCATE_LARGE(all->runs, runs, "runs of foreground");
        all->first_run[all->n[0] * all->n[1]] = runs;
    }
    status = halo_agree(s->world, status);
    HALO_IF_OK(status, find_runs(s, before, &count));
    halo_field_destroy(&s->bits);
    return halo_agree(s->world, status);
}

/* ---- links ----------------------------------------------------------------------------------- */

static int64_t find_root(structure_run *runs, int64_t i)
{
    while (runs[i].parent != i) {
        runs[i].parent = runs[runs[i].parent].parent;
        i = runs[i].parent;
    }
    return i;
}

static void unite(structure_run *runs, int64_t a, int64_t b)
{
    if (runs[a].parent != runs[b].parent) {
        a = find_root(runs, a);
        b = find_root(runs, b);
        runs[halo_max(a, b)].parent = halo_min(a, b);
    }
}

/* The row of a neighbour; -1: it is beyond an edge. */
static int64_t row_of_step(const structure_image *all, int64_t row, const int8_t *step)
{
    int64_t at[] = {row / all->n[1] + step[0], row % all->n[1] + step[1]};
    for (int axis = 0; axis < 2; axis++) {
        int64_t n = all->n[axis];
        if (at[axis] < 0 || at[axis] >= n) {
            if (!all->job->structure.periodic[axis]) {
                return -1;
            }
            at[axis] = (at[axis] + n) % n;
        }
    }
    return at[0] * all->n[1] + at[1];
}

/* Is any of the columns `begin` to `end - 1` of `other` close to its neighbour in `row`? */
static bool any_close(const structure_strip *s, int64_t row, int64_t other, int64_t begin,
                      int64_t end, int step)
{
    const halo_label_near *near = &s->all->job->label.near;
    int64_t bytes = (int64_t)halo_sample_types[near->type].bytes;
    int64_t columns = label_array_values_columns(&s->values);
    bool close = !near->sets_foreground && begin < end;
    for (int64_t x = begin; !close && x < end; x += columns) {
        int64_t count = halo_min(columns, end - x);
        const char *a = label_array_values_piece(&s->values, row, x - step, count, 0);
        const char *b = label_array_values_piece(&s->values, other, x, count, 1);
        for (int64_t i = 0; !close && i < count; i++) {
            close = are_close(near, a + i * bytes, b + i * bytes);
        }
    }
    return close;
}

/* Links neighbours at opposite ends of two rows. */
static void link_ends(const structure_strip *s, int64_t row, int64_t other, int step)
{
    const structure_image *all = s->all;
    int64_t i = step < 0 ? all->first_run[row] : all->first_run[row + 1] - 1;
    int64_t j = step < 0 ? all->first_run[other + 1] - 1 : all->first_run[other];
    if (all->first_run[row] == all->first_run[row + 1] ||
        all->first_run[other] == all->first_run[other + 1]) {
        return;
    }
    const structure_run *low = &all->runs[step < 0 ? i : j], *high = &all->runs[step < 0 ? j : i];
    int64_t end = all->n[2] - 1, x = step < 0 ? 0 : end;
    if (low->begin == 0 && high->end == all->n[2] &&
        (!all->job->label.near.sets_foreground || is_close(s, row, x, other, end - x))) {
        unite(all->runs, i, j);
    }
}

static halo_status link_rows(const structure_strip *s, int64_t row, int64_t other, int step)
{
    const structure_image *all = s->all;
    structure_run *runs = all->runs;
    int64_t i = all->first_run[row], j = all->first_run[other];
    while (i < all->first_run[row + 1] && j < all->first_run[other + 1]) {
        HALO_TRY(halo_watch_entry(s->world, i + j));
        int64_t begin = halo_max(runs[i].begin + step, runs[j].begin);
        int64_t end = halo_min(runs[i].end + step, runs[j].end);
        if (begin < end && any_close(s, row, other, begin, end, step)) {
            unite(runs, i, j);
        }
        if (runs[i].end + step < runs[j].end) {
            i++;
        } else {
            j++;
        }
    }
    return HALO_OK;
}

/* Links the runs of a row to neighbours in rows `first` to `end - 1`, or outside of these. */
static halo_status link_row(const structure_strip *s, int64_t row, int64_t first, int64_t end,
                            bool outside)
{
    const structure_image *all = s->all;
    const label_structure *structure = &all->job->structure;
    for (int i = 0; i < structure->count; i++) {
        const int8_t *step = structure->step[i];
        int64_t other = row_of_step(all, row, step);
        if (other < 0 || (other < first || other >= end) != outside) {
            continue;
        }
        if (other != row || step[0] != 0 || step[1] != 0) { /* runs are joined in their row */
            HALO_TRY(link_rows(s, row, other, step[2]));
        }
        if (step[2] != 0 && structure->periodic[2]) {
            link_ends(s, row, other, step[2]);
        }
    }
    return HALO_OK;
}

/* Links the runs of the strip. Each of a row gets its root, so that most links of the next row
 * find two equal ones. */
static halo_status unite_strip(const structure_strip *s)
{
    enum { ROWS = 64 };
    const structure_image *all = s->all;
    for (int64_t row = s->first; row < s->end; row++) {
        HALO_TRY(link_row(s, row, s->first, s->end, false));
        for (int64_t i = all->first_run[row]; i < all->first_run[row + 1]; i++) {
            HALO_TRY(halo_watch_entry(s->world, i));
            all->runs[i].parent = find_root(all->runs, i);
        }
        if (row % ROWS == 0 &&
            array_call_watch(s->call, s->world, row - s->first, s->end - s->first)) {
            return array_call_stop();
        }
    }
    return HALO_OK;
}

/* On one rank, while the others wait: the seams' links. */
static halo_status unite_seams(const structure_strip *s)
{
    const structure_image *all = s->all;
    int ranks = halo_world_ranks(s->world);
    int64_t layer = all->domain.axes == HALO_AXES ? all->n[1] : 1, since = 0;
    for (int rank = 0; rank < ranks; rank++) {
        int64_t first = all->starts[rank], end = all->starts[rank + 1];
        for (int64_t row = first; row < end; row++) {
            if (row == first + layer && end - layer > row) {
                row = end - layer; /* others have no neighbours outside */
            }
            HALO_TRY(halo_watch_piece(s->world, &since, all->n[2]));
            HALO_TRY(link_row(s, row, first, end, true));
        }
    }
    return HALO_OK;
}

halo_status label_structure_unite(const structure_strip *s)
{
    HALO_TRY(halo_agree(s->world, unite_strip(s)));
    return halo_agree(s->world, halo_world_rank(s->world) == 0 ? unite_seams(s) : HALO_OK);
}
