#define _DEFAULT_SOURCE
#include "cli/life/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const int64_t LONGEST = INT64_C(1) << 40;

/* WxH, moving *text behind it. */
static bool scan_size(const char **text, int64_t n[HALO_LIFE_AXES])
{
    if (!halo_scan_integer(text, 1, LONGEST, &n[HALO_LIFE_COLUMNS]) || **text != 'x') {
        return false;
    }
    ++*text;
    return halo_scan_integer(text, 1, LONGEST, &n[HALO_LIFE_ROWS]);
}

/* A share, or a percentage with its sign, up to the end or a colon. */
static bool scan_density(const char **text, double *density)
{
    char *end;
    if (!((**text >= '0' && **text <= '9') || **text == '.')) {
        return false; /* strtod reads blanks, signs, inf and nan too */
    }
    errno = 0;
    double value = strtod(*text, &end);
    if (errno == ERANGE && value > 1) {
        return false;
    }
    if (*end == '%') {
        value /= 100;
        end++;
    }
    *text = end;
    *density = value;
    return value >= 0 && value <= 1;
}

static bool scan_soup(const char *text, life_soup *soup)
{
    *soup = (life_soup){.seed = 1};
    if (!scan_size(&text, soup->n) || *text != ':') {
        return false;
    }
    text++;
    if (!scan_density(&text, &soup->density)) {
        return false;
    }
    if (*text == ':') {
        int64_t seed;
        text++;
        if (!halo_scan_integer(&text, 0, INT64_MAX, &seed)) {
            return false;
        }
        soup->seed = (uint64_t)seed;
    }
    return *text == '\0';
}

error_t life_parse_pattern(const arguments_parse *parse, const char *text)
{
    static const char prefix[] = "soup:";
    life_arguments *into = parse->into;
    if (into->pattern != NULL) {
        return arguments_complain(parse, "one pattern at a time: \"%s\" is one too many", text);
    }
    into->pattern = text;
    into->is_soup = strncmp(text, prefix, strlen(prefix)) == 0;
    if (into->is_soup && !scan_soup(text + strlen(prefix), &into->soup)) {
        return arguments_complain(parse,
                                  "a soup is soup:WIDTHxHEIGHT:DENSITY or "
                                  "soup:WIDTHxHEIGHT:DENSITY:SEED, with a density of 0 to 1 or 0%% "
                                  "to 100%% and a seed from 0 on, such as soup:1024x768:35%%:7, "
                                  "not \"%s\"",
                                  text);
    }
    return 0;
}

error_t life_parse_rule(const arguments_parse *parse, const char *text)
{
    halo_life_rule rule;
    const char *grid;
    halo_life_topology topology;
    if (halo_life_rule_parse(text, &rule, &grid) != HALO_OK ||
        (grid != NULL && halo_life_topology_parse(grid, &topology) != HALO_OK)) {
        return arguments_complain(parse, "--rule: %s", halo_last_message());
    }
    ((life_arguments *)parse->into)->rule = text;
    return 0;
}

error_t life_parse_topology(const arguments_parse *parse, const char *text)
{
    life_arguments *into = parse->into;
    into->has_topology = true;
    return halo_life_topology_parse(text, &into->topology) == HALO_OK
               ? 0
               : arguments_complain(parse, "--topology: %s", halo_last_message());
}

error_t life_parse_size(const arguments_parse *parse, const char *text)
{
    const char *end = text;
    life_arguments *into = parse->into;
    return scan_size(&end, into->size) && *end == '\0'
               ? 0
               : arguments_complain(parse,
                                    "--size takes WIDTHxHEIGHT in cells, such as 640x480, not "
                                    "\"%s\"",
                                    text);
}

error_t life_parse_at(const arguments_parse *parse, const char *text)
{
    const char *end = text;
    life_arguments *into = parse->into;
    into->at = true;
    bool good = halo_scan_integer(&end, -LONGEST, LONGEST, &into->to[HALO_LIFE_COLUMNS]) &&
                *end++ == ',' &&
                halo_scan_integer(&end, -LONGEST, LONGEST, &into->to[HALO_LIFE_ROWS]);
    return good && *end == '\0'
               ? 0
               : arguments_complain(parse, "--at takes COLUMN,ROW, such as 10,20, not \"%s\"",
                                    text);
}

/* +N or -N or, since X windows are asked for so, +-N. */
static bool scan_place(const char **text, int64_t *out)
{
    if (**text == '+') {
        ++*text;
    } else if (**text != '-') {
        return false;
    }
    return halo_scan_integer(text, -LONGEST, LONGEST, out);
}

error_t life_parse_view(const arguments_parse *parse, const char *text)
{
    const char *end = text;
    life_arguments *into = parse->into;
    int64_t n[HALO_LIFE_AXES];
    into->view_all = strcmp(text, "all") == 0;
    into->has_view = !into->view_all;
    if (into->view_all) {
        return 0;
    }
    bool good = scan_size(&end, n);
    if (good && *end != '\0') {
        good = scan_place(&end, &into->view.x) && scan_place(&end, &into->view.y);
    }
    if (!good || *end != '\0') {
        return arguments_complain(parse,
                                  "--view takes all, or WIDTHxHEIGHT+COLUMN+ROW in cells, such "
                                  "as 200x100+0-20, not \"%s\"",
                                  text);
    }
    into->view.width = n[HALO_LIFE_COLUMNS];
    into->view.height = n[HALO_LIFE_ROWS];
    return 0;
}

error_t life_parse_scale(const arguments_parse *parse, const char *text)
{
    life_arguments *into = parse->into;
    return halo_picture_scale_parse(text, &into->scale) == HALO_OK
               ? 0
               : arguments_complain(parse, "--scale: %s", halo_last_message());
}

error_t life_parse_stop(const arguments_parse *parse, const char *text)
{
    static const char prefix[] = "period:";
    life_arguments *into = parse->into;
    if (strcmp(text, "still") == 0) {
        into->stop_when_still = true;
        return 0;
    }
    const char *end = text + strlen(prefix);
    bool good = strncmp(text, prefix, strlen(prefix)) == 0 &&
                halo_scan_integer(&end, 1, INT64_MAX / 2, &into->period) && *end == '\0';
    return good ? 0
                : arguments_complain(parse,
                                     "--stop-when takes still or period:N with N from 1 on, not "
                                     "\"%s\"",
                                     text);
}

error_t life_parse_output(const arguments_parse *parse, const char *path)
{
    static const char *const endings[] = {
#define OUTPUT_ENTRY(code, ending) ending,
        LIFE_OUTPUT_LIST(OUTPUT_ENTRY)
#undef OUTPUT_ENTRY
    };
    life_arguments *into = parse->into;
    into->output = path;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (arguments_ends_with(path, endings[i])) {
            into->output_kind = (life_output)i;
            return 0;
        }
    }
    return arguments_complain(
        parse, "-o takes a name ending in .rle, .cells, .png or .npy, not \"%s\"", path);
}
