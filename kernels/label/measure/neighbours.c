#include "kernels/label/measure/neighbours.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/contact_table.h"

/* An entry is for region `number`. */
typedef struct {
    int64_t number, neighbours;
} neighbour_count;

static void add_counts(const void *context, void *to, const void *part)
{
    (void)context;
    ((neighbour_count *)to)->neighbours += ((const neighbour_count *)part)->neighbours;
}

/* Local. Counts each contact for both of its regions. */
static halo_status count_contacts(label_by_number *table, const halo_contact *contacts,
                                  int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t numbers[] = {contacts[i].first, contacts[i].second};
        for (int k = 0; k < 2; k++) {
            neighbour_count *found = label_by_number_find(table, numbers[k]);
            if (found == NULL) {
                return HALO_MEMORY;
            }
            found->neighbours++;
        }
        HALO_TRY(halo_watch_entry(table->world, i));
    }
    return HALO_OK;
}

/* Collective. */
static halo_status find(const label_numbered *image, label_by_number *table, int64_t **out,
                        int64_t *count)
{
    static const label_contact_choice sides = {.sides = true};
    halo_contact *contacts;
    int64_t touching;
    HALO_TRY(label_by_number_create(table, image, sizeof(neighbour_count)));
    HALO_TRY(label_contacts_find(image, &sides, &contacts, &touching));
    halo_status status = halo_agree(image->world, count_contacts(table, contacts, touching));
    halo_memory_free(contacts);
    HALO_TRY(status);
    HALO_TRY(label_by_number_share(table, add_counts, NULL));
    *count = table->count;
    HALO_TRY(
        halo_agree(image->world, HALO_ALLOCATE_LARGE(*out, *count + 1, "neighbours of regions")));
    for (int64_t i = 0; i < *count; i++) {
        (*out)[i] = ((const neighbour_count *)label_by_number_own(table, i))->neighbours;
    }
    return HALO_OK;
}

halo_status label_neighbours(const label_numbered *image, int64_t **out, int64_t *count)
{
    label_by_number table = {.world = NULL};
    *out = NULL;
    *count = 0;
    halo_status status = find(image, &table, out, count);
    label_by_number_free(&table);
    return status;
}

int64_t label_neighbour_bytes(void)
{
    enum { TOUCHING = 6 }; /* half of them in a table that is half full */
    return (int64_t)(sizeof(neighbour_count) + sizeof(int64_t) + TOUCHING * sizeof(label_pair));
}
