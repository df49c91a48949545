#define _POSIX_C_SOURCE 200809L /* getdelim */
#include "cli/tasks/records.h"

#include "base/standard.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void record_list_free(record_list *list)
{
    halo_buffer_free(&list->text);
    halo_buffer_free(&list->ends);
    list->count = 0;
}

halo_status record_list_add(record_list *list, const char *record, size_t length)
{
    HALO_TRY(halo_buffer_append(&list->text, record, length));
    HALO_TRY(halo_buffer_append(&list->text, "", 1));
    const int64_t end = (int64_t)list->text.size;
    list->count++;
    return halo_buffer_append(&list->ends, &end, sizeof end);
}

const char *record_list_at(const record_list *list, int64_t i)
{
    const int64_t *ends = (const int64_t *)list->ends.data;
    return (const char *)list->text.data + (i > 0 ? ends[i - 1] : 0);
}

static halo_status read_lines(record_list *list, FILE *file, const char *path, bool empty)
{
    halo_text_lines lines = {.file = file, .name = path};
    bool more = true;
    halo_status status = HALO_OK;
    while (status == HALO_OK) {
        status = halo_text_next_line(&lines, &more);
        if (status != HALO_OK || !more) {
            break;
        }
        if (memchr(lines.line, '\0', lines.length) != NULL) {
            status = halo_fail(HALO_FORMAT,
                               "%s, line %" PRId64 ": there is a zero byte in it; give text, or "
                               "--null for inputs that end in zero bytes",
                               path, lines.number);
        } else if (lines.length > 0 || empty) {
            status = record_list_add(list, lines.line, lines.length);
        }
    }
    halo_text_free(&lines);
    return status;
}

/* Each is ended by a zero byte, but for the last one, which may be ended by the file. */
static halo_status read_zero_ended(record_list *list, FILE *file, const char *path, bool empty)
{
    char *record = NULL;
    size_t room = 0;
    ssize_t length;
    halo_status status = HALO_OK;
    while (status == HALO_OK && (length = getdelim(&record, &room, '\0', file)) >= 0) {
        size_t bytes = (size_t)length - (length > 0 && record[length - 1] == '\0');
        status = bytes > 0 || empty ? record_list_add(list, record, bytes) : HALO_OK;
    }
    if (status == HALO_OK && !feof(file)) {
        status = halo_fail(HALO_FILE, "cannot read \"%s\": %s", path, strerror(errno));
    }
    free(record);
    return status;
}

/* GNU parallel calls the number of jobs at once so. */
static bool is_number(const char *path)
{
    return path[0] != '\0' && path[strspn(path, "0123456789+-%")] == '\0';
}

halo_status record_list_read(record_list *list, const char *path, char end, bool empty)
{
    FILE *file = fopen(halo_is_standard(path) ? HALO_STANDARD_INPUT : path, "re");
    HALO_FAIL_IF(file == NULL, HALO_FILE, "cannot read \"%s\": %s%s%s%s", path, strerror(errno),
                 is_number(path) ? "; for jobs at once use -j " : "", is_number(path) ? path : "",
                 is_number(path) ? ", as --jobs names a file" : "");
    halo_status status = end == '\n' ? read_lines(list, file, path, empty)
                                     : read_zero_ended(list, file, path, empty);
    fclose(file);
    return status;
}
