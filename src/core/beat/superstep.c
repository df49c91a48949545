#include "core/beat/superstep.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/migrate.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static halo_status check_monotone(const halo_kernel *kernel)
{
    enum { MOST = 8 };
    int bytes = kernel->monotone_bytes;
    bool fits = bytes >= 0 && bytes <= MOST && bytes * CHAR_BIT <= kernel->cell_bits[0] &&
                kernel->cell_bits[1] == 0 && kernel->in_place && kernel->whole &&
                kernel->step != NULL && kernel->beat == NULL && kernel->converges;
    return bytes == 0 || fits
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "kernel \"%s\" has %d monotone bytes: that needs one field with cells "
                           "of as many bytes, at most %d, in place, whole, stepped, converging, "
                           "and without `beat`",
                           kernel->name, bytes, MOST);
}

static halo_status check_kernel(const halo_kernel *kernel, int beats_per_exchange)
{
    if (kernel->name == NULL || (kernel->step == NULL && kernel->advance == NULL) ||
        kernel->cell_bits[0] == 0 || kernel->depth < 0 || kernel->sums < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "the table of kernel \"%s\" needs a name, a step function and the cell"
                         " size of at least one field, and no negative numbers",
                         kernel->name != NULL ? kernel->name : "");
    }
    if (kernel->side_halo != NULL && kernel->advance == NULL) {
        return halo_fail(
            HALO_ARGUMENT,
            "kernel \"%s\" has a side halo of its own, which only kernels that advance can",
            kernel->name);
    }
    if (kernel->advance != NULL && !kernel->in_place) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" advances in place but does not say so",
                         kernel->name);
    }
    HALO_TRY(check_monotone(kernel));
    if (beats_per_exchange > 1 && kernel->in_place && kernel->advance == NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" works in place and cannot do %d beats per exchange; use 1",
                         kernel->name, beats_per_exchange);
    }
    if (beats_per_exchange > 1 && kernel->single) {
        return halo_fail(
            HALO_ARGUMENT,
            "kernel \"%s\" looks after each beat whether to end and cannot do %d beats "
            "per exchange; use 1",
            kernel->name, beats_per_exchange);
    }
    if ((int64_t)kernel->depth * beats_per_exchange > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "%d beats per exchange of kernel \"%s\" need a halo deeper than the limit"
                         " of %d cells; use fewer",
                         beats_per_exchange, kernel->name, INT_MAX);
    }
    return HALO_OK;
}

static void look_at_fields(halo_superstep *superstep)
{
    for (int copy = 0; copy < superstep->copies; copy++) {
        for (int i = 0; i < superstep->field_count; i++) {
            superstep->views[copy][i] = *halo_field_view(superstep->fields[copy][i]);
        }
    }
}

/* The first copy of a field in the caller's memory, whose place alone is the caller's choice. */
static halo_status adopt_field(halo_superstep *superstep, int field, const halo_domain *domain,
                               const halo_box *owned, const halo_view *memory)
{
    const halo_kernel *kernel = superstep->kernel;
    int depth = kernel->depth * superstep->beats_per_exchange;
    halo_view view = *memory;
    view.owned = *owned;
    view.depth = depth;
    view.side_depth = kernel->side_halo != NULL ? 0 : depth;
    view.cell_bits = kernel->cell_bits[field];
    return halo_field_adopt(&superstep->fields[0][field], domain, &view);
}

static halo_status create_fields(halo_superstep *superstep, const halo_domain *domain,
                                 const halo_box *owned, const halo_superstep_options *options)
{
    const halo_kernel *kernel = superstep->kernel;
    halo_field_options field_options = {
        .movable = options->movable && options->memory == NULL,
        .shared = halo_exchange_shares_fields(superstep->world, options->exchange.mode),
        .no_side_halo = kernel->side_halo != NULL};
    for (int copy = 0; copy < superstep->copies; copy++) {
        for (int i = 0; i < superstep->field_count; i++) {
            bool adopts = copy == 0 && options->memory != NULL;
            HALO_TRY(adopts ? adopt_field(superstep, i, domain, owned, &options->memory[i])
                            : halo_field_create_with(
                                  &superstep->fields[copy][i], domain, owned, kernel->cell_bits[i],
                                  kernel->depth * superstep->beats_per_exchange, &field_options));
        }
    }
    look_at_fields(superstep);
    return HALO_OK;
}

static halo_box domain_box(const halo_superstep *superstep)
{
    halo_box box = {{0}, {0}};
    memcpy(box.n, halo_field_domain(superstep->fields[0][0])->n, sizeof box.n);
    return box;
}

static double row_cells(const halo_box *box)
{
    return (double)box->n[1] * (double)box->n[2];
}

