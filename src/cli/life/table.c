#include "cli/life/table.h"

#include "io/table/table.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

halo_status life_table_add(life_table *table, const life_sample *sample)
{
    if (table->count == table->room) {
        int64_t room = table->room > 0 ? 2 * table->room : FIRST_ROOM;
        life_sample *samples = realloc(table->samples, (size_t)room * sizeof *samples);
        if (samples == NULL) {
            return halo_fail(HALO_MEMORY,
                             "out of memory: a table of more than %lld lines; use --every N",
                             (long long)table->count);
        }
        table->samples = samples;
        table->room = room;
    }
    table->samples[table->count++] = *sample;
    return HALO_OK;
}

static const halo_table_column columns[] = {{"generation", HALO_TABLE_INTEGER},
                                            {"population", HALO_TABLE_INTEGER},
                                            {"births", HALO_TABLE_INTEGER},
                                            {"deaths", HALO_TABLE_INTEGER}};

static void sample_row(const void *context, int64_t row, halo_table_value *values)
{
    const life_sample *sample = &((const life_table *)context)->samples[row];
    values[0].numerator = sample->generation;
    values[1].numerator = sample->population;
    values[2].numerator = sample->births;
    values[3].numerator = sample->deaths;
}

halo_status life_table_write(const life_table *table, halo_world *world, const char *path)
{
    halo_table out = {.columns = columns,
                      .column_count = sizeof columns / sizeof columns[0],
                      .rows = halo_world_rank(world) == 0 ? table->count : 0,
                      .row = sample_row,
                      .context = table};
    return halo_table_write(world, path, &out);
}

void life_table_free(life_table *table)
{
    free(table->samples);
    *table = (life_table){0};
}
