#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/bench/report.h"

#include "app/lines.h"
#include "app/report.h"
#include "core/file/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64, MAX_COLUMNS = 32 };

/* ---- values ---------------------------------------------------------------------------------- */

static const void *at(const bench_column *column, const void *row)
{
    return (const char *)row + column->offset;
}

/* NULL for a number. */
static const char *text_of(const bench_column *column, const void *row)
{
    if (column->kind == BENCH_NAME) {
        const char *text = *(const char *const *)at(column, row);
        return text != NULL ? text : "";
    }
    return column->kind == BENCH_TEXT ? at(column, row) : NULL;
}

static double number_of(const bench_column *column, const void *row)
{
    const void *value = at(column, row);
    if (column->kind == BENCH_INT || column->kind == BENCH_LONG) {
        int64_t whole = column->kind == BENCH_INT ? *(const int *)value : *(const int64_t *)value;
        return whole < 0 ? NAN : (double)whole;
    }
    return *(const double *)value;
}

/* As people read it (in a column with a title), or as programs do: with nothing where a value is
 * not known. */
static void format(const bench_column *column, const void *row, bool people, char out[CELL_SIZE])
{
    const char *text = text_of(column, row);
    if (text != NULL) {
        snprintf(out, CELL_SIZE, "%s", text);
        return;
    }
    double number = number_of(column, row);
    bool whole = column->kind != BENCH_REAL;
    if (!isfinite(number)) {
        snprintf(out, CELL_SIZE, people ? "-" : "");
    } else if (people) {
        snprintf(out, CELL_SIZE, "%.*f", whole ? 0 : column->digits,
                 number * (column->scale != 0 ? column->scale : 1));
    } else {
        snprintf(out, CELL_SIZE, whole ? "%.0f" : "%.9g", number);
    }
}

static json_t *json_of(const bench_column *column, const void *row)
{
    const char *text = text_of(column, row);
    if (text != NULL) {
        return json_string(text);
    }
    double number = number_of(column, row);
    if (!isfinite(number)) {
        return json_null();
    }
    return column->kind != BENCH_REAL ? json_integer((json_int_t)number) : json_real(number);
}

