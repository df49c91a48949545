#include "kernels/label/rows/row_ops_body.h"

const label_row_ops label_row_ops_plain = {
    PORTABLE_ROW_OPS,
    .paint32 = portable_paint32,
    .fill32 = portable_fill32,
};
