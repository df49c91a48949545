#ifndef HALOBEAT_HALOBEAT_H
#define HALOBEAT_HALOBEAT_H

/* Everything that is installed, and the list of it: what a line here names, and what that includes,
 * becomes <halobeat/...> (see cmake/install_headers.cmake). */

/* Results, versions, and the ranks. */
#include "core/collect.h"
#include "core/status.h"
#include "core/version.h"
#include "core/world.h"

/* Who owns what. */
#include "partition/balance/balance.h"
#include "partition/box.h"
#include "partition/cuts.h"
#include "partition/decomposition.h"
#include "partition/model.h"

/* The heartbeat, and what kernels are made of. */
#include "core/balancing.h"
#include "core/beat.h"
#include "core/clock.h"
#include "core/depth.h"
#include "core/drag.h"
#include "core/exchange.h"
#include "core/field.h"
#include "core/kernel.h"
#include "core/kernel_export.h"
#include "core/memory.h"
#include "core/migrate.h"
#include "core/numbers.h"
#include "core/random.h"
#include "core/redistribute.h"
#include "core/signals.h"
#include "core/vote.h"

/* Programs of one kernel. */
#include "cli/program.h"

/* Files. */
#include "core/checkpoint.h"
#include "core/file.h"
#include "core/rows.h"
#include "core/stream.h"
#include "io/canvas.h"
#include "io/cells.h"
#include "io/flo.h"
#include "io/flow_colours.h"
#include "io/movie.h"
#include "io/npy.h"
#include "io/picture.h"
#include "io/png_parallel.h"
#include "io/png_read.h"
#include "io/png_write.h"
#include "io/table.h"

/* Kernels that are there. */
#include "kernels/chan_vese/chan_vese.h"
#include "kernels/chan_vese/level_set.h"
#include "kernels/cluster/cluster.h"
#include "kernels/cluster/lab.h"
#include "kernels/heat/heat.h"
#include "kernels/label/label.h"
#include "kernels/label/plan.h"
#include "kernels/label/threshold.h"
#include "kernels/life/life.h"
#include "kernels/motion/motion.h"
#include "kernels/snake/field.h"
#include "kernels/snake/snake.h"
#include "kernels/synthetic/synthetic.h"

#endif
