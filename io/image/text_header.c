#include "io/image/text_header.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t halo_text_first_line(const unsigned char *bytes, size_t count)
{
    size_t length = 0;
    while (length < count && bytes[length] != '\n' && bytes[length] != '\r') {
        length++;
    }
    return length;
}

static void begin(halo_text_header *text)
{
    size_t length = halo_text_first_line(text->bytes, text->count), left = text->count - length;
    const unsigned char *end = text->bytes + length;
    text->at = halo_text_mark(text->bytes, text->count);
    text->end = left > 0 && *end == '\r' && (left == 1 || end[1] != '\n') ? '\r' : '\n';
}

bool halo_text_next(halo_text_header *text)
{
    if (text->end == '\0') {
        begin(text);
    }
    const unsigned char *start = text->bytes + text->at;
    size_t left = text->count - text->at;
    if (left == 0) {
        return false;
    }
    const unsigned char *end = memchr(start, text->end, left);
    size_t length = end != NULL ? (size_t)(end - start) : left;
    text->at += end != NULL ? length + 1 : length;
    length -= length > 0 && text->end == '\n' && start[length - 1] == '\r';
    length = length < sizeof text->line ? length : sizeof text->line - 1;
    memcpy(text->line, start, length);
    text->line[length] = '\0';
    return true;
}

static void cut_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    text[length] = '\0';
}

char *halo_text_split(char *line, const char *separator)
{
    char *value = strstr(line, separator);
    if (value == NULL) {
        return NULL;
    }
    *value = '\0';
    value += strlen(separator);
    value += strspn(value, " \t");
    cut_end(line);
    cut_end(value);
    return value;
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

int halo_text_integers(const char *value, int64_t *numbers, int room)
{
    int count = 0;
    for (value = skip_spaces(value); *value != '\0' && count < room; value = skip_spaces(value)) {
        char *end;
        numbers[count++] = strtoll(value, &end, 10);
        if (end == value || (*end != '\0' && *end != ' ' && *end != '\t')) {
            return -1;
        }
        value = end;
    }
    return *value == '\0' ? count : -1;
}

int halo_text_reals(const char *value, double *numbers, int room)
{
    int count = 0;
    for (value = skip_spaces(value); *value != '\0' && count < room; value = skip_spaces(value)) {
        char *end;
        numbers[count++] = strtod(value, &end);
        if (end == value || (*end != '\0' && *end != ' ' && *end != '\t')) {
            return -1;
        }
        value = end;
    }
    return *value == '\0' ? count : -1;
}
