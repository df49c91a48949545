#define _POSIX_C_SOURCE 200809L /* getline */
#include "cli/tasks/list.h"

#include "base/standard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_list_free(job_list *list)
{
    halo_buffer_free(&list->text);
    halo_buffer_free(&list->ends);
    list->count = 0;
}

halo_status job_list_add(job_list *list, const char *line, size_t length)
{
    HALO_TRY(halo_buffer_append(&list->text, line, length));
    HALO_TRY(halo_buffer_append(&list->text, "", 1));
    const int64_t end = (int64_t)list->text.size;
    list->count++;
    return halo_buffer_append(&list->ends, &end, sizeof end);
}

static halo_status read_lines(job_list *list, FILE *file, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    halo_status status = HALO_OK;
    for (int64_t number = 1; status == HALO_OK && (length = getline(&line, &room, file)) >= 0;
         number++) {
        size_t bytes = (size_t)length - (length > 0 && line[length - 1] == '\n');
        if (memchr(line, '\0', bytes) != NULL) {
            status = halo_fail(HALO_FORMAT,
                               "%s, line %" PRId64 ": there is a zero byte in it; give text", path,
                               number);
        } else if (bytes > 0) {
            status = job_list_add(list, line, bytes);
        }
    }
    if (status == HALO_OK && ferror(file)) {
        status = halo_fail(HALO_FILE, "cannot read \"%s\": %s", path, strerror(errno));
    }
    free(line);
    return status;
}

halo_status job_list_read(job_list *list, const char *path)
{
    FILE *file = fopen(halo_is_standard(path) ? halo_standard_input() : path, "re");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "cannot read \"%s\": %s", path, strerror(errno));
    }
    halo_status status = read_lines(list, file, path);
    fclose(file);
    return status;
}

const char *job_list_at(const job_list *list, int64_t i)
{
    const int64_t *ends = (const int64_t *)list->ends.data;
    return (const char *)list->text.data + (i > 0 ? ends[i - 1] : 0);
}

/* ---- what a job's command is ----------------------------------------------------------------- */

/* In single quotes, which end for each that is in it; plain names stay as they are. Within quotes
 * of the command's own, `open`, these end before it and begin again behind it. */
static halo_status append_quoted(halo_buffer *out, const char *text, size_t length, char open)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%^";
    if (length > 0 && strspn(text, plain) >= length) {
        return halo_buffer_append(out, text, length);
    }
    HALO_TRY(open != '\0' ? halo_buffer_append(out, &open, 1) : HALO_OK);
    HALO_TRY(halo_buffer_append(out, "'", 1));
    for (size_t i = 0; i < length; i++) {
        HALO_TRY(text[i] == '\'' ? halo_buffer_append(out, "'\\''", 4)
                                 : halo_buffer_append(out, text + i, 1));
    }
    HALO_TRY(halo_buffer_append(out, "'", 1));
    return open != '\0' ? halo_buffer_append(out, &open, 1) : HALO_OK;
}

/* The parts of an input's name. */
typedef struct {
    const char *text;
    size_t length, folder, stem; /* of all; of the folder with its slash; of all but the ending */
} name_parts;

static name_parts take_apart(const char *input)
{
    name_parts parts = {.text = input, .length = strlen(input)};
    const char *slash = strrchr(input, '/');
    parts.folder = slash != NULL ? (size_t)(slash - input) + 1 : 0;
    const char *dot = strrchr(input + parts.folder, '.');
    parts.stem = dot != NULL && dot > input + parts.folder ? (size_t)(dot - input) : parts.length;
    return parts;
}

static halo_status append_folder(halo_buffer *out, const name_parts *parts, char open)
{
    if (parts->folder == 0) {
        return halo_buffer_append(out, ".", 1);
    }
    return append_quoted(out, parts->text, parts->folder > 1 ? parts->folder - 1 : 1, open);
}

/* What stands for it at `at`, of *length characters; false if nothing does. */
static bool append_place(halo_buffer *out, const char *at, const name_parts *parts, int64_t number,
                         char open, size_t *length, halo_status *status)
{
    static const char *const places[] = {"{}", "{.}", "{/}", "{/.}", "{//}", "{#}"};
    enum { ALL, STEM, NAME, NAME_STEM, FOLDER, NUMBER, PLACES };
    char digits[24];
    int place = 0;
    while (place < PLACES && strncmp(at, places[place], strlen(places[place])) != 0) {
        place++;
    }
    if (place == PLACES) {
        return false;
    }
    *length = strlen(places[place]);
    snprintf(digits, sizeof digits, "%" PRId64, number);
    const char *behind = parts->text + parts->folder;
    *status = place == ALL         ? append_quoted(out, parts->text, parts->length, open)
              : place == STEM      ? append_quoted(out, parts->text, parts->stem, open)
              : place == NAME      ? append_quoted(out, behind, parts->length - parts->folder, open)
              : place == NAME_STEM ? append_quoted(out, behind, parts->stem - parts->folder, open)
              : place == FOLDER    ? append_folder(out, parts, open)
                                   : halo_buffer_append(out, digits, strlen(digits));
    return true;
}

/* Which quotes are open behind this character, where `open` are before it: \0 for none. What
 * follows a backslash, outside of single quotes, has no meaning. */
static char quotes_behind(char open, char character)
{
    if (open == '\0') {
        return character == '\'' || character == '"' ? character : '\0';
    }
    return character == open ? '\0' : open;
}

static halo_status append_word(halo_buffer *out, const char *word, const name_parts *parts,
                               int64_t number, char *open, bool *placed)
{
    halo_status status = HALO_OK;
    while (status == HALO_OK && *word != '\0') {
        size_t length = 1;
        if (append_place(out, word, parts, number, *open, &length, &status)) {
            *placed = true;
        } else {
            length = *word == '\\' && *open != '\'' && word[1] != '\0' ? 2 : 1;
            *open = length == 1 ? quotes_behind(*open, *word) : *open;
            status = halo_buffer_append(out, word, length);
        }
        word += length;
    }
    return status;
}

static halo_status write_command(halo_buffer *out, char *const *template, int words,
                                 const char *input, int64_t number)
{
    const name_parts parts = take_apart(input);
    bool placed = false;
    char open = '\0';
    for (int i = 0; i < words; i++) {
        HALO_TRY(i > 0 ? halo_buffer_append(out, " ", 1) : HALO_OK);
        HALO_TRY(append_word(out, template[i], &parts, number, &open, &placed));
    }
    if (words == 0) {
        HALO_TRY(halo_buffer_append(out, input, parts.length));
    } else if (!placed) {
        HALO_TRY(halo_buffer_append(out, " ", 1));
        HALO_TRY(append_quoted(out, input, parts.length, open));
    }
    return halo_buffer_append(out, "", 1);
}

halo_status job_command(char **out, char *const *template, int words, const char *input,
                        int64_t number)
{
    halo_buffer text = {0};
    halo_status status = write_command(&text, template, words, input, number);
    if (status != HALO_OK) {
        halo_buffer_free(&text);
    }
    *out = (char *)text.data;
    return status;
}
