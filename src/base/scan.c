#include "base/scan.h"

#include <errno.h>
#include <math.h>
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool halo_scan_number(const char **text, double min, double max, double *out)
{
    const char *digits = *text + (min < 0 && **text == '-');
    bool begins = is_digit(*digits) || (*digits == '.' && is_digit(digits[1]));
    if (!begins || (*digits == '0' && (digits[1] == 'x' || digits[1] == 'X'))) {
        return false;
    }
    char *end;
    errno = 0;
    double value = strtod(*text, &end);
    bool underflow = errno == ERANGE && fabs(value) < 1;
    if ((errno != 0 && !underflow) || !(value >= min && value <= max)) {
        return false;
    }
    *out = value;
    *text = end;
    return true;
}

bool halo_scan_share(const char **text, double min, double max, double *out)
{
    enum { PERCENT = 100 };
    double value;
    const char *at = *text;
    if (!halo_scan_number(&at, min, PERCENT * max, &value)) {
        return false;
    }
    bool percent = *at == '%';
    value = percent ? value / PERCENT : value;
    if (value < min || value > max) {
        return false;
    }
    *out = value;
    *text = at + percent;
    return true;
}
