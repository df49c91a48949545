#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/bench/table.h"

#include "core/file/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64 };

bench_value *bench_table_add(bench_table *table)
{
    size_t columns = (size_t)table->count, rows = (size_t)table->rows;
    bench_value *values = realloc(table->values, (rows + 1) * columns * sizeof *values);
    if (values == NULL) {
        return NULL;
    }
    table->values = values;
    table->rows++;
    for (size_t c = 0; c < columns; c++) {
        values[rows * columns + c] = (bench_value){.number = NAN};
    }
    return values + rows * columns;
}

void bench_table_free(bench_table *table)
{
    free(table->values);
    table->values = NULL;
    table->rows = 0;
}

static bench_value *find(bench_table *table, const char *name)
{
    for (int c = 0; table->rows > 0 && c < table->count; c++) {
        if (strcmp(table->columns[c].name, name) == 0) {
            return &table->values[(size_t)(table->rows - 1) * (size_t)table->count + (size_t)c];
        }
    }
    return NULL;
}

void bench_table_text(bench_table *table, const char *name, const char *text)
{
    bench_value *value = find(table, name);
    if (value != NULL) {
        snprintf(value->text, sizeof value->text, "%s", text);
    }
}

void bench_table_number(bench_table *table, const char *name, double number)
{
    bench_value *value = find(table, name);
    if (value != NULL) {
        value->number = number;
    }
}

/* As people read it. */
static void show(const bench_column *column, const bench_value *value, char out[CELL_SIZE])
{
    if (column->kind == BENCH_TEXT) {
        snprintf(out, CELL_SIZE, "%s", value->text);
    } else if (!isfinite(value->number)) {
        snprintf(out, CELL_SIZE, "-");
    } else {
        snprintf(out, CELL_SIZE, "%.*f", column->kind == BENCH_COUNT ? 0 : column->digits,
                 value->number * (column->scale != 0 ? column->scale : 1));
    }
}

/* As programs read it; nothing where it is not known. */
static void spell(const bench_column *column, const bench_value *value, char out[CELL_SIZE])
{
    if (column->kind == BENCH_TEXT) {
        snprintf(out, CELL_SIZE, "%s", value->text);
    } else if (!isfinite(value->number)) {
        out[0] = '\0';
    } else {
        snprintf(out, CELL_SIZE, column->kind == BENCH_COUNT ? "%.0f" : "%.9g", value->number);
    }
}

static int width_of(const bench_table *table, int column)
{
    size_t width = strlen(table->columns[column].title);
    for (int r = 0; r < table->rows; r++) {
        char cell[CELL_SIZE];
        show(&table->columns[column],
             &table->values[(size_t)r * (size_t)table->count + (size_t)column], cell);
        width = strlen(cell) > width ? strlen(cell) : width;
    }
    return (int)width;
}

/* Words begin their column, numbers end it. */
static void print_cell(FILE *to, const bench_column *column, int width, const char *text)
{
    fprintf(to, column->kind == BENCH_TEXT ? "%-*s" : "%*s", width, text);
}

void bench_table_print(const bench_table *table, FILE *to)
{
    int widths[BENCH_MOST_COLUMNS] = {0};
    for (int row = -1; row < table->rows; row++) {
        const char *between = "";
        for (int c = 0; c < table->count; c++) {
            const bench_column *column = &table->columns[c];
            if (column->title == NULL) {
                continue;
            }
            char cell[CELL_SIZE];
            if (row < 0) {
                widths[c] = width_of(table, c);
                snprintf(cell, sizeof cell, "%s", column->title);
            } else {
                show(column, &table->values[(size_t)row * (size_t)table->count + (size_t)c], cell);
            }
            fputs(between, to);
            print_cell(to, column, widths[c], cell);
            between = "  ";
        }
        fputs("\n", to);
    }
}

static json_t *json_of(const bench_column *column, const bench_value *value)
{
    if (column->kind == BENCH_TEXT) {
        return json_string(value->text);
    }
    if (!isfinite(value->number)) {
        return json_null();
    }
    return column->kind == BENCH_COUNT ? json_integer((json_int_t)value->number)
                                       : json_real(value->number);
}

json_t *bench_table_json(const bench_table *table)
{
    json_t *array = json_array();
    for (int r = 0; r < table->rows; r++) {
        json_t *object = json_object();
        for (int c = 0; c < table->count; c++) {
            json_object_set_new(
                object, table->columns[c].name,
                json_of(&table->columns[c],
                        &table->values[(size_t)r * (size_t)table->count + (size_t)c]));
        }
        json_array_append_new(array, object);
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
    for (int row = -1; row < table->rows; row++) {
        for (int c = 0; c < table->count; c++) {
            char cell[CELL_SIZE];
            const bench_column *column = &table->columns[c];
            if (row < 0) {
                snprintf(cell, sizeof cell, "%s", column->name);
            } else {
                spell(column, &table->values[(size_t)row * (size_t)table->count + (size_t)c], cell);
            }
            fprintf(to, "%s%s", c > 0 ? "," : "", cell);
        }
        fputs("\n", to);
    }
    return fclose(to) == 0 ? text : NULL;
}

static halo_status write_csv(halo_file *file, const bench_table *table)
{
    size_t length = 0;
    char *text = csv_of(table, &length);
    halo_status status = text != NULL ? halo_file_write(file, 0, text, length)
                                      : halo_fail(HALO_MEMORY, "out of memory: the CSV file");
    free(text);
    return status;
}

halo_status bench_table_save_csv(halo_world *world, const char *path, const bench_table *table)
{
    halo_file *file;
    HALO_TRY(halo_file_create(&file, world, path));
    halo_status status = halo_world_rank(world) == 0 ? write_csv(file, table) : HALO_OK;
    return halo_file_commit(&file, status);
}
