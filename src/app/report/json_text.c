#include "app/report/json_text.h"

#include "base/json_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 15 digits may identify a double; 17 always do. */
enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };

static bool is_same(double a, double b)
{
    return a <= b && a >= b;
}

void app_real_text(double number, char text[APP_REAL_TEXT])
{
    int digits = FEWEST_DIGITS;
    do {
        snprintf(text, APP_REAL_TEXT, "%.*g", digits, number);
    } while (!is_same(strtod(text, NULL), number) && digits++ < MOST_DIGITS);
}

/* As jansson writes it: with a point or an exponent, so that it is read as a real number again, and
 * without a plus or zeros at the beginning of the exponent. */
static void make_json(char text[APP_REAL_TEXT])
{
    char *exponent = strchr(text, 'e');
    if (exponent == NULL && strchr(text, '.') == NULL) {
        strcat(text, ".0");
    }
    if (exponent != NULL) {
        char *digits = exponent + 1 + (exponent[1] == '-' || exponent[1] == '+');
        char *to = exponent + 1 + (exponent[1] == '-');
        digits += strspn(digits, "0");
        memmove(to, digits, strlen(digits) + 1);
    }
}

/* Writes the number at *from, which ends at `end`, to *to, if that is shorter. */
static void put_number(const char *from, const char *end, char **to)
{
    char text[APP_REAL_TEXT];
    size_t length = (size_t)(end - from);
    bool real = memchr(from, '.', length) != NULL || memchr(from, 'e', length) != NULL;
    if (real) {
        app_real_text(strtod(from, NULL), text);
        make_json(text);
    }
    if (real && strlen(text) < length) {
        from = text;
        length = strlen(text);
    }
    memmove(*to, from, length);
    *to += length;
}

/* Behind the string that begins at `at`. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        at += *at == '\\';
    }
    return at + 1;
}

char *app_json_text(const json_t *json, size_t flags)
{
    char *text = halo_json_text(json, flags | JSON_ENCODE_ANY | JSON_REAL_PRECISION(MOST_DIGITS));
    char *to = text;
    const char *end;
    for (const char *from = text; from != NULL && *from != '\0'; from = end) {
        size_t number = strspn(from, "-+.0123456789eE");
        bool begins = *from == '-' || (*from >= '0' && *from <= '9');
        if (begins) {
            end = from + number;
            put_number(from, end, &to);
            continue;
        }
        end = *from == '"' ? skip_string(from) : from + 1;
        memmove(to, from, (size_t)(end - from));
        to += end - from;
    }
    if (text != NULL) {
        *to = '\0';
    }
    return text;
}
