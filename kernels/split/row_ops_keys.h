/* Descents by keys of one size: KEY, and NAME(...) of its functions. No include guard on purpose.
 */

/* Looks at `together` neighbours, a constant where this is called, from number `k` on. */
static ALWAYS void NAME(lower)(const KEY *restrict key, const int64_t *steps, int together, int k,
                               int64_t count, KEY *restrict least, KEY *restrict best)
{
    int64_t step[SPLIT_NEIGHBOURS];
    UNROLLED for (int i = 0; i < together; i++)
    {
        step[i] = steps[k + i];
    }
    for (int64_t x = 0; x < count; x++) {
        KEY low = least[x], way = best[x];
        UNROLLED for (int i = 0; i < together; i++)
        {
            KEY other = key[x + step[i]];
            way = other < low ? (KEY)(k + i) : way;
            low = other < low ? other : low;
        }
        least[x] = low;
        best[x] = way;
    }
}

APART void NAME(lower_eight)(const KEY *restrict key, const int64_t *steps, int k,
                             KEY *restrict least, KEY *restrict best)
{
    NAME(lower)(key, steps, 8, k, PIECE, least, best);
}

APART void NAME(lower_two)(const KEY *restrict key, const int64_t *steps, int k,
                           KEY *restrict least, KEY *restrict best)
{
    NAME(lower)(key, steps, 2, k, PIECE, least, best);
}

static ALWAYS uint8_t NAME(descend_piece)(const split_span *span, const KEY *key, uint8_t *ways,
                                          int64_t count)
{
    ALIGNED KEY least[PIECE], best[PIECE];
    uint8_t any = 0;
    int k = 0;
    for (int64_t x = 0; x < count; x++) {
        least[x] = key[x];
        best[x] = SPLIT_FLAT;
    }
    for (; count == PIECE && k + 8 <= span->count; k += 8) {
        NAME(lower_eight)(key, span->step, k, least, best);
    }
    for (; count == PIECE && k < span->count; k += 2) {
        NAME(lower_two)(key, span->step, k, least, best);
    }
    for (; k < span->count; k += 2) {
        NAME(lower)(key, span->step, 2, k, count, least, best);
    }
    for (int64_t x = 0; x < count; x++) {
        uint8_t chosen = (uint8_t)best[x];
        ways[x] = ways[x] == SPLIT_OUTSIDE ? SPLIT_OUTSIDE : chosen;
        any |= ways[x] == SPLIT_FLAT;
    }
    return any;
}

static bool NAME(descend)(const split_span *span, const void *keys, uint8_t *ways)
{
    const KEY *from = keys;
    uint8_t any = 0;
    if (span->width < PIECE) {
        return NAME(descend_piece)(span, from, ways, span->width) != 0;
    }
    for (int64_t i = 0; i < span->width; i += PIECE) {
        int64_t first = piece_at(span->width, i, false);
        any |= NAME(descend_piece)(span, from + first, ways + first, PIECE);
    }
    return any != 0;
}
