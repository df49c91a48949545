/* Bring the results of a benchmark together, and compare them with earlier ones.
 *   bench_report join OUT.json IN.json...   one file with the rows of all
 *   bench_report speedup FILE.json          what the second rank brought
 *   bench_report vs OLD.json NEW.json       row by row; more than the spread counts */

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (json == NULL || !json_is_array(json_object_get(json, "rows"))) {
        fprintf(stderr, "bench_report: %s: %s\n", path,
                json == NULL ? error.text : "no rows in it; name a result of ./run bench label");
        json_decref(json);
        return NULL;
    }
    return json;
}

static int join(const char *out, char **paths, int count)
{
    json_t *rows = json_array();
    int failed = 0;
    for (int i = 0; i < count && !failed; i++) {
        json_t *part = load(paths[i]);
        failed = part == NULL || json_array_extend(rows, json_object_get(part, "rows")) != 0;
        json_decref(part);
    }
    json_t *all = json_pack("{s:s, s:o}", "benchmark", "label", "rows", rows);
    failed = failed || json_dump_file(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(5)) != 0;
    json_decref(all);
    return failed;
}

/* Do two rows measure the same? */
static int same_row(const json_t *a, const json_t *b, int compare_ranks)
{
    static const char *const keys[] = {"picture", "program", "instructions", "connectivity",
                                       "ranks"};
    for (int i = 0; i < (compare_ranks ? 5 : 4); i++) {
        const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
        if ((x == NULL) != (y == NULL) || (x != NULL && !json_equal(x, y))) {
            return 0;
        }
    }
    return 1;
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *ours = json_object_get(row, "halobeat");
    const json_t *value = json_object_get(ours != NULL ? ours : row, key);
    return json_number_value(value);
}

/* What a row measures: nanoseconds a pixel in memory, seconds for a whole command. */
static const char *measure_of(const json_t *row)
{
    return json_object_get(row, "halobeat") != NULL ? "median_ns_per_pixel" : "median_seconds";
}

static void print_name(const json_t *row)
{
    const char *instructions = json_string_value(json_object_get(row, "instructions"));
    const char *program = json_string_value(json_object_get(row, "program"));
    printf("%-14s %d-connected %-9s %d rank%s", json_string_value(json_object_get(row, "picture")),
           (int)json_integer_value(json_object_get(row, "connectivity")),
           instructions != NULL ? instructions : program,
           (int)json_integer_value(json_object_get(row, "ranks")),
           json_integer_value(json_object_get(row, "ranks")) == 1 ? " " : "s");
}

static int speedup(const char *path)
{
    json_t *file = load(path);
    if (file == NULL) {
        return 1;
    }
    json_t *rows = json_object_get(file, "rows"), *one, *two;
    size_t i, j;
    printf("\nTimes faster with 2 ranks than with 1:\n");
    json_array_foreach(rows, i, one)
    {
        if (json_integer_value(json_object_get(one, "ranks")) != 1) {
            continue;
        }
        json_array_foreach(rows, j, two)
        {
            if (json_integer_value(json_object_get(two, "ranks")) == 2 && same_row(one, two, 0)) {
                const char *measure = measure_of(one);
                print_name(two);
                printf("  %5.2f\n", number_of(one, measure) / number_of(two, measure));
            }
        }
    }
    json_decref(file);
    return 0;
}

static void print_comparison(const json_t *old, const json_t *new)
{
    const char *measure = measure_of(new);
    double before = number_of(old, measure), now = number_of(new, measure);
    double old_low = number_of(old, "low_ns_per_pixel"),
           old_high = number_of(old, "high_ns_per_pixel");
    double low = number_of(new, "low_ns_per_pixel"), high = number_of(new, "high_ns_per_pixel");
    int overlap = low <= old_high && old_low <= high;
    print_name(new);
    printf("  %8.3f -> %8.3f  %+6.1f %%%s\n", before, now, 100 * (now / before - 1),
           high > 0 && overlap ? "  within the spread" : "");
}

static int versus(const char *old_path, const char *new_path)
{
    json_t *old_file = load(old_path), *new_file = load(new_path);
    int failed = old_file == NULL || new_file == NULL;
    if (!failed) {
        json_t *old, *new;
        size_t i, j;
        printf("\nAgainst %s (ns a pixel, or seconds; less is faster):\n", old_path);
        json_array_foreach(json_object_get(new_file, "rows"), i, new)
        {
            json_array_foreach(json_object_get(old_file, "rows"), j, old)
            {
                if (same_row(old, new, 1)) {
                    print_comparison(old, new);
                }
            }
        }
    }
    json_decref(old_file);
    json_decref(new_file);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc >= 4 && strcmp(argv[1], "join") == 0) {
        return join(argv[2], argv + 3, argc - 3);
    }
    if (argc == 3 && strcmp(argv[1], "speedup") == 0) {
        return speedup(argv[2]);
    }
    if (argc == 4 && strcmp(argv[1], "vs") == 0) {
        return versus(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: bench_report join OUT IN... | speedup FILE | vs OLD NEW\n");
    return 2;
}
