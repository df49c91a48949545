#include "base/printable.h"

#include "base/minmax.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* Bytes 0x80 to 0x9F are control characters of 8-bit terminals where they do not belong to a
 * character of UTF-8. */
static bool is_control(const unsigned char *at, bool within)
{
    bool high = *at >= 0x80 && *at <= 0x9F;
    return *at < 0x20 || *at == 0x7F || (high && !within) ||
           (*at == 0xC2 && at[1] >= 0x80 && at[1] <= 0x9F);
}

void halo_make_printable(char *text)
{
    int follow = 0; /* bytes that still belong to a character */
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if (is_control(c, follow > 0)) {
            *c = '?';
            follow = 0;
        } else if (*c >= 0x80 && *c <= 0xBF) {
            follow = follow > 0 ? follow - 1 : 0;
        } else {
            follow = *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : *c >= 0xC2 ? 1 : 0;
        }
    }
}

/* Bytes of the character that begins here, 0 if none does. The second byte of some has narrower
 * limits: there is one way to write each character, none for surrogates, and none above 10FFFF. */
static size_t character_bytes(const unsigned char *at)
{
    static const struct {
        unsigned char first, last, low, high;
        size_t bytes;
    } rows[] = {
        {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    size_t row = 0;
    while (row < sizeof rows / sizeof *rows && (*at < rows[row].first || *at > rows[row].last)) {
        row++;
    }
    if (row == sizeof rows / sizeof *rows ||
        (rows[row].bytes > 1 && (at[1] < rows[row].low || at[1] > rows[row].high))) {
        return 0;
    }
    for (size_t bytes = 2; bytes < rows[row].bytes; bytes++) {
        if (at[bytes] < 0x80 || at[bytes] > 0xBF) {
            return 0;
        }
    }
    return rows[row].bytes;
}

void halo_make_utf8(char *text)
{
    while (*text != '\0') {
        size_t bytes = character_bytes((const unsigned char *)text);
        if (bytes == 0) {
            *text = '?';
            bytes = 1;
        }
        text += bytes;
    }
}

enum { LINE = 4096 }; /* POSIX's PIPE_BUF on Linux: one write is not mixed with others */

void halo_print_line(const char *program, const char *text)
{
    char line[LINE];
    int length = snprintf(line, sizeof line - 1, "%s: %s", program, text);
    halo_make_printable(line);
    length = (int)halo_min(length, (int)sizeof line - 2);
    line[length] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)length + 1);
    (void)written;
}

void halo_print_message(const char *program, const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    halo_print_line(program, text);
}
