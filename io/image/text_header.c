#include "io/image/text_header.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool halo_text_next(halo_text_header *text)
{
    const unsigned char *start = text->bytes + text->at;
    size_t left = text->count - text->at;
    if (left == 0) {
        return false;
    }
    const unsigned char *end = memchr(start, '\n', left);
    size_t length = end != NULL ? (size_t)(end - start) : left;
    text->at += end != NULL ? length + 1 : length;
    length -= length > 0 && start[length - 1] == '\r';
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
