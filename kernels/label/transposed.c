#include "kernels/label/transposed.h"

#include "base/memory.h"
#include "kernels/label/values.h"

#include <string.h>

enum { WORD = 64 };

/* ---- names ----------------------------------------------------------------------------------- */

/* The first pixel of each of the strip's components: of several in one row of the image, the one of
 * the first column. */
static void find_first_pixels(const label_strip *strip, int64_t *first)
{
    const label_input *input = &strip->input;
    int64_t columns = input->rows, words = label_input_words(input);
    for (int64_t column = 0; column < columns; column++) {
        const label_row row = label_strip_row_of(strip, 0, column);
        const int32_t *label = row.labels;
        uint64_t carry = 0;
        for (int64_t i = 0; i < words; i++) {
            uint64_t word = row.bits[i];
            uint64_t begins = row.begins != NULL ? row.begins[i] : word & ~(word << 1 | carry);
            for (; begins != 0; begins &= begins - 1) {
                int64_t pixel = (WORD * i + __builtin_ctzll(begins)) * columns + column;
                int64_t *of = &first[strip->classes[*label++]];
                *of = pixel < *of ? pixel : *of;
            }
            carry = word >> (WORD - 1);
        }
    }
}

/* A bit for each first pixel, in raster order, and how many there are before each word. */
static halo_status mark_first_pixels(label_strip *strip, const int64_t *first, int64_t count)
{
    label_firsts *firsts = &strip->firsts;
    int64_t words = strip->input.rows * strip->input.width / WORD + 1;
    halo_memory_free(firsts->pixels);
    halo_memory_free(firsts->before);
    firsts->before = NULL;
    HALO_TRY(HALO_ALLOCATE_LARGE(firsts->pixels, words, "first pixels of regions"));
    HALO_TRY(HALO_ALLOCATE_LARGE(firsts->before, words + 1, "first pixels of regions"));
    firsts->words = words;
    for (int64_t i = 0; i < count; i++) {
        uint64_t pixel = (uint64_t)first[i];
        firsts->pixels[pixel / WORD] |= UINT64_C(1) << (pixel % WORD);
    }
    for (int64_t i = 0; i < words; i++) {
        firsts->before[i + 1] = firsts->before[i] + __builtin_popcountll(firsts->pixels[i]);
    }
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
    int64_t *first, apart = 0;
    int64_t count = strip->ops->flatten(strip->classes, strip->label_count, NULL, &apart);
    strip->names = count;
    HALO_TRY(label_strip_ensure_names(strip));
    HALO_TRY(HALO_ALLOCATE_LARGE(first, count + 1, "first pixels of regions"));
    memset(first, INT8_MAX, (size_t)count * sizeof *first);
    find_first_pixels(strip, first);
    halo_status status = mark_first_pixels(strip, first, count);
    for (int64_t i = 0; i < count && status == HALO_OK; i++) {
        strip->renamed[i] = name_of_pixel(strip, first[i]);
    }
    halo_memory_free(first);
    if (status == HALO_OK) {
        strip->ops->look_up(strip->classes, strip->label_count, strip->renamed, 0, strip->classes);
    }
    return status;
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
int32_t label_transposed_runs(const label_strip *strip, bool high, border_run *runs)
{
    const label_input *input = &strip->input;
    int64_t x = high ? input->width - 1 : 0;
    bool in_row = input->row_axis == 2, before = false;
    int32_t count = 0;
    for (int32_t y = 0; y < input->rows; y++) {
        const label_row row = label_strip_row_of(strip, 0, y);
        bool foreground = (row.bits[x / WORD] >> (x % WORD) & 1) != 0;
        int64_t value = foreground ? label_values_at(input, y, x) : 0;
        if (foreground && (!in_row || !before || value != runs[count - 1].value)) {
            int32_t label = row.labels[high ? row.count - 1 : 0];
            runs[count++] = (border_run){.line = in_row ? 0 : y,
                                         .begin = in_row ? y : 0,
                                         .name = label_strip_root(strip, label),
                                         .value = value};
        }
        if (foreground) {
            runs[count - 1].end = in_row ? y + 1 : 1;
        }
        before = foreground;
    }
    return count;
}
