#include "kernels/life/isotropic.h"
#include "kernels/life/rule_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STATES = 256, MAX_LETTERS = 200 };

/* A rule's text being read: blanks are gone, letters are capitals but for `exact`. */
typedef struct {
    char text[MAX_LETTERS + 1], exact[MAX_LETTERS + 1];
    const char *at;
    halo_life_rule rule;
    life_arrangements alive;
    bool has_born, has_survive, has_states;
    const char *verdict; /* is not... and why: */
    char problem[120];
} reading;

static bool problem(reading *r, const char *sentence)
{
    snprintf(r->problem, sizeof r->problem, "%s", sentence);
    return false;
}

static const char *const around[HALO_LIFE_NEIGHBOURHOODS] = {
    "", " in a von Neumann neighbourhood (V)", " in a hexagonal one (H)", "", ""};

/* Letters of any count; see isotropic.h. */
static const char ARRANGEMENTS[] = "ACEIJKNQRTWYZ";

/* The letters behind a count of up to eight neighbours; without any it is for all arrangements. */
static bool read_letters(reading *r, int count, uint16_t *of)
{
    const char *letters = life_letters(count);
    bool negative = *r->at == '-', seen = *of != 0;
    unsigned named = 0;
    r->at += negative;
    const char *first = r->at;
    for (; *r->at != '\0' && strchr(ARRANGEMENTS, *r->at) != NULL; r->at++) {
        const char *found = strchr(letters, *r->at - 'A' + 'a');
        if (r->rule.neighbourhood != HALO_LIFE_MOORE) {
            return problem(r, "letters behind a count (B2-a) need eight neighbours, not V or H");
        }
        if (found == NULL) {
            snprintf(r->problem, sizeof r->problem, "count %d has no letter '%c'%s%s", count,
                     *r->at - 'A' + 'a', *letters != '\0' ? ", but these: " : "", letters);
            return false;
        }
        named |= 1U << (found - letters);
    }
    if (seen && (r->at > first || *of != life_letters_all(count))) {
        snprintf(r->problem, sizeof r->problem, "the count %d appears twice", count);
        return false;
    }
    /* As in Golly, a minus without letters behind it leaves out none. */
    *of = (uint16_t)(named == 0 ? life_letters_all(count)
                                : (negative ? ~named : named) & life_letters_all(count));
    return true;
}

/* Counts of 0 to 8 and their letters up to whatever else follows; arrangements of neighbours for
 * each count go to `of`. */
static bool read_counts(reading *r, bool *seen, const char *what, uint16_t *of)
{
    if (*seen) {
        snprintf(r->problem, sizeof r->problem, "%s appears twice", what);
        return false;
    }
    *seen = true;
    while (life_is_digit(*r->at)) {
        int count = *r->at++ - '0';
        if (count > halo_life_neighbours(&r->rule)) {
            snprintf(r->problem, sizeof r->problem, "a cell has 0 to %d neighbours%s, not %d",
                     halo_life_neighbours(&r->rule), around[r->rule.neighbourhood], count);
            return false;
        }
        if (!read_letters(r, count, &of[count])) {
            return false;
        }
    }
    return true;
}

static bool read_states(reading *r)
{
    int states = 0;
    if (r->has_states) {
        return problem(r, "the number of states appears twice");
    }
    r->has_states = true;
    while (life_is_digit(*r->at) && states <= MAX_STATES) {
        states = states * 10 + (*r->at++ - '0');
    }
    if (states < 2 || states > MAX_STATES) {
        return problem(r, "a cell has 2 to 256 states");
    }
    r->rule.states = states;
    return true;
}

/* One part of a rule with letters: B and the counts, S and the counts, C or G and the states; or
 * the states alone where B and S came before. */
static bool read_part(reading *r)
{
    char letter = *r->at++;
    if (letter == 'B') {
        return read_counts(r, &r->has_born, "B", r->alive.of[0]);
    }
    if (letter == 'S') {
        return read_counts(r, &r->has_survive, "S", r->alive.of[1]);
    }
    if (letter == 'C' || letter == 'G') {
        return read_states(r);
    }
    if (life_is_digit(letter) && r->has_born && r->has_survive) {
        r->at--;
        return read_states(r);
    }
    if (life_is_letter(letter)) {
        snprintf(r->problem, sizeof r->problem, "'%c' means nothing here", letter);
        return false;
    }
    return problem(r, "its parts are letters with digits behind them");
}

static bool read_with_letters(reading *r)
{
    while (*r->at != '\0') {
        if (!read_part(r)) {
            return false;
        }
        if (*r->at == '/') {
            r->at++;
        }
    }
    /* As in Golly, one of both may be missing: it has no counts. */
    return r->has_born || r->has_survive ||
           problem(r,
                   "B, the counts that bring a cell to life, and S, those that let it survive, are "
                   "missing");
}