/* For simulated machines. */
static double flops_of_rows(const void *context, int64_t lo, int64_t hi, int64_t beat, int beats)
{
    const halo_superstep *superstep = context;
    const halo_kernel *kernel = superstep->kernel;
    const halo_box *owned = &superstep->views[0][0].owned, domain = domain_box(superstep);
    double flops = 0;
    if (kernel->row_flops == NULL) {
        double per_cell = kernel->flops > 0 ? kernel->flops : 1;
        return per_cell * (double)(hi - lo) * beats * row_cells(owned) * superstep->row_share;
    }
    for (int64_t b = beat; b < beat + beats; b++) {
        for (int64_t y = lo; y < hi; y++) {
            flops += kernel->row_flops(superstep->state, owned->lo[0] + y, b);
        }
    }
    return flops * superstep->row_share * row_cells(owned) / row_cells(&domain);
}

/* Halos along axis 0 and along axes that are cut come with the exchange, deep enough for all of its
 * beats. Halos of other periodic axes are filled at each beat. */
static void look_around(halo_superstep *superstep, const halo_domain *domain,
                        const halo_partition *partition)
{
    int rank = halo_world_rank(superstep->world);
    bool blocks = false;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        bool deep = axis == 0 || partition->parts[axis] > 1;
        superstep->fills[axis] = !deep && domain->periodic[axis];
        for (int end = HALO_LOW; end < HALO_ENDS; end++) {
            int next = halo_partition_beside(partition, domain, rank, axis, end);
            superstep->others[axis][end] = next >= 0 && next != rank;
            superstep->widens[axis][end] = next >= 0 && deep;
            blocks = blocks || (axis > 0 && superstep->others[axis][end]);
        }
    }
    /* Blocks' halos may come one axis after the other, so that also those from the part itself are
     * complete only after the exchange. */
    for (int axis = 0; axis < HALO_AXES; axis++) {
        for (int end = HALO_LOW; end < HALO_ENDS; end++) {
            superstep->waits[axis][end] =
                superstep->others[axis][end] ||
                (blocks && (superstep->widens[axis][end] || superstep->fills[axis]));
        }
    }
    superstep->owned = halo_partition_box(partition, rank);
    memset(superstep->owned.lo, 0, sizeof superstep->owned.lo);
    superstep->row_share = 1;
}

/* A superstep with room for what its beats need to know. */
static halo_status allocate(halo_superstep **out, const halo_kernel *kernel, int beats_per_exchange)
{
    HALO_TRY(check_kernel(kernel, beats_per_exchange));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a superstep"));
    halo_superstep *superstep = *out;
    HALO_TRY(HALO_ALLOCATE(superstep->outer, 2 * (size_t)beats_per_exchange, "boxes of beats"));
    superstep->middle = superstep->outer + beats_per_exchange;
    superstep->kernel = kernel;
    superstep->beats_per_exchange = beats_per_exchange;
    superstep->copies = kernel->in_place ? 1 : HALO_SUPERSTEP_COPIES;
    while (superstep->field_count < HALO_KERNEL_FIELDS &&
           kernel->cell_bits[superstep->field_count] != 0) {
        superstep->field_count++;
    }
    return HALO_OK;
}

static halo_status make(halo_superstep **out, halo_world *world, const halo_domain *domain,
                        const halo_partition *partition, const halo_kernel *kernel,
                        const halo_superstep_options *options)
{
    HALO_TRY(allocate(out, kernel, options->beats_per_exchange));
    halo_superstep *superstep = *out;
    superstep->world = world;
    superstep->report = options->report;
    superstep->async_options = options->async;
    superstep->async_report = options->async_report;
    look_around(superstep, domain, partition);
    halo_box owned = halo_partition_box(partition, halo_world_rank(world));
    HALO_TRY(create_fields(superstep, domain, &owned, options));
    HALO_TRY(halo_row_cost_create(&superstep->row_cost, world));
    halo_row_cost_set_rows(superstep->row_cost, owned.n[0]);
    halo_row_cost_set_flops(superstep->row_cost, flops_of_rows, superstep);
    if (options->balanced) {
        halo_row_cost_begin_shares(superstep->row_cost);
    }
    if (!options->movable) {
        halo_row_cost_ignore_blocks(superstep->row_cost);
    }
    return HALO_OK;
}

halo_status halo_superstep_create(halo_superstep **out, halo_world *world,
                                  const halo_domain *domain, const halo_partition *partition,
                                  const halo_kernel *kernel, const halo_superstep_options *options)
{
    *out = NULL;
    halo_status status = make(out, world, domain, partition, kernel, options);
    if (status != HALO_OK) {
        halo_superstep_destroy(out);
    }
    return status;
}

static void disconnect(halo_superstep *superstep)
{
    for (int copy = 0; copy < HALO_SUPERSTEP_COPIES; copy++) {
        halo_exchange_destroy(&superstep->exchanges[copy]);
    }
    halo_async_destroy(&superstep->async);
}

