#ifndef HALOBEAT_PARTITION_BALANCE_OPTIONS_H
#define HALOBEAT_PARTITION_BALANCE_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Options of a balancer as text: names and numbers, "m=4,alpha=.5". All functions are local. */

typedef struct {
    const char *name; /* NULL ends a table */
    size_t offset;    /* of the value, a double, in the balancer's state */
    double standard;  /* the default */
    double min, max;
    bool whole; /* only integers */
} halo_balance_option;

/* Allocates the state of a balancer, `bytes` bytes: the values of its options at their offsets, by
 * default or as in `text` (which may be NULL or empty), and 0 elsewhere. `balancer` is its name,
 * for messages. HALO_ARGUMENT, HALO_MEMORY; *state is then NULL. */
halo_status halo_balance_state_create(void **state, size_t bytes, const char *balancer,
                                      const halo_balance_option *options, const char *text);

/* Frees a state that owns nothing else and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_balance_state_destroy(void **state);

#endif
