#define _POSIX_C_SOURCE 200809L /* stat */
#include "cli/tasks/job.h"

#include "app/paths/paths.h"
#include "base/standard.h"
#include "core/file/folders.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files of --results, as those of GNU parallel: DIR/NAME/INPUT/.../stdout, stderr and seq. */

/* In the name of a file: no slash, and no folder above. */
static halo_status append_name(halo_buffer *out, const char *text)
{
    static const char special[] = "\\\t/", *const written[] = {"\\\\", "\\t", "\\_"};
    if (strcmp(text, ".") == 0 || strcmp(text, "..") == 0) {
        HALO_TRY(halo_buffer_append(out, "\\", 1));
    }
    for (; *text != '\0'; text++) {
        const char *found = strchr(special, *text);
        HALO_TRY(found != NULL ? halo_buffer_append(out, written[found - special], 2)
                               : halo_buffer_append(out, text, 1));
    }
    return halo_buffer_append(out, "/", 1);
}

/* A folder for each column, and one in it for what it is. */
static halo_status append_tree(halo_buffer *out, const job_input *input)
{
    enum { DIGITS = 16 };
    for (int i = 0; i < input->count; i++) {
        char number[DIGITS];
        snprintf(number, sizeof number, "%d", i + 1);
        HALO_TRY(append_name(out, i < input->named ? input->name[i] : number));
        HALO_TRY(append_name(out, input->column[i]));
    }
    return HALO_OK;
}

/* The names of a job's files begin with this: a folder, or, where DIR has a place for inputs, a
 * file. */
typedef struct {
    halo_buffer text; /* ended by '\0' */
    bool is_folder;
    bool is_tree; /* a folder of this job's input alone */
} result_base;

static halo_status find_base(const tasks_job *job, int64_t i, result_base *base)
{
    const char *folder = job->options->results;
    halo_buffer *out = &base->text;
    *base = (result_base){.is_folder = true};
    HALO_TRY(tasks_expand(job, i, folder, out));
    const char *expanded = (const char *)out->data;
    size_t length = out->size - 1;
    bool slash = length > 0 && expanded[length - 1] == '/';
    base->is_tree = strcmp(expanded, folder) == 0;
    base->is_folder = base->is_tree || slash;
    if (!base->is_tree) {
        return HALO_OK;
    }
    job_input input;
    out->size = length;
    halo_status status = length > 0 && !slash ? halo_buffer_append(out, "/", 1) : HALO_OK;
    status = halo_status_first(status, job_inputs_at(&job->inputs, i, &input));
    HALO_IF_OK(status, append_tree(out, &input));
    job_input_free(&input);
    return halo_status_first(status, halo_buffer_append(out, "", 1));
}

enum { FILES = SHELL_STREAMS + 1 }; /* what is written to the streams, and the job's number */

/* The names of a job's files, [FILES]; the caller frees `text`. */
typedef struct {
    char *name[FILES];
    char *text;
} result_names;

static halo_status name_files(const result_base *base, result_names *out)
{
    static const char *const ends[2][FILES] = {{"", ".err", ".seq"}, {"stdout", "stderr", "seq"}};
    enum { LONGEST = 8 };
    const char *begin = (const char *)base->text.data;
    size_t room = strlen(begin) + LONGEST;
    HALO_TRY(HALO_ALLOCATE(out->text, FILES * room, "the names of files"));
    for (int i = 0; i < FILES; i++) {
        out->name[i] = out->text + (size_t)i * room;
        snprintf(out->name[i], room, "%s%s", begin, ends[base->is_folder][i]);
    }
    return HALO_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static halo_status fail(const char *path)
{
    return halo_fail(HALO_FILE, "cannot write \"%s\" of --results: %s", path, strerror(errno));
}

static halo_status open_result(const char *path, FILE **out)
{
    *out = fopen(path, "we");
    return *out != NULL ? HALO_OK : fail(path);
}

static halo_status write_piece(void *to, const void *data, size_t bytes)
{
    return fwrite(data, 1, bytes, to) == bytes ? HALO_OK : HALO_FILE;
}

static halo_status write_stream(tasks_job *job, int64_t task, int stream, const char *path)
{
    FILE *file;
    HALO_TRY(open_result(path, &file));
    const job_output *output = job->outputs[task];
    halo_status status =
        output != NULL ? stored_text_read(&job->store, &output->text[stream], write_piece, file)
                       : HALO_OK;
    bool closed = fclose(file) == 0;
    return status == HALO_OK && closed ? HALO_OK : status == HALO_MEMORY ? status : fail(path);
}

static halo_status write_number(int64_t number, const char *path)
{
    FILE *file;
    HALO_TRY(open_result(path, &file));
    fprintf(file, "%" PRId64, number);
    return fclose(file) == 0 ? HALO_OK : fail(path);
}

/* The folder of a file, and those that it is in. */
static halo_status make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        halo_status status = halo_folder_make(path);
        *slash = '/';
        HALO_TRY(status);
    }
    return HALO_OK;
}

static halo_status write_files(tasks_job *job, int64_t task, const result_names *names)
{
    halo_status status = make_folders(names->name[0]);
    for (int i = 0; i < SHELL_STREAMS && status == HALO_OK; i++) {
        status = write_stream(job, task, i, names->name[i]);
    }
    return status == HALO_OK ? write_number(job->todo[task] + 1, names->name[SHELL_STREAMS])
                             : status;
}

