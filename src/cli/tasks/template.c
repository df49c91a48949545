#include "cli/tasks/inputs.h"

#include "base/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- quoting --------------------------------------------------------------------------------- */

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

/* Which quotes are open behind this character, where `open` are before it: \0 for none. */
static char quotes_behind(char open, char character)
{
    if (open == '\0') {
        return character == '\'' || character == '"' ? character : '\0';
    }
    return character == open ? '\0' : open;
}

/* ---- parts of an input ----------------------------------------------------------------------- */

typedef struct {
    const char *text;
    size_t length;
} text_part;

/* The name behind the last slash. */
static text_part name_of(text_part all)
{
    size_t at = all.length;
    while (at > 0 && all.text[at - 1] != '/') {
        at--;
    }
    return (text_part){all.text + at, all.length - at};
}

/* Without what is behind the last dot of its name, and the dot. */
static text_part stem_of(text_part all)
{
    text_part name = name_of(all);
    for (size_t at = name.length; at-- > 0;) {
        if (name.text[at] == '.') {
            return (text_part){all.text, (size_t)(name.text - all.text) + at};
        }
    }
    return all;
}

static text_part name_stem_of(text_part all)
{
    return stem_of(name_of(all));
}

static size_t without_slashes(const char *text, size_t length)
{
    while (length > 1 && text[length - 1] == '/') {
        length--;
    }
    return length;
}

/* As dirname(1). */
static text_part folder_of(text_part all)
{
    size_t length = without_slashes(all.text, all.length);
    while (length > 0 && all.text[length - 1] != '/') {
        length--;
    }
    length = without_slashes(all.text, length);
    return length > 0 ? (text_part){all.text, length} : (text_part){".", 1};
}

static text_part all_of(text_part all)
{
    return all;
}

