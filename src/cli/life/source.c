#include "cli/life/source.h"

#include "cli/life/checkpoint.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <string.h>

/* What rank 0 learns from a pattern's file and tells the others. */
typedef struct {
    halo_cells_info info;
    char rule[LIFE_RULE_TEXT];
} file_facts;

static halo_status open_file(life_source *source, file_facts *facts)
{
    HALO_TRY(halo_cells_reader_open(&source->reader, source->arguments->pattern.text));
    facts->info = *halo_cells_reader_info(source->reader);
    if (strlen(facts->info.rule) >= sizeof facts->rule) {
        return halo_fail(HALO_FORMAT, "\"%s\" names a rule of more than %d letters",
                         source->arguments->pattern.text, LIFE_RULE_TEXT - 1);
    }
    snprintf(facts->rule, sizeof facts->rule, "%s", facts->info.rule);
    return HALO_OK;
}

static halo_status parse_rule(const char *text, halo_life_rule *rule, halo_life_topology *topology,
                              bool *bounded)
{
    const char *grid;
    HALO_TRY(halo_life_rule_parse(text, rule, &grid));
    if (grid != NULL) {
        HALO_TRY(halo_life_topology_parse(grid, topology));
        *bounded = true;
    }
    return HALO_OK;
}

/* The kind of grid, when nobody has said anything about it. */
static const char *usual_topology(const life_source *source, halo_cells_format format)
{
    return source->arguments->pattern.is_soup                     ? "torus"
           : format == HALO_CELLS_PNG || format == HALO_CELLS_NPY ? "dead"
                                                                  : "plane";
}

/* The rule and the kind of grid: what the options say, or else the file, or else what is usual. */
static halo_status settle_rule(life_source *source, const file_facts *facts,
                               halo_life_topology *topology, bool *golly)
{
    const life_arguments *arguments = source->arguments;
    HALO_TRY(halo_life_topology_parse(usual_topology(source, facts->info.format), topology));
    *golly = false;
    halo_life_rule_parse("B3/S23", &source->rule, NULL);
    if (facts->rule[0] != '\0') {
        halo_life_rule of_file;
        halo_status status = parse_rule(facts->rule, &of_file, topology, golly);
        if (status == HALO_OK) {
            source->rule = of_file;
        } else if (arguments->rule == NULL) {
            char why[HALO_MESSAGE_SIZE];
            snprintf(why, sizeof why, "%s", halo_last_message());
            return halo_fail(HALO_FORMAT, "\"%s\": %.350s; --rule chooses another",
                             arguments->pattern.text, why);
        }
    }
    if (arguments->rule != NULL) {
        HALO_TRY(parse_rule(arguments->rule, &source->rule, topology, golly));
    }
    if (app_given(source->given, &arguments->topology)) {
        halo_life_topology of_rule = *topology;
        *topology = arguments->topology;
        bool sized = topology->n[0] != 0 || topology->n[1] != 0;
        for (int a = 0; a < HALO_LIFE_AXES && !sized; a++) {
            topology->n[a] = of_rule.n[a]; /* a name alone leaves the size as the rule says it */
        }
        *golly = *golly && !sized;
    }
    return HALO_OK;
}

static halo_status check_size(const life_source *source, const halo_life_topology *topology)
{
    const int64_t *size = source->arguments->size;
    if (size[0] == 0) {
        return HALO_OK;
    }
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        if (topology->edges[a] != HALO_LIFE_GROW) {
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT, "--size is for bounded grids, and a plane has no size: add "
                                    "--topology torus, cylinder or dead");
}

static halo_status check_states(const life_source *source)
{
    if (source->states <= source->rule.states) {
        return HALO_OK;
    }
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&source->rule, rule);
    return halo_fail(HALO_ARGUMENT,
                     "\"%s\" has cells in state %d, but the rule %s has states 0 to %d only; "
                     "--rule chooses a rule with more states, such as B2/S/C%d",
                     source->arguments->pattern.text, source->states - 1, rule,
                     source->rule.states - 1, source->states);
}

static halo_status settle_grid(life_source *source, const file_facts *facts)
{
    const life_arguments *arguments = source->arguments;
    halo_life_topology topology;
    halo_life_placing placing = {.n = {source->n[0], source->n[1]},
                                 .placed = facts->info.placed,
                                 .lo = {facts->info.y, facts->info.x},
                                 .at = app_given(source->given, arguments->at),
                                 .to = {arguments->at[0], arguments->at[1]}};
    HALO_TRY(settle_rule(source, facts, &topology, &placing.golly));
    HALO_TRY(check_size(source, &topology));
    HALO_TRY(check_states(source));
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        source->edges[a] = topology.edges[a];
    }
    return halo_life_place(&topology, arguments->size, &placing, &source->box, source->pattern_lo);
}

static halo_status open_pattern(life_source *source)
{
    file_facts facts = {.info = {.states = 2, .cell_bits = 1}};
    const life_arguments *arguments = source->arguments;
    if (arguments->pattern.is_soup) {
        source->kind = "soup";
        source->n[0] = arguments->pattern.soup.n[0];
        source->n[1] = arguments->pattern.soup.n[1];
    } else {
        bool reads = halo_world_rank(source->world) == 0;
        HALO_TRY(halo_agree(source->world, reads ? open_file(source, &facts) : HALO_OK));
        HALO_TRY(halo_bcast(source->world, &facts, sizeof facts, 0));
        source->kind = halo_cells_format_name(facts.info.format);
        source->n[HALO_LIFE_ROWS] = facts.info.height;
        source->n[HALO_LIFE_COLUMNS] = facts.info.width;
    }
    source->cell_bits = facts.info.cell_bits;
    source->states = facts.info.states;
    source->generation = facts.info.generation;
    return settle_grid(source, &facts);
}

static halo_status open_checkpoint(life_source *source)
{
    const char *path = source->arguments->saving.restore;
    HALO_TRY(halo_checkpoint_open(&source->checkpoint, source->world, path));
    const halo_checkpoint *info = halo_checkpoint_info(source->checkpoint);
    life_checkpoint what;
    HALO_TRY(halo_agree(source->world, life_checkpoint_read(path, info, &what)));
    source->kind = "checkpoint";
    source->rule = what.rule;
    source->box = what.box;
    source->cell_bits = what.cell_bits;
    source->states = what.rule.states;
    source->generation = info->beat;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        source->edges[a] = what.edges[a];
        source->n[a] = what.box.n[a];
        source->pattern_lo[a] = what.box.lo[a];
    }
    return HALO_OK;
}

halo_status life_source_open(life_source *source, halo_world *world, const app_options *given,
                             const life_arguments *arguments, progress *shown)
{
    *source =
        (life_source){.world = world, .given = given, .arguments = arguments, .progress = shown};
    return arguments->saving.restore != NULL ? open_checkpoint(source) : open_pattern(source);
}

void life_source_close(life_source *source)
{
    halo_cells_reader_close(&source->reader);
    halo_checkpoint_close(&source->checkpoint);
}
