#include "app/batch/batch_internal.h"
#include "app/batch/table.h"
#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <string.h>

/* Tables that all images share. */

/* ---- of an image ------------------------------------------------------------------------------
 */

/* Each table behind its size: rank 0 of the image's ranks has the rows of all. */
static halo_status put_rows(halo_buffer *rows, const halo_table *table, const void *all,
                            size_t size)
{
    size_t begin = rows->size, bytes = 0;
    HALO_TRY(halo_buffer_append(rows, &bytes, sizeof bytes));
    HALO_TRY(halo_table_begin(rows, table, HALO_TABLE_CSV));
    HALO_TRY(halo_buffer_append(rows, all, size));
    HALO_TRY(halo_table_end(rows, table, HALO_TABLE_CSV));
    bytes = rows->size - begin - sizeof bytes;
    memcpy(rows->data + begin, &bytes, sizeof bytes);
    return HALO_OK;
}

/* Collective. */
static halo_status keep_rows(app_run *run, const halo_table *table)
{
    halo_buffer *rows = ((batch_state *)app_service_state(run, &app_batch_service))->rows;
    halo_buffer own = {0};
    void *all = NULL;
    size_t size = 0;
    halo_status status = halo_table_append(&own, table, HALO_TABLE_CSV, 0, table->rows, 1);
    HALO_TRY_OR(done, halo_agree(run->world, status));
    HALO_TRY_OR(done, halo_gatherv(run->world, own.data, own.size, &all, &size));
    status = halo_agree(run->world, app_is_root(run) ? put_rows(rows, table, all, size) : HALO_OK);
done:
    halo_buffer_free(&own);
    halo_memory_free(all);
    return status;
}

halo_status batch_take_table(app_run *run, const char *path, const halo_table *table)
{
    return batch_joins(run->whole, run->writing->output)
               ? keep_rows(run, table)
               : halo_table_write(run->world, path, table);
}

/* ---- of all images --------------------------------------------------------------------------- */

enum { UNIT = 32 };

/* In which unit the tables of an image are; "": the command or its options say so for all. */
static void find_unit(const app_batch *batch, int64_t i, char unit[UNIT])
{
    const app_line line = {.text = batch->run->command->unit};
    const char *text = batch->results[i].facts;
    json_t *facts = line.text != NULL && text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (facts == NULL || !app_line_text(&line, facts, NULL, unit, UNIT)) {
        unit[0] = '\0';
    }
    json_decref(facts);
}

/* The table of an image; NULL: it has none. */
static const char *table_of(const app_batch *batch, int64_t i, int number, size_t *bytes)
{
    const char *rows = batch->results[i].rows;
    return rows != NULL ? batch_result_table(rows, number, bytes) : NULL;
}

/* Images of which some are in pixels and others in a length, or in several lengths, need a column
 * that says so; those that all are in pixels need none. */
static halo_status meet_all(const app_batch *batch, int number, batch_table *table, bool *mixed)
{
    char first[UNIT] = "", unit[UNIT];
    bool any = false;
    for (int64_t i = 0; i < batch->count; i++) {
        size_t bytes;
        const char *text = table_of(batch, i, number, &bytes);
        if (text == NULL) {
            continue;
        }
        HALO_TRY(batch_table_meet(table, text));
        find_unit(batch, i, unit);
        *mixed = *mixed || (any && strcmp(first, unit) != 0);
        table->united = table->united || (unit[0] != '\0' && strcmp(unit, "pixels") != 0);
        memcpy(first, unit, sizeof first);
        any = true;
    }
    return HALO_OK;
}

static halo_status join(const app_batch *batch, const char *path, int number, halo_buffer *out)
{
    batch_table table = {0};
    char unit[UNIT] = "";
    bool mixed = false;
    HALO_TRY(meet_all(batch, number, &table, &mixed));
    for (int64_t i = 0; i < batch->count; i++) {
        size_t bytes;
        const char *text = table_of(batch, i, number, &bytes);
        if (text != NULL) {
            if (table.united) {
                find_unit(batch, i, unit);
            }
            HALO_TRY(batch_table_append(&table, out, batch->image[i], text, bytes, unit));
        }
    }
    if (mixed) {
        app_warn(batch->run,
                 "%s has images in several units, which its column \"unit\" names: --spacing "
                 "pixels leaves all of them in pixels",
                 path);
    }
    return HALO_OK;
}

halo_status batch_write_tables(app_batch *batch)
{
    const app_run *run = batch->run;
    const app_output *output = run->command->outputs;
    int number = 0;
    for (; output != NULL && output->phase != NULL; output++) {
        const char *path = app_output_path(run, output);
        if (path == NULL || !batch_joins(run, output)) {
            continue;
        }
        halo_buffer text = {0};
        halo_status made = app_is_root(run) ? join(batch, path, number, &text) : HALO_OK;
        halo_status status = report_save_text(run->world, path, made, &text);
        halo_buffer_free(&text);
        HALO_TRY(status);
        number++;
    }
    return HALO_OK;
}
