/* The steps of walkers: included by each walk_ops_*.c, after what depends on the instructions:
 *
 * LANES: walkers of a vector; TOGETHER: vectors whose steps are taken in turn, so that one need not
 * wait for its own last step.
 *
 * lanes: as many uint32_t, with the operators + - * & | ^ ~ << >>; SET(x): x in all of them;
 * LOAD(from), STORE(to, v); HIGH(a, b): the upper 32 bits of a * b, b the same in all lanes.
 *
 * sixteen, TABLE(from): 16 numbers. LOOK_UP(t, i, bits): those that the lowest `bits` bits of i
 * name, 2 or 4; where there are 2, a table repeats each 4 numbers.
 *
 * mask, SIGN(v): where the highest bit is set; BELOW(a, b): where a < b, both below 2^31; PICK(m,
 * a, b): a where m, else b.
 *
 * TURN(v, by): rotated to the right; ROUND(v, by): v, as int32_t, times the float by, to the
 * nearest integer; GATHER(from, i), GATHER16(from, i): 32 or 16 bits from 32-bit indices.
 *
 * No include guard on purpose. */

#define INLINE static inline __attribute__((always_inline))

enum { HALF = 8, NIBBLE = 4, SIDES = 6 };

/* ---- random numbers -------------------------------------------------------------------------- */

/* Philox4x32-10, as in base/random.h. */
INLINE void draw_lanes(const walk_table *table, const walk_group *group, uint32_t block,
                       walk_draws what, int at, uint32_t draws[WALK_WORDS][WALK_GROUP])
{
    enum { ROUNDS = 10 };
    const uint32_t one = 0xd2511f53U, two = 0xcd9e8d57U;
    lanes c0 = LOAD(group->number + at), c1 = SET(group->upper);
    lanes c2 = SET(block), c3 = SET((uint32_t)what);
    uint32_t k0 = table->key[0], k1 = table->key[1];
    for (int round = 0; round < ROUNDS; round++) {
        lanes high = HIGH(c2, two), other = HIGH(c0, one);
        lanes low = c2 * SET(two), other_low = c0 * SET(one);
        c0 = high ^ c1 ^ SET(k0);
        c1 = low;
        c2 = other ^ c3 ^ SET(k1);
        c3 = other_low;
        k0 += 0x9e3779b9U;
        k1 += 0xbb67ae85U;
    }
    STORE(draws[0] + at, c0);
    STORE(draws[1] + at, c1);
    STORE(draws[2] + at, c2);
    STORE(draws[3] + at, c3);
}

INLINE void draw(const walk_table *table, const walk_group *group, uint32_t block, walk_draws what,
                 uint32_t draws[WALK_WORDS][WALK_GROUP])
{
    for (int at = 0; at < WALK_GROUP; at += LANES) {
        draw_lanes(table, group, block, what, at, draws);
    }
}

