#include "kernels/label/rows/row_ops_body.h"

const label_row_ops label_row_ops_plain = {
    .count_runs = portable_count_runs,
    .fold = portable_fold,
    .either = portable_either,
    .all = portable_all,
    .link = portable_link,
    .link_begun = portable_link_begun,
    .copy = portable_copy,
    .adopt = portable_adopt,
    .differ = portable_differ,
    .found = portable_found,
    .flatten = portable_flatten,
    .look_up = portable_look_up,
    .reach = portable_reach,
    .name = portable_name,
    .paint8 = portable_paint8,
    .paint16 = portable_paint16,
    .paint32 = portable_paint32,
    .paint64 = portable_paint64,
    .fill32 = portable_fill32,
};
