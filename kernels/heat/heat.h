#ifndef HALOBEAT_HEAT_HEAT_H
#define HALOBEAT_HEAT_HEAT_H

#include "core/beat/kernel.h"

/* Heat spreads: one field of floating point numbers, of 64 bits unless options ask for 32. Beyond
 * an edge of the domain that is not periodic it is 0, unless edges are held.
 *
 * heat, two axes: a cell becomes the mean of its four neighbours, Jacobi's iteration for Laplace's
 * equation. heat3d, three axes: a quarter of itself and an eighth of each of its six neighbours,
 * which is an explicit step of the heat equation, or Jacobi's iteration with a weight of 3/4. The
 * weights are powers of two, so that fields of moderate whole numbers that are harmonic stay what
 * they are, exactly.
 *
 * Results are the same bytes for any instructions. */

/* What halo_beat_options.kernel_options points to; NULL, and all zero, are the defaults. The texts
 * must outlive `create`. */
typedef struct {
    /* How it begins:
     *   square        1 in the middle third of every axis, or else 0: the default
     *   linear        cell (i, j, k) is i + 2 j + 3 k; edges are held. Not for periodic axes
     *   mode:KxL[xM]  an eigenmode: the product over axes of sin(k pi (i + 1) / (n + 1)), on
     *                 periodic ones of cos(2 pi k i / n). Each beat multiplies it by the mean over
     *                 axes of c, in three axes by a quarter and three quarters of that mean, with
     *                 c = cos(k pi / (n + 1)), or cos(2 pi k / n): a closed form */
    const char *shape;
    const char *edge; /* a number: cells at the domain's edges have it and keep it. held: they keep
                       * what they have at the beginning */
    double source;    /* added to every cell, held ones too, each beat. With shape linear every cell
                       * is its beginning and as many times `source` as there were beats, so that no
                       * halo can be stale unseen (an idea of the Parallel Research Kernels) */
    double tolerance; /* above 0: the run ends with the first beat that changes no cell by
                       * more, and an exchange lasts for one beat */
    const char *dtype;        /* float64 or float32: what cells are; NULL: float64 */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best that this machine has */
} halo_heat_options;

/* With a tolerance or a dtype, use what halo_kernel_suited gives for the options: tables with cells
 * of that type, which converge. */
extern const halo_kernel halo_heat_kernel, halo_heat3d_kernel;

#endif
