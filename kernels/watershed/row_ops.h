#ifndef HALOBEAT_WATERSHED_ROW_OPS_H
#define HALOBEAT_WATERSHED_ROW_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* The inner loops of the watershed on rows, compiled from one source for each ISA, all with the
 * same results. Internal to the kernel. */

/* Steps of cells that are not reached: there is room above for what is added to it. */
#define WATERSHED_FAR UINT32_C(0xfffffff0)

/* A row, and the distances of its cells to `count` of their neighbours, which is even. */
enum { WATERSHED_BOX_ROWS = 9 };
typedef struct {
    int64_t width;
    const int64_t *step; /* [count] */
    int count;
    /* Neighbours may be all cells of boxes, 3 side by side in some rows: the distances to the
     * rows. The cell itself may be in one of them, which does not change the result. 0: they are
     * not. */
    int rows;
    int64_t row[WATERSHED_BOX_ROWS];
} watershed_span;

/* For keys of one size. `level` and `steps` point to the first cell of a row. */
typedef struct {
    /* Lowers levels to the larger one of the sample and the least level of these neighbours and of
     * the cell before, from left to right, or with `back` from right to left. */
    void (*sweep)(const watershed_span *span, void *level, const void *image, bool back);

    /* flags = 1 where these neighbours would lower the level, else 0. Returns true if there is
     * one. */
    bool (*falls)(const watershed_span *span, const void *level, const void *image, uint8_t *flags);

    /* Steps of cells that are not outside: 1 if there is a label, or a lower neighbour, else
     * WATERSHED_FAR. */
    void (*sources)(const watershed_span *span, const void *level, const int32_t *labels,
                    uint32_t *steps);

    /* flags = 1 where a neighbour of the same level would lower the steps, else 0. Returns true if
     * there is one. */
    bool (*nears)(const watershed_span *span, const void *level, const uint32_t *steps,
                  uint8_t *flags);

    /* directions = a bit for each of the best neighbours, of cells that are reached and have no
     * label; else 0. [0]: of 8 bits; [1]: of 32. */
    void (*best[2])(const watershed_span *span, const void *level, const uint32_t *steps,
                    const int32_t *labels, void *directions);

    /* States that are not 0, as of WATERSHED_FALLS, become 1 with a lower neighbour, otherwise 2.
     */
    void (*compare)(const watershed_span *span, const void *keys, uint8_t *states);

    /* flags = 1 where the state is 2 and that of an equal neighbour is 1, else 0. Returns true if
     * there is one. */
    bool (*leaves)(const watershed_span *span, const void *keys, const uint8_t *states,
                   uint8_t *flags);
} watershed_key_ops;

/* By the size of a key: 1, 2, 4 and 8 bytes. */
enum { WATERSHED_KEYS = 4 };
typedef struct {
    watershed_key_ops keys[WATERSHED_KEYS];
} watershed_row_ops;

extern const watershed_row_ops watershed_row_ops_avx512, watershed_row_ops_avx2,
    watershed_row_ops_plain;

#endif
