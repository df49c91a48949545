#include "kernels/label/paint/colours.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"

#include <string.h>

/* Pairs of one colour that touch are few: one in 255. They are found first, and then the neighbours
 * of those that get another colour. Every rank has all of these, and chooses the same colours. */

static int compare_numbers(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

static int compare_own(const void *a, const void *b)
{
    return compare_numbers(&((const label_own_colour *)a)->number,
                           &((const label_own_colour *)b)->number);
}

const label_own_colour *label_colours_find(const label_colours *colours, int64_t number)
{
    const label_own_colour key = {.number = number};
    return bsearch(&key, colours->own, (size_t)colours->count, sizeof *colours->own, compare_own);
}

void label_colours_free(label_colours *colours)
{
    halo_memory_free(colours->own);
    halo_memory_free(colours->sieve);
    *colours = (label_colours){0};
}

/* ---- contacts of all ranks ------------------------------------------------------------------- */

static bool takes_one_colour(const void *context, int64_t first, int64_t second)
{
    (void)context;
    return label_plain_colour(first) == label_plain_colour(second);
}

static bool takes_changed(const void *context, int64_t first, int64_t second)
{
    const label_colours *colours = context;
    return label_own_colour_of(colours, first) != NULL ||
           label_own_colour_of(colours, second) != NULL;
}

/* Collective. The contacts that are chosen, on every rank: *out [*count], which the caller frees.
 */
static halo_status find_everywhere(halo_label *label, const label_contact_choice *choice,
                                   halo_contact **out, int64_t *count)
{
    halo_world *world = label->job.world;
    halo_contact *mine;
    int64_t found;
    void *all = NULL;
    size_t bytes = 0;
    *out = NULL;
    HALO_TRY(label_contacts_choose(label, choice, &mine, &found));
    halo_status status = halo_gatherv(world, mine, (size_t)found * sizeof *mine, &all, &bytes);
    halo_memory_free(mine);
    HALO_TRY(status);
    HALO_TRY_OR(done, halo_bcast(world, &bytes, sizeof bytes, 0));
    *count = (int64_t)(bytes / sizeof **out);
    status = HALO_ALLOCATE_LARGE(*out, *count + 1, "regions that touch");
    if (status == HALO_OK && all != NULL) {
        memcpy(*out, all, bytes);
    }
    HALO_TRY_OR(done, halo_agree(world, status));
    status = halo_bcast(world, *out, bytes, 0);
done:
    halo_memory_free(all);
    if (status != HALO_OK) {
        halo_memory_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* How often a number is in a sorted list. */
static int64_t count_in(const int64_t *list, int64_t count, int64_t number)
{
    const int64_t *at = bsearch(&number, list, (size_t)count, sizeof *list, compare_numbers);
    int64_t first = at != NULL ? at - list : 0, end = first;
    while (first > 0 && list[first - 1] == number) {
        first--;
    }
    while (end < count && list[end] == number) {
        end++;
    }
    return end - first;
}

static halo_status fill_sieve(label_colours *colours)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(colours->sieve, LABEL_COLOUR_SIEVE, "colours of regions"));
    for (int64_t i = 0; i < colours->count; i++) {
        colours->sieve[colours->own[i].number & (LABEL_COLOUR_SIEVE - 1)] = 1;
    }
    return HALO_OK;
}

/* In each pair of one colour, the region that is in fewer pairs gets another: one that is in many
 * has many neighbours, and few colours are left for it. */
static halo_status choose_regions(label_colours *colours, const halo_contact *pairs, int64_t count)
{
    int64_t *ends;
    HALO_TRY(HALO_ALLOCATE_LARGE(ends, 2 * count + 1, "regions that touch"));
    halo_status status = HALO_ALLOCATE_LARGE(colours->own, count + 1, "colours of regions");
    for (int64_t i = 0; status == HALO_OK && i < count; i++) {
        ends[2 * i] = pairs[i].first;
        ends[2 * i + 1] = pairs[i].second;
    }
    HALO_TRY_OR(done, status);
    qsort(ends, (size_t)(2 * count), sizeof *ends, compare_numbers);
    for (int64_t i = 0; i < count; i++) {
        bool fewer =
            count_in(ends, 2 * count, pairs[i].first) < count_in(ends, 2 * count, pairs[i].second);
        int64_t number = fewer ? pairs[i].first : pairs[i].second;
        colours->own[i] = (label_own_colour){number, label_plain_colour(number)};
    }
    qsort(colours->own, (size_t)count, sizeof *colours->own, compare_own);
    for (int64_t i = 0; i < count; i++) {
        if (colours->count == 0 ||
            colours->own[colours->count - 1].number != colours->own[i].number) {
            colours->own[colours->count++] = colours->own[i];
        }
    }
    status = fill_sieve(colours);
done:
    halo_memory_free(ends);
    return status;
}

/* A region that gets another colour, and one that it touches. */
typedef struct {
    int64_t number, other;
} neighbour;

static void choose_colour(const label_colours *colours, label_own_colour *own,
                          const neighbour *neighbours, int64_t count)
{
    bool taken[LABEL_COLOURS + 1] = {false};
    for (int64_t i = 0; i < count; i++) {
        taken[label_colour_of(colours, neighbours[i].other)] = true;
    }
    for (int i = 0; i < LABEL_COLOURS; i++) {
        int colour = (own->colour - 1 + i) % LABEL_COLOURS + 1;
        if (!taken[colour]) {
            own->colour = (uint8_t)colour;
            return;
        }
    }
}

static halo_status choose_colours(label_colours *colours, const halo_contact *contacts,
                                  int64_t count)
{
    neighbour *list;
    int64_t used = 0, at = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(list, 2 * count + 1, "regions that touch"));
    for (int64_t i = 0; i < count; i++) {
        const halo_contact *c = &contacts[i];
        if (label_own_colour_of(colours, c->first) != NULL) {
            list[used++] = (neighbour){c->first, c->second};
        }
        if (label_own_colour_of(colours, c->second) != NULL) {
            list[used++] = (neighbour){c->second, c->first};
        }
    }
    qsort(list, (size_t)used, sizeof *list, compare_numbers); /* by the first member */
    for (int64_t i = 0; i < colours->count; i++) {
        int64_t begin = at;
        while (at < used && list[at].number == colours->own[i].number) {
            at++;
        }
        choose_colour(colours, &colours->own[i], list + begin, at - begin);
    }
    halo_memory_free(list);
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* Regions do not touch if all neighbours in a plane are connected. */
static bool may_touch(const halo_label *label)
{
    return label->job.near.type != HALO_LABEL_NONE || label->job.order == 1;
}

static halo_status part(halo_label *label, label_colours *colours)
{
    halo_world *world = label->job.world;
    halo_contact *contacts;
    int64_t count;
    /* Pixels of two regions share no side unless values are compared. */
    bool sides = label->job.near.type != HALO_LABEL_NONE;
    const label_contact_choice pairs = {.sides = sides, .corners = true, .takes = takes_one_colour};
    const label_contact_choice around = {
        .sides = sides, .corners = true, .takes = takes_changed, .context = colours};
    HALO_TRY(find_everywhere(label, &pairs, &contacts, &count));
    halo_status status = halo_agree(world, choose_regions(colours, contacts, count));
    halo_memory_free(contacts);
    if (status != HALO_OK || colours->count == 0) {
        return status;
    }
    HALO_TRY(find_everywhere(label, &around, &contacts, &count));
    status = choose_colours(colours, contacts, count);
    halo_memory_free(contacts);
    return halo_agree(world, status);
}

halo_status halo_label_part_colours(halo_label *label)
{
    label_colours colours = {0};
    if (label->count.total <= LABEL_COLOURS && !label->naming.seeds) {
        return HALO_OK;
    }
    halo_status status = may_touch(label) ? part(label, &colours) : HALO_OK;
    if (status != HALO_OK) {
        label_colours_free(&colours);
    }
    label_colours_free(&label->painter.colours);
    label->painter.colours = colours;
    return status;
}
