#include "app/spelling.h"

#include <string.h>

/* Names and values of options are British. The American ones are understood wherever options are
 * parsed. */
static const struct {
    const char *british, *american;
} words[] = {
    {"colour", "color"},
    {"grey", "gray"},
    {"centre", "center"},
    {"neighbour", "neighbor"},
};

bool app_spelling_american(const char *name, size_t length, char american[APP_SPELLING])
{
    size_t used = 0;
    bool other = false;
    for (size_t at = 0; at < length && used < APP_SPELLING;) {
        const char *put = name + at;
        size_t taken = 1, more = 1;
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            size_t n = strlen(words[w].british);
            if (n <= length - at && memcmp(name + at, words[w].british, n) == 0) {
                put = words[w].american;
                taken = n;
                more = strlen(put);
                other = true;
            }
        }
        if (used + more >= APP_SPELLING) {
            return false;
        }
        memcpy(american + used, put, more);
        used += more;
        at += taken;
    }
    american[used] = '\0';
    return other;
}

const char *app_spelling_british(const char *word)
{
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strcmp(word, words[w].american) == 0) {
            return words[w].british;
        }
    }
    return word;
}
