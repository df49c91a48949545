/* The inner loop of the search for paths, compiled once for each ISA (halobeat_isa_body). Which
 * neighbours a cell improves is unpredictable, so that no branch depends on it. No include guard on
 * purpose. */

#include "kernels/paths/front_internal.h"
#include "kernels/paths/reach_ops.h"

#if HALO_ISA_BYTES == 64
#include <immintrin.h>
#endif

/* `steps` is a constant in all calls: the loop is unrolled. */
static inline int reach(const paths_front *front, paths_batch *batch, int taken, int steps)
{
    int count = 0;
    for (int i = 0; i < taken; i++) {
        int64_t index = batch->cells[i];
        double distance = front->cells[index].distance, cost = front->cells[index].cost;
        for (int s = 0; s < steps; s++) {
            int64_t other = index + front->offsets[s];
            double reached = distance + paths_weigh(front, index, cost, s);
            batch->others[count] = (int32_t)other;
            batch->reached[count] = reached;
            count += reached < front->cells[other].distance;
        }
    }
    return count;
}

static int reach_four(const paths_front *front, paths_batch *batch, int count)
{
    enum { FOUR = 4 };
    return reach(front, batch, count, FOUR);
}

static int reach_sixteen(const paths_front *front, paths_batch *batch, int count)
{
    enum { SIXTEEN = 16 };
    return reach(front, batch, count, SIXTEEN);
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

static inline reach_plan make_plan(const paths_front *front)
{
    const halo_paths_step *steps = front->steps;
    return (reach_plan){
        .upper = _mm512_setr_epi64(2, 8, 12, 0, 0, 4, 0, 0),
        .lower = _mm512_setr_epi64(0, 0, 0, 2, 0, 0, 0, 4),
        .weights =
            _mm512_setr_pd(steps[0].weight, steps[1].weight, steps[2].weight, steps[3].weight,
                           steps[4].weight, steps[5].weight, steps[6].weight, steps[7].weight),
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

#else

static int reach_eight(const paths_front *front, paths_batch *batch, int count)
{
    enum { EIGHT = 8 };
    return reach(front, batch, count, EIGHT);
}

#endif

const paths_reach_ops HALO_ISA_OPS(paths_reach_ops) = {
    .four = reach_four, .eight = reach_eight, .sixteen = reach_sixteen};