halo_status results_write(tasks_job *job, int64_t task)
{
    result_base base;
    result_names names = {.text = NULL};
    halo_status status = find_base(job, job->todo[task], &base);
    HALO_IF_OK(status, name_files(&base, &names));
    HALO_IF_OK(status, write_files(job, task, &names));
    free(names.text);
    halo_buffer_free(&base.text);
    return status;
}

/* ---- before the run -------------------------------------------------------------------------- */

typedef struct {
    char *base;
    int64_t job;
} result_name;

static int compare_names(const void *x, const void *y)
{
    const result_name *a = x, *b = y;
    int order = strcmp(a->base, b->base);
    return order != 0 ? order : (a->job > b->job) - (a->job < b->job);
}

static halo_status find_names(const tasks_job *job, result_name *names)
{
    for (int64_t i = 0; i < job->inputs.count; i++) {
        result_base base;
        halo_status status = find_base(job, i, &base);
        names[i] = (result_name){(char *)base.text.data, i};
        HALO_TRY(status);
    }
    return HALO_OK;
}

/* GNU parallel writes one table for such a name. */
static halo_status refuse_tables(const char *name)
{
    static const char *const endings[] = {".csv", ".tsv", ".json"};
    size_t length = strlen(name);
    bool is_pattern = strchr(name, '{') != NULL; /* of the names of files for each job */
    for (size_t i = 0; !is_pattern && i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        HALO_FAIL_IF(
            length >= ending && strcmp(name + length - ending, endings[i]) == 0, HALO_ARGUMENT,
            "--results \"%s\" of GNU parallel, which is one table, is not offered; write a folder, "
            "such as --results \"%s/\", and --joblog for a table without what jobs write",
            name, name);
    }
    return HALO_OK;
}

static halo_status check_bases(const tasks_job *job)
{
    result_name *names;
    int64_t count = job->inputs.count;
    HALO_TRY(HALO_ALLOCATE(names, count, "names of --results"));
    halo_status status = find_names(job, names);
    if (status == HALO_OK) {
        qsort(names, (size_t)count, sizeof *names, compare_names);
    }
    for (int64_t i = 1; i < count && status == HALO_OK; i++) {
        if (strcmp(names[i - 1].base, names[i].base) == 0) {
            status =
                halo_fail(HALO_ARGUMENT,
                          "jobs %" PRId64 " and %" PRId64
                          " would both write \"%s\" of --results; put {#} into its name, as in "
                          "--results 'DIR/{#}/'",
                          names[i - 1].job + 1, names[i].job + 1, names[i].base);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        free(names[i].base);
    }
    free(names);
    return status;
}

/* Folders that are made on the way go: of what is not there, "NEW/../" is nothing. */
static void leave_out_new_folders(char *path)
{
    char *up = path;
    while ((up = strstr(up + 1, "/../")) != NULL) {
        struct stat there;
        *up = '\0';
        const char *slash = strrchr(path, '/');
        char *name = path + (slash != NULL ? slash + 1 - path : 0);
        bool made = name[0] != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
                    stat(path, &there) != 0;
        *up = '/';
        if (made) {
            memmove(name, up + strlen("/../"), strlen(up + strlen("/../")) + 1);
            up = path;
        }
    }
}

/* A file called "-" is no standard input or output here. */
static halo_status add_plain(app_files *files, app_file_use use, const char *path)
{
    char *named;
    size_t room = strlen(path) + strlen("./") + 1;
    HALO_TRY(HALO_ALLOCATE(named, room, "the name of a file"));
    snprintf(named, room, "%s%s", halo_is_standard(path) ? "./" : "", path);
    halo_status status = app_files_add(files, use, named);
    free(named);
    return status;
}

static halo_status add_results(app_files *files, const result_base *base)
{
    struct stat there;
    result_names names = {.text = NULL};
    /* Nothing is in the new folder of one job. */
    if (base->is_tree && stat((const char *)base->text.data, &there) != 0) {
        return HALO_OK;
    }
    halo_status status = name_files(base, &names);
    for (int i = 0; i < FILES && status == HALO_OK; i++) {
        leave_out_new_folders(names.name[i]);
        status = add_plain(files, APP_PLAIN, names.name[i]);
    }
    free(names.text);
    return status;
}

/* Inputs that are names of files. */
static halo_status add_input(app_files *files, const tasks_job *job, int64_t i)
{
    struct stat there;
    job_input input;
    halo_status status = job_inputs_at(&job->inputs, i, &input);
    for (int c = 0; status == HALO_OK && c < input.count; c++) {
        if (stat(input.column[c], &there) == 0 && S_ISREG(there.st_mode)) {
            status = add_plain(files, APP_NAMED, input.column[c]);
        }
    }
    job_input_free(&input);
    return status;
}

static halo_status add_files(void *context, app_files *files)
{
    const tasks_job *job = context;
    halo_status status = tasks_add_files(job->run, files);
    for (int64_t i = 0; i < job->inputs.count && status == HALO_OK; i++) {
        result_base base;
        status = find_base(job, i, &base);
        HALO_IF_OK(status, add_results(files, &base));
        halo_buffer_free(&base.text);
        status = status == HALO_OK ? add_input(files, job, i) : status;
    }
    return status;
}

halo_status results_check(tasks_job *job)
{
    HALO_TRY(refuse_tables(job->options->results));
    HALO_TRY(check_bases(job));
    return app_files_check_also(job->run, add_files, job);
}
