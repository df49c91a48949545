#include <immintrin.h>

#define VECTOR_BYTES           32
#define STREAM(pointer, value) _mm256_stream_pd(pointer, (__m256d)(value))
#define END_STREAM()           _mm_sfence()
#include "kernels/heat/row_ops_body.h"

const heat_rows heat_rows_avx2 = {"avx2", HALO_INSTRUCTIONS_AVX2, five, seven};
