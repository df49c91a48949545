#include "base/scan.h"

#include <errno.h>
#include <stdlib.h>

bool halo_scan_integer(const char **text, int64_t min, int64_t max, int64_t *out)
{
    /* strtoll would pass over blanks and a plus. */
    const char *digits = *text + (min < 0 && **text == '-');
    if (*digits < '0' || *digits > '9') {
        return false;
    }
    char *end;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    if (errno != 0 || value < min || value > max) {
        return false;
    }
    *out = value;
    *text = end;
    return true;
}
