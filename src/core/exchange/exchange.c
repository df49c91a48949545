#include "core/exchange/exchange.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/option.h"
#include "core/exchange/exchange_internal.h"
#include "core/field/periodic.h"

#include <stdlib.h>

/* ---- arguments ------------------------------------------------------------------------------- */

halo_status halo_exchange_check_sized(const halo_exchange_options *given, size_t given_bytes)
{
    static const char *const modes[] = {HALO_EXCHANGE_LIST(HALO_NAME)};
    static const char *const corners[] = {HALO_EXCHANGE_CORNERS_LIST(HALO_NAME)};
    static const char *const packings[] = {HALO_EXCHANGE_PACKING_LIST(HALO_NAME_TEXT)};
    halo_exchange_options options;
    int found;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_exchange_options"));
    HALO_TRY(
        halo_names_find("exchange mode", modes, HALO_NAMES_COUNT(modes), options.mode, &found));
    HALO_TRY(halo_names_find("way for corners", corners, HALO_NAMES_COUNT(corners),
                             options.corner_way, &found));
    return halo_names_find("packing", packings, HALO_NAMES_COUNT(packings), options.packing,
                           &found);
}

/* Rows with sides of their own: one cell of axis 1 for each rank beside another. */
static halo_status check_sides(const halo_partition *partition, halo_field *const *fields,
                               int count)
{
    for (int i = 0; i < count; i++) {
        const halo_view *view = halo_field_view(fields[i]);
        int64_t columns = halo_field_domain(fields[i])->n[1];
        if (view->axes != 2 || view->side_depth != 0 || columns != partition->parts[1]) {
            return halo_fail(HALO_ARGUMENT,
                             "field %d of an exchange with sides needs 2 axes, no halo cells along"
                             " axis 1, and a cell there for each of %d parts",
                             i, partition->parts[1]);
        }
    }
    return HALO_OK;
}

static halo_status check_arguments(const halo_world *world, const halo_partition *partition,
                                   halo_field *const *fields, int count,
                                   const halo_exchange_options *options)
{
    HALO_TRY(halo_exchange_check(options));
    if (options->mode != NULL && halo_exchange_find_mode(options->mode) == NULL) {
        return halo_fail(HALO_ARGUMENT, "halos cannot be exchanged in mode \"%s\" here; use p2p",
                         options->mode);
    }
    int ranks = halo_world_ranks(world);
    const int *parts = partition->parts;
    if (halo_partition_parts(partition) != ranks) {
        return halo_fail(HALO_ARGUMENT,
                         "an exchange among %d ranks needs as many parts, not %d x %d x %d", ranks,
                         parts[0], parts[1], parts[2]);
    }
    halo_box mine = halo_partition_box(partition, halo_world_rank(world));
    for (int i = 0; i < count; i++) {
        const halo_view *view = halo_field_view(fields[i]);
        if (!halo_box_same(&view->owned, &mine)) {
            return halo_fail(HALO_ARGUMENT, "field %d of an exchange is not this rank's part", i);
        }
        if (view->cell_bits == HALO_BIT && parts[view->axes - 1] > 1) {
            return halo_fail(HALO_ARGUMENT,
                             "field %d of an exchange has bit-packed rows, which cannot be cut into"
                             " %d parts; cut other axes",
                             i, parts[view->axes - 1]);
        }
    }
    return options->side_halo != NULL ? check_sides(partition, fields, count) : HALO_OK;
}

static halo_status check_depth(const halo_exchange *exchange, const halo_partition *partition)
{
    int depth[HALO_AXES] = {0};
    for (int i = 0; i < exchange->field_count; i++) {
        const halo_view *view = halo_field_view(exchange->fields[i]);
        for (int axis = 0; axis < HALO_AXES; axis++) {
            int own = axis == 0 ? view->depth : view->side_depth;
            depth[axis] = own > depth[axis] ? own : depth[axis];
        }
    }
    return halo_partition_check_depths(partition, depth);
}

/* ---- making and unmaking --------------------------------------------------------------------- */

static halo_status fill_in(halo_exchange *exchange, const halo_partition *partition,
                           halo_field *const *fields, int count)
{
    exchange->owned = halo_partition_box(partition, halo_world_rank(exchange->world));
    HALO_TRY(HALO_ALLOCATE(exchange->fields, count, "the fields of an exchange"));
    for (int i = 0; i < count; i++) {
        exchange->fields[i] = fields[i];
    }
    exchange->field_count = count;
    if (count > 0) {
        exchange->domain = *halo_field_domain(fields[0]);
    }
    HALO_TRY(check_depth(exchange, partition));
    HALO_TRY(halo_exchange_plan(exchange, partition));
    HALO_TRY(halo_exchange_lay_out(exchange));
    return halo_exchange_make_messages(exchange);
}

