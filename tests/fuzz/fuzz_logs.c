#define _GNU_SOURCE /* memfd_create */
#include "app/options/kept.h"
#include "app/paths/append.h"
#include "cli/arguments.h"
#include "cli/tasks/log.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <string.h>

/* libFuzzer's target: any bytes are read as a file that a run continues, or as one of arguments, or
 * refused with a message. Files are changed in nothing but what is said. The first byte says what
 * they are read as. */

static void check_message(halo_status status)
{
    demand(status == HALO_OK || strlen(halo_last_message()) > 0);
}

/* ---- logs of jobs ---------------------------------------------------------------------------- */

static halo_status command_of(void *context, int64_t i, char **out)
{
    (void)context;
    *out = strdup(i == 0 ? "echo a" : "echo\tb\nc");
    return *out != NULL ? HALO_OK : HALO_MEMORY;
}

static void read_job_log(const uint8_t *data, size_t size)
{
    enum { JOBS = 2 };
    bool done[JOBS] = {false};
    job_log log = {0};
    memory_file file;
    memory_file_create(&file, data, size);
    halo_status status = job_log_open(&log, file.path, true);
    check_message(status);
    if (status == HALO_OK) {
        status = job_log_read(&log, JOBS, command_of, NULL, done);
        check_message(status);
    }
    memory_file_check(&file, data, size, true);
    if (status == HALO_OK) {
        const uint8_t *end = memrchr(data, '\n', size);
        demand(job_log_begin(&log) == HALO_OK);
        memory_file_check(&file, data, end != NULL ? (size_t)(end - data) + 1 : 0, size > 0);
    }
    job_log_close(&log);
    memory_file_close(&file);
}

/* ---- logs of beats --------------------------------------------------------------------------- */

static bool begins(const char *line)
{
    int64_t beat;
    return strcmp(line, "beat,min,max\n") == 0 || sscanf(line, "beat %" SCNd64 ",", &beat) == 1;
}

static void continue_log(const uint8_t *data, size_t size)
{
    const app_log_options options = {
        .noun = "log", .begins = begins, .continues = true, .first = 5};
    FILE *log;
    bool continued;
    memory_file file;
    memory_file_create(&file, data, size);
    halo_status status = app_log_open(&log, file.path, &options, &continued);
    check_message(status);
    if (status == HALO_OK) {
        long end = ftell(log);
        demand(end >= 0 && (size_t)end <= size && continued == (end > 0));
        demand(end == 0 || data[end - 1] == '\n');
        fclose(log);
        memory_file_check(&file, data, (size_t)end, true);
    } else {
        memory_file_check(&file, data, size, true);
    }
    memory_file_close(&file);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static halo_status take_row(void *context, const int64_t *values)
{
    int64_t *rows = context;
    rows[0] += values[0] != values[1];
    return HALO_OK;
}

static void read_table_as(const char *ending, const uint8_t *data, size_t size)
{
    static const halo_table_column columns[] = {{"generation", HALO_TABLE_INTEGER},
                                                {"population", HALO_TABLE_INTEGER}};
    int64_t rows = 0;
    memory_file file;
    memory_file_create_named(&file, data, size, ending);
    check_message(halo_table_read(file.path, columns, 2, take_row, &rows));
    memory_file_check(&file, data, size, true);
    memory_file_close(&file);
}

static void read_table(const uint8_t *data, size_t size)
{
    read_table_as(".csv", data, size);
    read_table_as(".json", data, size);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void read_arguments(const uint8_t *data, size_t size)
{
    cli_arguments words;
    memory_file file;
    memory_file_create(&file, data, size);
    halo_status status = cli_arguments_read(&words, "program", file.path);
    check_message(status);
    if (status == HALO_OK) {
        size_t bytes = 0;
        demand(words.count >= 1 && words.words[words.count] == NULL);
        for (int i = 1; i < words.count; i++) {
            demand(strcmp(words.words[i], (const char *)data + bytes) == 0);
            bytes += strlen(words.words[i]) + 1;
        }
        demand(bytes == size);
    }
    cli_arguments_free(&words);
    memory_file_close(&file);
}

/* ---- entries of checkpoints ------------------------------------------------------------------ */

typedef struct {
    int beats;
    double weight;
    uint64_t image;
} kept_members;

static void read_entries(const uint8_t *data, size_t size)
{
    static const app_kept rows[] = {
        {APP_KEPT_ROW(kept_members, "beats", INTEGER, beats), .row.max = 1000},
        {APP_KEPT_ROW(kept_members, "weight", REAL, weight), .row.max = 2},
        {APP_KEPT_ROW(kept_members, "image", HASH, image)},
        {.row = {.name = "cuts", .type = HALO_OPTION_INTEGER, .max = APP_KEPT_CELLS},
         .min = 1,
         .max = 8},
        {.row = {.name = "twice", .type = HALO_OPTION_FLAG}, .null = true},
        {.row = {.name = "text", .type = HALO_OPTION_TEXT}, .null = true},
        {.row = {.name = "engine", .type = HALO_OPTION_CHOICE, .choices = "auto|tiles"},
         .null = true},
        {.row.name = NULL}};
    json_t *object = json_loadb((const char *)data, size, 0, NULL);
    if (object != NULL) {
        halo_status status = app_kept_check(rows, object, "a.halo");
        check_message(status);
        if (status == HALO_OK) {
            kept_members members = {0};
            app_kept_restore(rows, object, &members);
            demand(members.beats >= 0 && members.beats <= 1000);
            demand(members.weight >= 0 && members.weight <= 2);
        }
    }
    json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const kinds[])(const uint8_t *data, size_t size) = {
        read_job_log, continue_log, read_table, read_arguments, read_entries};
    if (size > 0) {
        kinds[data[0] % (sizeof kinds / sizeof kinds[0])](data + 1, size - 1);
    }
    return 0;
}
