#include "base/spelling.h"

#include "base/minmax.h"
#include "base/option_values.h"

#include <ctype.h>
#include <stdio.h>
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

bool halo_spelling_american(const char *name, size_t length, char american[HALO_SPELLING])
{
    size_t used = 0;
    bool other = false;
    for (size_t at = 0; at < length && used < HALO_SPELLING;) {
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
        if (used + more >= HALO_SPELLING) {
            return false;
        }
        memcpy(american + used, put, more);
        used += more;
        at += taken;
    }
    american[used] = '\0';
    return other;
}

const char *halo_spelling_british(const char *word)
{
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strcmp(word, words[w].american) == 0) {
            return words[w].british;
        }
    }
    return word;
}

/* ---- the nearest name ------------------------------------------------------------------------ */

static bool same_letter(char a, char b)
{
    bool breaks = (a == '-' || a == '_') && (b == '-' || b == '_');
    return breaks || tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Counts the letters that have to be added, left out, changed or swapped with the next one to
 * make one word of the other (F. J. Damerau, A technique for computer detection and correction of
 * spelling errors, 1964; with V. I. Levenshtein's table, 1966). */
static int distance_of(const char *a, size_t m, const char *b, size_t n)
{
    int rows[3][HALO_SPELLING + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= n; j++) {
        last[j] = (int)j;
    }
    for (size_t i = 1; i <= m; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int best = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                           same_letter(a[i - 2], b[j - 1]);
            now[j] = swapped && before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[n];
}

void halo_guess_name(halo_guess *guess, const char *name, size_t length)
{
    size_t m = guess->length;
    if (m == 0 || m >= HALO_SPELLING || length == 0 || length >= HALO_SPELLING) {
        return;
    }
    /* A third of the letters, and not all of a short word. */
    int most = (int)halo_max(1, (int64_t)(m < length ? length : m) / 3);
    int distance = distance_of(guess->word, m, name, length);
    bool begins = m >= 3 && m < length && distance_of(guess->word, m, name, m) == 0;
    distance = begins ? 0 : distance;
    if (distance <= most && distance < (int)length &&
        (guess->nearest[0] == '\0' || distance < guess->distance)) {
        memcpy(guess->nearest, name, length);
        guess->nearest[length] = '\0';
        guess->distance = distance;
    }
}

void halo_guess_list(halo_guess *guess, const char *list)
{
    const char *name = NULL;
    for (size_t n; (n = halo_list_next(list, &name)) > 0;) {
        halo_guess_name(guess, name, n);
    }
}

const char *halo_guess_text(const halo_guess *guess, const char *before, char text[HALO_GUESS_TEXT])
{
    text[0] = '\0';
    if (guess->nearest[0] != '\0') {
        snprintf(text, HALO_GUESS_TEXT, "; did you mean %.4s%s?", before, guess->nearest);
    }
    return text;
}