static halo_status create(halo_exchange **out, halo_world *world, const halo_partition *partition,
                          halo_field *const *fields, int count,
                          const halo_exchange_options *options)
{
    HALO_TRY(check_arguments(world, partition, fields, count, options));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "an exchange"));
    halo_exchange *exchange = *out;
    exchange->world = world;
    exchange->options = *options;
    exchange->mode = halo_exchange_choose_mode(world, options->mode);
    return fill_in(exchange, partition, fields, count);
}

halo_status halo_exchange_create_sized(halo_exchange **out, halo_world *world,
                                       const halo_partition *partition, halo_field *const *fields,
                                       int count, const halo_exchange_options *given,
                                       size_t given_bytes)
{
    halo_exchange_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_exchange_options");
    HALO_IF_OK(status, create(out, world, partition, fields, count, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK && (*out)->mode->prepare != NULL) {
        status = halo_agree(world, (*out)->mode->prepare(*out));
    }
    if (status != HALO_OK) {
        halo_exchange_destroy(out);
    }
    return status;
}

void halo_exchange_destroy(halo_exchange **out)
{
    halo_exchange *exchange = *out;
    if (exchange != NULL) {
        if (exchange->mode->release != NULL) {
            exchange->mode->release(exchange);
        }
        halo_exchange_free_buffers(exchange);
        free(exchange->messages);
        free(exchange->requests);
        free(exchange->transfers);
        free(exchange->fields);
        free(exchange);
        *out = NULL;
    }
}

/* ---- use ------------------------------------------------------------------------------------- */

/* Axis 0 takes along the halos of the others: they come first. */
static void fill_layers(const halo_exchange *exchange)
{
    bool fills = exchange->domain.periodic[0] && !exchange->cut[0];
    for (int i = 0; fills && i < exchange->field_count; i++) {
        halo_periodic_fill_outer(exchange->fields[i]);
    }
}

/* Halos that are copies of this rank's own cells. */
static void fill_own(const halo_exchange *exchange)
{
    bool fills[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        fills[axis] = exchange->domain.periodic[axis] && !exchange->cut[axis];
    }
    halo_box all = {.n = {exchange->owned.n[0], exchange->owned.n[1], exchange->owned.n[2]}};
    if (halo_box_cells(&all) == 0) {
        return;
    }
    for (int i = 0; i < exchange->field_count; i++) {
        int depth = halo_field_view(exchange->fields[i])->side_depth;
        halo_periodic_fill_box(exchange->fields[i], fills, &all, depth);
    }
    fill_layers(exchange);
}

static halo_status start_phase(halo_exchange *exchange, int phase)
{
    halo_exchange_pack(exchange, phase);
    return exchange->mode->start(exchange, phase);
}

halo_status halo_exchange_begin(halo_exchange *exchange)
{
    if (exchange->begun) {
        return halo_fail(HALO_ARGUMENT, "an exchange was begun twice; end it first");
    }
    fill_own(exchange);
    if (exchange->phase_count > 0) {
        HALO_TRY(start_phase(exchange, 0));
    }
    exchange->begun = true;
    exchange->counts.exchanges += exchange->each.exchanges;
    exchange->counts.messages += exchange->each.messages;
    exchange->counts.bytes += exchange->each.bytes;
    return HALO_OK;
}

halo_status halo_exchange_end(halo_exchange *exchange)
{
    if (!exchange->begun) {
        return halo_fail(HALO_ARGUMENT, "an exchange was ended that has not begun");
    }
    exchange->begun = false;
    for (int phase = 0; phase < exchange->phase_count; phase++) {
        HALO_TRY(exchange->mode->finish(exchange, phase));
        halo_exchange_unpack(exchange, phase);
        if (phase + 1 < exchange->phase_count) {
            HALO_TRY(start_phase(exchange, phase + 1));
        }
    }
    /* Rows bring their sides along only now that they have them. */
    if (exchange->options.side_halo != NULL && halo_box_cells(&exchange->owned) > 0) {
        fill_layers(exchange);
    }
    return HALO_OK;
}

void halo_exchange_count_sized(const halo_exchange *exchange, halo_exchange_counts *counts,
                               size_t counts_bytes)
{
    halo_report_give(counts, counts_bytes, &exchange->counts, sizeof exchange->counts);
}
