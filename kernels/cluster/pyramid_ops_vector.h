/* Boxes and leaves with vectors: included by each pyramid_ops_*.c that has any, after what depends
 * on the instructions:
 *
 * VECTOR_BYTES, and the types floats, ints (int32), shorts (int16), wrapping (uint16) of that size;
 * MIN_FLOATS, MAX_FLOATS, MIN_SHORTS, MAX_SHORTS(a, b);
 * LESS_SHORTS(a, b), SAME_SHORTS(a, b): bit i is set where it holds in lane i;
 * LESS_INTS(a, b), SAME_INTS(a, b): the same of ints;
 * AT_MOST(a, b): the same of floats;
 * ABSOLUTE(a): of floats;
 * ROUND(a): floats to ints;
 * MULTIPLY_HIGH(a, b): (a * b + 2^14) >> 15 of shorts;
 * LESS_SATURATED(a, b): a - b of shorts, at most what fits;
 * COMPRESS(to, v, mask): the 32-bit lanes of v that mask has a bit for, one after the other;
 * MIN(v), MAX(v): over the lanes of floats;
 * SQUARE_ROOT(a): of a float;
 * WIDEN(from): shorts of as many unsigned bytes;
 * table, MAKE_TABLE(ids), LOOK_UP(table, shorts): 16-bit numbers by indices below 16.
 *
 * No include guard on purpose. */

enum { FLOATS = VECTOR_BYTES / 4, SHORTS = VECTOR_BYTES / 2, VECTORS = LEAF / SHORTS };

/* A mask of the lanes of a vector of shorts, and of floats. */
typedef uint32_t lanes;

/* ---- boxes ----------------------------------------------------------------------------------- */

INLINE floats load_floats(const float *from)
{
    return *(const floats *)(const void *)from;
}

/* Squared distances of a list's clusters from the middle of a box. Returns the nearest one. */
INLINE int measure(int axes, const pyramid_list *in, const pyramid_box *box, float *squares)
{
    const float far = 3e38F;
    floats min = (floats){0} + far;
    for (int i = 0; i < in->n; i += FLOATS) {
        floats sum = {0};
        for (int a = 0; a < axes; a++) {
            floats r = load_floats(in->axis[a] + i) - box->middle[a];
            sum += r * r;
        }
        *(floats *)(void *)(squares + i) = sum;
        min = MIN_FLOATS(min, sum);
    }
    floats nearest = (floats){0} + MIN(min);
    int i = 0;
    lanes found;
    while ((found = AT_MOST(load_floats(squares + i), nearest)) == 0) {
        i += FLOATS;
    }
    return i + __builtin_ctz(found);
}

INLINE int prune(int axes, const pyramid_list *in, const pyramid_box *box, cluster_slack slack,
                 float *squares, pyramid_list *out)
{
    int nearest = measure(axes, in, box, squares), kept = 0;
    float min = squares[nearest], limit = min + slack.share * min + slack.floor;
    float place[CLUSTER_AXES];
    for (int a = 0; a < axes; a++) {
        place[a] = in->axis[a][nearest];
    }
    for (int i = 0; i < in->n; i += FLOATS) {
        floats corner = load_floats(squares + i) * (1 - slack.share), at[CLUSTER_AXES];
        for (int a = 0; a < axes; a++) {
            at[a] = load_floats(in->axis[a] + i);
            corner -= ABSOLUTE(at[a] - place[a]) * (2 * box->half[a]);
        }
        lanes keeps = AT_MOST(corner, (floats){0} + limit);
        if (keeps != 0) {
            ints ids = *(const ints *)(const void *)(in->id + i);
            for (int a = 0; a < axes; a++) {
                COMPRESS(out->axis[a] + kept, at[a], keeps);
            }
            COMPRESS(out->id + kept, ids, keeps);
            kept += __builtin_popcount(keeps);
        }
    }
    return kept;
}

/* As `prune` for a leaf: keeps linear functions |k - p|^2 - |z - p|^2 of the clusters other than z,
 * which comes first: differences of positions from z's, constants, numbers. Returns the number of
 * clusters including z; *max is the maximum squared distance from the middle. */
