#include "base/filename_pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The `d` of a place for a number that begins with the % at `at`, or NULL. */
static const char *find_end(const char *at)
{
    const char *end = at + 1 + strspn(at + 1, "0123456789");
    return *end == 'd' ? end : NULL;
}

halo_status halo_filename_parse(filename_pattern *name, const char *text)
{
    *name = (filename_pattern){.text = text};
    for (const char *at = strchr(text, '%'); at != NULL; at = strchr(at + 1, '%')) {
        const char *end = find_end(at);
        if (end == NULL) {
            continue;
        }
        if (name->numbered) {
            return halo_fail(HALO_ARGUMENT,
                             "\"%s\" has two places for a number; one, such as %%04d, is enough",
                             text);
        }
        long digits = strtol(at + 1, NULL, 10); /* of no digits it is 0 */
        if (digits > FILENAME_DIGITS) {
            return halo_fail(HALO_ARGUMENT, "\"%s\" asks for a number of %ld digits; %d can be",
                             text, digits, FILENAME_DIGITS);
        }
        name->numbered = true;
        name->before = (size_t)(at - text);
        name->digits = (int)digits;
        name->after = end + 1;
    }
    return HALO_OK;
}

const char *halo_filename_print(const filename_pattern *name, int64_t number,
                                char out[FILENAME_SIZE])
{
    if (!name->numbered) {
        snprintf(out, FILENAME_SIZE, "%s", name->text);
    } else {
        snprintf(out, FILENAME_SIZE, "%.*s%0*" PRId64 "%s", (int)name->before, name->text,
                 name->digits, number, name->after);
    }
    return out;
}

int64_t halo_filename_match(const filename_pattern *name, const char *text)
{
    if (!name->numbered || strncmp(text, name->text, name->before) != 0) {
        return -1;
    }
    const char *number = text + name->before;
    size_t digits = strspn(number, "0123456789");
    size_t least = name->digits > 1 ? (size_t)name->digits : 1;
    bool fits = digits >= least && digits <= FILENAME_DIGITS &&
                (digits == least || *number != '0') && strcmp(number + digits, name->after) == 0;
    return fits ? strtoll(number, NULL, 10) : -1;
}
