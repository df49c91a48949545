#include "kernels/life/isotropic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NEIGHBOURS = 8, MAX_STATES = 256, MAX_LETTERS = 200 };

/* In place of the text of a rule that no letters can say. */
static const char WIREWORLD[] = "*";

/* Rules by the names that people know, from the lexicons of MCell (M. Wojtowicz) and LifeWiki.
 * Names are compared by their letters and digits alone. */
static const struct {
    const char *name, *rule;
} rule_names[] = {
    {"2x2", "B36/S125"},
    {"34 life", "B34/S34"},
    {"amoeba", "B357/S1358"},
    {"anneal", "B4678/S35678"},
    {"assimilation", "B345/S4567"},
    {"banners", "2367/3457/5"},
    {"belzhab", "23/23/8"},
    {"bloomerang", "234/34678/24"},
    {"bombers", "345/24/25"},
    {"brian's brain", "/2/3"},
    {"coagulations", "B378/S235678"},
    {"conway", "B3/S23"},
    {"conway's life", "B3/S23"},
    {"coral", "B3/S45678"},
    {"corrosion of conformity", "B3/S124"},
    {"day & night", "B3678/S34678"},
    {"day and night", "B3678/S34678"},
    {"diamoeba", "B35678/S5678"},
    {"dotlife", "B3/S023"},
    {"drylife", "B37/S23"},
    {"faders", "2/2/25"},
    {"fireworks", "2/13/21"},
    {"flakes", "B3/S012345678"},
    {"flaming starbows", "347/23/8"},
    {"flock", "B3/S12"},
    {"fredkin", "B1357/S02468"},
    {"frogs", "12/34/3"},
    {"game of life", "B3/S23"},
    {"gnarl", "B1/S1"},
    {"h-trees", "B1/S012345678"},
    {"highlife", "B36/S23"},
    {"iceballs", "B25678/S5678"},
    {"inverse life", "B012345678/S34678"},
    {"lava", "12345/45678/8"},
    {"life", "B3/S23"},
    {"life without death", "B3/S012345678"},
    {"lines", "012345/458/3"},
    {"live free or die", "B2/S0"},
    {"living on the edge", "345/3/6"},
    {"long life", "B345/S5"},
    {"lowlife", "B3/S13"},
    {"maze", "B3/S12345"},
    {"mazectric", "B3/S1234"},
    {"meteor guns", "01245678/3/8"},
    {"morley", "B368/S245"},
    {"move", "B368/S245"},
    {"nova", "45678/2478/25"},
    {"prairie on fire", "345/34/6"},
    {"pseudo life", "B357/S238"},
    {"replicator", "B1357/S1357"},
    {"seeds", "B2/S"},
    {"serviettes", "B234/S"},
    {"stains", "B3678/S235678"},
    {"star wars", "345/2/4"},
    {"transers", "345/26/5"},
    {"vote", "B5678/S45678"},
    {"walled cities", "B45678/S2345"},
    {"wireworld", WIREWORLD},
};

const char *halo_life_rule_name(int i)
{
    return i >= 0 && i < (int)(sizeof rule_names / sizeof rule_names[0]) ? rule_names[i].name
                                                                         : NULL;
}

/* Rules that others know and we do not: how their names or texts begin. */
static const struct {
    const char *begins, *what;
} unsupported[] = {
    {"JVN", "von Neumann's automaton of 29 states"},
    {"NOBILI", "Nobili's automaton"},
    {"HUTTON", "Hutton's automaton"},
    {"LANGTON", "Langton's ant or loops"},
    {"TURMITE", "a turmite"},
    {"MARGOLUS", "a Margolus neighbourhood"},
    {"M", "a Margolus neighbourhood"},
    {"R", "Larger than Life"},
    {"W", "a rule of one row (Wolfram's)"},
};

/* A rule's text being read: blanks are gone, letters are capitals but for `exact`. */
typedef struct {
    char text[MAX_LETTERS + 1], exact[MAX_LETTERS + 1];
    const char *at;
    halo_life_rule rule;
    life_arrangements alive;
    bool has_born, has_survive, has_states;
    char problem[120];
} reading;

