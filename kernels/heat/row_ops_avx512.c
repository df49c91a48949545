#include <immintrin.h>

#define VECTOR_BYTES           64
#define STREAM(pointer, value) _mm512_stream_pd(pointer, (__m512d)(value))
#define END_STREAM()           _mm_sfence()
#include "kernels/heat/row_ops_body.h"

const heat_row_ops heat_row_ops_avx512 = {five, seven};
