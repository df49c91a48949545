/* The inner loop of the search for paths, compiled once for each ISA (halobeat_isa_body). Which
 * neighbours a cell improves is unpredictable, so that no branch depends on it. No include guard on
 * purpose. */

#include "kernels/paths/front_internal.h"
#include "kernels/paths/reach_ops.h"

#if HALO_ISA_BYTES == 64
#include <immintrin.h>
#endif

/* A cell whose neighbours are looked at. */
typedef struct {
    int64_t index;
    double distance, cost;
} reach_from;

static inline reach_from reach_begin(const paths_front *front, int64_t index)
{
    return (reach_from){index, front->cells[index].distance, front->cells[index].cost};
}

/* Puts neighbour `s` of a cell into the batch, if the cell improves it. Returns how many there are
 * then. `volume` is a constant in all calls. */
static inline int reach_one(const paths_front *front, paths_batch *batch, const reach_from *cell,
                            int s, bool volume, int count)
{
    int64_t other = cell->index + front->offsets[s];
    double reached = cell->distance + paths_weigh(front, cell->index, cell->cost, s, volume);
    batch->others[count] = (int32_t)other;
    batch->reached[count] = reached;
    return count + (reached < front->cells[other].distance);
}

/* `steps` and `volume` are constants in all calls: the loop is unrolled. */
static inline int reach(const paths_front *front, paths_batch *batch, int taken, int steps,
                        bool volume)
{
    int count = 0;
    for (int i = 0; i < taken; i++) {
        const reach_from cell = reach_begin(front, batch->cells[i]);
        for (int s = 0; s < steps; s++) {
            count = reach_one(front, batch, &cell, s, volume, count);
        }
    }
    return count;
}

static int reach_four(const paths_front *front, paths_batch *batch, int count)
{
    enum { FOUR = 4 };
    return reach(front, batch, count, FOUR, false);
}

static int reach_sixteen(const paths_front *front, paths_batch *batch, int count)
{
    enum { SIXTEEN = 16 };
    return reach(front, batch, count, SIXTEEN, false);
}

#if HALO_ISA_BYTES == 64

/* Distances and costs alternate in memory. The three of either kind in the row above, and those
 * beside the cell, are put in the order of steps, N W E S NW NE SW SE; then those of the row
 * below. */
typedef struct {
    __m512i upper, lower; /* of distances; costs are behind them */
    __m512d weights;
    __m256i offsets;
} reach_plan;

static inline __m512d weights_of(const paths_step *steps)
{
    return _mm512_setr_pd(steps[0].weight, steps[1].weight, steps[2].weight, steps[3].weight,
                          steps[4].weight, steps[5].weight, steps[6].weight, steps[7].weight);
}

static inline reach_plan make_plan(const paths_front *front)
{
    return (reach_plan){
        .upper = _mm512_setr_epi64(2, 8, 12, 0, 0, 4, 0, 0),
        .lower = _mm512_setr_epi64(0, 0, 0, 2, 0, 0, 0, 4),
        .weights = weights_of(front->steps),
        .offsets = _mm512_cvtepi64_epi32(_mm512_loadu_si512(front->offsets)),
    };
}

/* Picks all eight neighbours, by the indices in `upper` and `lower`. */
static inline __m512d pick(const __m512d rows[3], __m512i upper, __m512i lower)
{
    enum { BELOW = 0xC8 }; /* S, SW and SE */
    __m512d values = _mm512_permutex2var_pd(rows[0], upper, rows[1]);
    return _mm512_mask_permutexvar_pd(values, BELOW, lower, rows[2]);
}

static int reach_eight(const paths_front *front, paths_batch *batch, int taken)
{
    enum { THREE_CELLS = 0x3F, BESIDE = 0x33 };
    const reach_plan plan = make_plan(front);
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i upper = _mm512_add_epi64(plan.upper, one);
    const __m512i lower = _mm512_add_epi64(plan.lower, one);
    const int64_t pitch = 2 * front->pitch;
    int count = 0;
    for (int i = 0; i < taken; i++) {
        const double *cell = &front->cells[batch->cells[i]].distance;
        const __m512d rows[3] = {_mm512_maskz_loadu_pd(THREE_CELLS, cell - pitch - 2),
                                 _mm512_maskz_loadu_pd(BESIDE, cell - 2),
                                 _mm512_maskz_loadu_pd(THREE_CELLS, cell + pitch - 2)};
        __m512d costs = _mm512_abs_pd(pick(rows, upper, lower));
        __m512d weights =
            _mm512_mul_pd(_mm512_add_pd(_mm512_set1_pd(cell[1]), costs), plan.weights);
        __m512d reached = _mm512_add_pd(_mm512_set1_pd(cell[0]), weights);
        __mmask8 less = _mm512_cmp_pd_mask(reached, pick(rows, plan.upper, plan.lower), _CMP_LT_OQ);
        __m256i others = _mm256_add_epi32(plan.offsets, _mm256_set1_epi32(batch->cells[i]));
        _mm512_storeu_pd(batch->reached + count, _mm512_maskz_compress_pd(less, reached));
        _mm256_storeu_si256((void *)(batch->others + count),
                            _mm256_maskz_compress_epi32(less, others));
        count += __builtin_popcount(less);
    }
    return count;
}

