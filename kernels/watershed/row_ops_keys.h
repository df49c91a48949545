/* The loops for keys of type KEY, which fit in WIDE, of 32 bits or more; NAME(name) is the name of
 * a function. No include guard on purpose. A row is taken in pieces that stay in the cache, and a
 * piece neighbour by neighbour, so that each loop is one of vectors. */

/* out = the least key of 3 side by side in some rows. */
static void NAME(least_of_box)(const watershed_span *span, const KEY *level, int64_t count,
                               KEY *restrict out)
{
    KEY column[PIECE + 2];
    const KEY *first = level + span->row[0] - 1;
    for (int64_t x = 0; x < count + 2; x++) {
        column[x] = first[x];
    }
    for (int r = 1; r < span->rows; r++) {
        const KEY *other = level + span->row[r] - 1;
        for (int64_t x = 0; x < count + 2; x++) {
            column[x] = other[x] < column[x] ? other[x] : column[x];
        }
    }
    for (int64_t x = 0; x < count; x++) {
        KEY least = column[x] < column[x + 1] ? column[x] : column[x + 1];
        out[x] = column[x + 2] < least ? column[x + 2] : least;
    }
}

/* out = the least key of the neighbours. */
static void NAME(least)(const watershed_span *span, const KEY *level, int64_t count,
                        KEY *restrict out)
{
    if (span->rows > 0) {
        NAME(least_of_box)(span, level, count, out);
        return;
    }
    const KEY *first = level + span->step[0];
    for (int64_t x = 0; x < count; x++) {
        out[x] = first[x];
    }
    for (int k = 1; k < span->count; k++) {
        const KEY *other = level + span->step[k];
        for (int64_t x = 0; x < count; x++) {
            out[x] = other[x] < out[x] ? other[x] : out[x];
        }
    }
}

/* The levels of a piece from left to right, or from right to left. Returns the last one. */
static KEY NAME(run)(KEY *restrict now, const KEY *in, int64_t count, bool back, KEY last)
{
    if (back) {
        for (int64_t x = count - 1; x >= 0; x--) {
            last = now[x] < last ? now[x] : last;
            last = last > in[x] ? last : in[x];
            now[x] = last;
        }
    } else {
        for (int64_t x = 0; x < count; x++) {
            last = now[x] < last ? now[x] : last;
            last = last > in[x] ? last : in[x];
            now[x] = last;
        }
    }
    return last;
}

static void NAME(sweep)(const watershed_span *span, void *levels, const void *image, bool back)
{
    KEY *level = levels, now[PIECE], last = back ? level[span->width] : level[-1];
    const KEY *in = image;
    for (int64_t done = 0; done < span->width; done += PIECE) {
        int64_t left = span->width - done, count = left < PIECE ? left : PIECE;
        KEY *piece = level + (back ? left - count : done);
        NAME(least)(span, piece, count, now);
        for (int64_t x = 0; x < count; x++) {
            now[x] = piece[x] < now[x] ? piece[x] : now[x];
        }
        last = NAME(run)(now, in + (piece - level), count, back, last);
        memcpy(piece, now, (size_t)count * sizeof *now);
    }
}

static bool NAME(falls)(const watershed_span *span, const void *levels, const void *image,
                        uint8_t *flags)
{
    uint8_t any = 0;
    for (int64_t done = 0; done < span->width; done += PIECE) {
        int64_t left = span->width - done, count = left < PIECE ? left : PIECE;
        const KEY *level = (const KEY *)levels + done, *in = (const KEY *)image + done;
        KEY low[PIECE];
        uint8_t *restrict out = flags + done;
        NAME(least)(span, level, count, low);
        for (int64_t x = 0; x < count; x++) {
            KEY reached = low[x] > in[x] ? low[x] : in[x];
            out[x] = reached < level[x];
            any |= out[x];
        }
    }
    return any != 0;
}

