#ifndef HALOBEAT_TESTS_SHARED_CASE_H
#define HALOBEAT_TESTS_SHARED_CASE_H

#include "core/exchange/exchange.h"

enum { SHARED_FIELDS = 2 };

/* Fields that ranks of a machine read from each other; the same on every rank. */
typedef struct {
    halo_domain domain;
    halo_partition partition;
    int cell_bits[SHARED_FIELDS];
    int depth[SHARED_FIELDS];
    const char *corner_way;
    bool movable;
} shared_case;

/* Local, notes its checks. The fields of this rank's part. */
void shared_fields_create(const shared_case *c, halo_field **fields);
void shared_fields_destroy(halo_field **fields);

/* Collective, notes its check. All corners, mode "shared". */
halo_status shared_connect(halo_exchange **out, const shared_case *c, halo_field **fields,
                           bool double_buffered);

/* Local. Set all owned cells to what they are in `round`; check that all halo cells are. */
void shared_fill(const shared_case *c, halo_field *const *fields, int64_t round);
void shared_check(const shared_case *c, halo_field *const *fields, int64_t round);

#endif
