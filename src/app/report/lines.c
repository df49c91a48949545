#include "app/report/lines.h"

#include "base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 11, MAX_TEXT = 1024 };

/* How much of `text` fits in `room` columns, to the end of a word; a longer word is left whole. */
static size_t fitting(const char *text, size_t room)
{
    size_t length = strlen(text);
    if (length <= room) {
        return length;
    }
    size_t end = room;
    while (end > 0 && text[end] != ' ') {
        end--;
    }
    return end > 0 ? end : strcspn(text, " ");
}

/* Like snprintf behind the string in `out`, of which *used says how long it is. */
static void append(char *out, size_t size, size_t *used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void append(char *out, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out + *used, size - *used, format, arguments);
    va_end(arguments);
    size_t room = size - *used - 1;
    *used += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room;
}

void lines_append(char *out, size_t size, const char *first, int indent, const char *text)
{
    size_t used = strlen(out), column = strlen(first);
    append(out, size, &used, "%s", first);
    do {
        size_t room = column < LINES_WIDTH ? LINES_WIDTH - column : 1;
        size_t part = fitting(text, room);
        append(out, size, &used, "%.*s\n", (int)part, text);
        text += part + strspn(text + part, " ");
        if (*text != '\0') {
            append(out, size, &used, "%*s", indent, "");
        }
        column = (size_t)indent;
    } while (*text != '\0');
}

void lines_print(const char *name, const char *text)
{
    char first[2 * NAME_WIDTH], out[2 * MAX_TEXT] = "", clean[MAX_TEXT];
    snprintf(first, sizeof first, "%-*s", NAME_WIDTH, name);
    snprintf(clean, sizeof clean, "%s", text);
    halo_make_printable(clean);
    lines_append(out, sizeof out, first, NAME_WIDTH, clean);
    fputs(out, stdout);
}

void lines_printf(const char *name, const char *format, ...)
{
    char text[MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lines_print(name, text);
}

void lines_write(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
        halo_make_printable(text);
        fputs(text, stdout);
    }
    free(text);
    va_end(again);
    va_end(arguments);
}