static void NAME(sources)(const watershed_span *span, const void *levels, const int32_t *labels,
                          uint32_t *steps)
{
    for (int64_t done = 0; done < span->width; done += PIECE) {
        int64_t left = span->width - done, count = left < PIECE ? left : PIECE;
        const KEY *level = (const KEY *)levels + done;
        const int32_t *label = labels + done;
        uint32_t *out = steps + done;
        KEY low[PIECE];
        NAME(least)(span, level, count, low);
        for (int64_t x = 0; x < count; x++) {
            bool source = (low[x] < level[x]) | (label[x] != 0);
            uint32_t inside = source ? 1 : WATERSHED_FAR;
            out[x] = out[x] == 0 ? 0 : inside;
        }
    }
}

/* The steps of a neighbour less 1, if its level is this one: those outside come last. */
static ALWAYS uint32_t NAME(less)(const KEY *level, const uint32_t *steps, int64_t x, WIDE like)
{
    uint32_t less = steps[x] - 1;
    return (WIDE)level[x] == like ? less : UINT32_MAX;
}

/* out = the least of these of `n` neighbours from `first` on, and of `out`. `n` is a constant. */
static ALWAYS void NAME(nearest_of)(const watershed_span *span, int first, int n, const KEY *level,
                                    const uint32_t *steps, int64_t count, const WIDE *like,
                                    uint32_t *restrict out)
{
    const int64_t *step = span->step + first;
    for (int64_t x = 0; x < count; x++) {
        uint32_t least = out[x];
        UNROLLED
        for (int k = 0; k < n; k++) {
            uint32_t less = NAME(less)(level + step[k], steps + step[k], x, like[x]);
            least = less < least ? less : least;
        }
        out[x] = least;
    }
}

static void NAME(nearest)(const watershed_span *span, const KEY *level, const uint32_t *steps,
                          int64_t count, const WIDE *like, uint32_t *restrict out)
{
    int k = 0;
    for (int64_t x = 0; x < count; x++) {
        out[x] = UINT32_MAX;
    }
    for (; k + TOGETHER <= span->count; k += TOGETHER) {
        NAME(nearest_of)(span, k, TOGETHER, level, steps, count, like, out);
    }
    if (k < span->count) { /* all numbers of neighbours are even */
        NAME(nearest_of)(span, k, 2, level, steps, count, like, out);
    }
}

static void NAME(widen)(const KEY *keys, int64_t count, WIDE *restrict out)
{
    for (int64_t x = 0; x < count; x++) {
        out[x] = keys[x];
    }
}

static bool NAME(nears)(const watershed_span *span, const void *levels, const uint32_t *steps,
                        uint8_t *flags)
{
    uint32_t any = 0;
    for (int64_t done = 0; done < span->width; done += PIECE) {
        int64_t left = span->width - done, count = left < PIECE ? left : PIECE;
        const KEY *level = (const KEY *)levels + done;
        const uint32_t *own = steps + done;
        uint8_t *restrict out = flags + done;
        uint32_t near[PIECE];
        WIDE like[PIECE];
        NAME(widen)(level, count, like);
        NAME(nearest)(span, level, own, count, like, near);
        for (int64_t x = 0; x < count; x++) {
            uint32_t less = near[x] < WATERSHED_FAR ? near[x] : WATERSHED_FAR;
            near[x] = less + 2 < own[x];
            any |= near[x];
        }
        for (int64_t x = 0; x < count; x++) {
            out[x] = (uint8_t)near[x];
        }
    }
    return any != 0;
}

/* found = with it, bits of those of `n` neighbours from `first` on whose steps are the least. */
static ALWAYS void NAME(find_of)(const watershed_span *span, int first, int n, const KEY *level,
                                 const uint32_t *steps, int64_t count, const WIDE *like,
                                 const uint32_t *near, uint32_t *restrict found)
{
    const int64_t *step = span->step + first;
    for (int64_t x = 0; x < count; x++) {
        uint32_t bits = 0;
        UNROLLED
        for (int k = 0; k < n; k++) {
            uint32_t less = NAME(less)(level + step[k], steps + step[k], x, like[x]);
            bits |= less == near[x] ? UINT32_C(1) << k : 0;
        }
        found[x] |= bits << first;
    }
}

/* found = a bit for each neighbour with the least level and, of those, the least steps. On a level
 * that of the cell itself is the least. */