/* Survive/born, and states behind a second slash. */
static bool read_digits(reading *r)
{
    if (!read_counts(r, &r->has_survive, "survive", r->alive.of[1])) {
        return false;
    }
    if (*r->at != '/') {
        return problem(r, "a slash is missing between what lets cells survive and be born");
    }
    r->at++;
    if (!read_counts(r, &r->has_born, "born", r->alive.of[0])) {
        return false;
    }
    if (*r->at == '/') {
        r->at++;
        if (!read_states(r)) {
            return false;
        }
    }
    return *r->at == '\0' || problem(r, "something is left over at its end");
}

/* A V or an H behind counts or states at the end is the neighbourhood. */
static void take_neighbourhood(reading *r)
{
    size_t length = strlen(r->text);
    char last = length > 0 ? r->text[length - 1] : '\0';
    char before = length > 1 ? r->text[length - 2] : '\0';
    if ((last == 'V' || last == 'H') && (life_is_digit(before) || strchr("BS/", before) != NULL)) {
        r->rule.neighbourhood = last == 'V' ? HALO_LIFE_VON_NEUMANN : HALO_LIFE_HEXAGONAL;
        r->text[length - 1] = '\0';
    }
}

/* Is it one that other programs know, or another name? */
static bool refuse_other(reading *r)
{
    const char *other = life_rule_unsupported(r->text);
    if (other != NULL) {
        r->verdict = "is not supported: it is ";
        return !problem(r, other);
    }
    if (life_rule_looks_named(r->text)) {
        r->verdict = "is not known: ";
        return !problem(r, "none has this name, and rule tables (.rule) are not read");
    }
    return false;
}

/* Golly's table: its bits from the first neighbourhood on, six a digit. */
static bool read_map(reading *r)
{
    uint64_t map[HALO_LIFE_MAP_WORDS];
    if (!life_map_read(r->exact + 3, map)) {
        return problem(r, "a MAP has 86 digits of base 64 (A-Z, a-z, 0-9, +, /) behind it, for all "
                          "eight neighbours");
    }
    life_rule_set_map(&r->rule, map);
    return true;
}

static bool read_rule(reading *r)
{
    if (strncmp(r->text, "MAP", 3) == 0) { /* a V or an H at its end is a digit */
        return read_map(r);
    }
    const char *named_rule = life_rule_named(r->text);
    const char *letters = named_rule != NULL ? named_rule : r->text;
    if (named_rule == NULL) {
        for (char *mark = r->text; (mark = strchr(mark, '_')) != NULL;) {
            *mark = '/'; /* Golly reads B3_S23 too, as a name of a file may be */
        }
        take_neighbourhood(r);
    }
    r->at = letters;
    if (*letters == '\0') {
        return problem(r, "it is empty");
    }
    if (letters == LIFE_RULE_WIREWORLD) {
        life_rule_set_wireworld(&r->rule);
        return true;
    }
    if (named_rule == NULL && refuse_other(r)) {
        return false;
    }
    bool named = strpbrk(letters, "BS") != NULL || !(life_is_digit(*letters) || *letters == '/');
    if (!(named ? read_with_letters(r) : read_digits(r))) {
        return false;
    }
    life_rule_set(&r->rule, &r->alive);
    return true;
}

/* The text up to a colon, without blanks, in capitals. */
static bool take_text(reading *r, const char *text, size_t length)
{
    size_t kept = 0;
    for (size_t n = 0; n < length; n++) {
        if (text[n] == ' ' || text[n] == '\t') {
            continue;
        }
        if (kept == MAX_LETTERS) {
            return problem(r, "it is too long");
        }
        r->exact[kept] = text[n];
        r->text[kept++] = life_capital(text[n]);
    }
    r->text[kept] = r->exact[kept] = '\0';
    return true;
}

halo_status halo_life_rule_parse(const char *text, halo_life_rule *rule, const char **grid)
{
    reading r = {.rule = {.states = 2}, .verdict = "is not understood: "};
    size_t length = strcspn(text, ":");
    bool bounded = text[length] == ':';
    bool good = take_text(&r, text, length) && read_rule(&r);
    if (good && bounded && grid == NULL) {
        good = problem(&r, "a grid behind a colon has no place here");
    }
    if (!good) {
        return halo_fail(
            HALO_ARGUMENT,
            "the rule \"%.100s\" %s%s; write it like B3/S23 or 23/3, B2-a/S12 (Hensel's "
            "notation), 345/2/4 or B2/S/C3 (Generations), B1/S012V or B2/S34H (four or "
            "six neighbours), or name it: life, highlife, wireworld, star wars, ...",
            text, r.verdict, r.problem);
    }
    *rule = r.rule;
    if (grid != NULL) {
        *grid = bounded ? text + length + 1 : NULL;
    }
    return HALO_OK;
}
