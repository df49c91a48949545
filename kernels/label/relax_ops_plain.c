#include "kernels/label/relax_ops_body.h"

const label_relax_ops label_relax_ops_plain = {sweep, take};
