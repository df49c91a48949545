#include "app/options/kept.h"
#include "app/outputs.h"
#include "app/services/checkpoint.h"
#include "base/names.h"
#include "cli/life/job.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "kernels/life/soup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RULE_TEXT = 256 };

static life_source *source_of(const app_run *run)
{
    return &((life_job *)run->job)->source;
}

/* ---- what it is ------------------------------------------------------------------------------ */

/* Rank 0 reads this in a pattern's file and sends it to the others. */
typedef struct {
    halo_cells_info info;
    char rule[RULE_TEXT];
} file_facts;

static halo_status open_file(app_run *run, file_facts *facts)
{
    const char *path = life_options_of(run)->pattern.path;
    life_source *source = source_of(run);
    const halo_cells_options options = {.choices = run->arguments->choices,
                                        .as_stored = run->arguments->as_stored};
    HALO_TRY(halo_cells_reader_open(&source->reader, path, &options));
    facts->info = *halo_cells_reader_info(source->reader);
    HALO_FAIL_IF(strlen(facts->info.rule) >= sizeof facts->rule, HALO_FORMAT,
                 "\"%s\" names a rule of more than %d letters", path, RULE_TEXT - 1);
    snprintf(facts->rule, sizeof facts->rule, "%s", facts->info.rule);
    return HALO_OK;
}

static halo_status parse_rule(const char *text, halo_life_rule *rule, halo_life_topology *topology,
                              bool *bounded)
{
    const char *grid;
    HALO_TRY(halo_life_rule_parse(text, rule, &grid));
    if (grid != NULL && *grid != '\0') {
        HALO_TRY(halo_life_topology_parse(grid, topology));
        *bounded = true;
    }
    return HALO_OK;
}

/* The kind of grid, when nobody has said anything about it. */
static const char *default_topology(const app_run *run, halo_cells_format format)
{
    return life_options_of(run)->pattern.path == NULL ? "torus"
           : format >= HALO_CELLS_PNG                 ? "dead" /* an image */
                                                      : "plane";
}

/* The rule and the kind of grid: what the options say, or else the file, or else the default. */
static halo_status choose_rule(app_run *run, const file_facts *facts, halo_life_topology *topology,
                               bool *golly)
{
    const life_options *options = life_options_of(run);
    life_source *source = source_of(run);
    HALO_TRY(halo_life_topology_parse(default_topology(run, facts->info.format), topology));
    halo_life_rule_parse("B3/S23", &source->rule, NULL);
    if (facts->rule[0] != '\0') {
        halo_life_rule of_file;
        halo_status status = parse_rule(facts->rule, &of_file, topology, golly);
        if (status == HALO_OK) {
            source->rule = of_file;
        } else if (options->rule == NULL) {
            char why[HALO_MESSAGE_SIZE];
            snprintf(why, sizeof why, "%s", halo_last_message());
            return halo_fail(HALO_FORMAT, "\"%s\": %.350s; --rule chooses another",
                             options->pattern.text, why);
        }
    }
    if (options->rule != NULL) {
        HALO_TRY(parse_rule(options->rule, &source->rule, topology, golly));
    }
    if (app_was_given(run, &options->topology)) {
        halo_life_topology of_rule = *topology;
        *topology = options->topology;
        bool sized = topology->n[0] != 0 || topology->n[1] != 0;
        for (int a = 0; a < HALO_LIFE_AXES && !sized; a++) {
            topology->n[a] = of_rule.n[a]; /* a name alone leaves the size as the rule says it */
        }
        *golly = *golly && !sized;
    }
    return HALO_OK;
}

static halo_status check_size(const app_run *run, const halo_life_edge *edges)
{
    return HALO_REQUIRE(life_options_of(run)->size[0] == 0 || edges[0] != HALO_LIFE_GROW ||
                            edges[1] != HALO_LIFE_GROW,
                        HALO_ARGUMENT,
                        "--size is for bounded grids, and a plane has no size: add --topology "
                        "torus, cylinder or dead");
}

static halo_status check_states(const app_run *run)
{
    const life_source *source = source_of(run);
    if (source->states <= source->rule.states) {
        return HALO_OK;
    }
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&source->rule, rule);
    return halo_fail(HALO_ARGUMENT,
                     "\"%s\" has cells in state %d, but the rule %s has states 0 to %d only; "
                     "--rule chooses a rule with more states, such as B2/S/C%d",
                     life_options_of(run)->pattern.text, source->states - 1, rule,
                     source->rule.states - 1, source->states);
}

static halo_status choose_grid(app_run *run, const file_facts *facts)
{
    const life_options *options = life_options_of(run);
    life_source *source = source_of(run);
    halo_life_topology topology;
    halo_life_placing placing = {.n = {source->pattern.n[0], source->pattern.n[1]},
                                 .placed = facts->info.placed,
                                 .lo = {facts->info.y, facts->info.x},
                                 .at = app_was_given(run, options->at),
                                 .to = {options->at[0], options->at[1]}};
    HALO_TRY(choose_rule(run, facts, &topology, &placing.golly));
    HALO_TRY(check_size(run, topology.edges));
    HALO_TRY(check_states(run));
    memcpy(source->edges, topology.edges, sizeof source->edges);
    return halo_life_place(&topology, options->size, &placing, &source->box, source->pattern.lo);
}