static const void *row_of(const bench_table *table, int row)
{
    return (const char *)table->rows + (size_t)row * table->row_bytes;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int width_of(const bench_table *table, const bench_column *column)
{
    int width = (int)strlen(column->title);
    width = column->width > width ? column->width : width;
    for (int row = 0; row < table->row_count; row++) {
        char cell[CELL_SIZE];
        format(column, row_of(table, row), true, cell);
        width = (int)strlen(cell) > width ? (int)strlen(cell) : width;
    }
    return width;
}

/* Texts begin their column, numbers end it. Blanks are printed before what follows them, so that
 * there are none at the end of a line. */
void bench_table_print(const bench_table *table)
{
    int widths[MAX_COLUMNS] = {0};
    for (int c = 0; c < table->count && c < MAX_COLUMNS; c++) {
        widths[c] = table->columns[c].title != NULL ? width_of(table, &table->columns[c]) : 0;
    }
    for (int row = -1; row < table->row_count; row++) {
        int blanks = 0;
        for (int c = 0; c < table->count && c < MAX_COLUMNS; c++) {
            const bench_column *column = &table->columns[c];
            if (column->title == NULL) {
                continue;
            }
            char cell[CELL_SIZE];
            snprintf(cell, sizeof cell, "%s", column->title);
            if (row >= 0) {
                format(column, row_of(table, row), true, cell);
            }
            int free = widths[c] - (int)strlen(cell);
            bool text = column->kind == BENCH_TEXT || column->kind == BENCH_NAME;
            if (cell[0] != '\0') {
                printf("%*s%s", blanks + (text ? 0 : free), "", cell);
                blanks = 0;
            }
            blanks += 2 + (text || cell[0] == '\0' ? free : 0);
        }
        printf("\n");
    }
}

json_t *bench_row_json(const bench_column *columns, int count, const void *row)
{
    json_t *object = json_object();
    for (int c = 0; c < count; c++) {
        json_object_set_new(object, columns[c].name, json_of(&columns[c], row));
    }
    return object;
}

json_t *bench_table_json(const bench_table *table)
{
    json_t *array = json_array();
    for (int row = 0; row < table->row_count; row++) {
        json_array_append_new(array,
                              bench_row_json(table->columns, table->count, row_of(table, row)));
    }
    return array;
}

/* The caller frees the text; NULL for want of memory. */
static char *csv_of(const bench_table *table, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    if (to == NULL) {
        return NULL;
    }
    for (int row = -1; row < table->row_count; row++) {
        for (int c = 0; c < table->count; c++) {
            char cell[CELL_SIZE];
            snprintf(cell, sizeof cell, "%s", table->columns[c].name);
            if (row >= 0) {
                format(&table->columns[c], row_of(table, row), false, cell);
            }
            fprintf(to, "%s%s", c > 0 ? "," : "", cell);
        }
        fputs("\n", to);
    }
    return fclose(to) == 0 ? text : NULL;
}

static halo_status save_csv(halo_world *world, const char *path, const bench_table *table)
{
    halo_file *file;
    HALO_TRY(halo_file_create(&file, world, path));
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0) {
        size_t length = 0;
        char *text = csv_of(table, &length);
        status = text != NULL ? halo_file_write(file, 0, text, length)
                              : halo_fail(HALO_MEMORY, "out of memory: the CSV file");
        free(text);
    }
    return halo_file_commit(&file, status);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* `more`'s entries belong to the object afterwards. */
static json_t *compose(halo_world *world, const bench_arguments *arguments,
                       const bench_table *table, json_t *more)
{
    json_t *all =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:f, s:f, s:o}", "command", "bench",
                  "measured", arguments->what, "ranks_started", halo_world_ranks(world),
                  "ranks_here", halo_world_node_ranks(world), "cores_here", halo_world_cores(world),
                  "repeats", arguments->effort.repeats, "wait", arguments->all.common.wait,
                  "chance_of_unreal", HALO_SAMPLES_CHANCE, "least_gain", HALO_SAMPLES_MIN_GAIN,
                  "measurements", bench_table_json(table));
    if (all != NULL && more != NULL && json_object_update(all, more) != 0) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static void print_machine(const halo_world *world, const bench_arguments *arguments)
{
    int ranks = halo_world_node_ranks(world), cores = halo_world_cores(world);
    lines_printf("machine", "%d rank%s here, %d core%s", ranks, ranks == 1 ? "" : "s", cores,
                 cores == 1 ? "" : "s");
    lines_printf("measured", "medians of %d repeats, one after the other of each in turn",
                 arguments->effort.repeats);
    if (arguments->effort.repeats < HALO_SAMPLES_MIN) {
        lines_printf("real",
                     "too few repeats to tell differences from chance: use --repeat %d or more",
                     HALO_SAMPLES_MIN);
    } else {
        lines_printf("real",
                     "differences with a chance below %g %% (Wilcoxon's signed-rank test) and of "
                     "more than %g %%",
                     100 * HALO_SAMPLES_CHANCE, 100 * HALO_SAMPLES_MIN_GAIN);
    }
    printf("\n");
}

halo_status bench_report(halo_world *world, const bench_arguments *arguments,
                         const bench_table *table, json_t *more)
{
    bool speaks = halo_world_rank(world) == 0;
    progress_end(arguments->effort.shown);
    if (speaks && !arguments->all.common.quiet) {
        print_machine(world, arguments);
        bench_table_print(table);
    }
    if (arguments->csv != NULL) {
        HALO_TRY(save_csv(world, arguments->csv, table));
    }
    if (arguments->all.common.json != NULL) {
        json_t *all = speaks ? compose(world, arguments, table, more) : NULL;
        HALO_TRY(report_save_json(world, arguments->all.common.json, all));
    }
    return report_flush(world);
}
