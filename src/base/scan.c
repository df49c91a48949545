#include "base/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

bool halo_scan_number(const char **text, double min, double max, double *out)
{
    size_t length = strspn(*text, "+-.0123456789eE");
    char *end;
    double value = strtod(*text, &end);
    if (length == 0 || end != *text + length || !(value >= min && value <= max)) {
        return false;
    }
    *out = value;
    *text = end;
    return true;
}
