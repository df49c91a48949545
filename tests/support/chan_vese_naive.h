#ifndef HALOBEAT_TESTS_CHAN_VESE_NAIVE_H
#define HALOBEAT_TESTS_CHAN_VESE_NAIVE_H

#include "kernels/chan_vese/chan_vese.h"

/* A simple reference for morphological Chan-Vese, from scikit-image's definition: a byte per pixel,
 * every neighbour read separately, all sums computed anew for every beat. */
typedef struct {
    int64_t rows, columns;
    halo_chan_vese_options options;
    uint16_t *greys;                  /* [rows * columns] */
    uint8_t *cells;                   /* the same: 0 or 1 */
    uint8_t *older;                   /* scratch memory for another level set */
    int64_t beats;                    /* done */
    int64_t operators;                /* curvature operators applied so far */
    int64_t changed;                  /* pixels changed by the last beat */
    double inside_mean, outside_mean; /* before the last beat */
} chan_vese_naive;

/* Creates an image and a level set of 0. Exits the program if there is no memory. The caller frees
 * it. */
chan_vese_naive chan_vese_naive_make(int64_t rows, int64_t columns,
                                     const halo_chan_vese_options *options);
void chan_vese_naive_free(chan_vese_naive *made);

/* Local. One beat. */
void chan_vese_naive_step(chan_vese_naive *of);

/* Makes difficult images and level sets from a seed: of few greys, of many, uniform, noisy. */
void chan_vese_naive_draw(chan_vese_naive *of, uint64_t *random);

/* Local. Copies the owned rows into views of the kernel's fields; counts pixels that differ. */
void chan_vese_naive_put(const chan_vese_naive *of, const halo_view *cells, const halo_view *greys);
int64_t chan_vese_naive_differ(const chan_vese_naive *of, const halo_view *cells);

#endif
