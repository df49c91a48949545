#include "app/until.h"

#include "app/values.h"

#include <string.h>

static const int64_t MAX_PERIOD = INT64_MAX / 4;

static bool is_steady(const char *text)
{
    return strcmp(text, "steady") == 0 || strcmp(text, "still") == 0;
}

halo_status app_parse_steady(const char *text, void *into)
{
    app_until *until = into;
    *until = (app_until){.steady = is_steady(text)};
    return until->steady ? HALO_OK : HALO_ARGUMENT;
}

halo_status app_parse_steady_or_cycle(const char *text, void *into)
{
    app_until *until = into;
    const char *period = app_behind_name(text, "cycle");
    period = period != NULL ? period : app_behind_name(text, "period");
    if (period == NULL) {
        return app_parse_steady(text, into);
    }
    *until = (app_until){0};
    return halo_scan_integer(&period, 1, MAX_PERIOD, &until->period) && *period == '\0'
               ? HALO_OK
               : HALO_ARGUMENT;
}

halo_status app_parse_steady_or_change(const char *text, void *into)
{
    const char *share = app_behind_name(text, "change");
    return share != NULL ? app_parse_change(share, into) : app_parse_steady(text, into);
}

halo_status app_parse_change(const char *text, void *into)
{
    app_until *until = into;
    *until = (app_until){0};
    return app_scan_share(&text, 0, 1, &until->share) && *text == '\0' && until->share < 1
               ? HALO_OK
               : HALO_ARGUMENT;
}
