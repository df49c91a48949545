#include "app/imbalance_diagnosis.h"

#include "app/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

/* A number's length at `text`: digits, and more behind a point. 0 if there is none. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, digits);
    if (length > 0 && text[length] == '.') {
        size_t more = strspn(text + length + 1, digits);
        length += more > 0 ? 1 + more : 0;
    }
    return length;
}

/* Do two texts differ by their numbers at most? */
static bool alike(const char *a, const char *b)
{
    while (*a != '\0' || *b != '\0') {
        size_t in_a = number_length(a), in_b = number_length(b);
        if ((in_a > 0) != (in_b > 0) || (in_a == 0 && *a != *b)) {
            return false;
        }
        a += in_a > 0 ? in_a : 1;
        b += in_b > 0 ? in_b : 1;
    }
    return true;
}

/* The text of number `which` of a text that has that many. */
static const char *number_at(const char *text, int which)
{
    for (;; which--) {
        text += strcspn(text, digits);
        if (which == 0) {
            return text;
        }
        text += number_length(text);
    }
}

typedef struct {
    const char *lines;
    size_t stride;
    int ranks;
    unsigned char *told;   /* [ranks] */
    unsigned char *chosen; /* [ranks] those of this line */
} telling;

static const char *text_of(const telling *t, int rank)
{
    return t->lines + (size_t)rank * t->stride;
}

/* A number of the chosen ranks' texts: "3" or, from the least to the most, "3 to 5". */
static void append_span(const telling *t, int which, char *out, size_t size)
{
    const char *least = NULL, *most = NULL;
    for (int r = 0; r < t->ranks; r++) {
        if (t->chosen[r] != 0) {
            const char *number = number_at(text_of(t, r), which);
            least = least == NULL || strtod(number, NULL) < strtod(least, NULL) ? number : least;
            most = most == NULL || strtod(number, NULL) > strtod(most, NULL) ? number : most;
        }
    }
    if (least == NULL) {
        return;
    }
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%.*s", (int)number_length(least), least);
    if (strtod(most, NULL) > strtod(least, NULL)) {
        used = strlen(out);
        snprintf(out + used, size - used, " to %.*s", (int)number_length(most), most);
    }
}

static void print_chosen(const telling *t, const char *text)
{
    char line[LINES_RANKS + 2 * IMBALANCE_DIAGNOSIS_TEXT], ranks[LINES_RANKS];
    lines_ranks(t->chosen, t->ranks, ranks);
    snprintf(line, sizeof line, "%s: ", ranks);
    for (int numbers = 0; *text != '\0';) {
        size_t number = number_length(text);
        if (number > 0) {
            append_span(t, numbers++, line, sizeof line);
            text += number;
        } else {
            size_t used = strlen(line), plain = strcspn(text, digits);
            snprintf(line + used, sizeof line - used, "%.*s", (int)plain, text);
            text += plain;
        }
    }
    lines_print("slowness", line);
}

void imbalance_diagnosis_print(const char *lines, size_t stride, int ranks)
{
    telling t = {.lines = lines,
                 .stride = stride,
                 .ranks = ranks,
                 .told = calloc((size_t)ranks, 1),
                 .chosen = calloc((size_t)ranks, 1)};
    for (int r = 0; t.told != NULL && t.chosen != NULL && r < ranks; r++) {
        if (t.told[r] != 0 || *text_of(&t, r) == '\0') {
            continue;
        }
        for (int other = 0; other < ranks; other++) {
            t.chosen[other] = other >= r && t.told[other] == 0 && *text_of(&t, other) != '\0' &&
                              alike(text_of(&t, r), text_of(&t, other));
            t.told[other] |= t.chosen[other];
        }
        print_chosen(&t, text_of(&t, r));
    }
    free(t.told);
    free(t.chosen);
}
