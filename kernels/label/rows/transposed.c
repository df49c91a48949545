#include "kernels/label/rows/transposed.h"

#include "base/memory.h"
#include "kernels/label/rows/linker.h"
#include "kernels/label/rows/squares.h"
#include "kernels/label/rows/values.h"

#include <string.h>

enum { WORD = 64, BYTE = 8 };

/* ---- names ----------------------------------------------------------------------------------- */

/* Reads the runs of the strip's rows, in the raster order of the image: 64 of its rows at a time,
 * which are as many words as it has columns. */
typedef struct {
    const label_strip *strip;
    const int32_t *labels[LABEL_TRANSPOSED_COLUMNS]; /* of the next run of each column */
    uint64_t last[LABEL_TRANSPOSED_COLUMNS];         /* the last pixel of the word before */
    uint8_t column[WORD * LABEL_TRANSPOSED_COLUMNS]; /* of each pixel */
    uint64_t begins[LABEL_TRANSPOSED_COLUMNS];       /* the pixels that begin a run */
    uint64_t apart[256]; /* a byte whose bits are as far apart as pixels of a column, up to 8 */
} run_reader;

static void begin_reading(run_reader *reader, const label_strip *strip)
{
    int64_t columns = strip->input.rows;
    *reader = (run_reader){.strip = strip};
    for (int64_t column = 0; column < columns; column++) {
        reader->labels[column] = label_strip_row_of(strip, 0, column).labels;
    }
    for (int64_t i = 0; i < WORD * columns; i++) {
        reader->column[i] = (uint8_t)(i % columns);
    }
    for (int byte = 0; byte < 256 && columns <= BYTE; byte++) {
        for (int bit = 0; bit < BYTE; bit++) {
            reader->apart[byte] |= (uint64_t)(byte >> bit & 1) << (bit * columns);
        }
    }
}

/* The first pixels of runs in word `i` of each of the strip's rows. Returns true if there are
 * any. */
static bool find_begins(run_reader *reader, int64_t i, uint64_t *begins)
{
    uint64_t any = 0;
    for (int64_t column = 0; column < reader->strip->input.rows; column++) {
        const label_row row = label_strip_row_of(reader->strip, 0, column);
        uint64_t word = row.bits[i], last = reader->last[column];
        begins[column] = row.begins != NULL ? row.begins[i] : word & ~(word << 1 | last);
        reader->last[column] = word >> (WORD - 1);
        any |= begins[column];
    }
    return any != 0;
}

/* Bits one after the other, in words. */
typedef struct {
    uint64_t *next, word;
    int used; /* bits of the word */
} bit_appender;

static inline void append_bits(bit_appender *to, uint64_t bits, int count)
{
    to->word |= bits << to->used;
    to->used += count;
    if (to->used >= WORD) {
        to->used -= WORD;
        *to->next++ = to->word;
        to->word = to->used > 0 ? bits >> (count - to->used) : 0;
    }
}

/* Eight rows of up to eight pixels at a time. */
static void join_few(run_reader *reader, const uint64_t *begins)
{
    int columns = (int)reader->strip->input.rows;
    bit_appender to = {.next = reader->begins};
    for (int row = 0; row < WORD; row += BYTE) {
        uint64_t bits = 0;
        for (int column = 0; column < columns; column++) {
            bits |= reader->apart[begins[column] >> row & UINT8_MAX] << column;
        }
        append_bits(&to, bits, BYTE * columns);
    }
}

static void join_many(run_reader *reader, uint64_t *begins)
{
    int columns = (int)reader->strip->input.rows, log = label_squares_log(columns), size = 1 << log;
    uint64_t mask = (UINT64_C(1) << size) - 1;
    bit_appender to = {.next = reader->begins};
    label_squares_transpose(begins, size);
    for (int row = 0; row < WORD; row++) {
        append_bits(&to, begins[row & (size - 1)] >> (row >> log << log) & mask, columns);
    }
}

/* Handles rows 64 * i to 64 * i + 63 of the image. Returns true if runs begin there. */
static bool read_begins(run_reader *reader, int64_t i)
{
    uint64_t begins[LABEL_TRANSPOSED_COLUMNS] = {0};
    if (!find_begins(reader, i, begins)) {
        return false;
    }
    if (reader->strip->input.rows <= BYTE) {
        join_few(reader, begins);
    } else {
        join_many(reader, begins);
    }
    return true;
}

enum { SIGN = 31 }; /* shifted by it, numbers below 0 become -1, and others 0 */

static inline int32_t choose(int32_t mask, int32_t yes, int32_t no)
{
    return (yes & mask) | (no & ~mask);
}

/* Parents come before their labels. */
static void find_roots(int32_t *classes, int64_t count)
{
    for (int64_t label = 0; label < count; label++) {
        classes[label] = classes[classes[label]];
    }
}

/* Gives names to the components that begin in these rows, from `next` on, and to the labels of
 * runs: a label is ~name if it has its name, and otherwise its root. There are no branches: whether
 * the component of a run has a name already could not be predicted. Returns the next name. */
