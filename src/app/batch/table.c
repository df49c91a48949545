#include "app/batch/table.h"

#include "app/batch/batch_internal.h"
#include "io/table/table.h"

#include <string.h>

static halo_status append(halo_buffer *out, const char *text, size_t bytes)
{
    return halo_buffer_append(out, text, bytes);
}

halo_status batch_append_quoted(halo_buffer *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        return append(out, text, strlen(text));
    }
    HALO_TRY(append(out, "\"", 1));
    for (; *text != '\0'; text++) {
        HALO_TRY(append(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1));
    }
    return append(out, "\"", 1);
}

/* Fields of a line of numbers or names, none of which has commas. Returns how many. */
static int split(const char *line, batch_title fields[HALO_TABLE_COLUMNS])
{
    int count = 0;
    for (; count < HALO_TABLE_COLUMNS; line++) {
        fields[count] = (batch_title){line, strcspn(line, ",\n")};
        line += fields[count++].length;
        if (*line != ',') {
            break;
        }
    }
    return count;
}

static int find(const batch_table *table, const batch_title *title)
{
    int at = 0;
    while (at < table->count && (table->titles[at].length != title->length ||
                                 memcmp(table->titles[at].name, title->name, title->length) != 0)) {
        at++;
    }
    return at;
}

halo_status batch_table_meet(batch_table *table, const char *text)
{
    batch_title titles[HALO_TABLE_COLUMNS];
    int count = split(text, titles);
    for (int i = 0; i < count; i++) {
        int at = find(table, &titles[i]);
        if (at == HALO_TABLE_COLUMNS) {
            return halo_fail(HALO_ARGUMENT,
                             "a table of all images has %d columns at most; use a name such as "
                             "{name}.csv for a table each",
                             HALO_TABLE_COLUMNS);
        }
        if (at == table->count) {
            table->titles[table->count++] = titles[i];
        }
    }
    return HALO_OK;
}

static halo_status end_line(const batch_table *table, halo_buffer *out, const char *unit)
{
    if (table->united) {
        HALO_TRY(append(out, ",", 1));
        HALO_TRY(batch_append_quoted(out, unit));
    }
    return append(out, "\n", 1);
}

/* `fields` [count] in the places of their columns; nothing in the others. */
static halo_status append_fields(const batch_table *table, halo_buffer *out,
                                 const batch_title *fields, int count, const int *column,
                                 const char *unit)
{
    for (int i = 0; i < table->count; i++) {
        HALO_TRY(append(out, ",", 1));
        if (column[i] >= 0 && column[i] < count) {
            HALO_TRY(append(out, fields[column[i]].name, fields[column[i]].length));
        }
    }
    return end_line(table, out, unit);
}

static halo_status append_titles(const batch_table *table, halo_buffer *out)
{
    int column[HALO_TABLE_COLUMNS];
    for (int i = 0; i < table->count; i++) {
        column[i] = i;
    }
    HALO_TRY(append(out, "image", strlen("image")));
    return append_fields(table, out, table->titles, table->count, column, "unit");
}

halo_status batch_table_append(const batch_table *table, halo_buffer *out, const char *image,
                               const char *text, size_t bytes, const char *unit)
{
    const char *end = text + bytes, *line = memchr(text, '\n', bytes);
    batch_title fields[HALO_TABLE_COLUMNS];
    int column[HALO_TABLE_COLUMNS], count = split(text, fields);
    bool same = count == table->count; /* mostly: then lines go as they are */
    memset(column, 0xff, sizeof column);
    for (int i = 0; i < count; i++) {
        int at = find(table, &fields[i]);
        column[at] = i;
        same = same && at == i;
    }
    if (out->size == 0) {
        HALO_TRY(append_titles(table, out));
    }
    for (line = line != NULL ? line + 1 : end; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *next = stop != NULL ? stop + 1 : end;
        HALO_TRY(batch_append_quoted(out, image));
        if (same) {
            HALO_TRY(append(out, ",", 1));
            HALO_TRY(append(out, line, (size_t)((stop != NULL ? stop : end) - line)));
            HALO_TRY(end_line(table, out, unit));
        } else {
            int there = split(line, fields); /* a forged table may have lines of any length */
            HALO_TRY(append_fields(table, out, fields, there, column, unit));
        }
        line = next;
    }
    return HALO_OK;
}