/* For three axes: 16 digits to the base 6 from 64 bits, 4 bits each, the first one lowest. */
INLINE void make_digits(uint32_t low[WALK_GROUP], uint32_t high[WALK_GROUP])
{
    for (int at = 0; at < WALK_GROUP; at += LANES) {
        lanes l = LOAD(low + at), h = LOAD(high + at);
        for (int half = 0; half < 2; half++) {
            lanes digits = SET(0);
            for (int i = 0; i < HALF; i++) {
                lanes carry = HIGH(l, SIDES), product = h * SET(SIDES);
                lanes sum = product + carry;
                lanes over = (product & ~sum) >> 31; /* since `carry` is small */
                digits |= (HIGH(h, SIDES) + over) << (NIBBLE * i);
                l *= SET(SIDES);
                h = sum;
            }
            STORE((half == 0 ? low : high) + at, digits);
        }
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

INLINE void settle_axis(const walk_table *table, walk_group *group, int at, int axis, lanes by,
                        lanes *place)
{
    const lanes n = SET((uint32_t)table->n[axis]);
    const lanes length = n * SET((uint32_t)table->stride[axis]);
    lanes cell = LOAD(group->at[axis] + at) + by;
    mask before = SIGN(cell), behind = SIGN(n - SET(1) - cell);
    cell = PICK(before, cell + n, PICK(behind, cell - n, cell));
    *place = PICK(before, *place + length, PICK(behind, *place - length, *place));
    STORE(group->at[axis] + at, cell);
    STORE(group->moved[axis] + at, LOAD(group->moved[axis] + at) + by);
}

/* After at most `margin` steps from place `from` to place `to`: the distance along each axis. Steps
 * along other axes are less than half a stride, so that the nearest multiple of the stride gives
 * it. */
INLINE void settle(int axes, const walk_table *table, walk_group *group, int at, lanes from,
                   lanes to)
{
    lanes left = to - from;
    for (int axis = axes - 1; axis >= 0; axis--) {
        lanes by = left;
        if (axis > 0) {
            by = ROUND(left, 1.F / (float)table->stride[axis]);
            left -= by * SET((uint32_t)table->stride[axis]);
        }
        settle_axis(table, group, at, axis, by, &to);
    }
    STORE(group->place + at, to);
}

/* ---- between walls --------------------------------------------------------------------------- */

/* `count` steps of some vectors, from `skip` of their random numbers on, of `bits` bits each. */
INLINE void hop_word(int axes, const walk_table *t, walk_group *group, const uint32_t *draws,
                     int at, int skip, int count)
{
    const int bits = axes == 2 ? 2 : NIBBLE;
    const int reach = axes == 2 ? WALK_FLAT_REACH : WALK_DEEP_REACH;
    const int share = axes == 2 ? WALK_FLAT_SHARE : WALK_DEEP_SHARE;
    const sixteen turns = TABLE(t->turn), hops = TABLE((const uint32_t *)t->hop);
    lanes from[TOGETHER], place[TOGETHER], drawn[TOGETHER], around[TOGETHER];
    for (int v = 0; v < TOGETHER; v++) {
        from[v] = place[v] = LOAD(group->place + at + v * LANES);
        drawn[v] = LOAD(draws + at + v * LANES) >> (bits * skip);
    }
    for (int done = 0; done < count; done += reach) {
        for (int v = 0; v < TOGETHER; v++) {
            around[v] = GATHER(t->around, place[v] >> share);
            if (share > 0) {
                around[v] = TURN(around[v], place[v] & SET((1U << share) - 1));
            }
        }
        for (int i = done; i < done + reach && i < count; i++) {
            for (int v = 0; v < TOGETHER; v++) {
                lanes there = TURN(around[v], LOOK_UP(turns, drawn[v], bits));
                lanes hopped = place[v] + LOOK_UP(hops, drawn[v], bits);
                mask open = SIGN(there);
                around[v] = PICK(open, there, around[v]);
                place[v] = PICK(open, hopped, place[v]);
                drawn[v] = drawn[v] >> bits;
            }
        }
    }
    for (int v = 0; v < TOGETHER; v++) {
        settle(axes, t, group, at + v * LANES, from[v], place[v]);
    }
}

INLINE void hop_axes(int axes, const walk_table *table, walk_group *group, int64_t from, int64_t to)
{
    const int word_steps = axes == 2 ? 16 : HALF, block_steps = WALK_WORDS * word_steps;
    uint32_t draws[WALK_WORDS][WALK_GROUP] __attribute__((aligned(64)));
    while (from < to) {
        draw(table, group, (uint32_t)(from / block_steps), WALK_DRAWS_HOPS, draws);
        for (int i = 0; axes == 3 && i < WALK_WORDS; i += 2) {
            make_digits(draws[i], draws[i + 1]);
        }
        do {
            int word = (int)(from % block_steps) / word_steps, skip = (int)(from % word_steps);
            int count = (int)(to - from < word_steps - skip ? to - from : word_steps - skip);
            for (int at = 0; at < WALK_GROUP; at += TOGETHER * LANES) {
                if (count == word_steps) {
                    hop_word(axes, table, group, draws[word], at, 0, word_steps);
                } else {
                    hop_word(axes, table, group, draws[word], at, skip, count);
                }
            }
            from += count;
        } while (from < to && from % block_steps != 0);
    }
}

static void hop(const walk_table *table, walk_group *group, int64_t from, int64_t to)
{
    if (table->axes == 2) {
        hop_axes(2, table, group, from, to);
    } else {
        hop_axes(3, table, group, from, to);
    }
}

/* ---- in tiles -------------------------------------------------------------------------------- */

INLINE lanes wrap_axis(const walk_table *table, walk_group *group, int at, int axis, lanes padded)
{
    const lanes n = SET((uint32_t)table->n[axis]), margin = SET((uint32_t)table->margin);
    lanes cell = padded - margin, by = cell - LOAD(group->at[axis] + at);
    mask before = SIGN(cell), behind = SIGN(n - SET(1) - cell);
    cell = PICK(before, cell + n, PICK(behind, cell - n, cell));
    STORE(group->at[axis] + at, cell);
    STORE(group->moved[axis] + at, LOAD(group->moved[axis] + at) + by);
    return cell + margin;
}

INLINE void settle_tiles(const walk_table *table, walk_group *group, int at, lanes place)
{
    enum { TILE = WALK_TILE_X + WALK_TILE_Y };
    const lanes low_x = SET(31), low_y = SET(15), row = SET((uint32_t)table->tile_bits);
    const lanes high_x = SET((1U << table->tile_bits) - 1);
    lanes tile = place >> TILE;
    lanes x = (place & low_x) | ((tile & high_x) << WALK_TILE_X);
    lanes y = ((place >> WALK_TILE_X) & low_y) | ((tile >> row) << WALK_TILE_Y);
    x = wrap_axis(table, group, at, 0, x);
    y = wrap_axis(table, group, at, 1, y);
    tile = (x >> WALK_TILE_X) | ((y >> WALK_TILE_Y) << row);
    STORE(group->place + at, (x & low_x) | ((y & low_y) << WALK_TILE_X) | (tile << TILE));
}

INLINE void stride_word(const walk_table *t, walk_group *group, const uint32_t *draws, int at,
                        int skip, int count)
{
    enum { BITS = 2 };
    const sixteen masks = TABLE(t->side_mask), adds = TABLE(t->side_add);
    lanes place[TOGETHER], drawn[TOGETHER], there[TOGETHER], word[TOGETHER];
    for (int v = 0; v < TOGETHER; v++) {
        place[v] = LOAD(group->place + at + v * LANES);
        drawn[v] = LOAD(draws + at + v * LANES) >> (BITS * skip);
    }
    for (int i = 0; i < count; i++) {
        for (int v = 0; v < TOGETHER; v++) {
            lanes along = LOOK_UP(masks, drawn[v], BITS);
            lanes moved = (place[v] & along) + LOOK_UP(adds, drawn[v], BITS);
            there[v] = (moved & along) | (place[v] & ~along);
            word[v] = GATHER(t->tiles, there[v] >> WALK_TILE_X);
            drawn[v] = drawn[v] >> BITS;
        }
        for (int v = 0; v < TOGETHER; v++) {
            place[v] = PICK(SIGN(TURN(word[v], there[v] & SET(31))), there[v], place[v]);
        }
    }
    for (int v = 0; v < TOGETHER; v++) {
        settle_tiles(t, group, at + v * LANES, place[v]);
    }
}

static void stride(const walk_table *table, walk_group *group, int64_t from, int64_t to)
{
    enum { WORD_STEPS = 16, BLOCK_STEPS = WALK_WORDS * WORD_STEPS };
    uint32_t draws[WALK_WORDS][WALK_GROUP] __attribute__((aligned(64)));
    while (from < to) {
        draw(table, group, (uint32_t)(from / BLOCK_STEPS), WALK_DRAWS_HOPS, draws);
        do {
            int word = (int)(from % BLOCK_STEPS) / WORD_STEPS, skip = (int)(from % WORD_STEPS);
            int count = (int)(to - from < WORD_STEPS - skip ? to - from : WORD_STEPS - skip);
            for (int at = 0; at < WALK_GROUP; at += TOGETHER * LANES) {
                stride_word(table, group, draws[word], at, skip, count);
            }
            from += count;
        } while (from < to && from % BLOCK_STEPS != 0);
    }
}

/* ---- by chances ------------------------------------------------------------------------------ */

/* A step of some vectors: a column, and a number to compare with its threshold. */
INLINE void choose_step(const walk_table *t, sixteen moves, const uint32_t *draws, int at,
                        lanes place[TOGETHER])
{
    enum { COLUMN_BITS = 3, THRESHOLD_SHIFT = 32 - WALK_CHANCE_BITS };
    lanes drawn[TOGETHER], column[TOGETHER];
    for (int v = 0; v < TOGETHER; v++) {
        drawn[v] = LOAD(draws + at + v * LANES);
        column[v] = GATHER16(t->kind, place[v]);
    }
    for (int v = 0; v < TOGETHER; v++) {
        column[v] = GATHER(t->columns, (column[v] << COLUMN_BITS) | (drawn[v] & SET(7)));
    }
    for (int v = 0; v < TOGETHER; v++) {
        mask below = BELOW(drawn[v] >> THRESHOLD_SHIFT, column[v] >> THRESHOLD_SHIFT);
        lanes outcome = PICK(below, column[v], column[v] >> COLUMN_BITS) & SET(7);
        place[v] += LOOK_UP(moves, outcome, NIBBLE);
    }
}

/* Steps `from` to `to - 1` of some vectors, few enough for one call of settle. */
INLINE void choose_some(int axes, const walk_table *t, walk_group *group, int at, int64_t from,
                        int64_t to)
{
    const sixteen moves = TABLE((const uint32_t *)t->move);
    uint32_t draws[WALK_WORDS][WALK_GROUP] __attribute__((aligned(64)));
    lanes before[TOGETHER], place[TOGETHER];
    for (int v = 0; v < TOGETHER; v++) {
        before[v] = place[v] = LOAD(group->place + at + v * LANES);
    }
    while (from < to) {
        int64_t next = (from / WALK_WORDS + 1) * WALK_WORDS, end = next < to ? next : to;
        for (int v = 0; v < TOGETHER; v++) {
            draw_lanes(t, group, (uint32_t)(from / WALK_WORDS), WALK_DRAWS_CHANCES, at + v * LANES,
                       draws);
        }
        for (; from < end; from++) {
            choose_step(t, moves, draws[from % WALK_WORDS], at, place);
        }
    }
    for (int v = 0; v < TOGETHER; v++) {
        settle(axes, t, group, at + v * LANES, before[v], place[v]);
    }
}

INLINE void choose_axes(int axes, const walk_table *t, walk_group *group, int64_t from, int64_t to)
{
    while (from < to) {
        int64_t next = (from / t->margin + 1) * t->margin, end = next < to ? next : to;
        for (int at = 0; at < WALK_GROUP; at += TOGETHER * LANES) {
            choose_some(axes, t, group, at, from, end);
        }
        from = end;
    }
}

static void choose(const walk_table *table, walk_group *group, int64_t from, int64_t to)
{
    if (table->axes == 2) {
        choose_axes(2, table, group, from, to);
    } else {
        choose_axes(3, table, group, from, to);
    }
}
