#include "app/options/kept.h"
#include "app/report/facts.h"
#include "app/services/checkpoint.h"
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "app/stencil/tables.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checkpoints of any kernel: the rows are the lines of all its fields, the same for every number of
 * ranks and decomposition. */

enum { HEX = 16 };

static const char *name_of(const app_run *run)
{
    return ((const stencil_job *)run->job)->name;
}

/* ---- what it says ---------------------------------------------------------------------------- */

static json_t *json_of_bytes(const unsigned char *bytes, size_t count)
{
    char text[2 * HALO_KERNEL_SAVED + 1] = "";
    for (size_t i = 0; i < count; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
    return json_string(text);
}

static bool keep(app_run *run, json_t *saved)
{
    const stencil_job *job = run->job;
    const halo_kernel *kernel = job->kernel;
    json_t *size = app_fact_integers(run->domain.n, run->domain.axes);
    json_t *periodic = json_array(), *bits = json_array();
    for (int a = 0; a < run->domain.axes; a++) {
        json_array_append_new(periodic, json_boolean(run->domain.periodic[a]));
    }
    for (int f = 0; f < stencil_cells_fields(kernel); f++) {
        json_array_append_new(bits, json_integer(kernel->cell_bits[f]));
    }
    json_t *entries = json_pack("{s:o, s:o, s:o, s:s?, s:o}", "size", size, "periodic", periodic,
                                "cell_bits", bits, "options", job->options, "state",
                                json_of_bytes(job->state, kernel->saved_bytes));
    bool good = entries != NULL && json_object_update(saved, entries) == 0;
    json_decref(entries);
    return good;
}

static halo_status parse_state(const char *text, void *into)
{
    size_t length = strlen(text);
    (void)into;
    return length % 2 == 0 && length <= (size_t)2 * HALO_KERNEL_SAVED &&
                   strspn(text, "0123456789abcdef") == length
               ? HALO_OK
               : HALO_ARGUMENT;
}

static const app_kept kept[] = {
    {.row = {.name = "size", .type = HALO_OPTION_INTEGER, .min = 1, .max = INT32_MAX},
     .min = 1,
     .max = HALO_AXES},
    {.row = {.name = "periodic", .type = HALO_OPTION_FLAG}, .min = 1, .max = HALO_AXES},
    {.row = {.name = "cell_bits", .type = HALO_OPTION_INTEGER, .max = INT32_MAX},
     .min = 0,
     .max = HALO_KERNEL_FIELDS},
    {.row = {.name = "options", .type = HALO_OPTION_TEXT}, .null = true},
    {.row = {.name = "state",
             .type = HALO_OPTION_TEXT,
             .parse = parse_state,
             .takes = "a text of hexadecimal digits, two a byte"}},
    {.max = 0}};

static bool read_domain(halo_domain *domain, const json_t *size, const json_t *periodic)
{
    size_t axes = json_array_size(size);
    if (json_array_size(periodic) != axes) {
        return false;
    }
    *domain = (halo_domain){.axes = (int)axes, .n = {1, 1, 1}};
    for (size_t a = 0; a < axes; a++) {
        domain->n[a] = json_integer_value(json_array_get(size, a));
        domain->periodic[a] = json_is_true(json_array_get(periodic, a));
    }
    return true;
}

static void read_state(stencil_job *job, const json_t *state)
{
    const char *text = json_string_value(state);
    job->state_bytes = json_string_length(state) / 2;
    for (size_t i = 0; i < job->state_bytes; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        job->state[i] = (unsigned char)strtoul(digits, NULL, HEX);
    }
}

/* Does the table agree with what is said, and that with the rows? */
static bool fits(const app_run *run, const json_t *bits, const halo_checkpoint *info)
{
    const stencil_job *job = run->job;
    const halo_kernel *kernel = job->kernel;
    const halo_domain *domain = &run->domain;
    int fields = stencil_cells_fields(kernel);
    int64_t lines = domain->n[0] * (domain->axes == HALO_AXES ? domain->n[1] : 1);
    size_t line_bytes = 0;
    bool good = json_array_size(bits) == (size_t)fields;
    for (int f = 0; good && f < fields; f++) {
        good = json_integer_value(json_array_get(bits, (size_t)f)) == kernel->cell_bits[f];
        line_bytes += stencil_lines_bytes(kernel, f, domain);
    }
    return good && info->rows == lines && info->row_bytes == line_bytes &&
           job->state_bytes == kernel->saved_bytes &&
           (kernel->axes == 0 || kernel->axes == domain->axes);
}

static bool check(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    stencil_job *job = run->job;
    job->options = json_string_value(json_object_get(saved, "options"));
    read_state(job, json_object_get(saved, "state"));
    return stencil_suit_kernel(job) == HALO_OK &&
           read_domain(&run->domain, json_object_get(saved, "size"),
                       json_object_get(saved, "periodic")) &&
           fits(run, json_object_get(saved, "cell_bits"), info);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int count_fields(const app_run *run)
{
    return stencil_cells_fields(run->kernel);
}

/* A state that is not the same everywhere is the kernel's fault, and no reason to wait for each
 * other without end: rank 0's is saved. */
static halo_status store(app_run *run, void *records)
{
    stencil_job *job = run->job;
    const void *state = halo_beat_state(run->beat);
    (void)records;
    if (state != NULL) {
        memcpy(job->state, state, job->kernel->saved_bytes);
    }
    return halo_bcast(run->world, job->state, sizeof job->state, 0);
}

static halo_status recall(app_run *run, const void *records, int64_t count)
{
    const stencil_job *job = run->job;
    void *state = halo_beat_state(run->beat);
    (void)records;
    (void)count;
    if (state != NULL) {
        memcpy(state, job->state, job->state_bytes);
    }
    return HALO_OK;
}

const app_state stencil_state = {.name = name_of,
                                 .kept = kept,
                                 .check = check,
                                 .keep = keep,
                                 .fields = count_fields,
                                 .store = store,
                                 .recall = recall};
