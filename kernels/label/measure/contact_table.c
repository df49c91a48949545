#include "kernels/label/measure/contact_table.h"

#include "base/memory.h"

static const char what[] = "regions that touch";

halo_status label_contact_table_create(label_contact_table *table, const halo_world *world)
{
    enum { PLACES = 1024 };
    *table = (label_contact_table){.mask = PLACES - 1, .world = world};
    return HALO_ALLOCATE_LARGE(table->places, PLACES, what);
}

/* Puts the pairs of a table, which may be tens of millions, into an empty one, whose pages are
 * touched for the first time. */
static halo_status move_pairs(const label_contact_table *table, label_contact_table *to)
{
    enum { PIECE = HALO_WATCH_ENTRIES / 16 };
    for (int64_t i = 0; i <= table->mask; i++) {
        if (i % PIECE == 0) {
            HALO_TRY(halo_watch_work(table->world, 0, 0));
        }
        const label_pair *old = &table->places[i];
        if (old->contact.first != 0) {
            *label_contact_table_place(to, old->contact.first, old->contact.second) = *old;
        }
    }
    return HALO_OK;
}

halo_status label_contact_table_grow(label_contact_table *table)
{
    label_contact_table larger = {
        .mask = 2 * table->mask + 1, .count = table->count, .world = table->world};
    HALO_TRY(HALO_ALLOCATE_LARGE(larger.places, larger.mask + 1, what));
    halo_status status = move_pairs(table, &larger);
    if (status != HALO_OK) {
        halo_memory_free(larger.places);
        return status;
    }
    halo_memory_free(table->places);
    *table = larger;
    return HALO_OK;
}
