#ifndef HALOBEAT_HALOBEAT_H
#define HALOBEAT_HALOBEAT_H

/* Everything that is installed, and the list of it: what a line here names, and what that includes,
 * is installed as <halobeat/NAME.h> (cmake/public_headers.cmake). One header is not here, since it
 * needs MPI: core/transport/mpi/world_mpi.h makes worlds of communicators.
 *
 * Structures of options and reports grow with minor versions. Functions that take one by a pointer
 * are macros, which pass its size to a function ..._sized, so that programs run with another
 * version than they were built with; functions that return one are inline, and call a function
 * ..._sized. All structures grow whose size a macro or an inline function passes in this way.
 *
 * Other structures stay as they are until the next major version, among them:
 * - options that a kernel gets as its own (kernel_options of halo_beat_options), to which it or the
 *   run keeps a pointer: halo_chan_vese_options, halo_cluster_options, halo_heat_options,
 *   halo_paths_options, halo_synthetic_options. Functions that take one get no size;
 * - structures to which another one points (halo_async_options);
 * - elements of arrays (halo_motion_figures, halo_motion_load, halo_motion_vector), and what
 *   functions return that are not inline (halo_prediction, halo_link, halo_search_bytes). */

/* Results, versions, and the ranks. */
#include "base/status.h"
#include "base/version.h"
#include "core/transport/threads/run.h"
#include "core/world/collect.h"
#include "core/world/world.h"

/* Who owns what. */
#include "partition/balance/balance.h"
#include "partition/box.h"
#include "partition/cuts.h"
#include "partition/decomposition.h"
#include "partition/model.h"

/* The heartbeat, and what kernels are made of. */
#include "app/ranks/signals.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "base/random.h"
#include "core/balance/balancing.h"
#include "core/beat/beat.h"
#include "core/beat/beats_per_exchange.h"
#include "core/beat/kernel.h"
#include "core/beat/kernel_export.h"
#include "core/beat/loop.h"
#include "core/beat/vote.h"
#include "core/exchange/exchange.h"
#include "core/field/field.h"
#include "core/move/migrate.h"
#include "core/move/redistribute.h"
#include "core/world/clock.h"
#include "core/world/slowdown.h"

/* A master and workers that repeat a computation. */
#include "core/master/master_worker.h"
#include "core/master/repeated_work.h"
#include "partition/balance/lb_lines.h"
#include "partition/balance/share_planner.h"

/* Bags of tasks. */
#include "core/tasks/tasks.h"
#include "partition/schedule/schedule.h"

/* Computations without beats, and when they have ended. */
#include "core/quiescence/quiescence.h"

/* Programs of one kernel. */
#include "app/program.h"

/* Files. */
#include "core/file/checkpoint.h"
#include "core/file/checkpoint_store.h"
#include "core/file/file.h"
#include "core/file/rows.h"
#include "core/move/scatter_gather.h"
#include "io/array/array_write.h"
#include "io/array/npy_write.h"
#include "io/array/png_parallel.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"
#include "io/canvas/picture.h"
#include "io/cells/cells.h"
#include "io/contour/contours.h"
#include "io/contour/contours_draw.h"
#include "io/contour/contours_read.h"
#include "io/contour/contours_rows.h"
#include "io/contour/contours_shapes.h"
#include "io/contour/contours_write.h"
#include "io/dimacs/dimacs.h"
#include "io/flow/flo.h"
#include "io/flow/flow_arrows.h"
#include "io/flow/flow_colours.h"
#include "io/image/image_reader.h"
#include "io/movie/movie.h"
#include "io/nff/nff.h"
#include "io/npy/npy.h"
#include "io/png/png_read.h"
#include "io/png/png_write.h"
#include "io/table/table.h"

/* Arrays in the caller's memory. */
#include "kernels/array/array.h"
#include "kernels/array/kernel_array.h"
#include "kernels/chan_vese/chan_vese_array.h"
#include "kernels/cluster/cluster_array.h"
#include "kernels/distance/distance_array.h"
#include "kernels/distance/expand_labels_array.h"
#include "kernels/distance/thickness_array.h"
#include "kernels/filter/filter_array.h"
#include "kernels/label/contacts_array.h"
#include "kernels/label/keep_array.h"
#include "kernels/label/label_array.h"
#include "kernels/label/regions_array.h"
#include "kernels/life/life_array.h"
#include "kernels/paths/paths_array.h"
#include "kernels/split/split_array.h"
#include "kernels/walk/walk_array.h"
#include "kernels/watershed/watershed_array.h"

/* Built-in kernels. */
#include "kernels/chan_vese/chan_vese.h"
#include "kernels/chan_vese/level_set.h"
#include "kernels/cluster/cluster.h"
#include "kernels/cluster/cluster_chunk.h"
#include "kernels/cluster/cluster_connect.h"
#include "kernels/cluster/cluster_means.h"
#include "kernels/cluster/lab.h"
#include "kernels/distance/distance.h"
#include "kernels/distance/thickness.h"
#include "kernels/graph/digraph.h"
#include "kernels/graph/graph_back.h"
#include "kernels/graph/graph_search.h"
#include "kernels/graph/raster_search.h"
#include "kernels/heat/heat.h"
#include "kernels/label/label.h"
#include "kernels/label/measure/contacts.h"
#include "kernels/label/measure/region_samples.h"
#include "kernels/label/measure/shape.h"
#include "kernels/label/threshold/refine.h"
#include "kernels/label/threshold/threshold.h"
#include "kernels/life/life.h"
#include "kernels/life/life_part.h"
#include "kernels/life/life_rows.h"
#include "kernels/life/life_topology.h"
#include "kernels/motion/motion.h"
#include "kernels/motion/motion_figures.h"
#include "kernels/motion/motion_predict.h"
#include "kernels/paths/paths.h"
#include "kernels/paths/paths_back.h"
#include "kernels/paths/paths_costs.h"
#include "kernels/snake/snake.h"
#include "kernels/snake/snake_field.h"
#include "kernels/split/split.h"
#include "kernels/synthetic/synthetic.h"
#include "kernels/trace/trace.h"
#include "kernels/trace/trace_scene.h"
#include "kernels/walk/walk.h"
#include "kernels/walk/walk_estimate.h"
#include "kernels/watershed/watershed.h"

#endif
