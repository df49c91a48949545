/* Descents by keys of one size: KEY, and NAME(...) of its functions. No include guard on purpose.
 */

/* Looks at `together` neighbours, a constant where this is called, from number `k` on. */
static ALWAYS void NAME(lower)(const KEY *key, const int64_t *steps, int together, int k,
                               int64_t count, KEY *least, KEY *best)
{
    for (int64_t x = 0; x < count; x++) {
        KEY low = least[x], way = best[x];
        UNROLLED for (int i = 0; i < together; i++)
        {
            KEY other = key[x + steps[k + i]];
            way = other < low ? (KEY)(k + i) : way;
            low = other < low ? other : low;
        }
        least[x] = low;
        best[x] = way;
    }
}

static bool NAME(descend)(const split_span *span, const void *keys, uint8_t *ways)
{
    KEY least[PIECE], best[PIECE];
    uint8_t any = 0;
    for (int64_t first = 0; first < span->width; first += PIECE) {
        int64_t count = span->width - first < PIECE ? span->width - first : PIECE;
        const KEY *key = (const KEY *)keys + first;
        int k = 0;
        for (int64_t x = 0; x < count; x++) {
            least[x] = key[x];
            best[x] = SPLIT_FLAT;
        }
        for (; k + 8 <= span->count; k += 8) {
            NAME(lower)(key, span->step, 8, k, count, least, best);
        }
        for (; k < span->count; k += 2) {
            NAME(lower)(key, span->step, 2, k, count, least, best);
        }
        uint8_t *way = ways + first;
        for (int64_t x = 0; x < count; x++) {
            uint8_t chosen = (uint8_t)best[x];
            way[x] = way[x] == SPLIT_OUTSIDE ? SPLIT_OUTSIDE : chosen;
            any |= way[x] == SPLIT_FLAT;
        }
    }
    return any != 0;
}
