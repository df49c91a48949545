#include "support/shared_case.h"

#include "support/exchange_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>

/* Sets owned cells, or checks halo cells: local cell `at` of a field. */
typedef void (*cell_action)(const shared_case *c, const halo_view *view, int field,
                            const int64_t at[HALO_AXES], int64_t round);

static void fill_cell(const shared_case *c, const halo_view *view, int field,
                      const int64_t at[HALO_AXES], int64_t round)
{
    (void)c;
    int64_t global[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        global[axis] = at[axis] + view->owned.lo[axis];
    }
    exchange_cell_set(view, at, exchange_cell_value(global, field, round));
}

static void check_cell(const shared_case *c, const halo_view *view, int field,
                       const int64_t at[HALO_AXES], int64_t round)
{
    bool exists = true;
    int64_t global[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t n = c->domain.n[axis], place = at[axis] + view->owned.lo[axis];
        exists = exists && (c->domain.periodic[axis] || (place >= 0 && place < n));
        global[axis] = (place % n + n) % n;
    }
    uint64_t wanted =
        exists ? exchange_cell_value(global, field, round) & exchange_cell_mask(view->cell_bits)
               : 0;
    uint64_t found = exchange_cell_get(view, at);
    const int *parts = c->partition.parts;
    expect(found == wanted,
           "%d x %d x %d parts, field %d of %d bits, depth %d, domain %" PRId64 " x %" PRId64
           " x %" PRId64 ", round %" PRId64 ": cell (%" PRId64 ", %" PRId64 ", %" PRId64
           ") is %" PRIx64 ", not %" PRIx64,
           parts[0], parts[1], parts[2], field, view->cell_bits, view->depth, c->domain.n[0],
           c->domain.n[1], c->domain.n[2], round, at[0], at[1], at[2], found, wanted);
}

/* Owned cells, or those of the halo. */
static void each_cell(const shared_case *c, const halo_field *of, int field, bool halo,
                      int64_t round, cell_action action)
{
    const halo_view *view = halo_field_view(of);
    const int64_t *n = view->owned.n;
    int64_t depth[HALO_AXES] = {0};
    for (int axis = 0; halo && axis < view->axes; axis++) {
        depth[axis] = view->depth;
    }
    for (int64_t z = -depth[0]; halo_box_cells(&view->owned) > 0 && z < n[0] + depth[0]; z++) {
        for (int64_t y = -depth[1]; y < n[1] + depth[1]; y++) {
            for (int64_t x = -depth[2]; x < n[2] + depth[2]; x++) {
                bool owned = z >= 0 && z < n[0] && y >= 0 && y < n[1] && x >= 0 && x < n[2];
                if (owned != halo) {
                    action(c, view, field, (int64_t[HALO_AXES]){z, y, x}, round);
                }
            }
        }
    }
}

void shared_fill(const shared_case *c, halo_field *const *fields, int64_t round)
{
    for (int i = 0; i < SHARED_FIELDS; i++) {
        each_cell(c, fields[i], i, false, round, fill_cell);
    }
}

void shared_check(const shared_case *c, halo_field *const *fields, int64_t round)
{
    for (int i = 0; i < SHARED_FIELDS; i++) {
        each_cell(c, fields[i], i, true, round, check_cell);
    }
}

halo_status shared_connect(halo_exchange **out, const shared_case *c, halo_field **fields,
                           bool double_buffered)
{
    halo_exchange_options options = {.mode = "shared",
                                     .corners = true,
                                     .corner_way = c->corner_way,
                                     .double_buffered = double_buffered};
    halo_status status = halo_exchange_create(out, mpi_check_world(), &c->partition, fields,
                                              SHARED_FIELDS, &options);
    expect_ok(status);
    return status;
}

void shared_fields_create(const shared_case *c, halo_field **fields)
{
    halo_box owned = halo_partition_box(&c->partition, my_rank());
    halo_field_options field_options = {.shared = true, .movable = c->movable};
    for (int i = 0; i < SHARED_FIELDS; i++) {
        expect_ok(halo_field_create_with(&fields[i], &c->domain, &owned, c->cell_bits[i],
                                         c->depth[i], &field_options));
    }
}

void shared_fields_destroy(halo_field **fields)
{
    for (int i = 0; i < SHARED_FIELDS; i++) {
        halo_field_destroy(&fields[i]);
    }
}
