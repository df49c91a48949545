/* The lower envelope of parabolas along a line, for one type of values, which CELL, OF and others
 * name (distance_ops_body.h). No include guard on purpose.
 *
 * The parabola that is lowest, of equal ones the first, never comes earlier at a later position. So
 * the lowest ones at every DISTANCE_GROUP-th position are found by bisection, each between those of
 * its neighbours, and positions within a group try only what is between its ends. (Divide and
 * conquer on totally monotone matrices; the transform: Felzenszwalb and Huttenlocher 2012.) */

enum {
    OF(LANES) = HALO_ISA_BYTES / sizeof(CELL),
    OF(VECTORS) = DISTANCE_GROUP / OF(LANES) /* in a group */
};

typedef CELL OF(cells)
    __attribute__((vector_size(HALO_ISA_BYTES), aligned(sizeof(CELL)), may_alias));
typedef NUMBER OF(numbers)
    __attribute__((vector_size(HALO_ISA_BYTES), aligned(sizeof(CELL)), may_alias));

/* The least values found so far, and the numbers of their parabolas. */
typedef struct {
    OF(cells) best;
    OF(numbers) at;
} OF(minimum);

ALWAYS void OF(take)(OF(minimum) * m, OF(cells) value, OF(numbers) number)
{
#if HALO_ISA_BYTES == 64 && defined(IS_32)
    __mmask16 less = _mm512_cmplt_epu32_mask((__m512i)value, (__m512i)m->best);
    m->best = (OF(cells))_mm512_min_epu32((__m512i)value, (__m512i)m->best);
    m->at = (OF(numbers))_mm512_mask_mov_epi32((__m512i)m->at, less, (__m512i)number);
#elif HALO_ISA_BYTES == 32 && defined(IS_32)
    __m256i least = _mm256_min_epu32((__m256i)value, (__m256i)m->best);
    __m256i same = _mm256_cmpeq_epi32(least, (__m256i)m->best);
    m->at = (OF(numbers))_mm256_blendv_epi8((__m256i)number, (__m256i)m->at, same);
    m->best = (OF(cells))least;
#else
    OF(numbers) less = (OF(numbers))(value < m->best);
    OF(numbers) kept = (OF(numbers))m->best, given = (OF(numbers))value;
    m->best = (OF(cells))((given & less) | (kept & ~less));
    m->at = (number & less) | (m->at & ~less);
#endif
}

/* The elements that there are, without gaps. Returns their number. Some behind them are as the last
 * one, which comes first. */
static int64_t OF(compress)(const LINE *line)
{
    int64_t found = 0;
    for (int64_t i = 0; i < line->count; i++) {
        CELL value = line->from[i];
        line->values[found] = value;
        line->places[found] = (CELL)i;
        line->numbers[found] = (int32_t)i;
        found += value < NONE;
    }
    for (int64_t i = found; i < found + DISTANCE_GROUP && found > 0; i++) {
        line->values[i] = line->values[found - 1];
        line->places[i] = line->places[found - 1];
    }
    return found;
}

/* The index of the lowest parabola at `x` from `first` to `last`. It may look at some after these,
 * which are not lower. */
static int64_t OF(lowest)(const LINE *line, CELL x, int64_t first, int64_t last)
{
    const OF(cells) here = (OF(cells)){0} + x, weight = (OF(cells)){0} + line->weight;
    OF(minimum) m = {.best = (OF(cells)){0} + NONE};
    OF(numbers) number = (OF(numbers)){0};
    (void)weight;
    for (int i = 0; i < OF(LANES); i++) {
        number[i] = (NUMBER)(first + i);
    }
    for (int64_t j = first; j <= last; j += OF(LANES)) {
        OF(cells) distance = here - *(const OF(cells) *)(const void *)(line->places + j);
        OF(cells) value = *(const OF(cells) *)(const void *)(line->values + j);
        OF(take)(&m, value + WEIGH(distance, weight), number);
        number += OF(LANES);
    }
    CELL best = m.best[0];
    NUMBER at = m.at[0];
    for (int i = 1; i < OF(LANES); i++) {
        bool better = m.best[i] < best || (!(best < m.best[i]) && m.at[i] < at);
        best = better ? m.best[i] : best;
        at = better ? m.at[i] : at;
    }
    return (int64_t)at;
}

