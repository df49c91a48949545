#include "app/ranks/ranks.h"

#include "app/frame.h"
#include "app/options/shared_options.h"
#include "app/run.h"
#include "base/cores.h"
#include "base/scan.h"
#include "partition/decomposition.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool app_ranks_are_threads(const app_syntax *syntax)
{
    app_place at = {0};
    const halo_option *row;
    while ((row = app_next_row(syntax, &at)) != NULL && row != app_ranks_rows) {
    }
    return row != NULL;
}

static halo_status read_environment(const char *text, app_ranks *ranks)
{
    const char *at = text;
    int64_t count;
    HALO_FAIL_IF(!halo_scan_integer(&at, 1, APP_MOST_THREADS, &count) || *at != '\0', HALO_ARGUMENT,
                 "HALOBEAT_RANKS is \"%s\", but must be a number of ranks from 1 to %d; unset it "
                 "for a rank on each core",
                 text, APP_MOST_THREADS);
    *ranks = (app_ranks){.count = (int)count, .is_requested = true};
    return HALO_OK;
}

/* HALOBEAT_RANKS; NULL if it says nothing. */
static const char *environment(void)
{
    const char *text = getenv("HALOBEAT_RANKS");
    return text != NULL && *text != '\0' ? text : NULL;
}

int64_t app_ranks_requested(const app_arguments *arguments)
{
    if (arguments->common.ranks > 0 || environment() != NULL) {
        return arguments->common.ranks;
    }
    int64_t parts = halo_decomposition_count(arguments->decomposition.parts);
    return parts <= APP_MOST_THREADS ? parts : 0;
}

bool app_ranks_are_given(const app_run *run)
{
    return !halo_world_is_process(run->world) || environment() != NULL ||
           app_ranks_requested(run->arguments) > 0;
}

const char *app_ranks_remedy(char text[APP_RANKS_REMEDY], int64_t ranks)
{
    snprintf(text, APP_RANKS_REMEDY, "%s %" PRId64, app_is_alone() ? "--ranks" : "mpiexec -n",
             ranks);
    return text;
}

halo_status app_ranks_choose(int64_t requested, app_ranks *ranks)
{
    const char *text = environment();
    if (requested > 0) {
        *ranks = (app_ranks){.count = (int)requested, .is_requested = true};
        return HALO_OK;
    }
    if (text != NULL) {
        return read_environment(text, ranks);
    }
    int cores = halo_cores_usable();
    *ranks = (app_ranks){.count = cores < APP_MOST_THREADS ? cores : APP_MOST_THREADS};
    return HALO_OK;
}
