#include "cli/life/job.h"

#include <string.h>

/* A checkpoint has the rule and the grid, and of an axis that grows the live cells. */

static const char *const edge_names[] = {
#define EDGE_ENTRY(code, name, help) #name,
    HALO_LIFE_EDGE_LIST(EDGE_ENTRY)
#undef EDGE_ENTRY
};

enum { EDGES = sizeof edge_names / sizeof edge_names[0] };

static bool parse_edge(const char *name, halo_life_edge *edge)
{
    for (int e = 0; e < EDGES; e++) {
        if (strcmp(name, edge_names[e]) == 0) {
            *edge = (halo_life_edge)e;
            return true;
        }
    }
    return false;
}

static bool check_saved(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    life_source *source = &((life_job *)run->job)->source;
    const char *rule, *edges[HALO_LIFE_AXES];
    json_int_t lo[HALO_LIFE_AXES], n[HALO_LIFE_AXES];
    if (json_unpack((json_t *)saved, "{s:s, s:[s, s], s:[I, I], s:[I, I], s:i}", "rule", &rule,
                    "edges", &edges[0], &edges[1], "first_row_and_column", &lo[0], &lo[1],
                    "rows_and_columns", &n[0], &n[1], "cell_bits", &source->cell_bits) != 0 ||
        halo_life_rule_parse(rule, &source->rule, NULL) != HALO_OK) {
        return false;
    }
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        source->box.lo[a] = lo[a];
        source->box.n[a] = n[a];
        if (n[a] < 1 || !parse_edge(edges[a], &source->edges[a])) {
            return false;
        }
    }
    source->kind = "checkpoint";
    source->pattern = source->box;
    source->states = source->rule.states;
    return source->cell_bits == (source->states > 2 ? 8 : 1) && info->rows == n[HALO_LIFE_ROWS] &&
           info->row_bytes == halo_cells_row_bytes(n[HALO_LIFE_COLUMNS], source->cell_bits);
}

static bool keep(app_run *run, json_t *saved)
{
    const life_job *job = run->job;
    const halo_life_edge *edges = job->source.edges;
    const halo_life_box *box = &job->part.box;
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&job->source.rule, rule);
    json_t *grid =
        json_pack("{s:s, s:[s, s], s:[I, I], s:[I, I], s:i}", "rule", rule, "edges",
                  edge_names[edges[0]], edge_names[edges[1]], "first_row_and_column",
                  (json_int_t)box->lo[0], (json_int_t)box->lo[1], "rows_and_columns",
                  (json_int_t)box->n[0], (json_int_t)box->n[1], "cell_bits", job->part.bits);
    bool good = grid != NULL && json_object_update(saved, grid) == 0;
    json_decref(grid);
    return good;
}

/* The cells that there are. */
static halo_status begin_live(app_run *run)
{
    life_job *job = run->job;
    HALO_TRY(life_take_census(run));
    HALO_TRY(halo_life_stage(job->life));
    const halo_life_box grid = halo_life_size(job->life);
    const halo_life_box box = halo_life_part_box(&grid, job->source.edges, &job->census.live, 1);
    return halo_life_part_begin(&job->part, run->world, job->life, &box, 0);
}

static halo_status layout(app_run *run, app_layout *rows, bool reads)
{
    halo_life_part *part = &((life_job *)run->job)->part;
    HALO_TRY(reads ? life_begin_pattern(run) : begin_live(run));
    *rows = (app_layout){.rows = part->box.n[HALO_LIFE_ROWS],
                         .row_bytes = part->row_bytes,
                         .cuts = part->cuts,
                         .fill = halo_life_part_fill,
                         .take = halo_life_part_take,
                         .context = part};
    return HALO_OK;
}

static void release(app_run *run, app_layout *rows)
{
    (void)rows;
    halo_life_part_end(&((life_job *)run->job)->part);
}

const app_state life_state = {
    .check = check_saved, .keep = keep, .layout = layout, .release = release};
