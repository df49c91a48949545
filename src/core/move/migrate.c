#include "core/move/migrate.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/field/periodic.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"
#include "partition/cuts.h"
#include "partition/steps.h"

#include <stdlib.h>
#include <string.h>

enum { MIGRATE_TAG = 104 };

enum {
#define WAY_ENUM(code, name, help) WAY_##code,
    HALO_MIGRATE_LIST(WAY_ENUM)
#undef WAY_ENUM
};

static const char *const way_names[] = {HALO_MIGRATE_LIST(HALO_NAME_TEXT)};

typedef struct {
    halo_world *world;
    halo_field *const *fields;
    int count, me, ranks;
    const int64_t *to;
    bool stepwise;
    int64_t *now, *next;    /* cuts before and after a step */
    halo_request *requests; /* of a step */
    int posted;
    double bytes; /* sent */
} moving;

static halo_status find_way(const char *how, int *way)
{
    return halo_names_find("way to migrate", way_names, HALO_NAMES_COUNT(way_names), how, way);
}

halo_status halo_migrate_check(const char *how)
{
    int way;
    return find_way(how, &way);
}

static halo_status check_arguments(const moving *m, const int64_t *from)
{
    for (int i = 0; i < m->count; i++) {
        const halo_box *owned = &halo_field_view(m->fields[i])->owned;
        int64_t n = halo_field_domain(m->fields[i])->n[0];
        if (!halo_field_is_movable(m->fields[i])) {
            return halo_fail(HALO_ARGUMENT, "field %d of a migration cannot move", i);
        }
        HALO_TRY(halo_cuts_check(from, m->ranks, n, "a domain to be migrated"));
        HALO_TRY(halo_cuts_check(m->to, m->ranks, n, "a domain to be migrated"));
        if (owned->n[0] != from[m->me + 1] - from[m->me] ||
            (owned->n[0] > 0 && owned->lo[0] != from[m->me])) {
            return halo_fail(HALO_ARGUMENT, "field %d of a migration is not this rank's part", i);
        }
    }
    return HALO_OK;
}

/* Both sides go through fields and pieces in the same order, so that one tag will do. Without room
 * for requests yet, count. */
static halo_status post_layers(moving *m, int peer, int64_t first, int64_t layers, bool sending)
{
    for (int i = 0; i < m->count; i++) {
        int64_t lo = halo_field_view(m->fields[i])->owned.lo[0];
        size_t bytes;
        char *data = halo_layer_span(m->fields[i], first - lo, layers, &bytes);
        HALO_TRY(halo_post_pieces(m->world, sending, data, bytes, peer, MIGRATE_TAG, m->requests,
                                  &m->posted));
        m->bytes += sending && m->requests != NULL ? (double)bytes : 0;
    }
    return HALO_OK;
}

static halo_status post_one_way(moving *m, bool sending)
{
    const int64_t *mine = sending ? m->now : m->next, *theirs = sending ? m->next : m->now;
    int64_t hi = mine[m->me + 1];
    for (int64_t layer = mine[m->me]; layer < hi;) {
        int peer = halo_cuts_find(theirs, m->ranks, layer);
        int64_t end = halo_min(hi, theirs[peer + 1]);
        if (peer != m->me) {
            HALO_TRY(post_layers(m, peer, layer, end - layer, sending));
        }
        layer = end;
    }
    return HALO_OK;
}

/* Post receives before sends, so that messages arrive in posted buffers; nobody uses these rows
 * until the step is done. */
static halo_status post_step(moving *m)
{
    m->posted = 0;
    HALO_TRY(post_one_way(m, false));
    return post_one_way(m, true);
}

/* Cuts of the next step; false if there is none. */
static bool plan_step(moving *m)
{
    size_t bytes = ((size_t)m->ranks + 1) * sizeof(int64_t);
    if (memcmp(m->now, m->to, bytes) == 0) {
        return false;
    }
    if (m->stepwise) {
        halo_cuts_step(m->now, m->to, m->ranks, m->next);
    } else {
        memcpy(m->next, m->to, bytes);
    }
    return true;
}

static void swap_cuts(moving *m)
{
    int64_t *done = m->now;
    m->now = m->next;
    m->next = done;
}

static void start_from(moving *m, const int64_t *from)
{
    memcpy(m->now, from, ((size_t)m->ranks + 1) * sizeof(int64_t));
}

