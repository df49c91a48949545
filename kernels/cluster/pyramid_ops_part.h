/* Partitioning pixels of one value by vectors: included by each pyramid_ops_*.c that has any, after
 * pyramid_ops_vector.h, which describes the macros used. No include guard on purpose. */

/* The number of pixels whose field is at most `limit`. */
INLINE int count_up_to(const pyramid_narrow *pixels, int n, int field, int limit)
{
    ints count = {0};
    int whole = n / FLOATS * FLOATS, more = 0;
    for (int i = 0; i < whole; i += FLOATS) {
        count -= (*(const ints *)(const void *)(pixels + i) & field) <= limit;
    }
    for (int i = whole; i < n; i++) {
        more += ((int)pixels[i] & field) <= limit;
    }
    for (int l = 0; l < FLOATS; l++) {
        more += count[l];
    }
    return more;
}

/* As pyramid_ops.part. The median is found by bisection, which takes less time than a histogram.
 * Vectors of the right part are written to scratch memory first, since those of the left part
 * extend into theirs. */
static int part_pixels(const pyramid_narrow *pixels, pyramid_narrow *to, int n, int left, int axis,
                       int lo, int hi)
{
    const int shift = axis * PLACE_BITS, field = (TILE - 1) << shift;
    if (n - left < FLOATS) { /* a vector would extend beyond the right part */
        return pyramid_part_plain(pixels, to, n, left, axis, lo, hi);
    }
    int less = 0;
    while (lo < hi) {
        int middle = (lo + hi) / 2, count = count_up_to(pixels, n, field, middle << shift);
        if (count >= left) {
            hi = middle;
        } else {
            lo = middle + 1;
            less = count;
        }
    }
    pyramid_narrow right[TILE_PIXELS / 2 + ORDER_SLACK];
    const ints pivot = (ints){0} + (lo << shift);
    int equal = left - less, low = 0, high = 0; /* of pixels equal to the pivot, `equal` go left */
    for (int i = 0; i < n; i += FLOATS) {
        lanes valid = n - i < FLOATS ? ((lanes)1 << (n - i)) - 1 : (lanes)((1ULL << FLOATS) - 1);
        ints pixel = *(const ints *)(const void *)(pixels + i);
        lanes same = SAME_INTS(pixel & field, pivot) & valid;
        if (__builtin_popcount(same) > equal) {
            same = _pdep_u32(((uint32_t)1 << equal) - 1, same);
        }
        equal -= __builtin_popcount(same);
        lanes goes = (LESS_INTS(pixel & field, pivot) & valid) | same, stays = valid & ~goes;
        COMPRESS(to + low, pixel, goes);
        COMPRESS(right + high, pixel, stays);
        low += __builtin_popcount(goes);
        high += __builtin_popcount(stays);
    }
    memcpy(to + left, right, (size_t)high * sizeof *to);
    return lo;
}
