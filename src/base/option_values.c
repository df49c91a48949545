#include "base/option_values.h"

#include "base/scan.h"
#include "base/spelling.h"
#include "base/standard.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_TEXT = HALO_OPTION_TAKEN };

/* ---- lists ----------------------------------------------------------------------------------- */

size_t halo_list_next(const char *list, const char **name)
{
    const char *at = *name != NULL ? *name + strcspn(*name, "|") : list;
    *name = at != NULL && *at == '|' ? at + 1 : at;
    return *name != NULL ? strcspn(*name, "|") : 0;
}

bool halo_list_has(const char *list, const char *name, size_t length)
{
    const char *entry = NULL;
    for (size_t n; (n = halo_list_next(list, &entry)) > 0;) {
        if (n == length && memcmp(entry, name, n) == 0) {
            return true;
        }
    }
    return false;
}

/* "a, b or c" */
static void print_list(const char *list, char text[LIST_TEXT])
{
    const char *entry = NULL;
    size_t used = 0;
    text[0] = '\0';
    for (size_t n; (n = halo_list_next(list, &entry)) > 0 && used < LIST_TEXT;) {
        const char *join = used == 0 ? "" : entry[n] == '\0' ? " or " : ", ";
        used += (size_t)snprintf(text + used, LIST_TEXT - used, "%s%.*s", join, (int)n, entry);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

bool *halo_optional_given(const halo_option *row, void *field)
{
    return row->type == HALO_OPTION_INTEGER ? &((halo_optional_integer *)field)->given
                                            : &((halo_optional_real *)field)->given;
}

int64_t halo_option_integer(const halo_option *row, const void *field)
{
    return row->bytes == sizeof(int) ? *(const int *)field : *(const int64_t *)field;
}

void halo_option_set_integer(const halo_option *row, void *field, int64_t value)
{
    if (row->bytes == sizeof(int)) {
        *(int *)field = (int)value;
    } else {
        *(int64_t *)field = value;
    }
}

static double max_of(const halo_option *row)
{
    return row->min < row->max ? row->max : row->type == HALO_OPTION_SHARE ? 1 : HUGE_VAL;
}

static halo_status take_integer(const halo_option *row, const char *text, void *field)
{
    /* Limits that doubles cannot hold are those of the type. */
    const double whole = 9007199254740992.0;
    double max = max_of(row);
    int64_t limit = max > whole ? INT64_MAX / 4 : (int64_t)max, value = 0;
    limit = row->bytes == sizeof(int) && limit > INT_MAX ? INT_MAX : limit;
    bool good = halo_scan_integer(&text, (int64_t)row->min, limit, &value) && *text == '\0';
    if (good) {
        halo_option_set_integer(row, field, value);
    }
    return good ? HALO_OK : HALO_ARGUMENT;
}

static halo_status take_real(const halo_option *row, const char *text, double *field)
{
    bool good = halo_scan_number(&text, row->min, max_of(row), field) && *text == '\0';
    return good && isfinite(*field) ? HALO_OK : HALO_ARGUMENT;
}

static halo_status take_share(const halo_option *row, const char *text, double *field)
{
    return halo_scan_share(&text, row->min, max_of(row), field) && *text == '\0' ? HALO_OK
                                                                                 : HALO_ARGUMENT;
}

static halo_status take_choice(const halo_option *row, const char *given, void *field)
{
    const char *entry = NULL, *text = halo_spelling_british(given);
    int index = 0;
    for (size_t n; (n = halo_list_next(row->choices, &entry)) > 0; index++) {
        if (strlen(text) == n && memcmp(text, entry, n) == 0) {
            if (row->type == HALO_OPTION_INDEX) {
                *(int *)field = index;
            } else {
                *(const char **)field = text;
            }
            return HALO_OK;
        }
    }
    return HALO_ARGUMENT;
}

static halo_status take_flag(const char *text, bool *field)
{
    *field = strcmp(text, "false") != 0;
    return !*field || text[0] == '\0' || strcmp(text, "true") == 0 ? HALO_OK : HALO_ARGUMENT;
}

static halo_status take_text(const char *text, const char **field)
{
    *field = text;
    return *text != '\0' ? HALO_OK : HALO_ARGUMENT;
}

/* Also says that there is a value. */
static halo_status take_optional(const halo_option *row, const char *text, void *field)
{
    halo_option plain = *row;
    plain.flags &= ~(unsigned)HALO_OPTION_OPTIONAL;
    HALO_TRY(halo_option_take(&plain, text, field));
    *halo_optional_given(row, field) = true;
    return HALO_OK;
}

halo_status halo_option_take(const halo_option *row, const char *text, void *field)
{
    if ((row->flags & HALO_OPTION_OPTIONAL) != 0) {
        return take_optional(row, text, field);
    }
    if (row->word != NULL && strcmp(text, row->word) == 0) {
        text = "0";
        halo_option free_of_limits = *row;
        free_of_limits.min = free_of_limits.max = 0;
        free_of_limits.word = NULL;
        return halo_option_take(&free_of_limits, text, field);
    }
    if (row->parse != NULL) {
        return row->parse(text, field);
    }
    switch (row->type) {
    case HALO_OPTION_FLAG:
        return take_flag(text, field);
    case HALO_OPTION_INTEGER:
        return take_integer(row, text, field);
    case HALO_OPTION_REAL:
        return take_real(row, text, field);
    case HALO_OPTION_SHARE:
        return take_share(row, text, field);
    case HALO_OPTION_CHOICE:
    case HALO_OPTION_INDEX:
        return take_choice(row, text, field);
    case HALO_OPTION_INPUT:
        HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
        return take_text(text, field);
    default:
        return take_text(text, field);
    }
}

/* ---- complaints ------------------------------------------------------------------------------ */

enum { LIMIT_TEXT = 64 };

/* Whole numbers have all their digits: 1099511627776, not 1.099511628e+12. */
static const char *print_limit(const halo_option *row, double limit, char text[LIMIT_TEXT])
{
    const double exact = 9007199254740992; /* 2^53: doubles have all whole numbers up to here */
    if (row->type == HALO_OPTION_INTEGER && fabs(limit) <= exact) {
        snprintf(text, LIMIT_TEXT, "%" PRId64, (int64_t)limit);
    } else {
        snprintf(text, LIMIT_TEXT, "%.10g", limit);
    }
    return text;
}

static void print_limits(const halo_option *row, char text[LIST_TEXT])
{
    const char *what = row->type == HALO_OPTION_INTEGER ? "a whole number" : "a number";
    char of[LIST_TEXT / 4] = "", min[LIST_TEXT / 4] = "", max[LIST_TEXT / 4] = "";
    char number[LIMIT_TEXT];
    if (row->type == HALO_OPTION_SHARE) {
        what = "a share, such as 0.01 or 1%,";
    }
    if (row->unit != NULL) {
        what = "a number";
        snprintf(of, sizeof of, " of %s", row->unit);
    }
    double limit = max_of(row);
    bool below = limit<DBL_MAX, above = row->min> - DBL_MAX;
    if (above) {
        snprintf(min, sizeof min, " from %s%s", print_limit(row, row->min, number),
                 below ? "" : " on");
    }
    if (below) {
        snprintf(max, sizeof max, above ? " to %s" : " of at most %s",
                 print_limit(row, limit, number));
    }
    snprintf(text, LIST_TEXT, "%s%s%s%s%s%s", row->word != NULL ? row->word : "",
             row->word != NULL ? " or " : "", what, of, min, max);
}

static void print_taken(const halo_option *row, char text[LIST_TEXT])
{
    char list[LIST_TEXT];
    print_list(row->choices, list);
    switch (row->type) {
    case HALO_OPTION_FLAG:
        snprintf(text, LIST_TEXT, "true or false");
        break;
    case HALO_OPTION_INTEGER:
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        print_limits(row, text);
        break;
    case HALO_OPTION_CHOICE:
    case HALO_OPTION_INDEX:
        snprintf(text, LIST_TEXT, "%s", list);
        break;
    case HALO_OPTION_OUTPUT:
        snprintf(text, LIST_TEXT, "%s%.250s",
                 row->choices != NULL ? "a name ending in " : "the name of a file", list);
        break;
    default:
        snprintf(text, LIST_TEXT, "%s",
                 row->type == HALO_OPTION_INPUT ? "the name of a file"
                                                : "a text that is not empty");
    }
}

void halo_option_taken(const halo_option *row, char text[HALO_OPTION_TAKEN])
{
    bool whole = row->type != HALO_OPTION_FLAG && row->type != HALO_OPTION_SHARE;
    if (row->takes != NULL && whole) { /* shares are written with a word around them */
        snprintf(text, HALO_OPTION_TAKEN, "%s", row->takes);
    } else {
        print_taken(row, text);
    }
}

/* Guesses the words of a value's name such as "checkerboard[:SIZE]|disk[:X,Y,R]|FILE". */
static void guess_words(halo_guess *guess, const char *value)
{
    const char *part = NULL;
    while (halo_list_next(value, &part) > 0) {
        size_t plain = strspn(part, "abcdefghijklmnopqrstuvwxyz0123456789-_");
        if (plain > 1 && strchr("|[:,", part[plain]) != NULL) { /* or the end */
            halo_guess_name(guess, part, plain);
        }
    }
}

/* "; did you mean VALUE?" of words that the option takes, or "", also where the word is one of them
 * and something else is wrong. */
static const char *guess_word(const halo_option *row, const char *text, size_t length,
                              char near[HALO_GUESS_TEXT])
{
    halo_guess guess = {.word = text, .length = length};
    bool chosen = row->type == HALO_OPTION_CHOICE || row->type == HALO_OPTION_INDEX;
    halo_guess_list(&guess, chosen ? row->choices : NULL);
    halo_guess_list(&guess, row->offers);
    halo_guess_list(&guess, row->word);
    if (row->type == HALO_OPTION_CUSTOM) {
        guess_words(&guess, row->value);
    }
    for (int i = 0; row->offer != NULL && row->offer(i) != NULL; i++) {
        guess_words(&guess, row->offer(i));
    }
    bool same = strlen(guess.nearest) == length && memcmp(guess.nearest, text, length) == 0;
    return halo_guess_text(same ? &(halo_guess){0} : &guess, "", near);
}

/* The same of several words with commas between, of which the first that is wrong counts, and of
 * words with parameters, as in chain:gain=.05. */
static const char *guess_value(const halo_option *row, const char *text, char near[HALO_GUESS_TEXT])
{
    const char *guessed = guess_word(row, text, strlen(text), near);
    while (*guessed == '\0' && *text != '\0') {
        guessed = guess_word(row, text, strcspn(text, ":,"), near);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return guessed;
}

halo_status halo_option_refuse(const halo_option *row, const char *name, const char *text)
{
    char near[HALO_GUESS_TEXT], taken[LIST_TEXT];
    guess_value(row, text, near);
    if (row->parse != NULL && row->takes == NULL) {
        char message[HALO_MESSAGE_SIZE];
        snprintf(message, sizeof message, "%s", halo_last_message());
        bool predicate = strncmp(message, "takes ", strlen("takes ")) == 0;
        return predicate ? halo_fail(HALO_ARGUMENT, "%s %s%s", name, message, near)
                         : halo_fail(HALO_ARGUMENT, "%s %.200s: %s%s", name, text, message, near);
    }
    print_taken(row, taken);
    return halo_fail(HALO_ARGUMENT, "%s takes %s, not \"%.200s\"%s", name,
                     row->takes != NULL ? row->takes : taken, text, near);
}
