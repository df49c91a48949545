#ifndef HALOBEAT_PARTITION_BALANCE_OPTIONS_H
#define HALOBEAT_PARTITION_BALANCE_OPTIONS_H

#include "base/option.h"

/* The state of a balancer, made from the text of its options: "m=4,alpha=.5". All functions are
 * local. */

/* Allocates the state of a balancer, `bytes` bytes: the values of its options, which are numbers,
 * by default or as in `text` (which may be NULL or empty), and 0 elsewhere. `options` may be NULL.
 * `balancer` is its name, for messages. HALO_ARGUMENT, HALO_MEMORY; *state is then NULL. */
halo_status halo_balance_state_create(void **state, size_t bytes, const char *balancer,
                                      const halo_option *options, const char *text);

/* Frees a state that owns nothing else and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_balance_state_destroy(void **state);

#endif