/* The positions of group `g`, of whose lowest parabolas the first and the last are known. */
static void OF(solve_group)(const LINE *line, int64_t g, int64_t first, int64_t last)
{
    const OF(cells) weight = (OF(cells)){0} + line->weight;
    OF(minimum) m[OF(VECTORS)];
    OF(cells) here[OF(VECTORS)];
    CELL positions[DISTANCE_GROUP];
    (void)weight;
    for (int i = 0; i < DISTANCE_GROUP; i++) {
        positions[i] = (CELL)(g * DISTANCE_GROUP + i);
    }
    memcpy(here, positions, sizeof positions);
    for (int v = 0; v < OF(VECTORS); v++) {
        m[v] = (OF(minimum)){.best = (OF(cells)){0} + NONE, .at = (OF(numbers)){0} - 1};
    }
    for (int64_t j = first; j <= last; j++) {
        const OF(cells) value = (OF(cells)){0} + line->values[j];
        const OF(cells) place = (OF(cells)){0} + line->places[j];
        const OF(numbers) number = (OF(numbers)){0} + (NUMBER)line->numbers[j];
        for (int v = 0; v < OF(VECTORS); v++) {
            OF(cells) distance = here[v] - place;
            OF(take)(&m[v], value + WEIGH(distance, weight), number);
        }
    }
    for (int v = 0; v < OF(VECTORS); v++) {
        int64_t x = g * DISTANCE_GROUP + (int64_t)v * OF(LANES);
        *(OF(cells) *)(void *)(line->to + x) = m[v].best;
        if (line->nearest == NULL) {
            continue;
        }
#ifdef IS_32
        memcpy(line->nearest + x, &m[v].at, sizeof m[v].at);
#else
        for (int i = 0; i < OF(LANES); i++) {
            line->nearest[x + i] = (int32_t)m[v].at[i];
        }
#endif
    }
}

/* The same at the first position of group `g`. Where each position has a parabola, its own one says
 * how far away the lowest one can be. */
static int32_t OF(lowest_of_group)(const LINE *line, int64_t g, int64_t first, int64_t last,
                                   bool dense)
{
    int64_t x = g * DISTANCE_GROUP;
    if (dense && x < line->count) {
        int64_t reach = (int64_t)REACH(line->values[x], line->weight) + 1;
        first = first > x - reach ? first : x - reach;
        last = last < x + reach ? last : x + reach;
    }
    return first == last ? (int32_t)first : (int32_t)OF(lowest)(line, (CELL)x, first, last);
}

/* The lowest parabolas at the first position of each group, and at the last position. */
static void OF(bisect)(const LINE *line, int64_t groups, int64_t found)
{
    int32_t *best = line->best;
    int64_t step = 1;
    bool dense = found == line->count;
    best[0] = OF(lowest_of_group)(line, 0, 0, found - 1, dense);
    best[groups] = OF(lowest_of_group)(line, groups, best[0], found - 1, dense);
    while (step < groups) {
        step *= 2;
    }
    for (; step > 1; step /= 2) {
        for (int64_t g = step / 2; g < groups; g += step) {
            int64_t end = g + step / 2 < groups ? g + step / 2 : groups;
            best[g] = OF(lowest_of_group)(line, g, best[g - step / 2], best[end], dense);
        }
    }
}

static void OF(solve)(const LINE *line)
{
    int64_t found = OF(compress)(line);
    int64_t groups = (line->count + DISTANCE_GROUP - 1) / DISTANCE_GROUP;
    if (found == 0) {
        for (int64_t i = 0; i < line->count; i++) {
            line->to[i] = NONE;
            if (line->nearest != NULL) {
                line->nearest[i] = -1;
            }
        }
        return;
    }
    OF(bisect)(line, groups, found);
    for (int64_t g = 0; g < groups; g++) {
        OF(solve_group)(line, g, line->best[g], line->best[g + 1]);
    }
}

#undef LINE
#undef CELL
#undef NUMBER
#undef OF
#undef NONE
#undef WEIGH
#undef REACH
