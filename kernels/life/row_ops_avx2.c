#define LIFE_ROW_OPS      life_row_ops_avx2
#define LIFE_VECTOR_BYTES 32
#include "kernels/life/row_ops_two_input.h"

#include "kernels/life/row_ops_body.h"