/* A generation that leaves no room for counting on is kept as text. */
static void take_generation(app_run *run, const halo_cells_info *info)
{
    life_source *source = source_of(run);
    bool large = info->generation > INT64_MAX / 2;
    run->first_beat = large ? 0 : info->generation;
    if (large) {
        snprintf(source->earlier, sizeof source->earlier, "%" PRId64, info->generation);
    } else {
        memcpy(source->earlier, info->earlier, sizeof source->earlier);
    }
    if (source->earlier[0] != '\0') {
        app_warn(
            run,
            "\"%s\" is at generation %s: generations are counted from 0 here, and patterns are "
            "written with the sum of both",
            life_options_of(run)->pattern.text, source->earlier);
    }
}

halo_status life_source_open(app_run *run)
{
    const life_pattern *pattern = &life_options_of(run)->pattern;
    life_source *source = source_of(run);
    file_facts facts = {.info = {.height = pattern->n[HALO_LIFE_ROWS],
                                 .width = pattern->n[HALO_LIFE_COLUMNS],
                                 .states = 2,
                                 .cell_bits = 1}};
    source->kind = "soup";
    if (pattern->path != NULL) {
        HALO_TRY(halo_agree(run->world, app_is_root(run) ? open_file(run, &facts) : HALO_OK));
        HALO_TRY(halo_bcast(run->world, &facts, sizeof facts, 0));
        source->kind = halo_cells_format_name(facts.info.format);
    }
    source->pattern.n[HALO_LIFE_ROWS] = facts.info.height;
    source->pattern.n[HALO_LIFE_COLUMNS] = facts.info.width;
    source->cell_bits = facts.info.cell_bits;
    source->states = facts.info.states;
    take_generation(run, &facts.info);
    return choose_grid(run, &facts);
}

/* ---- its rows -------------------------------------------------------------------------------- */

static halo_status begin_pattern(app_run *run)
{
    life_job *job = run->job;
    progress_phase(&run->progress, "reading");
    return halo_life_part_begin(&job->part, run->world, job->life, &job->source.pattern,
                                job->source.cell_bits);
}

static halo_status fill_soup(app_run *run)
{
    life_job *job = run->job;
    const life_pattern *soup = &life_options_of(run)->pattern;
    uint64_t chance = halo_random_chance(soup->density);
    int rank = halo_world_rank(run->world);
    int64_t first = job->part.cuts[rank], last = job->part.cuts[rank + 1];
    void *row;
    HALO_TRY(halo_memory_create(&row, job->part.row_bytes, "a row of the pattern"));
    halo_status status = HALO_OK;
    for (int64_t y = first; y < last && status == HALO_OK; y++) {
        life_soup_row(NULL, soup->seed, chance, y, soup->n[HALO_LIFE_COLUMNS], row);
        status = halo_life_part_take(&job->part, y, 1, row, job->part.row_bytes);
        app_show_rows(run, y + 1 - first, last - first);
    }
    halo_memory_free(row);
    return status;
}

static halo_status read_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    app_run *run = context;
    const life_source *source = source_of(run);
    int64_t height = source->pattern.n[HALO_LIFE_ROWS];
    HALO_TRY(halo_cells_reader_rows(source->reader, rows, out, pitch));
    app_show_rows(run, first + rows, height);
    if (first + rows < height) {
        return HALO_OK;
    }
    HALO_TRY(halo_cells_reader_finish(source->reader));
    const char *defect = halo_cells_reader_warning(source->reader);
    if (*defect != '\0') {
        app_warn(run, "%.300s: %s", life_options_of(run)->pattern.text, defect);
    }
    return HALO_OK;
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    return halo_life_part_take(&((life_job *)((app_run *)context)->job)->part, first, rows, data,
                               pitch);
}

static halo_status fill(app_run *run)
{
    const life_job *job = run->job;
    if (life_options_of(run)->pattern.path == NULL) {
        halo_stretch stretch = halo_clock_begin(run->world);
        halo_status status = halo_agree(run->world, fill_soup(run));
        halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
        return status;
    }
    return job->part.box.n[0] == 0 || job->part.box.n[1] == 0
               ? HALO_OK
               : halo_rows_scatter(run->world, job->part.cuts, job->part.row_bytes, read_rows,
                                   take_rows, run, &run->clock);
}

halo_status life_fill(app_run *run)
{
    life_job *job = run->job;
    halo_status status = begin_pattern(run);
    HALO_IF_OK(status, fill(run));
    halo_life_part_end(&job->part);
    halo_cells_reader_close(&job->source.reader);
    return status;
}

/* ---- checkpoints: the rule and the grid, and of an axis that grows the live cells ------------ */

