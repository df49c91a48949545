/* The loops over a sheet, compiled once for each ISA (halobeat_isa_body), for cells of both types.
 * No include guard on purpose. */

#include "kernels/heat/row_ops.h"

#define INLINE static inline __attribute__((always_inline))

/* STREAM_double(pointer, vector) and STREAM_float are streaming stores, if the processor has them;
 * END_STREAM() must follow the last one. */
#if defined(__SSE2__)
#include <immintrin.h>
#define END_STREAM() _mm_sfence()
#else
#define END_STREAM() ((void)0)
#endif
#if HALO_ISA_BYTES == 64
#define STREAM_double(pointer, value) _mm512_stream_pd(pointer, (__m512d)(value))
#define STREAM_float(pointer, value)  _mm512_stream_ps(pointer, (__m512)(value))
#elif HALO_ISA_BYTES == 32
#define STREAM_double(pointer, value) _mm256_stream_pd(pointer, (__m256d)(value))
#define STREAM_float(pointer, value)  _mm256_stream_ps(pointer, (__m256)(value))
#elif defined(__SSE2__)
#define STREAM_double(pointer, value) _mm_stream_pd(pointer, (__m128d)(value))
#define STREAM_float(pointer, value)  _mm_stream_ps(pointer, (__m128)(value))
#else
#define STREAM_double(pointer, value) (*(vector_double *)(pointer) = (value))
#define STREAM_float(pointer, value)  (*(vector_float *)(pointer) = (value))
#endif

/* Rows processed together: vectors loaded for one row are reused for the next, and memory is faster
 * for several rows at once. */
enum { TOGETHER = 4 };

/* Options that are compile-time constants of loops. */
typedef struct {
    int rows;
    bool seven, adds, stream;
} loop_kind;

#define CELL double
#include "kernels/heat/row_ops_cells.h"
#undef CELL
#define CELL float
#include "kernels/heat/row_ops_cells.h"
#undef CELL

const heat_row_ops HALO_ISA_OPS(heat_row_ops) = {
    .five = {[HEAT_DOUBLE] = five_double, [HEAT_FLOAT] = five_float},
    .seven = {[HEAT_DOUBLE] = seven_double, [HEAT_FLOAT] = seven_float},
    .moved = {[HEAT_DOUBLE] = moved_double, [HEAT_FLOAT] = moved_float}};
