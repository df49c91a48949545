#include "kernels/label/merge/border.h"

#include "base/minmax.h"
#include "kernels/label/rows/transposed.h"
#include "kernels/label/rows/values.h"

#include <string.h>

/* The border of one strip or block. */

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

/* Finds the runs of pixels of a row, from left to right. */
typedef struct {
    const label_row *row;
    int64_t word, run; /* the run that reaches into this word */
    uint64_t carry;
} run_walk;

static uint64_t starts_at(const run_walk *walk)
{
    uint64_t runs = walk->row->runs[walk->word];
    return runs & ~(runs << 1 | walk->carry);
}

static int64_t run_at(run_walk *walk, int64_t x)
{
    for (; walk->word < x / 64; walk->word++) {
        walk->run += __builtin_popcountll(starts_at(walk));
        walk->carry = walk->row->runs[walk->word] >> 63;
    }
    uint64_t up_to = UINT64_MAX >> (63 - x % 64);
    return walk->run + __builtin_popcountll(starts_at(walk) & up_to);
}

/* The runs of row r, with their components' names in the strip. Returns how many. */
static int32_t row_runs(const label_strip *strip, int64_t r, int64_t line, border_run *runs)
{
    const label_row row = label_strip_row(strip, r);
    run_walk walk = {.row = &row, .run = -1};
    int64_t width = strip->input.width, left = strip->input.left;
    int32_t count = 0;
    for (int64_t end = 0; end < width;) {
        int64_t begin = next_pixel(row.bits, end, width, true);
        if (begin == width) {
            break;
        }
        end = next_pixel(row.bits, begin, width, false);
        runs[count++] = (border_run){
            .line = (int32_t)line,
            .begin = (int32_t)(begin + left),
            .end = (int32_t)(end + left),
            .name = label_strip_root(strip, row.labels[run_at(&walk, begin)]),
        };
    }
    return count;
}

/* The same where values count: runs of one value each. `to` may be NULL to count them. */
static int32_t row_value_runs(const label_strip *strip, int64_t r, int64_t line,
                              const border_side *to)
{
    const label_input *input = &strip->input;
    const label_row row = label_strip_row(strip, r);
    const char *values = NULL;
    halo_sample_type type = input->near.type;
    int64_t bytes = (int64_t)halo_sample_types[type].bytes, last = 0, last_end = -1, run = -1;
    int64_t columns = label_values_columns(input), next = 0;
    int32_t count = 0;
    for (int64_t x = 0; x < input->width; x++, values += bytes) {
        if (x == next) {
            values = label_values_piece(input, r, x, halo_min(columns, input->width - x), 0);
            next = x + columns;
        }
        run += (row.begins[x / 64] >> (x % 64) & 1) != 0;
        if ((row.bits[x / 64] >> (x % 64) & 1) == 0) {
            continue;
        }
        int64_t value = halo_sample_key(type, values);
        if (last_end != x || value != last) {
            count++;
        }
        if (to != NULL && (last_end != x || value != last)) {
            to->values[count - 1] = value;
            to->runs[count - 1] = (border_run){.line = (int32_t)line,
                                               .begin = (int32_t)(x + input->left),
                                               .name = label_strip_root(strip, row.labels[run])};
        }
        if (to != NULL) {
            to->runs[count - 1].end = (int32_t)(x + input->left + 1);
        }
        last = value;
        last_end = x + 1;
    }
    return count;
}

/* The same of the first or the last column of a plane, whose runs go down. */
static int32_t column_runs(const label_strip *strip, int64_t z, int64_t x, const border_side *to)
{
    const label_input *input = &strip->input;
    int32_t count = 0;
    bool before = false;
    for (int64_t y = 0; y < input->rows; y++) {
        const label_row row = label_strip_row(strip, z * input->rows + y);
        bool foreground = (row.bits[x / 64] >> (x % 64) & 1) != 0;
        int32_t at = (int32_t)(input->top + y);
        int64_t value = foreground ? label_values_at(input, z * input->rows + y, x) : 0;
        if (foreground && (!before || value != border_value(to, count - 1))) {
            int32_t label = row.labels[x == 0 ? 0 : row.count - 1];
            const border_run run = {.line = (int32_t)(input->front + z),
                                    .begin = at,
                                    .name = label_strip_root(strip, label)};
            border_put(to, count++, run, value);
        }
        if (foreground) {
            to->runs[count - 1].end = at + 1;
        }
        before = foreground;
    }
    return count;
}

/* Rows of a side: those of one plane, or one of each plane. */
typedef struct {
    int64_t first, step, count; /* raster numbers */
    int64_t line;               /* of the first */
} side_rows;

static side_rows rows_of_side(const label_input *input, int side)
{
    bool high = side % 2 != 0;
    return side / 2 == 0
               ? (side_rows){high ? (input->planes - 1) * input->rows : 0, 1, input->rows,
                             input->top}
               : (side_rows){high ? input->rows - 1 : 0, input->rows, input->planes, input->front};
}

