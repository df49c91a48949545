#define _DEFAULT_SOURCE
#include "app/options/values.h"

#include "app/options/spelling.h"
#include "app/paths/planes.h"
#include "base/filename_pattern.h"
#include "base/names.h"
#include "base/standard.h"
#include "io/array/array_write.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_TEXT = APP_TAKEN };

/* ---- lists ----------------------------------------------------------------------------------- */

size_t app_list_next(const char *list, const char **name)
{
    const char *at = *name != NULL ? *name + strcspn(*name, "|") : list;
    *name = at != NULL && *at == '|' ? at + 1 : at;
    return *name != NULL ? strcspn(*name, "|") : 0;
}

bool app_list_has(const char *list, const char *name, size_t length)
{
    const char *entry = NULL;
    for (size_t n; (n = app_list_next(list, &entry)) > 0;) {
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
    for (size_t n; (n = app_list_next(list, &entry)) > 0 && used < LIST_TEXT;) {
        const char *join = used == 0 ? "" : entry[n] == '\0' ? " or " : ", ";
        used += (size_t)snprintf(text + used, LIST_TEXT - used, "%s%.*s", join, (int)n, entry);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool app_scan_share(const char **text, double min, double max, double *out)
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

/* ---- other text ------------------------------------------------------------------------------ */

int app_scan_sizes(const char **text, int64_t max, int count, int64_t *out)
{
    int found = 0;
    while (found < count && halo_scan_integer(text, 1, max, &out[found])) {
        found++;
        if (**text != 'x') {
            return found;
        }
        ++*text;
    }
    return 0;
}

halo_status app_parse_pattern(const char *text, void *into)
{
    return halo_filename_parse(into, text);
}

const char *app_behind_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || (text[length] != '\0' && text[length] != ':')) {
        return NULL;
    }
    return text + length + (text[length] == ':');
}

bool app_is_file_name(const char *text)
{
    return halo_is_standard(text) ||
           (strpbrk(text, "./") != NULL && strspn(text, "+-.,0123456789eE ") < strlen(text));
}

static bool has_ending(const char *path, const char *endings)
{
    const char *ending = NULL;
    for (size_t n; (n = app_list_next(endings, &ending)) > 0;) {
        if (halo_name_ends_by(path, halo_name_file(path), ending, n)) {
            return true;
        }
    }
    return endings == NULL;
}

/* ---- values of rows -------------------------------------------------------------------------- */

void app_option_name(const app_option *row, char name[APP_OPTION_NAME])
{
    bool argument = (row->flags & APP_ARGUMENT) != 0;
    snprintf(name, APP_OPTION_NAME, "%s%s", argument ? "" : "--", row->name);
}

bool *app_optional_given(const app_option *row, void *field)
{
    return row->type == APP_INTEGER ? &((app_optional_integer *)field)->given
                                    : &((app_optional_real *)field)->given;
}

static double max_of(const app_option *row)
{
    return row->min < row->max ? row->max : row->type == APP_SHARE ? 1 : HUGE_VAL;
}

static halo_status take_integer(const app_option *row, const char *text, int64_t *field)
{
    /* Limits that doubles cannot hold are those of the type. */
    const double whole = 9007199254740992.0;
    double max = max_of(row);
    int64_t limit = max > whole ? INT64_MAX / 4 : (int64_t)max;
    bool good = halo_scan_integer(&text, (int64_t)row->min, limit, field) && *text == '\0';
    return good ? HALO_OK : HALO_ARGUMENT;
}

static halo_status take_real(const app_option *row, const char *text, double *field)
{
    bool good = halo_scan_number(&text, row->min, max_of(row), field) && *text == '\0';
    return good && isfinite(*field) ? HALO_OK : HALO_ARGUMENT;
}

static halo_status take_share(const app_option *row, const char *text, double *field)
{
    return app_scan_share(&text, row->min, max_of(row), field) && *text == '\0' ? HALO_OK
                                                                                : HALO_ARGUMENT;
}

static halo_status take_choice(const app_option *row, const char *given, void *field)
{
    const char *entry = NULL, *text = app_spelling_british(given);
    int index = 0;
    for (size_t n; (n = app_list_next(row->choices, &entry)) > 0; index++) {
        if (strlen(text) == n && memcmp(text, entry, n) == 0) {
            if (row->type == APP_INDEX) {
                *(int *)field = index;
            } else {
                *(const char **)field = text;
            }
            return HALO_OK;
        }
    }
    return HALO_ARGUMENT;
}

static halo_status take_text(const char *text, const char **field)
{
    *field = text;
    return *text != '\0' ? HALO_OK : HALO_ARGUMENT;
}

static halo_status take(const app_option *row, const char *text, void *field);

/* Also says that there is a value. */
static halo_status take_optional(const app_option *row, const char *text, void *field)
{
    app_option plain = *row;
    plain.flags &= ~(unsigned)APP_OPTIONAL;
    HALO_TRY(take(&plain, text, field));
    *app_optional_given(row, field) = true;
    return HALO_OK;
}

static halo_status take(const app_option *row, const char *text, void *field)
{
    if ((row->flags & APP_OPTIONAL) != 0) {
        return take_optional(row, text, field);
    }
    if (row->word != NULL && strcmp(text, row->word) == 0) {
        text = "0";
        app_option free_of_limits = *row;
        free_of_limits.min = free_of_limits.max = 0;
        free_of_limits.word = NULL;
        return take(&free_of_limits, text, field);
    }
    if (row->parse != NULL) {
        return row->parse(text, field);
    }
    switch (row->type) {
    case APP_FLAG:
        *(bool *)field = true;
        return HALO_OK;
    case APP_INTEGER:
        return take_integer(row, text, field);
    case APP_REAL:
        return take_real(row, text, field);
    case APP_SHARE:
        return take_share(row, text, field);
    case APP_CHOICE:
    case APP_INDEX:
        return take_choice(row, text, field);
    case APP_INPUT:
        HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
        return take_text(text, field);
    default:
        return take_text(text, field);
    }
}

/* Standard output in the first of an option's formats: "-" has no ending that says which. */
static halo_status take_standard(const app_option *row, void *field)
{
    static const char *const names[] = {"-.csv", "-.flo", "-.gif", "-.json", "-.mha",
                                        "-.npy", "-.pgm", "-.png", "-.raw",  "-.rle",
                                        "-.svg", "-.tif", "-.txt"};
    const char *ending = NULL;
    size_t length = app_list_next(row->choices, &ending);
    if ((row->flags & APP_STREAM) != 0 && length == 0) {
        return HALO_OK;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (length > 0 && strncmp(names[i] + 1, ending, length) == 0 &&
            names[i][1 + length] == '\0') {
            return take(row, names[i], field);
        }
    }
    return HALO_ARGUMENT;
}

/* ---- complaints ------------------------------------------------------------------------------ */

static void print_limits(const app_option *row, char text[LIST_TEXT])
{
    const char *what = row->type == APP_INTEGER ? "a whole number" : "a number";
    char of[LIST_TEXT / 4] = "", min[LIST_TEXT / 4] = "", max[LIST_TEXT / 4] = "";
    if (row->type == APP_SHARE) {
        what = "a share, such as 0.01 or 1%,";
    }
    if (row->unit != NULL) {
        what = "a number";
        snprintf(of, sizeof of, " of %s", row->unit);
    }
    double limit = max_of(row);
    bool below = limit<DBL_MAX, above = row->min> - DBL_MAX;
    if (above) {
        snprintf(min, sizeof min, " from %.10g%s", row->min, below ? "" : " on");
    }
    if (below) {
        snprintf(max, sizeof max, above ? " to %.10g" : " of at most %.10g", limit);
    }
    snprintf(text, LIST_TEXT, "%s%s%s%s%s%s", row->word != NULL ? row->word : "",
             row->word != NULL ? " or " : "", what, of, min, max);
}

static void print_taken(const app_option *row, char text[LIST_TEXT])
{
    char list[LIST_TEXT];
    print_list(row->choices, list);
    switch (row->type) {
    case APP_INTEGER:
    case APP_REAL:
    case APP_SHARE:
        print_limits(row, text);
        break;
    case APP_CHOICE:
    case APP_INDEX:
        snprintf(text, LIST_TEXT, "%s", list);
        break;
    case APP_OUTPUT:
        snprintf(text, LIST_TEXT, "%s%.250s%s",
                 row->choices != NULL ? "a name ending in " : "the name of a file", list,
                 (row->flags & APP_NUMBERED) != 0 ? ", or FOLDER/" : "");
        break;
    default:
        snprintf(text, LIST_TEXT, "%s",
                 row->type == APP_INPUT ? "the name of a file" : "a text that is not empty");
    }
}

void app_value_taken(const app_option *row, char text[APP_TAKEN])
{
    switch (row->type) {
    case APP_FLAG:
        snprintf(text, APP_TAKEN, "true or false");
        break;
    case APP_SHARE: /* written with a word around it */
        print_taken(row, text);
        break;
    default:
        if (row->takes != NULL) {
            snprintf(text, APP_TAKEN, "%s", row->takes);
        } else {
            print_taken(row, text);
        }
    }
}

/* Guesses the words of a value's name such as "checkerboard[:SIZE]|disk[:X,Y,R]|FILE". */
static void guess_words(app_guess *guess, const char *value)
{
    const char *part = NULL;
    while (app_list_next(value, &part) > 0) {
        size_t plain = strspn(part, "abcdefghijklmnopqrstuvwxyz0123456789-_");
        if (plain > 1 && strchr("|[:,", part[plain]) != NULL) { /* or the end */
            app_guess_name(guess, part, plain);
        }
    }
}

/* "; did you mean VALUE?" of words that the option takes, or "", also where the word is one of them
 * and something else is wrong. */
static const char *guess_word(const app_option *row, const char *text, size_t length,
                              char near[APP_GUESS_TEXT])
{
    app_guess guess = {.word = text, .length = length};
    bool chosen = row->type == APP_CHOICE || row->type == APP_INDEX;
    app_guess_list(&guess, chosen ? row->choices : NULL);
    app_guess_list(&guess, row->offers);
    app_guess_list(&guess, row->word);
    if (row->type == APP_CUSTOM) {
        guess_words(&guess, row->value);
    }
    for (int i = 0; row->offer != NULL && row->offer(i) != NULL; i++) {
        guess_words(&guess, row->offer(i));
    }
    bool same = strlen(guess.nearest) == length && memcmp(guess.nearest, text, length) == 0;
    return app_guess_text(same ? &(app_guess){0} : &guess, "", near);
}

/* The same of several words with commas between, of which the first that is wrong counts, and of
 * words with parameters, as in chain:gain=.05. */
static const char *guess_value(const app_option *row, const char *text, char near[APP_GUESS_TEXT])
{
    const char *guessed = guess_word(row, text, strlen(text), near);
    while (*guessed == '\0' && *text != '\0') {
        guessed = guess_word(row, text, strcspn(text, ":,"), near);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return guessed;
}

halo_status app_value_parse(const app_option *row, const char *text, void *field)
{
    char name[APP_OPTION_NAME], taken[LIST_TEXT];
    bool standard = row->type == APP_OUTPUT && strcmp(text, "-") == 0;
    bool folder = (row->flags & APP_NUMBERED) != 0 && app_planes_in_folder(text);
    if (row->type == APP_OUTPUT && halo_is_standard(text) && halo_array_is_several(text)) {
        app_option_name(row, name);
        return halo_fail(HALO_ARGUMENT,
                         "%s %.200s: this format is several files, and standard output is one; use "
                         "-.npy, -.tif or -.mha",
                         name, text);
    }
    bool ends = row->type != APP_OUTPUT || standard || folder || has_ending(text, row->choices);
    halo_status status = ends ? take(row, text, field) : HALO_ARGUMENT;
    if (standard && status == HALO_OK) {
        status = take_standard(row, field);
    }
    if (status != HALO_ARGUMENT) {
        return status;
    }
    char near[APP_GUESS_TEXT];
    app_option_name(row, name);
    guess_value(row, text, near);
    if (ends && row->parse != NULL && row->takes == NULL) {
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
