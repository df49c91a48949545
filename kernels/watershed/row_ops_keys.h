/* The loops for keys of type KEY; NAME(name) is the name of a function. No include guard on
 * purpose. Loops go neighbour by neighbour over the whole row, so that each is one of vectors. */

/* out = the least key of the neighbours. */
static void NAME(least)(const watershed_span *span, const KEY *level, KEY *restrict out)
{
    const KEY *first = level + span->step[0];
    for (int64_t x = 0; x < span->width; x++) {
        out[x] = first[x];
    }
    for (int k = 1; k < span->count; k++) {
        const KEY *other = level + span->step[k];
        for (int64_t x = 0; x < span->width; x++) {
            out[x] = other[x] < out[x] ? other[x] : out[x];
        }
    }
}

static bool NAME(sweep)(const watershed_span *span, void *levels, const void *image, bool back,
                        void *scratch)
{
    KEY *level = levels, *restrict now = scratch;
    const KEY *in = image;
    int64_t width = span->width;
    KEY last = back ? level[width] : level[-1];
    NAME(least)(span, level, now);
    for (int64_t x = 0; x < width; x++) {
        now[x] = level[x] < now[x] ? level[x] : now[x];
    }
    if (back) {
        for (int64_t x = width - 1; x >= 0; x--) {
            last = now[x] < last ? now[x] : last;
            last = last > in[x] ? last : in[x];
            now[x] = last;
        }
    } else {
        for (int64_t x = 0; x < width; x++) {
            last = now[x] < last ? now[x] : last;
            last = last > in[x] ? last : in[x];
            now[x] = last;
        }
    }
    KEY changed = 0;
    for (int64_t x = 0; x < width; x++) {
        changed = (KEY)(changed | (level[x] ^ now[x]));
        level[x] = now[x];
    }
    return changed != 0;
}

static bool NAME(falls)(const watershed_span *span, const void *levels, const void *image,
                        void *scratch, uint8_t *flags)
{
    const KEY *level = levels, *in = image;
    KEY *restrict low = scratch;
    uint8_t any = 0;
    NAME(least)(span, level, low);
    for (int64_t x = 0; x < span->width; x++) {
        KEY reached = low[x] > in[x] ? low[x] : in[x];
        flags[x] = reached < level[x];
        any |= flags[x];
    }
    return any != 0;
}

static void NAME(sources)(const watershed_span *span, const void *levels, const int32_t *labels,
                          uint32_t *steps, void *scratch)
{
    const KEY *level = levels;
    KEY *restrict low = scratch;
    NAME(least)(span, level, low);
    for (int64_t x = 0; x < span->width; x++) {
        uint32_t inside = (low[x] < level[x]) | (labels[x] != 0) ? 1 : WATERSHED_FAR;
        steps[x] = steps[x] == 0 ? 0 : inside;
    }
}

/* out = the least steps of neighbours whose level is that at `like`, less 1: those outside come
 * last. */
static void NAME(nearest)(const watershed_span *span, const KEY *level, const uint32_t *steps,
                          const KEY *like, uint32_t *restrict out)
{
    for (int64_t x = 0; x < span->width; x++) {
        out[x] = UINT32_MAX;
    }
    for (int k = 0; k < span->count; k++) {
        const KEY *other = level + span->step[k];
        const uint32_t *far = steps + span->step[k];
        for (int64_t x = 0; x < span->width; x++) {
            uint32_t less = far[x] - 1;
            less = other[x] == like[x] ? less : UINT32_MAX;
            out[x] = less < out[x] ? less : out[x];
        }
    }
}

static bool NAME(nears)(const watershed_span *span, const void *levels, const uint32_t *steps,
                        uint32_t *counts, uint8_t *flags)
{
    uint8_t any = 0;
    NAME(nearest)(span, levels, steps, levels, counts);
    for (int64_t x = 0; x < span->width; x++) {
        uint32_t less = counts[x] < WATERSHED_FAR ? counts[x] : WATERSHED_FAR;
        flags[x] = less + 2 < steps[x];
        any |= flags[x];
    }
    return any != 0;
}

/* The best neighbours: of those with the least level, those with the least steps. On a level they
 * have that of the cell itself. */
#define BEST(name, bits)                                                                          \
    static void NAME(name)(const watershed_span *span, const void *levels, const uint32_t *steps, \
                           const int32_t *labels, void *scratch, uint32_t *counts,                \
                           void *directions)                                                      \
    {                                                                                             \
        const KEY *level = levels;                                                                \
        KEY *restrict low = scratch;                                                              \
        bits *restrict out = directions;                                                          \
        uint32_t *restrict least = counts;                                                        \
        NAME(least)(span, level, low);                                                            \
        NAME(nearest)(span, level, steps, low, least);                                            \
        for (int64_t x = 0; x < span->width; x++) {                                               \
            out[x] = 0;                                                                           \
        }                                                                                         \
        for (int k = 0; k < span->count; k++) {                                                   \
            const KEY *other = level + span->step[k];                                             \
            const uint32_t *far = steps + span->step[k];                                          \
            for (int64_t x = 0; x < span->width; x++) {                                           \
                uint32_t is = (other[x] == low[x]) & (far[x] - 1 == least[x]);                    \
                out[x] = (bits)(out[x] | is << k);                                                \
            }                                                                                     \
        }                                                                                         \
        for (int64_t x = 0; x < span->width; x++) {                                               \
            bool open = (steps[x] < WATERSHED_FAR) & (steps[x] != 0) & (labels[x] == 0);          \
            out[x] = open ? out[x] : 0;                                                           \
        }                                                                                         \
    }
BEST(best8, uint8_t)
BEST(best32, uint32_t)
#undef BEST
