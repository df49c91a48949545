#define VECTOR_BYTES 16
#if defined(__SSE2__)
#include <emmintrin.h>
#define STREAM(pointer, value) _mm_stream_pd(pointer, (__m128d)(value))
#define END_STREAM()           _mm_sfence()
#else
#define STREAM(pointer, value) (*(vector *)(pointer) = (value))
#define END_STREAM()           ((void)0)
#endif
#include "kernels/heat/row_ops_body.h"

const heat_row_ops heat_row_ops_plain = {five, seven};
