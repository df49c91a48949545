#include "app/ranks.h"

#include "app/shared_options.h"
#include "base/cores.h"
#include "base/scan.h"

#include <stdlib.h>

bool app_ranks_are_threads(const app_syntax *syntax)
{
    app_place at = {0};
    const app_option *row;
    while ((row = app_next_row(syntax, &at)) != NULL && row != app_ranks_rows) {
    }
    return row != NULL;
}

static halo_status read_environment(const char *text, app_ranks *ranks)
{
    const char *at = text;
    int64_t count;
    if (!halo_scan_integer(&at, 1, APP_MOST_THREADS, &count) || *at != '\0') {
        return halo_fail(HALO_ARGUMENT,
                         "HALOBEAT_RANKS is \"%s\", but must be a number of ranks from 1 to %d; "
                         "unset it for a rank on each core",
                         text, APP_MOST_THREADS);
    }
    *ranks = (app_ranks){.count = (int)count, .is_asked = true};
    return HALO_OK;
}

halo_status app_ranks_choose(int64_t asked, app_ranks *ranks)
{
    const char *text = getenv("HALOBEAT_RANKS");
    if (asked > 0) {
        *ranks = (app_ranks){.count = (int)asked, .is_asked = true};
        return HALO_OK;
    }
    if (text != NULL && *text != '\0') {
        return read_environment(text, ranks);
    }
    int cores = halo_cores_usable();
    *ranks = (app_ranks){.count = cores < APP_MOST_THREADS ? cores : APP_MOST_THREADS};
    return HALO_OK;
}
