#include "base/handler_text.h"

void halo_handler_append(halo_handler_text *to, const char *text)
{
    while (*text != '\0' && to->used + 1 < sizeof to->text) {
        to->text[to->used++] = *text++;
    }
    to->text[to->used] = '\0';
}

void halo_handler_append_number(halo_handler_text *to, int64_t number)
{
    enum { DIGITS = 24 };
    char digits[DIGITS];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0 && at > 0);
    halo_handler_append(to, digits + at);
}
