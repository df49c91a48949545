#include "app/options/values.h"
#include "cli/life/job.h"

#include <string.h>

static const int64_t LONGEST = INT64_C(1) << 40;

/* WxH, moving *text behind it. */
static bool scan_size(const char **text, int64_t n[HALO_LIFE_AXES])
{
    int64_t given[HALO_LIFE_AXES] = {0};
    bool good = app_scan_sizes(text, LONGEST, HALO_LIFE_AXES, given) == HALO_LIFE_AXES;
    n[HALO_LIFE_COLUMNS] = given[0];
    n[HALO_LIFE_ROWS] = given[1];
    return good;
}

static bool scan_soup(const char *text, life_pattern *soup)
{
    int64_t seed = 1;
    bool good =
        scan_size(&text, soup->n) && *text++ == ':' && halo_scan_share(&text, 0, 1, &soup->density);
    if (good && *text == ':') {
        text++;
        good = halo_scan_integer(&text, 0, INT64_MAX, &seed);
    }
    soup->seed = (uint64_t)seed;
    return good && *text == '\0';
}

halo_status life_parse_pattern(const char *text, void *into)
{
    life_pattern *pattern = into;
    const size_t prefix = strlen("soup:");
    bool soup = strncmp(text, "soup:", prefix) == 0;
    *pattern = (life_pattern){.text = text, .path = soup ? NULL : text};
    bool good = soup ? scan_soup(text + prefix, pattern) : *text != '\0';
    return good ? HALO_OK : HALO_ARGUMENT;
}

halo_status life_parse_rule(const char *text, void *into)
{
    halo_life_rule rule;
    const char *grid;
    halo_life_topology topology;
    *(const char **)into = text;
    HALO_TRY(halo_life_rule_parse(text, &rule, &grid));
    return grid != NULL ? halo_life_topology_parse(grid, &topology) : HALO_OK;
}

halo_status life_parse_topology(const char *text, void *into)
{
    return halo_life_topology_parse(text, into);
}

halo_status life_parse_size(const char *text, void *into)
{
    return scan_size(&text, into) && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

halo_status life_parse_at(const char *text, void *into)
{
    int64_t *at = into;
    bool good = halo_scan_integer(&text, -LONGEST, LONGEST, &at[HALO_LIFE_COLUMNS]) &&
                *text++ == ',' && halo_scan_integer(&text, -LONGEST, LONGEST, &at[HALO_LIFE_ROWS]);
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
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

halo_status life_parse_view(const char *text, void *into)
{
    life_view *view = into;
    int64_t n[HALO_LIFE_AXES] = {0};
    *view = (life_view){.all = strcmp(text, "all") == 0};
    if (view->all) {
        return HALO_OK;
    }
    bool good = scan_size(&text, n);
    if (good && *text != '\0') {
        good = scan_place(&text, &view->window.x) && scan_place(&text, &view->window.y);
    }
    view->window.width = n[HALO_LIFE_COLUMNS];
    view->window.height = n[HALO_LIFE_ROWS];
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

halo_status life_parse_scale(const char *text, void *into)
{
    return halo_picture_scale_parse(text, into);
}

halo_status life_parse_until(const char *text, void *into)
{
    app_until *until = into;
    const app_until before = *until;
    if (app_parse_steady_or_cycle(text, until) != HALO_OK) {
        return halo_fail(HALO_ARGUMENT, "takes steady, or cycle:N with N from 1 on, not \"%.200s\"",
                         text);
    }
    return (before.steady && until->period > 0) || (before.period > 0 && until->steady)
               ? halo_fail(HALO_ARGUMENT, "takes one of steady and cycle:N, not both")
               : HALO_OK;
}
