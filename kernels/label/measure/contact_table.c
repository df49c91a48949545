#include "kernels/label/measure/contact_table.h"

#include "base/memory.h"

static const char what[] = "regions that touch";

halo_status label_contact_table_create(label_contact_table *table)
{
    enum { PLACES = 1024 };
    *table = (label_contact_table){.mask = PLACES - 1};
    return HALO_ALLOCATE_LARGE(table->places, PLACES, what);
}

static label_pair *find_place(const label_contact_table *table, int64_t first, int64_t second)
{
    uint64_t hash = (uint64_t)first * UINT64_C(0x9e3779b97f4a7c15) +
                    (uint64_t)second * UINT64_C(0xc2b2ae3d27d4eb4f);
    int64_t place = (int64_t)(hash >> 20) & table->mask;
    while (table->places[place].contact.first != 0 &&
           (table->places[place].contact.first != first ||
            table->places[place].contact.second != second)) {
        place = (place + 1) & table->mask;
    }
    return &table->places[place];
}

static halo_status grow(label_contact_table *table)
{
    label_contact_table larger = {.mask = 2 * table->mask + 1, .count = table->count};
    HALO_TRY(HALO_ALLOCATE_LARGE(larger.places, larger.mask + 1, what));
    for (int64_t i = 0; i <= table->mask; i++) {
        const label_pair *old = &table->places[i];
        if (old->contact.first != 0) {
            *find_place(&larger, old->contact.first, old->contact.second) = *old;
        }
    }
    halo_memory_free(table->places);
    *table = larger;
    return HALO_OK;
}

halo_status label_contact_table_find(label_contact_table *table, int64_t first, int64_t second)
{
    if (2 * table->count > table->mask) {
        HALO_TRY(grow(table));
    }
    table->last = find_place(table, first, second);
    table->count += table->last->contact.first == 0;
    table->last->contact.first = first;
    table->last->contact.second = second;
    return HALO_OK;
}
