#include "kernels/label/paint/paint.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <inttypes.h>

/* Painting reads up to a cache line past a row's values, and one value before the first. */
enum { SLACK = 64 };

static halo_status ensure_values(label_painter *painter, const label_input *input)
{
    painter->band = -1;
    painter->tile_begin = painter->tile_end = 0;
    int64_t width = input->transposed ? LABEL_TILE_COLUMNS : input->width;
    int64_t runs = input->values != NULL ? width : (width + 1) / 2;
    if (runs <= painter->value_room && painter->narrow != NULL) {
        return HALO_OK;
    }
    halo_memory_free(painter->values);
    halo_memory_free(painter->narrow);
    painter->narrow = NULL;
    size_t bytes = ((size_t)runs + 2 * SLACK) * sizeof(int64_t);
    HALO_TRY(HALO_ALLOCATE_LARGE(painter->values, bytes, "values of a row's runs"));
    HALO_TRY(HALO_ALLOCATE_LARGE(painter->narrow, bytes, "values of a row's runs"));
    painter->value_room = runs;
    return HALO_OK;
}

halo_status label_painter_shift(label_painter *painter, label_strip *strip, int64_t add,
                                const int64_t *aliases, int64_t max)
{
    for (int64_t i = 0; i < strip->alias_count; i++) {
        int32_t *class = &strip->classes[strip->aliases[i]];
        *class = (int32_t)(aliases[*class - strip->representatives] - add);
    }
    painter->table = strip->classes;
    painter->wide = NULL;
    painter->add = (int32_t)add;
    painter->seeds = false;
    painter->max = max;
    return ensure_values(painter, &strip->input);
}

/* Numbers of all labels of the strip, which do not fit in 31 bits. */
static halo_status prepare_wide(label_painter *painter, const label_strip *strip,
                                const int64_t *numbers)
{
    if (strip->label_count > painter->wide_room || painter->own_wide == NULL) {
        halo_memory_free(painter->own_wide);
        HALO_TRY(HALO_ALLOCATE_LARGE(painter->own_wide, strip->label_count + SLACK,
                                     "a table of labels"));
        painter->wide_room = strip->label_count;
    }
    for (int64_t i = 0; i < strip->label_count; i++) {
        painter->own_wide[i] = numbers[strip->classes[i]];
    }
    painter->wide = painter->own_wide;
    painter->table = NULL;
    return HALO_OK;
}

halo_status label_painter_prepare(label_painter *painter, label_strip *strip,
                                  const int64_t *numbers, bool seeds, int64_t max)
{
    HALO_TRY(ensure_values(painter, &strip->input));
    painter->add = 0;
    painter->seeds = seeds;
    painter->max = max;
    if (seeds || max > INT32_MAX) {
        return prepare_wide(painter, strip, numbers);
    }
    if (strip->class_count > painter->class_room || painter->own_table == NULL) {
        halo_memory_free(painter->own_table);
        HALO_TRY(HALO_ALLOCATE_LARGE(painter->own_table, strip->class_count + SLACK,
                                     "a table of labels"));
        painter->class_room = strip->class_count;
    }
    for (int64_t c = 0; c < strip->class_count; c++) {
        painter->own_table[c] = (int32_t)numbers[c];
    }
    strip->ops->look_up(strip->classes, strip->label_count, painter->own_table, 0, strip->classes);
    painter->table = strip->classes;
    painter->wide = NULL;
    return HALO_OK;
}

static void paint_colour(label_painter *painter, const label_strip *strip, const label_row *row,
                         int64_t width, void *out)
{
    const int32_t *numbers = (const int32_t *)(void *)(painter->values + SLACK);
    const int64_t *wide = (const int64_t *)(void *)(painter->values + SLACK);
    uint8_t *colours = (uint8_t *)(painter->narrow + SLACK);
    for (int64_t i = 0; i < row->count; i++) {
        int64_t number = painter->table != NULL ? numbers[i] : wide[i];
        colours[i] = label_colour_of(&painter->colours, number);
    }
    if (row->begins != NULL) {
        strip->value_ops->fill8(row->bits, row->begins, width, colours, out);
    } else {
        strip->ops->paint8(row->bits, row->runs, width, colours, out);
    }
}

