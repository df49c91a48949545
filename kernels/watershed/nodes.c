#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/watershed/watershed_internal.h"

#include <inttypes.h>
#include <stdlib.h>

/* Labels of other ranks. When a strip is labelled, those of the halo are not known: cells that take
 * them have the number of the halo's cell, or of a list of candidates, below 0. The numbers of
 * borders are then resolved by exchanges, and at last all others. */

/* The label of each cell of the halo that a rank owns is its number. */
static void number_halo(halo_watershed *w, int64_t first)
{
    for (int64_t cell = first; cell < first + w->layer; cell++) {
        if (w->steps[cell] != WATERSHED_OUTSIDE && w->steps[cell] < WATERSHED_FAR) {
            w->labels[cell] = (int32_t)(-1 - watershed_halo_number(w, cell));
        }
    }
}

halo_status watershed_nodes_create(halo_watershed *w)
{
    watershed_nodes *nodes = &w->nodes;
    nodes->halos = 2 * w->layer;
    nodes->room = nodes->halos;
    HALO_TRY(HALO_ALLOCATE(nodes->value, nodes->room, "labels of other ranks"));
    if (w->before >= 0) {
        number_halo(w, w->first - w->layer);
    }
    if (w->after >= 0) {
        number_halo(w, w->end);
    }
    return HALO_OK;
}

void watershed_nodes_free(watershed_nodes *nodes)
{
    free(nodes->value);
    free(nodes->end);
    free(nodes->candidates);
    *nodes = (watershed_nodes){.halos = 0};
}

halo_status watershed_nodes_add(watershed_nodes *nodes, const int32_t *candidates, int count,
                                int32_t *label)
{
    static const char what[] = "labels that wait for other ranks";
    int64_t number = nodes->halos + nodes->count;
    HALO_FAIL_IF(number >= INT32_MAX, HALO_ARGUMENT,
                 "more than %" PRId32 " labels wait for other ranks; use fewer ranks, or a mask",
                 INT32_MAX);
    if (number >= nodes->room) {
        HALO_TRY(halo_grow(&nodes->value, &nodes->room, number, sizeof *nodes->value, what));
    }
    if (nodes->count >= nodes->count_room) {
        HALO_TRY(
            halo_grow(&nodes->end, &nodes->count_room, nodes->count, sizeof *nodes->end, what));
    }
    for (int i = 0; i < count; i++) {
        if (nodes->candidate_count >= nodes->candidate_room) {
            HALO_TRY(halo_grow(&nodes->candidates, &nodes->candidate_room, nodes->candidate_count,
                               sizeof *nodes->candidates, what));
        }
        nodes->candidates[nodes->candidate_count++] = candidates[i];
    }
    nodes->value[number] = 0;
    nodes->end[nodes->count++] = nodes->candidate_count;
    *label = (int32_t)(-1 - number);
    return HALO_OK;
}

/* The label that a number stands for; 0 if it is not known yet. */
static int32_t label_of(const watershed_nodes *nodes, int32_t label)
{
    return label < 0 ? nodes->value[-1 - label] : label;
}

/* Candidates come before the lists that have them. Returns the number of those not known. */
static int64_t resolve(watershed_nodes *nodes)
{
    int64_t unknown = 0, first = 0;
    for (int64_t i = 0; i < nodes->count; i++) {
        int32_t least = INT32_MAX;
        for (int64_t c = first; c < nodes->end[i] && least != 0; c++) {
            int32_t label = label_of(nodes, nodes->candidates[c]);
            least = label < least ? label : least;
        }
        nodes->value[nodes->halos + i] = least;
        unknown += least == 0;
        first = nodes->end[i];
    }
    return unknown;
}

/* The labels of a border, as far as they are known. */
static void collect(const halo_watershed *w, int64_t first, int32_t *out, int64_t *unknown)
{
    for (int64_t i = 0; i < w->layer; i++) {
        int32_t label = w->labels[first + i];
        out[i] = label_of(&w->nodes, label);
        *unknown += label != 0 && out[i] == 0;
    }
}

/* Until all labels of borders and lists are known. */
static halo_status settle(halo_watershed *w, int32_t *borders)
{
    int64_t unknown;
    do {
        unknown = resolve(&w->nodes);
        if (w->layers > 0) {
            collect(w, w->first, borders, &unknown);
            collect(w, w->end - w->layer, borders + w->layer, &unknown);
        }
        HALO_TRY(halo_allreduce_sum(w->world, &unknown, 1));
        HALO_TRY(watershed_swap(w, borders, borders + w->layer, w->nodes.value,
                                w->nodes.value + w->layer, w->layer * (int64_t)sizeof *borders));
    } while (unknown > 0);
    resolve(&w->nodes);
    return HALO_OK;
}

halo_status watershed_nodes_settle(halo_watershed *w)
{
    int32_t *borders;
    halo_status status = HALO_ALLOCATE(borders, w->nodes.halos, "labels of borders");
    status = halo_agree(w->world, status);
    HALO_IF_OK(status, settle(w, borders));
    free(borders);
    HALO_TRY(status);
    for (int64_t cell = w->first - w->layer; cell < w->end + w->layer; cell++) {
        w->labels[cell] = label_of(&w->nodes, w->labels[cell]);
    }
    return HALO_OK;
}