static bool goes_stepwise(const moving *m, const int64_t *from, int way)
{
    double bytes = 0; /* of a layer of all fields */
    for (int i = 0; i < m->count; i++) {
        bytes += (double)halo_field_view(m->fields[i])->stride[0];
    }
    return way == WAY_neighbour ||
           (way == WAY_automatic && halo_cuts_steps_pay(from, m->to, m->ranks, bytes));
}

/* All memory that is needed, for the busiest step: from then on only the transport can fail. */
static halo_status prepare(moving *m, const int64_t *from, const char *how)
{
    int way, max = 0;
    HALO_TRY(find_way(how, &way));
    HALO_TRY(check_arguments(m, from));
    HALO_TRY(HALO_ALLOCATE(m->now, m->ranks + 1, "cuts of a migration"));
    HALO_TRY(HALO_ALLOCATE(m->next, m->ranks + 1, "cuts of a migration"));
    m->stepwise = goes_stepwise(m, from, way);
    for (start_from(m, from); plan_step(m); swap_cuts(m)) {
        HALO_TRY(post_step(m));
        max = m->posted > max ? m->posted : max;
    }
    HALO_TRY(HALO_ALLOCATE(m->requests, max, "messages of a migration"));
    start_from(m, from);
    return HALO_OK;
}

static halo_status carry_out(moving *m)
{
    for (; plan_step(m); swap_cuts(m)) {
        HALO_TRY(post_step(m));
        HALO_TRY(halo_wait(m->world, m->posted, m->requests));
        for (int i = 0; i < m->count; i++) {
            halo_box owned = halo_field_view(m->fields[i])->owned;
            owned.lo[0] = m->next[m->me];
            owned.n[0] = m->next[m->me + 1] - owned.lo[0];
            halo_field_set_owned(m->fields[i], &owned);
        }
    }
    return HALO_OK;
}

halo_status halo_migrate_in_place(halo_world *world, halo_field *const *fields, int count,
                                  const int64_t *from_cuts, const int64_t *to_cuts, const char *how,
                                  halo_clock *clock, double *bytes)
{
    halo_stretch stretch = halo_clock_begin(world);
    moving m = {.world = world,
                .fields = fields,
                .count = count,
                .me = halo_world_rank(world),
                .ranks = halo_world_ranks(world),
                .to = to_cuts};
    halo_status status = halo_agree(world, prepare(&m, from_cuts, how));
    if (status == HALO_OK) {
        status = halo_agree(world, carry_out(&m));
    }
    free(m.now);
    free(m.next);
    free(m.requests);
    *bytes = m.bytes;
    halo_clock_end(clock, HALO_PHASE_MIGRATE, stretch, world);
    return status;
}

/* Return the bytes of the owned layers that go to other ranks. */
static double bytes_that_leave(const halo_field *field, const int64_t *from, const int64_t *to,
                               int rank)
{
    int64_t first = halo_max(from[rank], to[rank]);
    int64_t end = halo_min(from[rank + 1], to[rank + 1]);
    int64_t layers = from[rank + 1] - from[rank] - halo_max(0, end - first);
    return (double)layers * (double)halo_field_view(field)->stride[0];
}

halo_status halo_migrate_fields(halo_world *world, halo_field **fields, int count,
                                const halo_partition *from, const halo_partition *to,
                                const char *how, halo_clock *clock, double *bytes)
{
    static const halo_field_options field_options = {.movable = true};
    int64_t fixed = 0;
    *bytes = 0;
    for (int i = 0; i < count; i++) {
        fixed = fixed != 0 || !halo_field_is_movable(fields[i]);
    }
    HALO_TRY(halo_allreduce_max(world, &fixed, 1)); /* in place everywhere or nowhere */
    if (fixed == 0) {
        return halo_migrate_in_place(world, fields, count, from->cuts[0], to->cuts[0], how, clock,
                                     bytes);
    }
    for (int i = 0; i < count; i++) {
        *bytes += bytes_that_leave(fields[i], from->cuts[0], to->cuts[0], halo_world_rank(world));
        HALO_TRY(halo_field_replace(world, &fields[i], from, to, halo_field_view(fields[i])->depth,
                                    &field_options, clock));
    }
    return HALO_OK;
}