halo_status halo_superstep_connect(halo_superstep *superstep, const halo_partition *partition,
                                   const halo_exchange_options *options)
{
    halo_exchange_options wanted = *options;
    wanted.corners = superstep->kernel->corners || superstep->beats_per_exchange > 1;
    wanted.side_halo = superstep->kernel->side_halo;
    wanted.side_halo_state = superstep->state;
    /* Then what is sent from one copy is overwritten only after the other one's exchange. */
    wanted.double_buffered = superstep->copies > 1 && superstep->beats_per_exchange == 1;
    disconnect(superstep);
    for (int copy = 0; copy < superstep->copies; copy++) {
        HALO_TRY(halo_exchange_create(&superstep->exchanges[copy], superstep->world, partition,
                                      superstep->fields[copy], superstep->field_count, &wanted));
    }
    if (superstep->async_options == NULL) {
        return HALO_OK;
    }
    const halo_async_cells cells = {.partition = partition,
                                    .field = superstep->fields[0][0],
                                    .value_bytes = (size_t)superstep->kernel->monotone_bytes,
                                    .corners = superstep->kernel->corners,
                                    .report = superstep->async_report};
    return halo_async_create(&superstep->async, superstep->world, &cells, superstep->async_options);
}

bool halo_superstep_is_movable(const halo_superstep *superstep)
{
    bool movable = true;
    for (int copy = 0; copy < superstep->copies; copy++) {
        for (int i = 0; i < superstep->field_count; i++) {
            movable = movable && halo_field_is_movable(superstep->fields[copy][i]);
        }
    }
    return movable;
}

/* Fresh memory is touched now, where it is counted as moving, and not by the next superstep, where
 * it would make the rank look slow. */
static void touch_layers(const halo_field *field, int64_t lo, int64_t hi)
{
    enum { PAGE = 4096 };
    if (lo >= hi) {
        return;
    }
    volatile char *byte = halo_field_layer(field, lo);
    const volatile char *end = halo_field_layer(field, hi - 1);
    for (; byte <= end; byte += PAGE) {
        *byte = *byte;
    }
}

/* The copy that the next superstep writes first goes along. */
static void move_other_copy(halo_superstep *superstep, const halo_box *before,
                            const halo_box *owned)
{
    int64_t was_end = before->lo[0] + before->n[0], end = owned->lo[0] + owned->n[0];
    for (int i = 0; superstep->copies > 1 && i < superstep->field_count; i++) {
        halo_field *other = superstep->fields[superstep->copies - 1 - superstep->now][i];
        halo_field_set_owned(other, owned);
        touch_layers(other, owned->lo[0], halo_min(end, before->lo[0]));
        touch_layers(other, halo_max(owned->lo[0], was_end), end);
    }
}

halo_status halo_superstep_move(halo_superstep *superstep, const int64_t *cuts,
                                const halo_partition *partition, const char *how, double *bytes)
{
    halo_field *const *now = superstep->fields[superstep->now];
    halo_box before = halo_field_view(now[0])->owned;
    halo_box owned = halo_partition_box(partition, halo_world_rank(superstep->world));
    halo_clock inner = {0}; /* whoever moves has a clock of its own running */
    HALO_TRY(halo_migrate_in_place(superstep->world, now, superstep->field_count, cuts,
                                   partition->cuts[0], how, &inner, bytes));
    disconnect(superstep);
    move_other_copy(superstep, &before, &owned);
    look_at_fields(superstep);
    look_around(superstep, halo_field_domain(now[0]), partition);
    halo_row_cost_set_rows(superstep->row_cost, owned.n[0]);
    return HALO_OK;
}

bool halo_superstep_is_connected(const halo_superstep *superstep)
{
    bool connected = true;
    for (int copy = 0; copy < superstep->copies; copy++) {
        connected = connected && superstep->exchanges[copy] != NULL;
    }
    return connected && (superstep->async != NULL || superstep->async_options == NULL);
}

void halo_superstep_count(const halo_superstep *superstep, int64_t *messages, int64_t *bytes)
{
    for (int copy = 0; halo_superstep_is_connected(superstep) && copy < superstep->copies; copy++) {
        halo_exchange_counts counts = halo_exchange_count(superstep->exchanges[copy]);
        *messages += counts.messages;
        *bytes += counts.bytes;
    }
}

void halo_superstep_destroy(halo_superstep **out)
{
    halo_superstep *superstep = *out;
    if (superstep == NULL) {
        return;
    }
    disconnect(superstep);
    for (int copy = 0; copy < HALO_SUPERSTEP_COPIES; copy++) {
        for (int i = 0; i < HALO_KERNEL_FIELDS; i++) {
            halo_field_destroy(&superstep->fields[copy][i]);
        }
    }
    halo_row_cost_destroy(&superstep->row_cost);
    free(superstep->outer);
    free(superstep);
    *out = NULL;
}

void halo_superstep_note(halo_superstep *superstep, halo_status status)
{
    if (status != HALO_OK && superstep->failure == HALO_OK) {
        superstep->failure = status;
        if (halo_last_message()[0] == '\0') { /* a kernel's author may have forgotten it */
            halo_fail(status, "kernel \"%s\" failed without saying why: %s (%d)",
                      superstep->kernel->name, halo_status_text(status), (int)status);
        }
        snprintf(superstep->message, sizeof superstep->message, "%s", halo_last_message());
    }
}

halo_status halo_superstep_noted(const halo_superstep *superstep)
{
    return superstep->failure == HALO_OK ? HALO_OK
                                         : halo_fail(superstep->failure, "%s", superstep->message);
}
