#include "base/scan.h"
#include "io/cells/cells_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

halo_status halo_cells_fail_at(halo_source *source, const char *format, ...)
{
    char sentence[HALO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    int64_t column = source->before + (source->at - source->bytes) - source->line_start + 1;
    return halo_fail(HALO_FORMAT, "%s: line %" PRId64 ", column %" PRId64 ": %s", source->name,
                     source->line, column, sentence);
}

halo_status halo_cells_fail_here(halo_source *source, const char *allowed)
{
    int byte = halo_source_next(source);
    HALO_TRY(source->status);
    char found[32];
    if (byte < 0) {
        snprintf(found, sizeof found, "the end of the file");
    } else if (byte == '\n' || byte == '\r') {
        snprintf(found, sizeof found, "the end of the line");
    } else if (byte > ' ' && byte < 127) {
        snprintf(found, sizeof found, "\"%c\"", byte);
    } else if (byte == ' ') {
        snprintf(found, sizeof found, "a blank");
    } else {
        snprintf(found, sizeof found, "the byte 0x%02X", (unsigned)byte);
    }
    return halo_cells_fail_at(source, "%s stands where %s is allowed", found, allowed);
}

void halo_cells_skip_line(halo_source *source)
{
    while (halo_source_next(source) >= 0) {
        size_t there = (size_t)(source->end - source->at);
        const unsigned char *feed = memchr(source->at, '\n', there);
        if (feed != NULL) {
            source->at = feed;
            halo_source_end_line(source);
            return;
        }
        source->at = source->end;
    }
}

void halo_cells_skip_blanks(halo_source *source)
{
    while (halo_cells_is_blank(halo_source_next(source))) {
        source->at++;
    }
}

halo_status halo_cells_end_line(halo_source *source, const char *allowed)
{
    halo_cells_skip_blanks(source);
    int byte = halo_source_next(source);
    if (byte == '\n') {
        halo_source_end_line(source);
        return HALO_OK;
    }
    return byte < 0 ? source->status : halo_cells_fail_here(source, allowed);
}

size_t halo_cells_take_line(halo_source *source, char *line, size_t size)
{
    size_t length = 0;
    for (int byte; (byte = halo_source_next(source)) >= 0 && byte != '\n'; source->at++) {
        if (length < size - 1) {
            line[length++] = (char)byte;
        }
    }
    line[length] = 0;
    return length;
}

halo_status halo_cells_take_number(halo_source *source, const char *what, bool is_signed,
                                   int64_t limit, int64_t *number)
{
    int byte = halo_source_next(source);
    bool negative = is_signed && byte == '-';
    if (negative || (is_signed && byte == '+')) {
        source->at++;
        byte = halo_source_next(source);
    }
    if (byte < '0' || byte > '9') {
        return halo_cells_fail_here(source, what);
    }
    int64_t value = 0;
    for (; byte >= '0' && byte <= '9'; byte = halo_source_next(source)) {
        int digit = byte - '0';
        if (digit > limit || value > (limit - digit) / 10) {
            return halo_cells_fail_at(source, "%s is too large: at most %" PRId64 " is allowed",
                                      what, limit);
        }
        value = value * 10 + digit;
        source->at++;
    }
    *number = negative ? -value : value;
    return HALO_OK;
}

bool halo_cells_scan_generation(const char **text, halo_cells_info *info)
{
    const char *digits = *text;
    digits += *digits == '+';
    const char *first = digits + strspn(digits, "0");
    size_t length = strspn(first, "0123456789");
    *text = first + length;
    info->earlier[0] = '\0';
    info->generation = 0;
    if (length == 0) {
        return first > digits;
    }
    if (halo_scan_integer(&first, 0, INT64_MAX, &info->generation)) {
        return true;
    }
    if (length > HALO_CELLS_GENERATION) {
        return false;
    }
    memcpy(info->earlier, first, length);
    info->earlier[length] = '\0';
    return true;
}
