/* Descents by keys of one size: KEY, and NAME(...) of its functions. No include guard on purpose.
 */

static bool NAME(descend)(const split_span *span, const void *keys, uint8_t *ways)
{
    const KEY *from = keys;
    KEY least[PIECE], best[PIECE];
    uint8_t any = 0;
    for (int64_t first = 0; first < span->width; first += PIECE) {
        int64_t count = span->width - first < PIECE ? span->width - first : PIECE;
        const KEY *key = from + first;
        for (int64_t x = 0; x < count; x++) {
            least[x] = key[x];
            best[x] = SPLIT_FLAT;
        }
        for (int k = 0; k < span->count; k += TOGETHER) {
            const KEY *one = key + span->step[k], *other = key + span->step[k + 1];
            KEY n = (KEY)k;
            for (int64_t x = 0; x < count; x++) {
                KEY low = least[x], way = best[x];
                way = one[x] < low ? n : way;
                low = one[x] < low ? one[x] : low;
                way = other[x] < low ? n + 1 : way;
                low = other[x] < low ? other[x] : low;
                least[x] = low;
                best[x] = way;
            }
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
