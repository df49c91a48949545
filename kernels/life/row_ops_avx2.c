#define LIFE_PATH         life_path_avx2
#define LIFE_PATH_NAME    "avx2"
#define LIFE_VECTOR_BYTES 32
#include "kernels/life/row_ops_two_input.h"

#include "kernels/life/row_ops_body.h"
