#define _POSIX_C_SOURCE 200809L /* getdelim */
#include "cli/tasks/inputs.h"

#include "base/standard.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdbool.h>
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

/* ---- columns --------------------------------------------------------------------------------- */

struct column_splitter {
    regex_t expression;
};

/* The meaning of a letter behind a backslash, outside and within brackets. NULL: as POSIX has
 * it. */
typedef struct {
    char letter;
    const char *outside, *within;
} escape;

static const escape escapes[] = {{'t', "\t", "\t"},           {'n', "\n", "\n"},
                                 {'r', "\r", "\r"},           {'d', "[0-9]", "0-9"},
                                 {'D', "[^0-9]", NULL},       {'s', "[[:space:]]", "[:space:]"},
                                 {'S', "[^[:space:]]", NULL}, {'w', "[[:alnum:]_]", "[:alnum:]_"},
                                 {'W', "[^[:alnum:]_]", NULL}};

static const escape *find_escape(char letter)
{
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        if (escapes[i].letter == letter) {
            return &escapes[i];
        }
    }
    return NULL;
}

/* Within brackets POSIX has no escapes: the character itself, which must not end them. */
static halo_status append_escape(halo_buffer *out, char letter, bool within, const char *all)
{
    const escape *found = find_escape(letter);
    const char *text = found == NULL ? NULL : within ? found->within : found->outside;
    const char plain[] = {'\\', letter};
    if (text != NULL) {
        return halo_buffer_append(out, text, strlen(text));
    }
    HALO_FAIL_IF(within && (found != NULL || strchr("]^-", letter) != NULL), HALO_ARGUMENT,
                 "--colsep %s: \\%c within brackets is not understood", all, letter);
    return within ? halo_buffer_append(out, &letter, 1) : halo_buffer_append(out, plain, 2);
}

static halo_status translate(halo_buffer *out, const char *expression)
{
    bool within = false;
    for (const char *at = expression; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            HALO_TRY(append_escape(out, *++at, within, expression));
            continue;
        }
        HALO_FAIL_IF(
            !within && (strncmp(at, "(?", 2) == 0 || strncmp(at, "*?", 2) == 0 ||
                        strncmp(at, "+?", 2) == 0),
            HALO_ARGUMENT,
            "--colsep %s: %.2s of Perl is not offered; use an extended regular expression of POSIX",
            expression, at);
        within = within ? *at != ']' : *at == '[';
        HALO_TRY(halo_buffer_append(out, at, 1));
        if (within && *at == '[' && at[1] == '^') {
            HALO_TRY(halo_buffer_append(out, ++at, 1));
        }
        if (within && at[1] == ']' && (*at == '[' || *at == '^')) { /* the first one is itself */
            HALO_TRY(halo_buffer_append(out, ++at, 1));
        }
    }
    return halo_buffer_append(out, "", 1);
}

static halo_status compile(column_splitter *splitter, const char *expression, const char *text)
{
    enum { WHY = 128 };
    char why[WHY];
    int error = regcomp(&splitter->expression, text, REG_EXTENDED);
    if (error != 0) {
        regerror(error, &splitter->expression, why, sizeof why);
        return error == REG_ESPACE
                   ? halo_fail(HALO_MEMORY, "out of memory: --colsep")
                   : halo_fail(HALO_ARGUMENT, "--colsep %s is no regular expression: %s",
                               expression, why);
    }
    return HALO_OK;
}

halo_status column_splitter_create(column_splitter **out, const char *expression)
{
    halo_buffer text = {0};
    HALO_TRY(HALO_ALLOCATE(*out, 1, "columns of inputs"));
    halo_status status = translate(&text, expression);
    HALO_IF_OK(status, compile(*out, expression, (const char *)text.data));
    if (status != HALO_OK) { /* there is no expression to be freed */
        free(*out);
        *out = NULL;
    } else if (regexec(&(*out)->expression, "", 0, NULL, 0) == 0) {
        status = halo_fail(HALO_ARGUMENT,
                           "--colsep %s also matches nothing at all; write a backslash before a "
                           "character that stands for itself, such as \\|",
                           expression);
    }
    halo_buffer_free(&text);
    return status;
}

void column_splitter_destroy(column_splitter **splitter)
{
    if (*splitter != NULL) {
        regfree(&(*splitter)->expression);
        free(*splitter);
        *splitter = NULL;
    }
}

halo_status column_splitter_split(const column_splitter *splitter, const char *record,
                                  halo_buffer *out, int *count)
{
    regmatch_t match;
    int flags = 0;
    while (regexec(&splitter->expression, record, 1, &match, flags) == 0 &&
           match.rm_eo > match.rm_so) {
        HALO_TRY(halo_buffer_append(out, record, (size_t)match.rm_so));
        HALO_TRY(halo_buffer_append(out, "", 1));
        ++*count;
        record += match.rm_eo;
        flags = REG_NOTBOL;
    }
    ++*count;
    return halo_buffer_append(out, record, strlen(record) + 1);
}
