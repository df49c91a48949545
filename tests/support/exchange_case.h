#ifndef HALOBEAT_TESTS_EXCHANGE_CASE_H
#define HALOBEAT_TESTS_EXCHANGE_CASE_H

#include "core/exchange/exchange.h"

enum { EXCHANGE_FIELDS = 2, EXCHANGE_BEATS = 3 };

/* A test of the halos of two fields, cell by cell; the same on every rank. */
typedef struct {
    halo_domain domain;
    int cell_bits[EXCHANGE_FIELDS];
    int depth[EXCHANGE_FIELDS];
    halo_exchange_options options;
    halo_partition partition;
} exchange_case;

/* Local. Random periodicity, cells, depths and sizes, for these parts along each axis; cuts are
 * even or random. Parts with exactly as many cells as the halo, and empty parts, are frequent. Rows
 * that are not cut may have bits, with widths near multiples of words. The caller frees the
 * partition. */
exchange_case exchange_case_random(uint64_t *random, int axes, const int parts[HALO_AXES]);

/* Collective; notes its checks. Exchanges cells that change in every beat, and checks every cell
 * and halo cell; those of diagonal neighbours only if the options, or whole rows, provide them.
 * `counts` is what this rank has sent in EXCHANGE_BEATS exchanges. */
void exchange_case_run(const exchange_case *c, halo_exchange_counts *counts);

/* The steps of it. Local: create the fields of this rank's part, shared for mode "shared"; set
 * owned cells to those of `beat`; check every halo cell, and owned ones unless they already belong
 * to another beat. Collective: connect them; notes a failure. */
void exchange_fields_create(const exchange_case *c, halo_field **fields);
void exchange_fields_destroy(halo_field **fields);
halo_status exchange_connect(halo_exchange **out, const exchange_case *c, halo_field **fields);
void exchange_fill(halo_field *const *fields, int64_t beat);
void exchange_check(const exchange_case *c, halo_field *const *fields, int64_t beat, bool owned);

/* Local. The value of the cell at global position `at` in `beat`. */
uint64_t exchange_cell_value(const int64_t at[HALO_AXES], int field, int64_t beat);

/* Local. A cell or halo cell by local index; values are cut to the cell's bits (the lowest 64 of
 * larger cells). */
uint64_t exchange_cell_get(const halo_view *view, const int64_t at[HALO_AXES]);
void exchange_cell_set(const halo_view *view, const int64_t at[HALO_AXES], uint64_t value);
uint64_t exchange_cell_mask(int bits);

#endif
