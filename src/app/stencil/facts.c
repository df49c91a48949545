#include "app/report/facts.h"
#include "app/beats.h"
#include "app/image/image.h"
#include "app/options/values.h"
#include "app/stencil/stencil.h"
#include "app/stencil/tables.h"

#include "app/services/field_pictures.h"
#include "app/stencil/cells.h"
#include "base/names.h"
#include "core/exchange/exchange.h"

/* Facts that a stencil's run reports. */

/* The numbers of the first and of the last colour of pictures, and what is no number. */
static halo_status add_shown(const app_run *run, json_t *facts)
{
    const stencil_options *options = run->options;
    const app_field_pictures *pictures = app_field_pictures_of(run);
    if (pictures->not_numbers < 0) {
        return HALO_OK;
    }
    const char *const names[] = {HALO_COLOUR_MAP_LIST(HALO_NAME)};
    json_t *shown = json_pack("{s:[f,f], s:s, s:I}", "range", pictures->range[0],
                              pictures->range[1], "colours", names[options->colours],
                              "cells_that_are_no_numbers", (json_int_t)pictures->not_numbers);
    return json_object_set_new(facts, "picture", shown) == 0 ? HALO_OK : HALO_MEMORY;
}

/* Cells of a file seldom lie around 0, as those beyond the edges do, and then the edges are all
 * that a picture shows. */
static const char *edge_hint(const app_run *run)
{
    const stencil_job *job = run->job;
    const halo_domain *domain = &run->domain;
    bool edges = false;
    for (int axis = 0; axis < domain->axes; axis++) {
        edges = edges || !domain->periodic[axis];
    }
    return edges && job->input.path != NULL && app_field_pictures_of(run)->not_numbers >= 0
               ? stencil_params_edge_hint(job->kernel, job->options)
               : NULL;
}

json_t *stencil_facts(app_run *run, json_t *texts)
{
    const stencil_job *job = run->job;
    const halo_domain *domain = &run->domain;
    const int *cut = halo_beat_partition(run->beat)->parts;
    int64_t parts[HALO_AXES] = {cut[0], cut[1], cut[2]};
    const halo_sample_type type = stencil_cells_type(job->kernel, 0);
    const char *cell_type = type == HALO_SAMPLE_BIT ? "bool"
                            : type != STENCIL_BYTES ? halo_sample_types[type].name
                                                    : NULL;
    char grid[STENCIL_SIZE_TEXT], periodic[APP_AXES_TEXT];
    stencil_size_print(domain->n, domain->axes, " x ", grid);
    app_print_periodic(domain, ",", periodic);
    json_object_set_new(texts, "help", app_fact_text(job->kernel->help));
    json_object_set_new(texts, "grid", app_fact_text(grid));
    json_object_set_new(texts, "axes", app_fact_text(periodic[0] != '\0' ? periodic : NULL));
    json_object_set_new(texts, "edge_hint", app_fact_text(edge_hint(run)));
    json_t *all = json_pack(
        "{s:s, s:o, s:s?, s:o, s:s, s:o, s:o, s:I, s:s}", "kernel", job->kernel->name, "options",
        app_fact_text(job->options), "cell_type", cell_type, "size",
        app_fact_integers(domain->n, domain->axes), "periodic",
        periodic[0] != '\0' ? periodic : "none", "parts", app_fact_integers(parts, domain->axes),
        "decomposition", app_fact_parts(domain->axes, cut), "halo_depth",
        (json_int_t)halo_beat_beats_per_exchange(run->beat), "exchange_mode",
        halo_exchange_mode_used(run->world, run->arguments->decomposition.exchange));
    if (all != NULL && job->kernel->single) {
        json_object_set_new(all, "converged", json_boolean(run->loop->ending == APP_STEADY));
    }
    json_t *nodata = job->input.path != NULL ? app_image_nodata_json(&job->input) : NULL;
    if (all != NULL && nodata != NULL) {
        json_object_set_new(all, "nodata", nodata);
    }
    if (all != NULL && add_shown(run, all) != HALO_OK) {
        json_decref(all);
        all = NULL;
    }
    return all;
}

const app_line stencil_summary[] = {
    {.name = "kernel", .verbose = true, .text = "{kernel}: {help}"},
    {.name = "options", .verbose = true, .text = "{options}"},
    {.name = "grid",
     .verbose = true,
     .text = "{grid} cells[ of {cell_type}][, periodic along {axes}], in {decomposition}"},
    {.name = "nodata",
     .text = "{100*nodata.share%.2f} % of the samples of the input are nodata ({nodata.said}): the "
             "cells are NaN there"},
    {.name = "beat", .text = "{beat}: {ended}[{converged?:, and it has not converged}]"},
    {.name = "picture",
     .text = "{picture.range.0%.6g} to {picture.range.1%.6g}, {picture.colours}"
             "[; {picture.cells_that_are_no_numbers>0} cells are no numbers]"},
    {.name = "hint", .text = "{edge_hint}"},
    {.name = "exchange", .text = "{exchange_mode}, halo depth {halo_depth}", .verbose = true},
    {0}};
