#ifndef HALOBEAT_HEAT_OPTIONS_H
#define HALOBEAT_HEAT_OPTIONS_H

#include "kernels/heat/heat.h"
#include "kernels/heat/row_ops.h"
#include "partition/box.h"

#include "base/status.h"

/* Internal to the heat kernels. */

typedef enum { HEAT_SQUARE, HEAT_LINEAR, HEAT_MODE } heat_shape;

typedef struct {
    heat_shape shape;
    int64_t mode[HALO_AXES]; /* half waves along each axis; whole waves along periodic axes */
    bool held;               /* cells at edges keep their values */
    bool edge_set;           /* cells at edges begin as `edge` */
    double edge, source;
    double tolerance; /* above 0: cells that change by more are counted */
    heat_type type;
    const heat_row_ops *ops;
} heat_options;

/* Local, pure. The type of the cells; NULL: all defaults. */
heat_type heat_type_of(const halo_heat_options *options);

/* Local, pure. Parses the options of heat.h; NULL: all defaults. HALO_ARGUMENT, with the possible
 * values. */
halo_status heat_options_read(heat_options *out, const halo_heat_options *options,
                              const halo_domain *domain);

#endif