static void paint_u16(label_painter *painter, const label_strip *strip, const label_row *row,
                      int64_t width, void *out)
{
    const int32_t *numbers = (const int32_t *)(void *)(painter->values + SLACK);
    uint16_t *narrow = (uint16_t *)(void *)(painter->narrow + SLACK);
    for (int64_t i = 0; i < row->count; i++) {
        narrow[i] = (uint16_t)numbers[i];
    }
    if (row->begins != NULL) {
        strip->value_ops->fill16(row->bits, row->begins, width, narrow, out);
    } else {
        strip->ops->paint16(row->bits, row->runs, width, narrow, out);
    }
}

static void paint_i32(label_painter *painter, const label_strip *strip, const label_row *row,
                      int64_t width, void *out)
{
    const int32_t *values = (const int32_t *)(void *)(painter->values + SLACK);
    if (row->begins != NULL) {
        strip->ops->fill32(row->bits, row->begins, width, values, out, !strip->input.transposed);
    } else {
        strip->ops->paint32(row->bits, row->runs, width, values, out, !strip->input.transposed);
    }
}

static void paint_i64(label_painter *painter, const label_strip *strip, const label_row *row,
                      int64_t width, void *out)
{
    const int64_t *values = (const int64_t *)(void *)(painter->values + SLACK);
    if (painter->table != NULL) {
        const int32_t *numbers = (const int32_t *)(void *)(painter->values + SLACK);
        int64_t *widened = (int64_t *)(void *)(painter->narrow + SLACK);
        for (int64_t i = 0; i < row->count; i++) {
            widened[i] = numbers[i];
        }
        values = widened;
    }
    if (row->begins != NULL) {
        strip->value_ops->fill64(row->bits, row->begins, width, values, out);
    } else {
        strip->ops->paint64(row->bits, row->runs, width, values, out);
    }
    if (painter->seeds) {
        int64_t *pixels = out;
        for (int64_t x = 0; x < width; x++) {
            pixels[x]--;
        }
    }
}

static const label_paint_format formats[] = {
    [HALO_LABEL_COLOUR] = {paint_colour, sizeof(uint8_t), 0},
    [HALO_LABEL_U16] = {paint_u16, sizeof(uint16_t), UINT16_MAX},
    [HALO_LABEL_I32] = {paint_i32, sizeof(int32_t), INT32_MAX},
    [HALO_LABEL_I64] = {paint_i64, sizeof(int64_t), 0},
};

const label_paint_format *label_paint_format_of(halo_label_paint as)
{
    return &formats[as];
}

void label_painter_look_up(label_painter *painter, const label_strip *strip, const label_row *row)
{
    if (painter->table != NULL) {
        strip->ops->look_up(row->labels, row->count, painter->table, painter->add,
                            (int32_t *)(void *)(painter->values + SLACK));
    } else {
        int64_t *values = (int64_t *)(void *)(painter->values + SLACK);
        for (int64_t i = 0; i < row->count; i++) {
            values[i] = painter->wide[row->labels[i]];
        }
    }
    painter->band = row->band;
}

halo_status label_painter_rows(label_painter *painter, const label_strip *strip,
                               halo_label_paint as, int64_t first, int64_t rows, void *out,
                               size_t pitch)
{
    int64_t limit = formats[as].max;
    if (limit > 0 && (painter->seeds || painter->max > limit)) {
        return halo_fail(HALO_ARGUMENT,
                         "labels up to %" PRId64 " do not fit, the limit is %" PRId64, painter->max,
                         limit);
    }
    if (strip->input.transposed) {
        return label_painter_transposed(painter, strip, as, first, rows, out, pitch);
    }
    int64_t height = halo_max(strip->input.rows, 1), z = first / height, y = first % height;
    for (int64_t i = 0; i < rows; i++) {
        const label_row row = label_strip_row_of(strip, z, y);
        label_strip_prefetch(strip, &row);
        if (row.band != painter->band) {
            label_painter_look_up(painter, strip, &row);
        }
        formats[as].row(painter, strip, &row, strip->input.width, (char *)out + (size_t)i * pitch);
        y = y + 1 < height ? y + 1 : 0;
        z += y == 0;
    }
    return HALO_OK;
}

void label_painter_free(label_painter *painter)
{
    halo_memory_free(painter->own_table);
    halo_memory_free(painter->own_wide);
    halo_memory_free(painter->values);
    halo_memory_free(painter->narrow);
    label_colours_free(&painter->colours);
    halo_memory_free(painter->tile);
    halo_memory_free(painter->cursor_run);
    *painter = (label_painter){0};
}
