#define _GNU_SOURCE /* memfd_create */
#include "app/batch/result.h"
#include "app/batch/table.h"
#include "app/report/facts.h"
#include "app/services/journal.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

/* libFuzzer's target: any bytes are read as a journal or refused with a message, and the file stays
 * as it was. By the first byte they are the whole file; lines of a journal of this job; or the
 * result of an image in such a line, which is then shown and put into tables. */

enum { TASKS = 4, TABLES = 2, KINDS = 3 };

static const char head[] = "halobeat journal 1\nfuzzed; 4 tasks, list 0000000000000000\n";

/* ---- a result of an image -------------------------------------------------------------------- */

static void join(const batch_parts *parts, int number)
{
    batch_table table = {0};
    halo_buffer out = {0};
    size_t bytes;
    /* As the frame keeps it: with a byte behind the rows. */
    char *rows = calloc(parts->rows_size + 1, 1);
    demand(rows != NULL);
    memcpy(rows, parts->rows, parts->rows_size);
    const char *text = batch_result_table(rows, number, &bytes);
    static const char other[] = "label,area\n1,2\n";
    if (batch_table_meet(&table, other) == HALO_OK && batch_table_meet(&table, text) == HALO_OK) {
        table.united = number == 0;
        demand(batch_table_append(&table, &out, "a,\"b\".png", other, strlen(other), "um") ==
               HALO_OK);
        demand(batch_table_append(&table, &out, "c.png", text, bytes, "pixels") == HALO_OK);
    }
    halo_buffer_free(&out);
    free(rows);
}

static void show(const batch_parts *parts)
{
    static const char *const texts[] = {
        "{image.file}",
        "{image.width_pixels}",
        "{seconds%.6f}",
        "[{error}]",
        "{regions} region{s:regions}[ of {values}][, {threshold.value>0}]",
        "[; {foreground_share%.2f}]",
        "{100*foreground_share%.3g} {inverted?yes}"};
    json_t *facts = json_loads(parts->facts, 0, NULL);
    demand(json_is_object(facts));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char cell[64];
        const app_line line = {.text = texts[i]};
        (void)app_line_text(&line, facts, NULL, cell, sizeof cell);
        demand(memchr(cell, '\0', sizeof cell) != NULL);
    }
    json_decref(facts);
}

static void take_result(const void *data, size_t size)
{
    batch_parts parts;
    if (batch_result_split(data, size, TABLES, &parts) && batch_result_has_facts(&parts)) {
        show(&parts);
        for (int i = 0; i < TABLES; i++) {
            join(&parts, i);
        }
    }
}

/* ---- a journal ------------------------------------------------------------------------------- */

static void append_line(halo_buffer *out, int64_t task, const uint8_t *data, size_t size)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%" PRId64 " %016" PRIx64 " ", task,
                          (uint64_t)XXH3_64bits_withSeed(data, size, (XXH64_hash_t)task));
    demand(halo_buffer_append(out, text, (size_t)length) == HALO_OK);
    for (size_t i = 0; i < size; i++) {
        snprintf(text, sizeof text, "%02x", data[i]);
        demand(halo_buffer_append(out, text, 2) == HALO_OK);
    }
    demand(halo_buffer_append(out, "\n", 1) == HALO_OK);
}

static bool load(const halo_buffer *text)
{
    const app_journal_job job = {.says = "fuzzed", .tasks = TASKS};
    app_journal *journal;
    memory_file file;
    memory_file_create(&file, text->data, text->size);
    bool good = app_journal_load(&journal, file.path, &job) == HALO_OK;
    demand(good || (journal == NULL && strlen(halo_last_message()) > 0));
    for (int64_t task = 0; good && task < TASKS; task++) {
        size_t bytes;
        const void *found = app_journal_found(journal, task, &bytes);
        if (found != NULL) {
            demand(bytes <= text->size);
            take_result(found, bytes);
        }
    }
    app_journal_close(&journal);
    memory_file_check(&file, text->data, text->size, true);
    memory_file_close(&file);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    halo_buffer text = {0};
    if (size == 0) {
        return 0;
    }
    int kind = data[0] % KINDS;
    data++;
    size--;
    demand(kind == 0 || halo_buffer_append(&text, head, strlen(head)) == HALO_OK);
    if (kind == 2) {
        append_line(&text, (int64_t)(size % TASKS), data, size);
        demand(load(&text));
    } else {
        demand(halo_buffer_append(&text, data, size) == HALO_OK);
        (void)load(&text);
    }
    halo_buffer_free(&text);
    return 0;
}
