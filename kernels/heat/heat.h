#ifndef HALOBEAT_HEAT_HEAT_H
#define HALOBEAT_HEAT_HEAT_H

#include "core/beat/kernel.h"

/* Heat conduction: one field of floating-point numbers, of 64 bits by default. Beyond an edge of
 * the domain that is not periodic it is 0, unless the edges are held.
 *
 * heat, two axes: a cell becomes the mean of its four neighbours, Jacobi's iteration for Laplace's
 * equation. heat3d, three axes: a quarter of the cell and an eighth of each of its six neighbours,
 * which is an explicit step of the heat equation, or Jacobi's iteration with weight 3/4. The
 * weights are powers of two, so that harmonic fields of moderate integers do not change at all.
 *
 * Results are the same bytes for all instruction sets. */

/* The options, passed as halo_beat_options.kernel_options; NULL or all 0 mean the defaults. The
 * strings must outlive `create`. */
typedef struct {
    /* The initial field:
     *   square        1 in the middle third of every axis, otherwise 0: the default
     *   linear        cell (i, j, k) is i + 2 j + 3 k; edges are held. Not for periodic axes
     *   mode:KxL[xM]  an eigenmode: the product over axes of sin(k pi (i + 1) / (n + 1)), on
     *                 periodic ones of cos(2 pi k i / n). Each beat multiplies it, in two axes,
     *                 by the mean over axes of c = cos(k pi / (n + 1)), or cos(2 pi k / n); in
     *                 three axes by 1/4 + 3/4 of that mean */
    const char *shape;
    const char *edge;  /* a number: the value of the cells at the domain's edges, in all beats.
                        * "held": these cells keep their initial values */
    double source;     /* added to every cell in each beat, also to held cells. With shape linear
                        * a cell is then its initial value plus `source` times the number of
                        * beats, so that every out-of-date halo shows (an idea of the Parallel
                        * Research Kernels) */
    double tolerance;  /* above 0: the run ends with the first beat that changes no cell by more;
                        * beats per exchange are then 1 */
    const char *dtype; /* type of the cells: float64 or float32; NULL: float64 */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best of this machine */
} halo_heat_options;

/* With a tolerance or a dtype, run the table that halo_kernel_suited returns for the options: its
 * cells have that type, and it converges. */
extern const halo_kernel halo_heat_kernel, halo_heat3d_kernel;

#endif