static const char *const edge_names[] = {
#define EDGE_ENTRY(code, name, help) #name,
    HALO_LIFE_EDGE_LIST(EDGE_ENTRY)
#undef EDGE_ENTRY
};

static halo_status parse_saved_rule(const char *text, void *into)
{
    halo_life_rule rule;
    (void)into;
    return halo_life_rule_parse(text, &rule, NULL) == HALO_OK ? HALO_OK : HALO_ARGUMENT;
}

static halo_status parse_saved_generations(const char *text, void *into)
{
    size_t length = strlen(text);
    (void)into;
    return length <= HALO_CELLS_GENERATION && strspn(text, "0123456789") == length ? HALO_OK
                                                                                   : HALO_ARGUMENT;
}

#define EDGE_CHOICE(code, name, help) "|" #name
#define EDGE_CHOICES                  HALO_LIFE_EDGE_LIST(EDGE_CHOICE)
enum { TWO = HALO_LIFE_AXES };

static const app_kept kept[] = {
    {.row = {.name = "rule",
             .type = HALO_OPTION_TEXT,
             .parse = parse_saved_rule,
             .takes = "a rule such as B3/S23"}},
    {.row = {.name = "edges", .type = HALO_OPTION_CHOICE, .choices = EDGE_CHOICES},
     .min = TWO,
     .max = TWO},
    {.row = {.name = "first_row_and_column",
             .type = HALO_OPTION_INTEGER,
             .min = -LIFE_PLACE,
             .max = LIFE_PLACE},
     .min = TWO,
     .max = TWO},
    {.row = {.name = "rows_and_columns", .type = HALO_OPTION_INTEGER, .min = 1, .max = LIFE_PLACE},
     .min = TWO,
     .max = TWO},
    {.row = {.name = "cell_bits", .type = HALO_OPTION_INTEGER, .min = 1, .max = 8}},
    {.row = {.name = "earlier_generations",
             .type = HALO_OPTION_TEXT,
             .parse = parse_saved_generations,
             .takes = "decimal digits"},
     .null = true},
    {.max = 0}};

static bool check_saved(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    life_source *source = &((life_job *)run->job)->source;
    const json_t *edges = json_object_get(saved, "edges");
    const json_t *lo = json_object_get(saved, "first_row_and_column");
    const json_t *n = json_object_get(saved, "rows_and_columns");
    halo_life_rule_parse(json_string_value(json_object_get(saved, "rule")), &source->rule, NULL);
    for (size_t a = 0; a < HALO_LIFE_AXES; a++) {
        int edge = 0;
        source->box.lo[a] = json_integer_value(json_array_get(lo, a));
        source->box.n[a] = json_integer_value(json_array_get(n, a));
        halo_names_find("edge", edge_names, HALO_NAMES_COUNT(edge_names),
                        json_string_value(json_array_get(edges, a)), &edge);
        source->edges[a] = (halo_life_edge)edge;
    }
    source->cell_bits = (int)json_integer_value(json_object_get(saved, "cell_bits"));
    const char *earlier = json_string_value(json_object_get(saved, "earlier_generations"));
    snprintf(source->earlier, sizeof source->earlier, "%s", earlier != NULL ? earlier : "");
    source->kind = "checkpoint";
    source->pattern = source->box;
    source->states = source->rule.states;
    return source->cell_bits == (source->states > 2 ? 8 : 1) &&
           info->rows == source->box.n[HALO_LIFE_ROWS] &&
           info->row_bytes ==
               halo_cells_row_bytes(source->box.n[HALO_LIFE_COLUMNS], source->cell_bits);
}

static bool keep(app_run *run, json_t *saved)
{
    const life_job *job = run->job;
    const halo_life_edge *edges = job->source.edges;
    const halo_life_box *box = &job->part.box;
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&job->source.rule, rule);
    json_t *grid = json_pack(
        "{s:s, s:[s, s], s:[I, I], s:[I, I], s:i, s:s?}", "rule", rule, "edges",
        edge_names[edges[0]], edge_names[edges[1]], "first_row_and_column", (json_int_t)box->lo[0],
        (json_int_t)box->lo[1], "rows_and_columns", (json_int_t)box->n[0], (json_int_t)box->n[1],
        "cell_bits", job->part.bits, "earlier_generations", life_earlier(&job->source));
    bool good = grid != NULL && json_object_update(saved, grid) == 0;
    json_decref(grid);
    return good && life_keep_view(run, json_object_get(saved, "begun"));
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
    HALO_TRY(reads ? begin_pattern(run) : begin_live(run));
    *rows = (app_layout){.rows = part->box.n[HALO_LIFE_ROWS],
                         .row_bytes = part->row_bytes,
                         .cuts = part->cuts,
                         .fill = halo_life_part_fill,
                         .take = halo_life_part_take,
                         .context = part};
    return HALO_OK;
}

static void release(app_run *run)
{
    halo_life_part_end(&((life_job *)run->job)->part);
}

const app_state life_state = {
    .kept = kept, .check = check_saved, .keep = keep, .layout = layout, .release = release};
