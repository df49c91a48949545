/* The quick way of columns_ops.h for bytes, a part of columns_ops_body.h. No include guard on
 * purpose. */

#define READ_LOW(i)                 READ(i)
#define WEIGHT(name, at)            const floats name = (floats){0} + w->weights[at]
#define ADD(sum, low, high, weight) (sum) = multiply_add((low) + (high), weight, sum);
#define CLEAR(k)                    sum[k] = (floats){0};
#define FINISH(k)                   sum[k] = multiply_add(low[k], middle, sum[k]);

ALWAYS void sum_quickly(const filter_quick_weights *w, quick_reader *read, const void *from,
                        int64_t at, int64_t x, floats sum[WINDOWS])
{
    EACH(CLEAR)
    ADD_PAIRS(floats)
    WEIGHT(middle, 0);
    EACH(FINISH)
}

ALWAYS floats read_bytes(const void *from, int64_t i, int64_t x)
{
    return load_quick(((const void *const *)from)[i], x);
}

static void quick_columns(const filter_quick_weights *w, const void *const *rows, int64_t count,
                          float *columns)
{
    for (int64_t x = 0; x < count; x += QUICK_LANES) {
        floats sum[QUICK_LANES];
        sum_quickly(w, read_bytes, rows, w->radius, x, sum);
        sum_quickly(w, read_bytes, rows, w->radius + WINDOWS, x, sum + WINDOWS);
        transpose_quick(sum);
        for (int i = 0; i < QUICK_LANES; i++) {
            memcpy(columns + (x + i) * QUICK_LANES, &sum[i], sizeof sum[i]);
        }
    }
}

ALWAYS floats read_quick_column(const void *from, int64_t i, int64_t x)
{
    floats v;
    memcpy(&v, (const float *)from + i * QUICK_LANES + x, sizeof v);
    return v;
}

/* Sums at columns x to x + QUICK_LANES - 1 that are too close to half a grey. */
static __attribute__((noinline)) void mark(const floats sum[QUICK_LANES], float error, int64_t x,
                                           int64_t count, int rows, filter_marks *marks)
{
    const float magic = 0x1.8p23F, half = .5F - error;
    for (int k = 0; k < QUICK_LANES && x + k < count; k++) {
        floats away = sum[k] - (sum[k] + magic - magic);
        if (!any_set((wholes)((away > half) | (away < -half)))) {
            continue;
        }
        for (int i = 0; i < rows; i++) {
            float value = sum[k][i];
            if (fabsf(value - (value + magic - magic)) > half && marks->count++ < marks->most) {
                marks->at[marks->count - 1] = (x + k) * QUICK_LANES + i;
            }
        }
    }
}

/* Whole numbers 0 to 255 of columns, as bytes of rows. */
ALWAYS void put_bytes(const quick_wholes whole[QUICK_LANES], int64_t x, int64_t count, int rows,
                      void *const *out)
{
    enum { WORD = 4, BITS = 8, MASK = 255 };
    uint32_t words[QUICK_LANES / WORD][QUICK_LANES];
    int64_t bytes = count - x < QUICK_LANES ? count - x : QUICK_LANES;
    for (int i = 0; i < QUICK_LANES; i += WORD) {
        quick_wholes word = (whole[i] & MASK) | (whole[i + 1] & MASK) << BITS |
                            (whole[i + 2] & MASK) << 2 * BITS | whole[i + 3] << 3 * BITS;
        memcpy(words[i / WORD], &word, sizeof word);
    }
    for (int i = 0; i < rows; i++) {
        uint32_t row[QUICK_LANES / WORD];
        for (int k = 0; k < QUICK_LANES / WORD; k++) {
            row[k] = words[k][i];
        }
        if (bytes == sizeof row) {
            memcpy((uint8_t *)out[i] + x, row, sizeof row);
        } else {
            memcpy((uint8_t *)out[i] + x, row, (size_t)bytes);
        }
    }
}

static void quick_rows(const filter_quick_weights *w, const float *columns, int64_t count, int rows,
                       void *const *out, filter_marks *marks)
{
    const floats magic = (floats){0} + 0x1.8p23F;
    const quick_wholes half = (quick_wholes)((floats){0} + (.5F - w->error));
    for (int64_t x = 0; x < count; x += QUICK_LANES) {
        floats sum[QUICK_LANES];
        quick_wholes whole[QUICK_LANES], close = {0};
        sum_quickly(w, read_quick_column, columns, x, 0, sum);
        sum_quickly(w, read_quick_column, columns, x + WINDOWS, 0, sum + WINDOWS);
        for (int i = 0; i < QUICK_LANES; i++) {
            floats shifted = sum[i] + magic, left = sum[i] - (shifted - magic);
            whole[i] = (quick_wholes)shifted;
            /* Bits of floats have their order. */
            close |= ((quick_wholes)left & INT32_MAX) > half;
        }
        put_bytes(whole, x, count, rows, out);
        if (any_set((wholes)close)) {
            mark(sum, w->error, x, count, rows, marks);
        }
    }
}