static void NAME(find_best)(const watershed_span *span, const KEY *level, const uint32_t *steps,
                            int64_t count, uint32_t *restrict found)
{
    KEY low[PIECE];
    WIDE like[PIECE];
    uint32_t near[PIECE];
    int k = 0;
    NAME(least)(span, level, count, low);
    NAME(widen)(low, count, like);
    NAME(nearest)(span, level, steps, count, like, near);
    for (int64_t x = 0; x < count; x++) {
        found[x] = 0;
    }
    for (; k + TOGETHER <= span->count; k += TOGETHER) {
        NAME(find_of)(span, k, TOGETHER, level, steps, count, like, near, found);
    }
    if (k < span->count) {
        NAME(find_of)(span, k, 2, level, steps, count, like, near, found);
    }
}

#define BEST(name, bits)                                                                          \
    static void NAME(name)(const watershed_span *span, const void *levels, const uint32_t *steps, \
                           const int32_t *labels, void *directions)                               \
    {                                                                                             \
        for (int64_t done = 0; done < span->width; done += PIECE) {                               \
            int64_t left = span->width - done, count = left < PIECE ? left : PIECE;               \
            const uint32_t *own = steps + done;                                                   \
            const int32_t *label = labels + done;                                                 \
            bits *restrict out = (bits *)directions + done;                                       \
            uint32_t found[PIECE];                                                                \
            NAME(find_best)(span, (const KEY *)levels + done, own, count, found);                 \
            for (int64_t x = 0; x < count; x++) {                                                 \
                bool open = (own[x] - 1 < WATERSHED_FAR - 1) & (label[x] == 0);                   \
                out[x] = (bits)(open ? found[x] : 0);                                             \
            }                                                                                     \
        }                                                                                         \
    }
BEST(best8, uint8_t)
BEST(best32, uint32_t)
#undef BEST

static void NAME(compare)(const watershed_span *span, const void *keys, uint8_t *states)
{
    for (int64_t done = 0; done < span->width; done += PIECE) {
        int64_t left = span->width - done, count = left < PIECE ? left : PIECE;
        const KEY *key = (const KEY *)keys + done;
        uint8_t *out = states + done;
        KEY low[PIECE];
        NAME(least)(span, key, count, low);
        for (int64_t x = 0; x < count; x++) {
            uint8_t state = (uint8_t)(1 + (low[x] >= key[x]));
            out[x] = out[x] == 0 ? 0 : state;
        }
    }
}

/* found = 1 where one of `n` neighbours from `first` on is equal, and its state 1. `n` is a
 * constant. */
static ALWAYS void NAME(touch_of)(const watershed_span *span, int first, int n, const KEY *key,
                                  const uint8_t *state, int64_t count, uint8_t *restrict found)
{
    const int64_t *step = span->step + first;
    for (int64_t x = 0; x < count; x++) {
        KEY own = key[x];
        uint8_t any = found[x];
        UNROLLED
        for (int k = 0; k < n; k++) {
            any |= (uint8_t)((key[x + step[k]] == own) & (state[x + step[k]] == 1));
        }
        found[x] = any;
    }
}

static bool NAME(leaves)(const watershed_span *span, const void *keys, const uint8_t *states,
                         uint8_t *flags)
{
    uint8_t all = 0;
    for (int64_t done = 0; done < span->width; done += STATES) {
        int64_t left = span->width - done, count = left < STATES ? left : STATES;
        const KEY *key = (const KEY *)keys + done;
        const uint8_t *state = states + done;
        uint8_t *restrict out = flags + done, flat = 0, any = 0;
        for (int64_t x = 0; x < count; x++) {
            flat |= state[x] == 2;
            out[x] = 0;
        }
        int k = flat ? 0 : span->count;
        for (; k + TOGETHER <= span->count; k += TOGETHER) {
            NAME(touch_of)(span, k, TOGETHER, key, state, count, out);
        }
        if (k < span->count) {
            NAME(touch_of)(span, k, 2, key, state, count, out);
        }
        for (int64_t x = 0; x < count; x++) {
            out[x] &= state[x] == 2;
            any |= out[x];
        }
        all |= any;
    }
    return all != 0;
}