INLINE int prune_leaf(const visit *at, const pyramid_list *in, const pyramid_box *box, float *max)
{
    const pyramid *p = at->p;
    const pyramid_list *out = &p->leaf;
    int axes = at->axes, kept = 1;
    int nearest = measure(axes, in, box, p->squares);
    float min = p->squares[nearest], place[CLUSTER_AXES];
    float limit = min + at->slack.share * min + at->slack.floor;
    for (int a = 0; a < axes; a++) {
        place[a] = in->axis[a][nearest];
    }
    floats farthest = (floats){0} + min;
    for (int i = 0; i < in->n; i += FLOATS) {
        floats square = load_floats(p->squares + i), corner = square * (1 - at->slack.share);
        floats apart[CLUSTER_AXES];
        for (int a = 0; a < axes; a++) {
            apart[a] = load_floats(in->axis[a] + i) - place[a];
            corner -= ABSOLUTE(apart[a]) * (2 * box->half[a]);
        }
        lanes keeps = AT_MOST(corner, (floats){0} + limit);
        if ((unsigned)(nearest - i) < FLOATS) {
            keeps &= ~((lanes)1 << (nearest - i));
        }
        if (keeps != 0) {
            ints ids = *(const ints *)(const void *)(in->id + i);
            for (int a = 0; a < axes; a++) {
                COMPRESS(out->axis[a] + kept, apart[a], keeps);
            }
            COMPRESS(out->id + kept, ids, keeps);
            COMPRESS(p->offsets + kept, square - min, keeps);
            kept += __builtin_popcount(keeps);
        }
    }
    out->id[0] = in->id[nearest];
    for (int j = 1; j < kept; j += FLOATS) {
        floats offset = load_floats(p->offsets + j) + min;
        for (int l = 0; l < FLOATS; l++) {
            offset[l] = j + l < kept ? offset[l] : min;
        }
        farthest = MAX_FLOATS(farthest, offset);
    }
    *max = MAX(farthest);
    return kept;
}

/* ---- linear functions as integers ------------------------------------------------------------ */

/* Numbers of the leaf's clusters, 0 for z, are in the low bits of the function values, so that the
 * minimum contains its number. */
enum { MAX_BITS = 8, MAX_NUMBERED = 1 << MAX_BITS };

typedef struct {
    int clusters;
    int bits;      /* of numbers */
    int16_t close; /* functions that differ by no more may be in the wrong order */
    float error;   /* of functions in float */
} leaf_job;

/* The error of a linear function in float, for a pixel of the leaf: a coordinate of k - m has an
 * error of 2^-24 (2 |k - m| + 2 M), one of p - m of 2^-24 * 2 M. */
INLINE float function_error(const visit *at, const pyramid_leaf *leaf, float max)
{
    const float unit = 16.F / (1 << 24);
    float half = 0, farthest = SQUARE_ROOT(max), length = (float)TILE;
    for (int a = 0; a < at->axes; a++) {
        half = leaf->box.half[a] > half ? leaf->box.half[a] : half;
    }
    length = at->p->magnitude > length ? at->p->magnitude : length;
    return unit * (float)(at->axes + 1) * (farthest + half) * (farthest + length);
}

/* Lanes beyond the list's clusters are set to z, whose function is 0. */
INLINE void pad_functions(const visit *at, int clusters)
{
    const pyramid *p = at->p;
    for (int a = 0; a < at->axes; a++) {
        p->leaf.axis[a][0] = 0;
        *(floats *)(void *)(p->leaf.axis[a] + clusters) = (floats){0};
    }
    p->offsets[0] = 0;
    *(floats *)(void *)(p->offsets + clusters) = (floats){0};
}

/* Scales functions to the range of 16 bits. The error of one is half a unit for each axis' factor
 * and for each product, two units of the last bit above the number, and the error of float. */
INLINE void make_steps(const visit *at, const pyramid_leaf *leaf, leaf_job *job)
{
    const pyramid *p = at->p;
    const float fits = 32000, tiny = 1e-30F, saturated = 32767;
    const int axes = at->axes, clusters = job->clusters;
    floats largest = (floats){0} + tiny;
    float doubled[CLUSTER_AXES];
    for (int a = 0; a < axes; a++) {
        doubled[a] = -2 * leaf->box.half[a];
    }
    for (int j = 1; j < clusters; j += FLOATS) {
        floats sum = ABSOLUTE(load_floats(p->offsets + j));
        for (int a = 0; a < axes; a++) {
            sum -= ABSOLUTE(load_floats(p->leaf.axis[a] + j)) * doubled[a];
        }
        largest = MAX_FLOATS(largest, sum);
    }
    float scale = fits / MAX(largest);
    job->bits = 32 - __builtin_clz((unsigned)clusters - 1);
    int32_t number = (1 << job->bits) - 1;
    for (int j = 1; j < clusters; j += FLOATS) {
        for (int a = 0; a < axes; a++) {
            *(ints *)(void *)(p->steps + (size_t)a * p->room + j) =
                ROUND(load_floats(p->leaf.axis[a] + j) * (doubled[a] * scale));
        }
        ints offset = ROUND(load_floats(p->offsets + j) * scale) & ~number;
        *(ints *)(void *)(p->steps + (size_t)axes * p->room + j) = offset | (LANE_NUMBERS + j);
    }
    float close = 2 * job->error * scale + (float)(2 * axes + 2 + 2 * (1 << job->bits));
    job->close = (int16_t)(close < saturated ? close : saturated);
}