void border_count(const label_strip *strip, const bool open[BORDER_SIDES],
                  int64_t counts[HALO_AXES])
{
    const label_input *input = &strip->input;
    int64_t words = label_input_words(input);
    bool values = input->values != NULL;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (input->transposed) { /* columns of one layer */
            counts[axis] = open[2 * axis] || open[2 * axis + 1] ? input->rows : 0;
            continue;
        }
        int64_t most = values ? input->rows : (input->rows + 1) / 2; /* runs of a column */
        counts[axis] = axis == 2 && (open[4] || open[5]) ? input->planes * most : 0;
        for (int side = 2 * axis; axis < 2 && side < 2 * axis + 2; side++) {
            const side_rows rows = rows_of_side(input, side);
            int64_t runs = 0;
            for (int64_t i = 0; open[side] && i < rows.count; i++) {
                int64_t r = rows.first + i * rows.step;
                runs += values ? row_value_runs(strip, r, 0, NULL)
                               : strip->ops->count_runs(label_input_row(input, r), words);
            }
            counts[axis] = runs > counts[axis] ? runs : counts[axis];
        }
    }
}

static int32_t side_runs(const label_strip *strip, int side, const border_side *to)
{
    const label_input *input = &strip->input;
    int32_t count = 0;
    if (input->transposed) {
        return label_transposed_runs(strip, side % 2 != 0, to);
    }
    if (side / 2 == 2) {
        for (int64_t z = 0; z < input->planes; z++) {
            const border_side rest = border_behind(to, count);
            count += column_runs(strip, z, side % 2 == 0 ? 0 : input->width - 1, &rest);
        }
        return count;
    }
    const side_rows rows = rows_of_side(input, side);
    for (int64_t i = 0; i < rows.count; i++) {
        int64_t r = rows.first + i * rows.step;
        const border_side rest = border_behind(to, count);
        count += input->values != NULL ? row_value_runs(strip, r, rows.line + i, &rest)
                                       : row_runs(strip, r, rows.line + i, rest.runs);
    }
    return count;
}

/* Names of roots by open addressing. A table indexed by roots would have a page of memory for each
 * few rows of the strip, though only those at its sides are named. */
typedef struct {
    int32_t *slots; /* [mask + 1] names, or NO_NAME; at most half of them are taken */
    uint32_t mask;
    int32_t named;
    int32_t *roots; /* [named] */
} name_table;

enum { NO_NAME = -1 };

static name_table open_names(void *slots, int64_t max_names, int32_t *roots)
{
    uint32_t size = 1;
    while (size < 2 * (uint64_t)max_names) {
        size *= 2;
    }
    name_table names = {.slots = slots, .mask = size - 1, .roots = roots};
    memset(names.slots, NO_NAME, size * sizeof *names.slots);
    return names;
}

/* Multiplies by 2^32 over the golden ratio, whose high bits depend on all of the root's (D. E.
 * Knuth, The Art of Computer Programming 3, 6.4). */
static uint32_t first_slot(const name_table *names, int32_t root)
{
    uint32_t mixed = (uint32_t)root * 2654435769U;
    return (mixed ^ mixed >> 16) & names->mask;
}

/* Names are given in the order of appearance. */
static int32_t name_of(name_table *names, int32_t root)
{
    uint32_t at = first_slot(names, root);
    while (names->slots[at] != NO_NAME && names->roots[names->slots[at]] != root) {
        at = (at + 1) & names->mask;
    }
    if (names->slots[at] == NO_NAME) {
        names->roots[names->named] = root;
        names->slots[at] = names->named++;
    }
    return names->slots[at];
}

/* Replaces roots by names. */
static void name_runs(border_run *runs, int32_t count, name_table *names)
{
    for (int32_t i = 0; i < count; i++) {
        runs[i].name = name_of(names, runs[i].name);
    }
}

label_border border_of_strip(void *block, const label_strip *strip, const bool open[BORDER_SIDES],
                             const int64_t counts[HALO_AXES], void *scratch, int32_t *roots)
{
    int32_t max[BORDER_SIDES], runs[BORDER_SIDES] = {0};
    int64_t all = 0;
    for (int side = 0; side < BORDER_SIDES; side++) {
        max[side] = open[side] ? (int32_t)counts[side / 2] : 0;
        all += max[side];
    }
    name_table names = open_names(scratch, all, roots);
    label_border border = border_begin(block, max, strip->input.values != NULL);
    for (int side = 0; side < BORDER_SIDES; side++) {
        if (open[side]) {
            runs[side] = side_runs(strip, side, &border.side[side]);
            name_runs(border.side[side].runs, runs[side], &names);
        }
    }
    int64_t row = 0;
    for (int32_t i = 0; i < names.named; i++) {
        border.keys[i] = label_strip_key(strip, roots[i], &row);
    }
    return border_end(&border, runs, names.named);
}
