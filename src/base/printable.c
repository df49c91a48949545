#include "base/printable.h"

#include "base/minmax.h"

#include <stdbool.h>
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

void halo_print_line(const char *program, const char *text)
{
    char line[1024];
    int length = snprintf(line, sizeof line - 1, "%s: %s", program, text);
    halo_make_printable(line);
    length = (int)halo_min(length, (int)sizeof line - 2);
    line[length] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)length + 1);
    (void)written;
}