/* The longest come first. */
static const struct {
    const char *text;
    text_part (*take)(text_part all);
} kinds[] = {{"//", folder_of}, {"/.", name_stem_of}, {"/", name_of}, {".", stem_of}, {"", all_of}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- places ---------------------------------------------------------------------------------- */

typedef enum { PLACE_NONE, PLACE_INPUT, PLACE_NUMBER, PLACE_SLOT } place_type;

/* The parts of a text between braces. */
typedef struct {
    place_type type;
    size_t length;  /* with its braces */
    int kind;       /* of PLACE_INPUT: of kinds */
    bool all;       /* of all columns, or */
    int64_t column; /* of one, from 0; below 0 or beyond the last: there is none */
} place;

static bool ends_as(const char *text, size_t length, int kind)
{
    size_t ending = strlen(kinds[kind].text);
    return length >= ending && memcmp(text + length - ending, kinds[kind].text, ending) == 0;
}

/* Column N from the front, or from the back. */
static bool find_position(const char *text, size_t length, const job_input *input, int64_t *column)
{
    static const int64_t most = 1000000;
    const char *at = text + (*text == '-');
    if (!halo_scan_integer(&at, 1, most, column) || at != text + length) {
        return false;
    }
    *column = *text == '-' ? input->count - *column : *column - 1;
    return true;
}

static bool find_name(const char *text, size_t length, const job_input *input, int64_t *column)
{
    for (int i = 0; i < input->named; i++) {
        if (strlen(input->name[i]) == length && memcmp(input->name[i], text, length) == 0) {
            *column = i;
            return true;
        }
    }
    return false;
}

/* `text`, of `length` characters, is between braces. */
static place understand(const char *text, size_t length, const job_input *input)
{
    place found = {.length = length + 2};
    if (length == 1 && (*text == '#' || *text == '%')) {
        found.type = *text == '#' ? PLACE_NUMBER : PLACE_SLOT;
        return found;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        size_t rest = length - strlen(kinds[kind].text);
        if (!ends_as(text, length, kind)) {
            continue;
        }
        found.all = rest == 0;
        if (found.all || find_position(text, rest, input, &found.column) ||
            find_name(text, rest, input, &found.column)) {
            found.type = PLACE_INPUT;
            found.kind = kind;
            return found;
        }
    }
    return (place){0};
}

static place find_place(const char *at, const job_input *input)
{
    const char *end = *at == '{' ? strchr(at, '}') : NULL;
    return end != NULL ? understand(at + 1, (size_t)(end - at) - 1, input) : (place){0};
}

/* ---- expanding ------------------------------------------------------------------------------- */

static halo_status append_column(halo_buffer *out, const place *at, const char *column, bool quoted,
                                 char open)
{
    const text_part part = kinds[at->kind].take((text_part){column, strlen(column)});
    return quoted ? append_quoted(out, part.text, part.length, open)
                  : halo_buffer_append(out, part.text, part.length);
}

static halo_status append_input(halo_buffer *out, const place *at, const job_input *input,
                                bool quoted, char open)
{
    if (!at->all) {
        bool there = at->column >= 0 && at->column < input->count;
        return there ? append_column(out, at, input->column[at->column], quoted, open) : HALO_OK;
    }
    for (int i = 0; i < input->count; i++) {
        HALO_TRY(i > 0 ? halo_buffer_append(out, " ", 1) : HALO_OK);
        HALO_TRY(append_column(out, at, input->column[i], quoted, open));
    }
    return HALO_OK;
}

static halo_status append_place(halo_buffer *out, const place *at, const job_input *input,
                                const template_use *use, char open)
{
    enum { DIGITS = 24 };
    char digits[DIGITS];
    if (at->type == PLACE_INPUT) {
        return append_input(out, at, input, use->quoted, open);
    }
    if (at->type == PLACE_SLOT) {
        const uint32_t where = (uint32_t)out->size;
        return use->slots != NULL ? halo_buffer_append(use->slots, &where, sizeof where)
                                  : halo_buffer_append(out, "{%}", 3);
    }
    int length = snprintf(digits, sizeof digits, "%" PRId64, use->number);
    return halo_buffer_append(out, digits, (size_t)length);
}

/* Appends a word. A character behind a backslash, outside of single quotes, has no meaning of
 * its own. */
static halo_status append_word(halo_buffer *out, const char *word, const job_input *input,
                               const template_use *use, char *open, bool *placed)
{
    while (*word != '\0') {
        const place at = find_place(word, input);
        size_t length = at.length;
        if (at.type != PLACE_NONE) {
            *placed = true;
            HALO_TRY(append_place(out, &at, input, use, *open));
        } else {
            length = *word == '\\' && *open != '\'' && word[1] != '\0' ? 2 : 1;
            *open = length == 1 ? quotes_behind(*open, *word) : *open;
            HALO_TRY(halo_buffer_append(out, word, length));
        }
        word += length;
    }
    return HALO_OK;
}

halo_status template_expand(halo_buffer *out, char *const *words, int count, const job_input *input,
                            const template_use *use)
{
    static const place all = {.type = PLACE_INPUT, .all = true, .kind = KINDS - 1};
    bool placed = false;
    char open = '\0';
    for (int i = 0; i < count; i++) {
        HALO_TRY(i > 0 ? halo_buffer_append(out, " ", 1) : HALO_OK);
        HALO_TRY(append_word(out, words[i], input, use, &open, &placed));
    }
    if (count == 0) {
        HALO_TRY(append_input(out, &all, input, false, open));
    } else if (!placed && use->behind) {
        HALO_TRY(halo_buffer_append(out, " ", 1));
        HALO_TRY(append_input(out, &all, input, use->quoted, open));
    }
    return halo_buffer_append(out, "", 1);
}

halo_status template_check(char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        const char *perl = strstr(words[i], "{=");
        if (perl != NULL && strstr(perl, "=}") != NULL) {
            return halo_fail(HALO_ARGUMENT,
                             "{= =}, Perl within a command, is not offered; let the shell change "
                             "the input: x={}; echo \"${x%%.*}\"");
        }
    }
    return HALO_OK;
}
