#include "base/names.h"
#include "cli/paths/job.h"
#include "io/array/picture.h"

#include <stddef.h>
#include <string.h>

/* Rasters and graphs have the same options, but for some that only one of them can follow. */

bool paths_is_graph(const char *name)
{
    return halo_name_ends(name, ".gr") || halo_name_ends(name, ".gr.gz");
}

unsigned paths_method_traits(const char *name)
{
    static const struct {
        const char *name;
        unsigned traits;
    } methods[] = {
#define METHOD_TRAITS(name, traits) {#name, traits},
        PATHS_METHOD_LIST(METHOD_TRAITS)
#undef METHOD_TRAITS
    };
    for (size_t i = 0; name != NULL && i < sizeof methods / sizeof methods[0]; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return methods[i].traits;
        }
    }
    return 0;
}

typedef struct {
    const char *name;
    size_t offset;          /* of one option; or */
    const app_option *rows; /* a table of them */
} only_rasters;

static const only_rasters refused[] = {
    {.name = "--neighbours", .offset = offsetof(paths_options, neighbours)},
    {.name = "--barrier", .offset = offsetof(paths_options, barriers)},
    {.name = "--cell-size", .offset = offsetof(paths_options, cell_size)},
    {.name = "--overlay", .offset = offsetof(paths_options, overlay)},
    {.name = "--beats", .offset = offsetof(paths_options, all.beats)},
    {.name = "--checkpoint or --restore", .rows = app_checkpoint_rows},
    {.name = "--decomposition", .rows = app_decomposition_rows},
    {.name = "--exchange", .rows = app_exchange_rows},
    {.name = "--corners or --packing", .rows = app_corner_rows},
    {.name = "--balance with its options", .rows = app_balance_rows}};

static halo_status check_graph(const app_options *given, const paths_options *asked)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        bool is_given = refused[i].rows != NULL
                            ? app_any_given(given, refused[i].rows)
                            : app_given(given, (const char *)asked + refused[i].offset);
        if (is_given) {
            return halo_fail(HALO_ARGUMENT,
                             "%.200s is a graph, and %s is for rasters; leave it out",
                             asked->all.image.first, refused[i].name);
        }
    }
    if (paths_is_mask(&asked->from)) {
        return halo_fail(HALO_ARGUMENT,
                         "--from %.200s: a picture of sources is for rasters; give vertices of the "
                         "graph, or a CSV file with one on each line",
                         asked->from.path);
    }
    if (asked->nearest != NULL && halo_picture_is_one(asked->nearest)) {
        return halo_fail(HALO_ARGUMENT,
                         "--nearest %.200s: a graph has no picture; write .npy, .csv or .txt",
                         asked->nearest);
    }
    const char *method = asked->method;
    if ((paths_method_traits(method) & PATHS_ROUNDS) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "--method %s is for rasters; for graphs use bucket, central, decentral or "
                         "async",
                         method);
    }
    bool detects = method == NULL || (paths_method_traits(method) & PATHS_DETECTS) != 0;
    return detects || asked->all.decomposition.detector == NULL
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "--detector needs --method async or decentral, not %s",
                           method);
}

static halo_status check_raster(const paths_options *asked)
{
    const char *texts[] = {asked->output, asked->nearest};
    static const char *const options[] = {"--output", "--nearest"};
    if (asked->from.odd != NULL || asked->to.odd != NULL) {
        return paths_refuse_place(asked->from.odd != NULL ? "--from" : "--to",
                                  asked->from.odd != NULL ? asked->from.odd : asked->to.odd);
    }
    for (int i = 0; i < 2; i++) {
        if (texts[i] != NULL &&
            (halo_name_ends(texts[i], ".csv") || halo_name_ends(texts[i], ".txt"))) {
            return halo_fail(HALO_ARGUMENT, "%s %.200s: of rasters it is an array; write .npy",
                             options[i], texts[i]);
        }
    }
    return HALO_OK;
}

halo_status paths_check(const app_options *given, void *into)
{
    const paths_options *asked = into;
    const char *name = asked->all.image.first;
    return name != NULL && paths_is_graph(name) ? check_graph(given, asked) : check_raster(asked);
}