/* The label of pixel i by definition: few functions are so near the minimum that float cannot
 * decide. */
static __attribute__((noinline)) int find_label(const visit *at, const leaf_job *job,
                                                const pyramid_leaf *leaf,
                                                const pyramid_pixels *pixels, int i)
{
    const pyramid *p = at->p;
    const int axes = p->job->axes, place = pixels->place[i];
    float q[CLUSTER_AXES] = {(float)(place % TILE), (float)(place / TILE)};
    floats min = {0};
    for (int a = 0; a < axes; a++) {
        q[a] = a < 2 ? q[a] : p->weight * (float)pyramid_value(p, pixels, i, a - 2);
        q[a] = 2 * (q[a] - leaf->box.middle[a]);
    }
    for (int j = 0; j < job->clusters; j += FLOATS) {
        floats sum = load_floats(p->offsets + j);
        for (int a = 0; a < axes; a++) {
            sum -= load_floats(p->leaf.axis[a] + j) * q[a];
        }
        *(floats *)(void *)(p->squares + j) = sum;
        min = MIN_FLOATS(min, sum);
    }
    floats limit = (floats){0} + (MIN(min) + 2 * job->error);
    int32_t *near = p->near, count = 0;
    for (int j = 0; j < job->clusters; j += FLOATS) {
        lanes found = AT_MOST(load_floats(p->squares + j), limit);
        ints ids = *(const ints *)(const void *)(p->leaf.id + j);
        if (job->clusters - j < FLOATS) {
            found &= ((lanes)1 << (job->clusters - j)) - 1;
        }
        COMPRESS(near + count, ids, found);
        count += __builtin_popcount(found);
    }
    return count == 1 ? near[0] : exact_label(at, pixels, i, near, count);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* A leaf's pixels along its axes, scaled to 16 bits. */
INLINE void unpack(const visit *at, const pyramid_leaf *leaf, const pyramid_pixels *pixels,
                   shorts q[CLUSTER_AXES][VECTORS])
{
    for (int v = 0; v < VECTORS; v++) {
        shorts place = *(const shorts *)(const void *)(pixels->place + v * SHORTS);
        q[0][v] = (place << 1) & (2 * (TILE - 1));
        q[1][v] = (place >> 6) & (2 * (TILE - 1));
        for (int a = 2; a < at->axes; a++) {
            const unsigned char *from = pixels->values + (a - 2) * 2 * LEAF;
            if (at->cell_bits == 8) {
                q[a][v] = WIDEN(from + v * SHORTS) << 1;
            } else {
                q[a][v] = *(const shorts *)(const void *)(from + v * VECTOR_BYTES);
            }
        }
        for (int a = 0; a < at->axes; a++) {
            wrapping from = (wrapping)q[a][v] - leaf->offset[a];
            q[a][v] = (shorts)(from * (uint16_t)leaf->factor[a]);
        }
    }
}

INLINE shorts broadcast(const int32_t *from)
{
    return (shorts){0} + (int16_t)*from;
}

/* The minimum function of each pixel, with its number, and the second smallest. */
INLINE void compete(const visit *at, const leaf_job *job, shorts q[CLUSTER_AXES][VECTORS],
                    shorts best[VECTORS], shorts second[VECTORS])
{
    const pyramid *p = at->p;
    const shorts value = (shorts){0} + (int16_t) ~((1 << job->bits) - 1);
    for (int v = 0; v < VECTORS; v++) {
        best[v] = (shorts){0};
        second[v] = (shorts){0} + INT16_MAX;
    }
    for (int j = 1; j < job->clusters; j++) {
        const int32_t *step = p->steps + j;
        shorts factor[CLUSTER_AXES], offset = broadcast(step + (size_t)at->axes * p->room);
        for (int a = 0; a < at->axes; a++) {
            factor[a] = broadcast(step + (size_t)a * p->room);
        }
        for (int v = 0; v < VECTORS; v++) {
            shorts sum = MULTIPLY_HIGH(q[0][v], factor[0]);
            for (int a = 1; a < at->axes; a++) {
                sum += MULTIPLY_HIGH(q[a][v], factor[a]);
            }
            sum = (sum & value) + offset;
            second[v] = MIN_SHORTS(second[v], MAX_SHORTS(best[v], sum));
            best[v] = MIN_SHORTS(best[v], sum);
        }
    }
}

/* Pixels that are too close to decide are assigned by definition. */
INLINE void assign_close(const visit *at, const leaf_job *job, const pyramid_leaf *leaf,
                         const pyramid_pixels *pixels, const shorts best[VECTORS],
                         const shorts second[VECTORS], uint16_t labels[LEAF])
{
    const shorts close = (shorts){0} + job->close;
    for (int v = 0; v < VECTORS; v++) {
        lanes few = ~LESS_SHORTS(close, LESS_SATURATED(second[v], best[v])) & ALL_SHORTS;
        while (few != 0) {
            int i = v * SHORTS + __builtin_ctz(few);
            few &= few - 1;
            labels[i] = (uint16_t)find_label(at, job, leaf, pixels, i);
        }
    }
}

INLINE void name_labels(const visit *at, const leaf_job *job, const shorts best[VECTORS],
                        uint16_t labels[LEAF])
{
    enum { TABLE_BITS = 4 };
    const int32_t *ids = at->p->leaf.id;
    const shorts number = (shorts){0} + (int16_t)((1 << job->bits) - 1);
    if (job->bits <= TABLE_BITS) {
        table names = MAKE_TABLE(ids);
        for (int v = 0; v < VECTORS; v++) {
            *(shorts *)(void *)(labels + v * SHORTS) = LOOK_UP(names, best[v] & number);
        }
    } else {
        for (int v = 0; v < VECTORS; v++) {
            *(shorts *)(void *)(labels + v * SHORTS) = best[v] & number;
        }
        for (int i = 0; i < LEAF; i++) {
            labels[i] = (uint16_t)ids[labels[i]];
        }
    }
}

INLINE void take_labels(const visit *at, const pyramid_leaf *leaf, pyramid_pixels *pixels,
                        const uint16_t labels[LEAF])
{
    for (int v = 0; v < VECTORS; v++) {
        shorts now = *(const shorts *)(const void *)(labels + v * SHORTS);
        shorts *kept = (shorts *)(void *)(pixels->label + v * SHORTS);
        lanes other = ~SAME_SHORTS(now, *kept) & ALL_SHORTS;
        while (other != 0) {
            int i = v * SHORTS + __builtin_ctz(other);
            other &= other - 1;
            if (i < leaf->pixels) {
                move_pixel(at, pixels, i, pixels->label[i], labels[i]);
            }
        }
        *kept = now;
    }
}

INLINE void assign_leaf(const visit *at, const pyramid_list *in, pyramid_leaf *leaf)
{
    float max;
    int clusters = prune_leaf(at, in, &leaf->box, &max);
    if (clusters == 1) {
        set_uniform(at, leaf, at->p->leaf.id[0]);
        return;
    }
    pyramid_pixels *pixels = pyramid_pixels_of(at->p, at->tile_row, leaf);
    uint16_t labels[LEAF] __attribute__((aligned(VECTOR_BYTES)));
    set_mixed(leaf, pixels);
    leaf_job job = {.clusters = clusters, .error = function_error(at, leaf, max)};
    pad_functions(at, clusters);
    if (clusters <= MAX_NUMBERED) {
        shorts q[CLUSTER_AXES][VECTORS], best[VECTORS], second[VECTORS];
        make_steps(at, leaf, &job);
        unpack(at, leaf, pixels, q);
        compete(at, &job, q, best, second);
        name_labels(at, &job, best, labels);
        assign_close(at, &job, leaf, pixels, best, second, labels);
    } else {
        for (int i = 0; i < LEAF; i++) {
            labels[i] = (uint16_t)find_label(at, &job, leaf, pixels, i);
        }
    }
    take_labels(at, leaf, pixels, labels);
}
