#ifndef HALOBEAT_TESTS_EXCHANGE_CASE_H
#define HALOBEAT_TESTS_EXCHANGE_CASE_H

#include "core/exchange/exchange.h"

enum { EXCHANGE_FIELDS = 2, EXCHANGE_BEATS = 3 };

/* Halos of two fields, checked cell by cell; the same on every rank. */
typedef struct {
    halo_domain domain;
    int cell_bits[EXCHANGE_FIELDS];
    int depth[EXCHANGE_FIELDS];
    halo_exchange_options options;
    halo_partition partition;
} exchange_case;

/* Collective, notes its checks. Exchanges cells that change every beat, and looks at every cell
 * and halo cell: those that are neighbours diagonally only where the options, or whole rows, bring
 * them. `counts` is what this rank has sent in EXCHANGE_BEATS exchanges. */
void exchange_case_run(const exchange_case *c, halo_exchange_counts *counts);

/* Local. The parts of it: give field `field`'s owned cells what they hold in `beat`; look at every
 * cell and halo cell, noting checks. */
void exchange_cells_fill(const halo_view *view, int field, int64_t beat);
void exchange_cells_check(const exchange_case *c, const halo_view *view, int field, int64_t beat);

/* Local. What the cell at global place `at` holds in `beat`. */
uint64_t exchange_cell_value(const int64_t at[HALO_AXES], int field, int64_t beat);

/* Local. A cell or halo cell by its local index; values are cut off to the cell's bits (the lowest
 * 64 of larger cells). */
uint64_t exchange_cell_get(const halo_view *view, const int64_t at[HALO_AXES]);
void exchange_cell_set(const halo_view *view, const int64_t at[HALO_AXES], uint64_t value);
uint64_t exchange_cell_mask(int bits);

#endif