static int32_t name_runs(run_reader *reader, int32_t *classes, uint64_t *first_pixels, int32_t next)
{
    for (int64_t k = 0; k < reader->strip->input.rows; k++) {
        uint64_t first = 0;
        for (uint64_t left = reader->begins[k]; left != 0; left &= left - 1) {
            int bit = __builtin_ctzll(left);
            int32_t label = *reader->labels[reader->column[WORD * k + bit]]++;
            int32_t own = classes[label], root = choose(own >> SIGN, label, own);
            int32_t old = classes[root], named = old >> SIGN, name = choose(named, old, ~next);
            classes[root] = classes[label] = name;
            first |= (uint64_t)(named + 1) << bit;
            next += named + 1;
        }
        first_pixels[k] = first;
    }
    return next;
}

static halo_status ensure_firsts(label_strip *strip)
{
    label_firsts *firsts = &strip->firsts;
    int64_t words = strip->input.rows * label_input_words(&strip->input);
    halo_memory_free(firsts->pixels);
    halo_memory_free(firsts->before);
    firsts->before = NULL;
    HALO_TRY(HALO_ALLOCATE_LARGE(firsts->pixels, words, "first pixels of regions"));
    HALO_TRY(HALO_ALLOCATE_LARGE(firsts->before, words + 1, "first pixels of regions"));
    firsts->words = words;
    return HALO_OK;
}

static int32_t name_of_pixel(const label_strip *strip, int64_t pixel)
{
    const label_firsts *firsts = &strip->firsts;
    uint64_t before = (UINT64_C(1) << (pixel % WORD)) - 1;
    return firsts->before[pixel / WORD] +
           __builtin_popcountll(firsts->pixels[pixel / WORD] & before);
}

halo_status label_transposed_name(label_strip *strip)
{
    run_reader reader;
    label_firsts *firsts = &strip->firsts;
    int64_t columns = strip->input.rows;
    int32_t names = 0;
    HALO_TRY(ensure_firsts(strip));
    begin_reading(&reader, strip);
    find_roots(strip->classes, strip->label_count);
    int64_t words = label_input_words(&strip->input);
    for (int64_t i = 0; i < words; i++) {
        if (i % WORD == 0) {
            HALO_TRY(label_watch(strip, LABEL_NAMING, LABEL_QUARTERS, i, words));
        }
        if (read_begins(&reader, i)) {
            names = name_runs(&reader, strip->classes, firsts->pixels + i * columns, names);
        }
    }
    for (int64_t label = 0; label < strip->label_count; label++) {
        strip->classes[label] = ~strip->classes[label];
    }
    for (int64_t i = 0; i < firsts->words; i++) {
        firsts->before[i + 1] = firsts->before[i] + __builtin_popcountll(firsts->pixels[i]);
    }
    strip->names = names;
    return HALO_OK;
}

int64_t label_transposed_key(const label_strip *strip, int32_t name)
{
    const label_firsts *firsts = &strip->firsts;
    int64_t low = 0, high = firsts->words; /* the word with the bit is from low to high - 1 */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        bool before = firsts->before[middle] <= name;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    uint64_t bits = firsts->pixels[low];
    for (int32_t skipped = name - firsts->before[low]; skipped > 0; skipped--) {
        bits &= bits - 1;
    }
    return strip->input.left * strip->input.rows + WORD * low + __builtin_ctzll(bits);
}

int32_t label_transposed_of_key(const label_strip *strip, int64_t key)
{
    return name_of_pixel(strip, key - strip->input.left * strip->input.rows);
}

/* ---- from the strip to the image ------------------------------------------------------------- */

void label_transposed_part(const label_input *input, halo_region *part)
{
    int64_t low[3] = {0}, high[3] = {1, 1, 1}, sum[3] = {0};
    low[input->row_axis] = part->top;
    high[input->row_axis] = part->bottom;
    sum[input->row_axis] = part->row_sum;
    low[input->column_axis] = part->left;
    high[input->column_axis] = part->right;
    sum[input->column_axis] = part->column_sum;
    part->front = low[0];
    part->back = high[0];
    part->plane_sum = sum[0];
    part->top = low[1];
    part->bottom = high[1];
    part->row_sum = sum[1];
    part->left = low[2];
    part->right = high[2];
    part->column_sum = sum[2];
}

/* Runs go along the image's rows: the pixels of a plane of one column are one run each. */
int32_t label_transposed_runs(const label_strip *strip, bool high, const border_side *to)
{
    const label_input *input = &strip->input;
    int64_t x = high ? input->width - 1 : 0;
    bool in_row = input->row_axis == 2, before = false;
    int32_t count = 0;
    for (int32_t y = 0; y < input->rows; y++) {
        const label_row row = label_strip_row_of(strip, 0, y);
        bool foreground = (row.bits[x / WORD] >> (x % WORD) & 1) != 0;
        int64_t value = foreground ? label_values_at(input, y, x) : 0;
        if (foreground && (!in_row || !before || value != border_value(to, count - 1))) {
            int32_t label = row.labels[high ? row.count - 1 : 0];
            const border_run run = {.line = in_row ? 0 : y,
                                    .begin = in_row ? y : 0,
                                    .name = label_strip_root(strip, label)};
            border_put(to, count++, run, value);
        }
        if (foreground) {
            to->runs[count - 1].end = in_row ? y + 1 : 1;
        }
        before = foreground;
    }
    return count;
}
