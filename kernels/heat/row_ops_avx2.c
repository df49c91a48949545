#include <immintrin.h>

#define VECTOR_BYTES           32
#define STREAM(pointer, value) _mm256_stream_pd(pointer, (__m256d)(value))
#define END_STREAM()           _mm_sfence()
#include "kernels/heat/row_ops_body.h"

const heat_row_ops heat_row_ops_avx2 = {five, seven};
