#ifndef HALOBEAT_APP_BATCH_NAME_SET_H
#define HALOBEAT_APP_BATCH_NAME_SET_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of names, of which it keeps hashes of 64 bits (XXH3): of a million names, two different
 * ones have the same with a chance of 3 in 10^8. Zero-initialise it. All functions are local. */
typedef struct {
    uint64_t *hashes; /* [size]; 0: none */
    int64_t count, size;
} batch_name_set;

bool batch_name_set_has(const batch_name_set *set, const char *name);

/* Adds a name; of one that it has, nothing happens. HALO_MEMORY. */
halo_status batch_name_set_add(batch_name_set *set, const char *name);

void batch_name_set_free(batch_name_set *set);

#endif
