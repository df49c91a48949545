#include "base/loading.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Address space is missing for it: the loader has no number for that. */
static bool is_without_space(const char *reason)
{
    static const char end[] = "failed to map segment from shared object";
    size_t length = strlen(reason);
    return length >= sizeof end - 1 && strcmp(reason + length - (sizeof end - 1), end) == 0;
}

int halo_loading_shortage(const char *reason)
{
    /* ENFILE's text begins with that of EMFILE. */
    static const int numbers[] = {ENOMEM, ENFILE, EMFILE};
    for (size_t i = 0; reason != NULL && i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strstr(reason, strerror(numbers[i])) != NULL) {
            return numbers[i];
        }
    }
    return reason != NULL && is_without_space(reason) ? ENOMEM : 0;
}

const char *halo_loading_remedy(int shortage, const char *otherwise)
{
    return shortage == EMFILE   ? "raise the limit on open files (ulimit -n)"
           : shortage == ENFILE ? "end programs that have many files open on this machine"
                                : otherwise;
}
