/* Any machine: vectors of 16 bytes, which every 64-bit processor of today has. */
#define LIFE_ROW_OPS      life_row_ops_plain
#define LIFE_VECTOR_BYTES 16
#include "kernels/life/row_ops_two_input.h"

#include "kernels/life/row_ops_body.h"
