#include "cli/tasks/options.h"

#include "base/scan.h"

#include <math.h>
#include <string.h>

static const double longest = 1e9; /* seconds */
static const double most = 1e6;    /* jobs, cores, per cent */

/* A letter that a number may have behind it, and what it stands for. */
typedef struct {
    const char *letters;
    double worth;
} unit;

static const unit times[] = {{"sS", 1}, {"mM", 60}, {"hH", 3600}, {"dD", 86400}};
static const unit sizes[] = {{"K", 0x1p10}, {"M", 0x1p20}, {"G", 0x1p30}, {"T", 0x1p40},
                             {"P", 0x1p50}, {"k", 1e3},    {"m", 1e6},    {"g", 1e9},
                             {"t", 1e12},   {"p", 1e15}};
#define UNITS(table) ((int)(sizeof(table) / sizeof *(table)))

/* The worth of *text, which is then behind it; 1, and nothing passed, if it is no unit. */
static double scan_unit(const char **text, const unit *table, int count)
{
    for (int i = 0; i < count && **text != '\0'; i++) {
        if (strchr(table[i].letters, **text) != NULL) {
            ++*text;
            return table[i].worth;
        }
    }
    return 1;
}

static halo_status refuse(void)
{
    return halo_fail(HALO_ARGUMENT, "no such value");
}

halo_status parse_duration(const char *text, void *into)
{
    double seconds = 0, number;
    do {
        if (!halo_scan_number(&text, 0, longest, &number)) {
            return refuse();
        }
        const char *behind = text;
        seconds += number * scan_unit(&text, times, UNITS(times));
        if (behind == text && *text != '\0') { /* only the last number may be without a unit */
            return refuse();
        }
    } while (*text != '\0');
    *(double *)into = seconds;
    return seconds <= longest ? HALO_OK : refuse();
}

static bool scan_share(const char *text, double *share)
{
    double number;
    bool good = halo_scan_number(&text, 0, most, &number) && strcmp(text, "%") == 0 && number > 0;
    *share = good ? number / 100 : 0;
    return good;
}

halo_status parse_time(const char *text, void *into)
{
    time_value *value = into;
    *value = (time_value){0};
    return scan_share(text, &value->share) ? HALO_OK : parse_duration(text, &value->seconds);
}

halo_status parse_count(const char *text, void *into)
{
    count_value *value = into;
    int64_t number;
    *value = (count_value){.added = *text == '+' || *text == '-', .given = true};
    if (scan_share(text, &value->share)) {
        return HALO_OK;
    }
    const char *digits = text + value->added;
    if (!halo_scan_integer(&digits, 0, (int64_t)most, &number) || *digits != '\0') {
        return refuse();
    }
    value->number = *text == '-' ? -(double)number : (double)number;
    return HALO_OK;
}

halo_status parse_load(const char *text, void *into)
{
    count_value *value = into;
    *value = (count_value){.given = true};
    if (scan_share(text, &value->share)) {
        return HALO_OK;
    }
    return halo_scan_number(&text, 0, most, &value->number) && *text == '\0' && value->number > 0
               ? HALO_OK
               : refuse();
}

double count_value_of(const count_value *value, int cores, double most_of_all)
{
    if (value->share > 0) {
        return value->share * cores;
    }
    if (value->added) {
        return fmax(cores + value->number, 1);
    }
    return value->number > 0 ? value->number : most_of_all;
}

halo_status parse_bytes(const char *text, void *into)
{
    double number;
    if (!halo_scan_number(&text, 0, 0x1p62, &number)) {
        return refuse();
    }
    number *= scan_unit(&text, sizes, UNITS(sizes));
    if (*text != '\0' || number >= 0x1p62) {
        return refuse();
    }
    *(int64_t *)into = (int64_t)number;
    return HALO_OK;
}

/* ---- --halt ---------------------------------------------------------------------------------- */

static bool take_word(const char **text, const char *word)
{
    size_t length = strlen(word);
    bool there = strncmp(*text, word, length) == 0;
    *text += there ? length : 0;
    return there;
}

static halo_status parse_halt_of(const char *text, halt_value *value)
{
    static const char *const of[] = {",fail=", ",success=", ",done="};
    for (int i = HALT_FAILED; i <= HALT_DONE; i++) {
        if (take_word(&text, of[i])) {
            value->of = i;
            return halo_scan_integer(&text, 1, INT64_MAX, &value->count) && *text == '\0'
                       ? HALO_OK
                       : refuse();
        }
    }
    return *text == '\0' ? HALO_OK : refuse();
}

halo_status parse_halt(const char *text, void *into)
{
    static const struct {
        const char *word;
        halt_when when;
    } words[] = {{"never", HALT_NEVER}, {"soon", HALT_SOON}, {"now", HALT_NOW},
                 {"0", HALT_NEVER},     {"1", HALT_SOON},    {"2", HALT_NOW}};
    halt_value *value = into;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *behind = text;
        if (take_word(&behind, words[i].word)) {
            *value = (halt_value){.when = (int)words[i].when, .of = HALT_FAILED, .count = 1};
            return parse_halt_of(behind, value);
        }
    }
    return refuse();
}

halo_status parse_file(const char *text, void *into)
{
    file_values *files = into;
    HALO_FAIL_IF(files->count == VALUES_FILES, HALO_ARGUMENT,
                 "there are more than %d files of jobs; put them into fewer", VALUES_FILES);
    files->name[files->count++] = text;
    return *text != '\0' ? HALO_OK : refuse();
}
