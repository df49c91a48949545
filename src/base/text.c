#define _POSIX_C_SOURCE 200809L /* getc_unlocked */
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char MARK[] = "\xef\xbb\xbf";
enum { MARK_BYTES = sizeof MARK - 1 };

size_t halo_text_mark(const void *bytes, size_t count)
{
    return count >= MARK_BYTES && memcmp(bytes, MARK, MARK_BYTES) == 0 ? MARK_BYTES : 0;
}

halo_status halo_text_check_encoding(const char *name, const void *bytes, size_t count)
{
    bool wide =
        count >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
    return wide
               ? halo_fail(HALO_FORMAT,
                           "%.300s: is text in UTF-16, and UTF-8 can be read; save it as UTF-8, or "
                           "convert it: iconv -f UTF-16 -t UTF-8",
                           name)
               : HALO_OK;
}

size_t halo_text_end_lines(unsigned char *bytes, size_t count, bool *carriage)
{
    size_t kept = 0, at = count > 0 && *carriage && bytes[0] == '\n' ? 1 : 0;
    *carriage = count > at ? bytes[count - 1] == '\r' : *carriage && count == 0;
    while (at < count) {
        unsigned char *found = memchr(bytes + at, '\r', count - at);
        size_t run = found != NULL ? (size_t)(found - bytes) - at : count - at;
        if (kept != at) {
            memmove(bytes + kept, bytes + at, run);
        }
        kept += run;
        at += run;
        if (found != NULL) {
            bytes[kept++] = '\n';
            at += at + 1 < count && bytes[at + 1] == '\n' ? 2 : 1;
        }
    }
    return kept;
}

static halo_status append(halo_text_lines *lines, int byte)
{
    enum { FIRST_ROOM = 256 };
    if (lines->length + 1 >= lines->room) {
        size_t room = lines->room > 0 ? 2 * lines->room : FIRST_ROOM;
        char *grown = realloc(lines->line, room);
        if (grown == NULL) {
            return halo_fail(HALO_MEMORY, "out of memory: a line of \"%.300s\"", lines->name);
        }
        lines->line = grown;
        lines->room = room;
    }
    lines->line[lines->length++] = (char)byte;
    lines->line[lines->length] = '\0';
    return HALO_OK;
}

/* The first line: no mark, no UTF-16. */
static halo_status begin_text(halo_text_lines *lines)
{
    HALO_TRY(halo_text_check_encoding(lines->name, lines->line, lines->length));
    size_t mark = halo_text_mark(lines->line, lines->length);
    lines->length -= mark;
    memmove(lines->line, lines->line + mark, lines->length + 1);
    return HALO_OK;
}

halo_status halo_text_next_line(halo_text_lines *lines, bool *more)
{
    lines->length = 0;
    *more = false;
    int byte = getc_unlocked(lines->file);
    if (byte == '\n' && lines->carriage) {
        byte = getc_unlocked(lines->file);
    }
    lines->carriage = false;
    for (; byte != EOF && byte != '\n' && byte != '\r'; byte = getc_unlocked(lines->file)) {
        HALO_TRY(append(lines, byte));
    }
    if (byte == EOF && ferror(lines->file) != 0) {
        return halo_fail(HALO_FILE, "\"%.300s\" cannot be read: %s", lines->name, strerror(errno));
    }
    if (byte == EOF && lines->length == 0) {
        return HALO_OK;
    }
    lines->carriage = byte == '\r';
    *more = true;
    lines->number++;
    if (lines->length == 0) { /* an empty line is a string, too */
        HALO_TRY(append(lines, '\0'));
        lines->length = 0;
    }
    return lines->number == 1 ? begin_text(lines) : HALO_OK;
}

void halo_text_free(halo_text_lines *lines)
{
    free(lines->line);
    lines->line = NULL;
    lines->room = 0;
}
