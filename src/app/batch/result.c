#include "app/batch/result.h"

#include "app/report/json_text.h"

#include <stdlib.h>
#include <string.h>

/* A result is its origin, the size of the facts, these, and the tables. */

halo_status batch_result_pack(halo_buffer *out, const batch_origin *origin, const json_t *facts,
                              const halo_buffer *rows)
{
    char *made = facts != NULL ? app_json_text(facts, JSON_COMPACT) : NULL;
    const char *text = facts != NULL ? made : "{}";
    HALO_FAIL_IF(text == NULL, HALO_MEMORY, "out of memory: what is reported of an image");
    size_t bytes = strlen(text) + 1;
    halo_status status = halo_buffer_append(out, origin, sizeof *origin);
    status = halo_status_first(status, halo_buffer_append(out, &bytes, sizeof bytes));
    status = halo_status_first(status, halo_buffer_append(out, text, bytes));
    status = halo_status_first(status, halo_buffer_append(out, rows->data, rows->size));
    free(made);
    return status;
}

/* ---- taking apart ---------------------------------------------------------------------------- */

typedef struct {
    const char *at;
    size_t left;
} bytes_left;

/* The next `bytes` bytes, or NULL if there are fewer. */
static const char *take(bytes_left *from, size_t bytes)
{
    const char *at = from->at;
    if (bytes > from->left) {
        return NULL;
    }
    from->at += bytes;
    from->left -= bytes;
    return at;
}

static bool copy(bytes_left *from, void *into, size_t bytes)
{
    const char *at = take(from, bytes);
    if (at != NULL) {
        memcpy(into, at, bytes);
    }
    return at != NULL;
}

/* Lines, of which the first one has titles. */
static bool is_table(const char *text, size_t bytes)
{
    return bytes > 0 && text[bytes - 1] == '\n' && memchr(text, '\0', bytes) == NULL;
}

static bool are_tables(bytes_left rows, int count)
{
    for (int i = 0; i < count; i++) {
        size_t bytes;
        const char *text = copy(&rows, &bytes, sizeof bytes) ? take(&rows, bytes) : NULL;
        if (text == NULL || !is_table(text, bytes)) {
            return false;
        }
    }
    return rows.left == 0;
}

bool batch_result_split(const void *data, size_t bytes, int tables, batch_parts *out)
{
    bytes_left left = {data, bytes};
    *out = (batch_parts){.rows = NULL};
    if (!copy(&left, &out->origin, sizeof out->origin) ||
        !copy(&left, &out->facts_size, sizeof out->facts_size) || out->facts_size == 0) {
        return false;
    }
    out->facts = take(&left, out->facts_size);
    out->rows = left.at;
    out->rows_size = left.left;
    size_t length = out->facts_size - 1;
    return out->facts != NULL && out->facts[length] == '\0' &&
           memchr(out->facts, '\0', length) == NULL && are_tables(left, tables);
}

bool batch_result_has_facts(const batch_parts *parts)
{
    json_t *value = json_loadb(parts->facts, parts->facts_size - 1, 0, NULL);
    bool has = json_is_object(value);
    json_decref(value);
    return has;
}

const char *batch_result_table(const char *rows, int number, size_t *bytes)
{
    *bytes = 0;
    for (int i = 0; i <= number; i++) {
        rows += *bytes;
        memcpy(bytes, rows, sizeof *bytes);
        rows += sizeof *bytes;
    }
    return rows;
}
