#include "app/report/facts.h"
#include "app/beats.h"
#include "app/report/report.h"
#include "cli/cluster/job.h"

static int64_t count_empty(const app_run *run)
{
    const cluster_job *job = run->job;
    const halo_cluster_record *records = halo_cluster_records(run->beat);
    int64_t empty = 0;
    for (int k = 0; k < job->options.clusters; k++) {
        empty += records[k].pixels == 0;
    }
    return empty;
}

/* Adds facts of superpixels that are in one piece each; NULL stands for a fact that is missing. */
static bool add_connection(const app_run *run, json_t *facts, json_t *texts)
{
    const cluster_options *asked = run->options;
    const cluster_job *job = run->job;
    bool is = asked->connected;
    json_object_set_new(texts, "connecting_nanoseconds",
                        is ? json_real(1e9 * job->connecting_seconds /
                                       (double)(run->domain.n[0] * run->domain.n[1]))
                           : json_null());
    json_t *more =
        json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "compactness",
                  asked->compactness > 0 ? json_real(asked->compactness) : json_null(), "connected",
                  (int)is, "superpixels", is ? json_integer(job->connection.after) : json_null(),
                  "pieces", is ? json_integer(job->connection.pieces) : json_null(), "min_pixels",
                  is ? json_integer(job->connection.min_pixels) : json_null(), "connecting_seconds",
                  is ? json_real(job->connecting_seconds) : json_null());
    bool good = more != NULL && json_object_update(facts, more) == 0;
    json_decref(more);
    return good;
}

json_t *cluster_facts(app_run *run, json_t *texts)
{
    const cluster_options *asked = run->options;
    const cluster_job *job = run->job;
    int64_t pixels = run->domain.n[0] * run->domain.n[1];
    json_object_set_new(texts, "values", json_string(asked->colour ? "L, a, b" : "grey"));
    json_object_set_new(texts, "pixels", json_integer(pixels));
    json_object_set_new(texts, "inertia_a_pixel", json_real(job->inertia / (double)pixels));
    json_t *all = json_pack(
        "{s:I, s:I, s:f, s:b, s:s, s:s, s:f, s:o, s:f}", "clusters", (json_int_t)asked->clusters,
        "empty_clusters", (json_int_t)count_empty(run), "weight", asked->weight, "colour",
        (int)asked->colour, "engine", halo_cluster_engine_name(run->beat), "instructions",
        halo_cluster_instructions(run->beat), "stop_changed_share", asked->all.until.share,
        "changed_pixels", app_fact_count(run->loop->changed), "inertia", job->inertia);
    if (all != NULL && !add_connection(run, all, texts)) {
        json_decref(all);
        all = NULL;
    }
    return all;
}

const app_line cluster_lines[] = {
    {.name = "clusters",
     .text = "{clusters} in (x, y, {values}), weight {weight}[, compactness {compactness}]"
             "[; {empty_clusters>0} have lost all their pixels]"},
    {.name = "beats",
     .text = "{beat}: {ended}[; the last moved {changed_pixels>0} of {pixels} pixels]"},
    {.name = "connected",
     .text = "{superpixels} superpixels in one piece each; before that, clusters lay in {pieces} "
             "pieces[, of "
             "which those of less than {min_pixels>0} pixels joined a neighbour]"},
    {.name = "inertia",
     .text = "{inertia%.10g}, the squares of distances to the mean of the own cluster: "
             "{inertia_a_pixel%.6g} a pixel"},
    {.name = "engine", .text = "{engine}, {instructions}", .verbose = true},
    {0}};

const app_column cluster_batch_columns[] = {{"clusters", "{clusters}", 9},
                                            {"empty", "{empty_clusters}", 6},
                                            {"beats", "{beat}", 6},
                                            {"changed", "{changed_pixels}", 8},
                                            {"inertia", "{inertia%.10g}", 12},
                                            {"superpixels", "[{superpixels}]", 11},
                                            {0}};
