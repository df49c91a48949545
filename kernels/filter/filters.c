#include "kernels/filter/filters.h"

#define FILTER_ENTRY(name) &filter_##name,

const halo_filter *const filter_table[] = {FILTER_LIST(FILTER_ENTRY) 0};
