#include "cli/life/checkpoint.h"

#include "io/cells/cells.h"
#include "kernels/life/life_part.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char kernel_name[] = "life";

static const char *const edge_names[] = {
#define EDGE_ENTRY(code, name, help) #name,
    HALO_LIFE_EDGE_LIST(EDGE_ENTRY)
#undef EDGE_ENTRY
};

enum { EDGES = sizeof edge_names / sizeof edge_names[0] };

static char *options_text(const life_checkpoint *what)
{
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&what->rule, rule);
    const halo_life_box *box = &what->box;
    json_t *json =
        json_pack("{s:s, s:[s, s], s:[I, I], s:[I, I], s:i}", "rule", rule, "edges",
                  edge_names[what->edges[HALO_LIFE_ROWS]],
                  edge_names[what->edges[HALO_LIFE_COLUMNS]], "first_row_and_column",
                  (json_int_t)box->lo[HALO_LIFE_ROWS], (json_int_t)box->lo[HALO_LIFE_COLUMNS],
                  "rows_and_columns", (json_int_t)box->n[HALO_LIFE_ROWS],
                  (json_int_t)box->n[HALO_LIFE_COLUMNS], "cell_bits", what->cell_bits);
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

static halo_status write_part(halo_world *world, const char *path, halo_life_part *part,
                              const char *options)
{
    halo_checkpoint checkpoint = {.kernel = kernel_name,
                                  .options = options,
                                  .beat = halo_life_generation(part->life),
                                  .rows = part->box.n[HALO_LIFE_ROWS],
                                  .row_bytes = part->row_bytes};
    halo_rows rows = {.fill = halo_life_part_fill, .context = part};
    return halo_checkpoint_write(world, path, &checkpoint, part->cuts, &rows);
}

halo_status life_checkpoint_write(halo_world *world, const char *path, halo_life *life,
                                  const halo_life_rule *rule, const halo_life_edge *edges,
                                  const halo_life_box *live)
{
    halo_life_box grid = halo_life_size(life);
    life_checkpoint what = {.rule = *rule,
                            .edges = {edges[0], edges[1]},
                            .box = halo_life_part_box(&grid, edges, live, 1),
                            .cell_bits = halo_life_cell_bits(life)};
    char *options = options_text(&what);
    halo_life_part part = {0};
    halo_status status =
        options != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text");
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_life_part_begin(&part, world, life, &what.box, 0));
    status = write_part(world, path, &part, options);
done:
    halo_life_part_end(&part);
    free(options);
    return status;
}

static bool edge_by_name(const char *name, halo_life_edge *edge)
{
    for (int e = 0; e < EDGES; e++) {
        if (strcmp(name, edge_names[e]) == 0) {
            *edge = (halo_life_edge)e;
            return true;
        }
    }
    return false;
}

static bool unpack(json_t *json, const halo_checkpoint *info, life_checkpoint *what)
{
    const char *rule, *edges[HALO_LIFE_AXES];
    json_int_t lo[HALO_LIFE_AXES], n[HALO_LIFE_AXES];
    if (json_unpack(json, "{s:s, s:[s, s], s:[I, I], s:[I, I], s:i}", "rule", &rule, "edges",
                    &edges[0], &edges[1], "first_row_and_column", &lo[0], &lo[1],
                    "rows_and_columns", &n[0], &n[1], "cell_bits", &what->cell_bits) != 0 ||
        halo_life_rule_parse(rule, &what->rule, NULL) != HALO_OK) {
        return false;
    }
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        what->box.lo[a] = lo[a];
        what->box.n[a] = n[a];
        if (n[a] < 1 || !edge_by_name(edges[a], &what->edges[a])) {
            return false;
        }
    }
    return what->cell_bits == (what->rule.states > 2 ? 8 : 1) && n[HALO_LIFE_ROWS] == info->rows &&
           halo_cells_row_bytes(n[HALO_LIFE_COLUMNS], what->cell_bits) == info->row_bytes;
}

halo_status life_checkpoint_read(const char *path, const halo_checkpoint *info,
                                 life_checkpoint *what)
{
    *what = (life_checkpoint){0};
    if (strcmp(info->kernel, kernel_name) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint of `halobeat %s`, not of `halobeat life`", path,
                         info->kernel);
    }
    json_t *json = json_loads(info->options, 0, NULL);
    bool good = json != NULL && unpack(json, info, what);
    json_decref(json);
    return good ? HALO_OK
                : halo_fail(HALO_FORMAT,
                            "\"%s\" is a checkpoint whose grid and rule make no sense here: %.200s",
                            path, info->options);
}