/* The same in every locale, unlike toupper and isalnum. */
static char capital(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static bool is_letter(char letter)
{
    return capital(letter) >= 'A' && capital(letter) <= 'Z';
}

static const char *skip_marks(const char *text)
{
    while (*text != '\0' && !is_letter(*text) && !is_digit(*text)) {
        text++;
    }
    return text;
}

/* Is the text the name, but for blanks, marks and capitals? A slash makes it no name: 2/2 is not
 * the rule 2x2, and "/2/3" has no letters to compare. */
static bool is_name(const char *text, const char *name)
{
    if (strchr(text, '/') != NULL) {
        return false;
    }
    for (;; text++, name++) {
        text = skip_marks(text);
        name = skip_marks(name);
        if (capital(*text) != capital(*name)) {
            return false;
        }
        if (*text == '\0') {
            return true;
        }
    }
}

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
    if (negative && r->at == first) {
        return problem(r, "a minus needs letters behind it");
    }
    if (seen && (r->at > first || *of != life_letters_all(count))) {
        snprintf(r->problem, sizeof r->problem, "the count %d appears twice", count);
        return false;
    }
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
    while (is_digit(*r->at)) {
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
    while (is_digit(*r->at) && states <= MAX_STATES) {
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
    if (is_digit(letter) && r->has_born && r->has_survive) {
        r->at--;
        return read_states(r);
    }
    if (is_letter(letter)) {
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
    if (!r->has_born || !r->has_survive) {
        return problem(r, r->has_born ? "S, the counts that let a cell survive, is missing"
                                      : "B, the counts that bring a cell to life, is missing");
    }
    return true;
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
    if ((last == 'V' || last == 'H') && (is_digit(before) || strchr("BS/", before) != NULL)) {
        r->rule.neighbourhood = last == 'V' ? HALO_LIFE_VON_NEUMANN : HALO_LIFE_HEXAGONAL;
        r->text[length - 1] = '\0';
    }
}

/* Is it one that others know? */
static bool refuse_known(reading *r)
{
    for (size_t n = 0; n < sizeof unsupported / sizeof *unsupported; n++) {
        size_t length = strlen(unsupported[n].begins);
        bool begins = strncmp(r->text, unsupported[n].begins, length) == 0;
        if (begins && (length > 1 || is_digit(r->text[length]))) {
            snprintf(r->problem, sizeof r->problem, "%s is not supported", unsupported[n].what);
            return true;
        }
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
    const char *letters = r->text;
    for (size_t n = 0; n < sizeof rule_names / sizeof rule_names[0]; n++) {
        if (is_name(r->text, rule_names[n].name)) {
            letters = rule_names[n].rule;
            break;
        }
    }
    if (letters == r->text) {
        for (char *mark = r->text; (mark = strchr(mark, '_')) != NULL;) {
            *mark = '/'; /* Golly reads B3_S23 too, as a name of a file may be */
        }
        take_neighbourhood(r);
    }
    r->at = letters;
    if (*letters == '\0') {
        return problem(r, "it is empty");
    }
    if (letters == WIREWORLD) {
        life_rule_set_wireworld(&r->rule);
        return true;
    }
    if (strncmp(letters, "MAP", 3) == 0) {
        return read_map(r);
    }
    if (letters == r->text && refuse_known(r)) {
        return false;
    }
    bool named = strpbrk(letters, "BS") != NULL || !(is_digit(*letters) || *letters == '/');
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
        r->text[kept++] = capital(text[n]);
    }
    r->text[kept] = r->exact[kept] = '\0';
    return true;
}

halo_status halo_life_rule_parse(const char *text, halo_life_rule *rule, const char **grid)
{
    reading r = {.rule = {.states = 2}};
    size_t length = strcspn(text, ":");
    bool bounded = text[length] == ':';
    bool good = take_text(&r, text, length) && read_rule(&r);
    if (good && bounded && grid == NULL) {
        good = problem(&r, "a grid behind a colon has no place here");
    }
    if (!good) {
        return halo_fail(HALO_ARGUMENT,
                         "the rule \"%.100s\" is not understood: %s; write it like B3/S23 or 23/3, "
                         "with letters of Hensel's notation like B2-a/S12, "
                         "with decaying cells like B2/S/C3 or 345/2/4 (up to 256 states), with V "
                         "or H behind it for four neighbours or six like B2/S34H, or name it: "
                         "life, highlife, day & night, seeds, brian's brain, star wars, ...",
                         text, r.problem);
    }
    *rule = r.rule;
    if (grid != NULL) {
        *grid = bounded ? text + length + 1 : NULL;
    }
    return HALO_OK;
}
