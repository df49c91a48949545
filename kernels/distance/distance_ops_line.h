/* The lower envelope of parabolas along a line, for one type of values, which CELL, OF and others
 * name (distance_ops_body.h). No include guard on purpose.
 *
 * The parabola that is lowest, of equal ones the first, never comes earlier at a later position. So
 * the lowest ones at every DISTANCE_GROUP-th position are found by bisection, each between those of
 * its neighbours, and positions within a group try only what is between its ends. (Divide and
 * conquer on totally monotone matrices; the transform: Felzenszwalb and Huttenlocher 2012.) */

typedef CELL OF(cells)
    __attribute__((vector_size(HALO_ISA_BYTES), aligned(sizeof(CELL)), may_alias));

enum {
    OF(LANES) = HALO_ISA_BYTES / sizeof(CELL),
    OF(VECTORS) = DISTANCE_GROUP / OF(LANES) /* in a group */
};

/* The elements that there are, without gaps. Returns their number. Those behind them are never
 * lowest. */
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
    return found;
}

/* The index of the lowest parabola at `x` among `first` to `last`: lanes have one in LANES of
 * them. */
static int64_t OF(lowest)(const LINE *line, CELL x, int64_t first, int64_t last)
{
    enum { LANES = OF(LANES) };
    CELL best[OF(LANES)];
    int64_t at[OF(LANES)];
    CELL least = NONE;
    int64_t found = first;
    (void)best;
    (void)at;
    for (int64_t j = first; j <= last; j++) {
        CELL distance = x - line->places[j];
        CELL value = line->values[j] + WEIGH(distance, line->weight);
        found = value < least ? j : found;
        least = value < least ? value : least;
    }
    return found;
}

/* The positions of group `g`, of whose lowest parabolas the first and the last are known. */
static void OF(solve_group)(const LINE *line, int64_t g, int64_t first, int64_t last)
{
    CELL best[DISTANCE_GROUP];
    int32_t at[DISTANCE_GROUP];
    int64_t x = g * DISTANCE_GROUP;
    for (int i = 0; i < DISTANCE_GROUP; i++) {
        best[i] = NONE;
        at[i] = -1;
    }
    for (int64_t j = first; j <= last; j++) {
        CELL value = line->values[j], place = line->places[j];
        int32_t number = line->numbers[j];
        for (int i = 0; i < DISTANCE_GROUP; i++) {
            CELL distance = (CELL)(x + i) - place;
            CELL here = value + WEIGH(distance, line->weight);
            at[i] = here < best[i] ? number : at[i];
            best[i] = here < best[i] ? here : best[i];
        }
    }
    memcpy(line->to + x, best, sizeof best);
    if (line->nearest != NULL) {
        memcpy(line->nearest + x, at, sizeof at);
    }
}

/* The lowest parabolas at the first position of each group, and at the last position. */
static void OF(bisect)(const LINE *line, int64_t groups, int64_t found)
{
    int32_t *best = line->best;
    int64_t step = 1;
    best[0] = (int32_t)OF(lowest)(line, 0, 0, found - 1);
    best[groups] = (int32_t)OF(lowest)(line, (CELL)(groups * DISTANCE_GROUP), best[0], found - 1);
    while (step < groups) {
        step *= 2;
    }
    for (; step > 1; step /= 2) {
        for (int64_t g = step / 2; g < groups; g += step) {
            int64_t end = g + step / 2 < groups ? g + step / 2 : groups;
            best[g] = (int32_t)OF(lowest)(line, (CELL)(g * DISTANCE_GROUP), best[g - step / 2],
                                          best[end]);
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
#undef OF
#undef NONE
#undef WEIGH
