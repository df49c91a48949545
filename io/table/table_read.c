#include "base/scan.h"
#include "base/standard.h"
#include "io/table/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Read what table.c writes, a row a line. */

typedef struct {
    const char *path;
    const halo_table_column *columns;
    int count;
    bool json;
    int64_t line;
} reading;

static halo_status refuse(const reading *r, const char *why)
{
    return halo_fail(HALO_FORMAT, "\"%.300s\", line %" PRId64 ": %s", r->path, r->line, why);
}

static bool skip(const char **at, const char *text)
{
    size_t length = strlen(text);
    bool there = strncmp(*at, text, length) == 0;
    *at += there ? length : 0;
    return there;
}

/* The names, and whatever stands around values, must be as table.c writes them. */
static bool scan_row(const reading *r, const char *at, int64_t *values)
{
    bool good = true;
    for (int i = 0; good && i < r->count; i++) {
        if (r->json) {
            good = skip(&at, i == 0 ? "{\"" : ", \"") && skip(&at, r->columns[i].name) &&
                   skip(&at, "\": ");
        } else {
            good = i == 0 || skip(&at, ",");
        }
        good = good && halo_scan_integer(&at, INT64_MIN, INT64_MAX, &values[i]);
    }
    good = good && (!r->json || skip(&at, "}"));
    if (good && r->json) {
        skip(&at, ",");
    }
    return good && strcmp(at, "\n") == 0;
}

static bool is_head(const reading *r, const char *at)
{
    if (r->json) {
        return strcmp(at, "[\n") == 0;
    }
    bool good = true;
    for (int i = 0; good && i < r->count; i++) {
        good = (i == 0 || skip(&at, ",")) && skip(&at, r->columns[i].name);
    }
    return good && strcmp(at, "\n") == 0;
}

/* A file that is no table may have lines of any length. */
static halo_status read_lines(reading *r, FILE *file, halo_table_take *take, void *context)
{
    char line[HALO_TABLE_COLUMNS * 128];
    int64_t values[HALO_TABLE_COLUMNS];
    for (r->line = 1; fgets(line, sizeof line, file) != NULL; r->line++) {
        if (r->json && r->line > 1 && strcmp(line, "]\n") == 0) {
            break;
        }
        if (r->line == 1 ? !is_head(r, line) : !scan_row(r, line, values)) {
            return refuse(r, "this is no line of such a table");
        }
        if (r->line > 1) {
            HALO_TRY(take(context, values));
        }
    }
    if (ferror(file) != 0) {
        return halo_fail(HALO_FILE, "\"%.300s\" cannot be read: %s", r->path, strerror(errno));
    }
    return r->line == 1 ? refuse(r, "it is empty") : HALO_OK;
}

halo_status halo_table_read(const char *path, const halo_table_column *columns, int count,
                            halo_table_take *take, void *context)
{
    reading r = {.path = path, .columns = columns, .count = count};
    halo_table_format format;
    HALO_TRY(halo_table_format_of(path, &format));
    r.json = format == HALO_TABLE_JSON;
    FILE *file = fopen(halo_is_standard(path) ? HALO_STANDARD_INPUT : path, "r");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "\"%.300s\" cannot be read: %s", path, strerror(errno));
    }
    halo_status status = read_lines(&r, file, take, context);
    fclose(file);
    return status;
}
