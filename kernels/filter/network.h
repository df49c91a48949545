#ifndef HALOBEAT_FILTER_NETWORK_H
#define HALOBEAT_FILTER_NETWORK_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Networks of minima and maxima that sort and select, for rows of samples: every operation is one
 * of whole rows. Internal to the kernels; local.
 *
 * A network is built from values, each of which is a row and a number of samples that it is shifted
 * by: what is computed of neighbours once serves all windows that contain them. Operations of which
 * nothing is wanted are left out. Merges are Batcher's (1968). */

typedef struct {
    int node, shift; /* sample x of the value is sample x + shift of the node's row */
} filter_value;

typedef struct {
    int kind; /* filter_network_kind */
    filter_value a, b;
} filter_node;

typedef struct {
    filter_node *node;
    int64_t count, room;
    int *table; /* of nodes by their contents; -1: none */
    int64_t slots;
    halo_status status; /* the first failure; what follows does nothing */
} filter_network;

typedef enum {
    FILTER_NETWORK_INPUT,
    FILTER_NETWORK_MIN,
    FILTER_NETWORK_MAX,
    FILTER_NETWORK_SORT,  /* both */
    FILTER_NETWORK_COPY,  /* of `a` */
    FILTER_NETWORK_SELECT /* the minimum of the maxima of pairs */
} filter_network_kind;

/* An operation of a program on registers, which are rows. */
typedef struct {
    int kind;
    int a, b, shift_a, shift_b; /* registers that are read; to select, the first pair of registers
                                 * and the number of pairs */
    int low, high;              /* those that are written: the minimum, the maximum; the first one
                                 * also for a copy */
    int more;                   /* samples past those of the results */
} filter_operation;

/* Registers 0 to inputs - 1 are rows of the caller; then come those of outputs, and others. */
typedef struct {
    filter_operation *operation; /* [operations] */
    int (*pair)[2];              /* [pairs] registers */
    int operations, pairs, inputs, outputs, registers;
    int more; /* samples of the inputs past those of the outputs */
} filter_program;

/* Zero-initialise the network. Its first values are inputs. Call filter_network_free in any case;
 * what failed says filter_program_make. */
filter_value filter_network_input(filter_network *network);
void filter_network_free(filter_network *network);

/* Merges sorted lists of m and n values to `out` [m + n]; sorts the first n values of a list. */
void filter_network_merge(filter_network *network, const filter_value *a, int m,
                          const filter_value *b, int n, filter_value *out);
void filter_network_sort(filter_network *network, filter_value *list, int n);

/* The value of rank `rank`, from 0, of two sorted lists. */
filter_value filter_network_select(filter_network *network, const filter_value *a, int m,
                                   const filter_value *b, int n, int rank);

/* Makes the program that computes values. HALO_MEMORY. Call filter_program_free in any case. */
halo_status filter_program_make(filter_program *program, const filter_network *network,
                                const filter_value *outputs, int count);
void filter_program_free(filter_program *program);

#endif