/* The cells in a plane around one, and the steps to them: some of the eight, the first of which is
 * step `first` of the front. */
typedef struct {
    __m512d weights;
    __m256i offsets;
    int64_t plane; /* doubles from the cell's plane to this one */
    __mmask8 lanes;
} reach_ring;

static inline reach_ring make_ring(const paths_front *front, int first, int count, int plane)
{
    enum { ALL = 8 };
    paths_step steps[ALL] = {{.dz = 0}};
    int32_t offsets[ALL] = {0};
    for (int s = 0; s < count; s++) {
        steps[s] = front->steps[first + s];
        offsets[s] = (int32_t)front->offsets[first + s];
    }
    return (reach_ring){.weights = weights_of(steps),
                        .offsets = _mm256_loadu_si256((const void *)offsets),
                        .plane = 2 * plane * front->plane,
                        .lanes = (__mmask8)((1U << count) - 1)};
}

/* Appends what is improved from cell `index` in this plane; returns the new count. */
static inline int reach_in_ring(const paths_front *front, paths_batch *batch, int32_t index,
                                const reach_plan *plan, const reach_ring *ring, int count)
{
    enum { THREE_CELLS = 0x3F };
    const __m512i one = _mm512_set1_epi64(1);
    const int64_t pitch = 2 * front->pitch;
    const double *cell = &front->cells[index].distance, *centre = cell + ring->plane;
    const __m512d rows[3] = {_mm512_maskz_loadu_pd(THREE_CELLS, centre - pitch - 2),
                             _mm512_maskz_loadu_pd(THREE_CELLS, centre - 2),
                             _mm512_maskz_loadu_pd(THREE_CELLS, centre + pitch - 2)};
    __m512d costs = _mm512_abs_pd(
        pick(rows, _mm512_add_epi64(plan->upper, one), _mm512_add_epi64(plan->lower, one)));
    __m512d weights = _mm512_mul_pd(_mm512_add_pd(_mm512_set1_pd(cell[1]), costs), ring->weights);
    __m512d reached = _mm512_add_pd(_mm512_set1_pd(cell[0]), weights);
    __mmask8 less = _mm512_mask_cmp_pd_mask(ring->lanes, reached,
                                            pick(rows, plan->upper, plan->lower), _CMP_LT_OQ);
    __m256i others = _mm256_add_epi32(ring->offsets, _mm256_set1_epi32(index));
    _mm512_storeu_pd(batch->reached + count, _mm512_maskz_compress_pd(less, reached));
    _mm256_storeu_si256((void *)(batch->others + count), _mm256_maskz_compress_epi32(less, others));
    return count + __builtin_popcount(less);
}

/* `own` and `beside` are the numbers of steps within the cell's plane, and to either plane beside
 * it but for the straight one. */
static inline int reach_volume(const paths_front *front, paths_batch *batch, int taken, int own,
                               int beside)
{
    const reach_plan plan = make_plan(front);
    const reach_ring rings[3] = {make_ring(front, 0, own, 0), make_ring(front, own, beside, -1),
                                 make_ring(front, own + beside, beside, 1)};
    const int straight = own + 2 * beside;
    int count = 0;
    for (int i = 0; i < taken; i++) {
        const reach_from cell = reach_begin(front, batch->cells[i]);
        for (int r = 0; r < (beside > 0 ? 3 : 1); r++) {
            count = reach_in_ring(front, batch, batch->cells[i], &plan, &rings[r], count);
        }
        for (int s = straight; s < straight + 2; s++) {
            count = reach_one(front, batch, &cell, s, true, count);
        }
    }
    return count;
}

static int reach_six(const paths_front *front, paths_batch *batch, int count)
{
    return reach_volume(front, batch, count, 4, 0);
}

static int reach_eighteen(const paths_front *front, paths_batch *batch, int count)
{
    return reach_volume(front, batch, count, 8, 4);
}

static int reach_twenty_six(const paths_front *front, paths_batch *batch, int count)
{
    return reach_volume(front, batch, count, 8, 8);
}

#else

static int reach_eight(const paths_front *front, paths_batch *batch, int count)
{
    enum { EIGHT = 8 };
    return reach(front, batch, count, EIGHT, false);
}

static int reach_six(const paths_front *front, paths_batch *batch, int count)
{
    enum { SIX = 6 };
    return reach(front, batch, count, SIX, true);
}

static int reach_eighteen(const paths_front *front, paths_batch *batch, int count)
{
    enum { EIGHTEEN = 18 };
    return reach(front, batch, count, EIGHTEEN, true);
}

static int reach_twenty_six(const paths_front *front, paths_batch *batch, int count)
{
    return reach(front, batch, count, PATHS_STEPS, true);
}

#endif

const paths_reach_ops HALO_ISA_OPS(paths_reach_ops) = {.four = reach_four,
                                                       .eight = reach_eight,
                                                       .sixteen = reach_sixteen,
                                                       .six = reach_six,
                                                       .eighteen = reach_eighteen,
                                                       .twenty_six = reach_twenty_six};
