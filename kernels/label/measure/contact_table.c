#include "kernels/label/measure/contact_table.h"

#include "base/memory.h"

static const char what[] = "regions that touch";

halo_status label_contact_table_create(label_contact_table *table)
{
    enum { PLACES = 1024 };
    *table = (label_contact_table){.mask = PLACES - 1};
    return HALO_ALLOCATE_LARGE(table->places, PLACES, what);
}

halo_status label_contact_table_grow(label_contact_table *table)
{
    label_contact_table larger = {.mask = 2 * table->mask + 1, .count = table->count};
    HALO_TRY(HALO_ALLOCATE_LARGE(larger.places, larger.mask + 1, what));
    for (int64_t i = 0; i <= table->mask; i++) {
        const label_pair *old = &table->places[i];
        if (old->contact.first != 0) {
            *label_contact_table_place(&larger, old->contact.first, old->contact.second) = *old;
        }
    }
    halo_memory_free(table->places);
    *table = larger;
    return HALO_OK;
}
