#include "kernels/life/soup_ops_body.h"

const life_soup_ops life_soup_ops_plain = {fill};
