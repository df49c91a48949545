#define _POSIX_C_SOURCE 200809L /* fstat */
#include "cli/tasks/job.h"

#include "core/file/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What the names of a job's files begin with: a folder, or, where DIR has a place for inputs, a
 * file. *out is ended by '\0'. */
static halo_status find_base(const tasks_job *job, int64_t i, halo_buffer *out, bool *is_folder)
{
    const char *folder = job->options->results;
    HALO_TRY(tasks_expand(job, i, folder, out));
    const char *expanded = (const char *)out->data;
    bool places = strcmp(expanded, folder) != 0;
    size_t length = out->size - 1;
    *is_folder = !places || (length > 0 && expanded[length - 1] == '/');
    if (places) {
        return HALO_OK;
    }
    job_input input;
    out->size = length;
    halo_status status =
        length > 0 && expanded[length - 1] != '/' ? halo_buffer_append(out, "/", 1) : HALO_OK;
    status = halo_status_first(status, job_inputs_at(&job->inputs, i, &input));
    if (status == HALO_OK) {
        status = append_tree(out, &input);
    }
    job_input_free(&input);
    return halo_status_first(status, halo_buffer_append(out, "", 1));
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_same(const struct stat *file, const char *path)
{
    struct stat other;
    return path != NULL && stat(path, &other) == 0 && other.st_dev == file->st_dev &&
           other.st_ino == file->st_ino;
}

/* A file that this run reads or writes otherwise is not written over. */
static bool is_needed(const tasks_job *job, const struct stat *file)
{
    const tasks_options *options = job->options;
    bool needed = is_same(file, options->log) || is_same(file, options->failed);
    for (int i = 0; i < options->files.count; i++) {
        needed = needed || is_same(file, options->files.name[i]);
    }
    for (int s = 0; s < job->words->source_count; s++) {
        const tasks_source *source = &job->words->sources[s];
        for (int i = 0; source->is_file && i < source->count; i++) {
            needed = needed || is_same(file, source->words[i]);
        }
    }
    return needed;
}

static halo_status fail(const char *path)
{
    return halo_fail(HALO_FILE, "cannot write \"%s\" of --results: %s", path, strerror(errno));
}

static halo_status open_result(const tasks_job *job, const char *path, FILE **out)
{
    enum { ANYBODY = 0666 }; /* but for the user's mask */
    struct stat there;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, ANYBODY);
    if (file < 0 || fstat(file, &there) != 0) {
        halo_status status = fail(path);
        if (file >= 0) {
            close(file);
        }
        return status;
    }
    if (is_needed(job, &there)) {
        close(file);
        return halo_fail(HALO_FILE,
                         "\"%s\" of --results is a file that this run reads or writes otherwise; "
                         "use another folder",
                         path);
    }
    *out = ftruncate(file, 0) == 0 || errno == EINVAL ? fdopen(file, "w") : NULL;
    if (*out == NULL) {
        halo_status status = fail(path);
        close(file);
        return status;
    }
    return HALO_OK;
}

static halo_status write_piece(void *to, const void *data, size_t bytes)
{
    return fwrite(data, 1, bytes, to) == bytes ? HALO_OK : HALO_FILE;
}

static halo_status write_stream(tasks_job *job, int64_t task, int stream, const char *path)
{
    FILE *file;
    HALO_TRY(open_result(job, path, &file));
    const job_output *output = job->outputs[task];
    halo_status status =
        output != NULL ? stored_text_read(&job->store, &output->text[stream], write_piece, file)
                       : HALO_OK;
    bool closed = fclose(file) == 0;
    return status == HALO_OK && closed ? HALO_OK : status == HALO_MEMORY ? status : fail(path);
}

static halo_status write_number(tasks_job *job, int64_t number, const char *path)
{
    FILE *file;
    HALO_TRY(open_result(job, path, &file));
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

static halo_status write_files(tasks_job *job, int64_t task, const char *base, bool is_folder)
{
    static const char *const names[2][3] = {{"", ".err", ".seq"}, {"stdout", "stderr", "seq"}};
    enum { LONGEST = 8 };
    size_t room = strlen(base) + LONGEST;
    char *path;
    HALO_TRY(HALO_ALLOCATE(path, room, "the name of a file"));
    snprintf(path, room, "%s%s", base, names[is_folder][0]);
    halo_status status = make_folders(path);
    for (int i = 0; i < SHELL_STREAMS && status == HALO_OK; i++) {
        snprintf(path, room, "%s%s", base, names[is_folder][i]);
        status = write_stream(job, task, i, path);
    }
    if (status == HALO_OK) {
        snprintf(path, room, "%s%s", base, names[is_folder][2]);
        status = write_number(job, job->todo[task] + 1, path);
    }
    free(path);
    return status;
}

halo_status results_write(tasks_job *job, int64_t task)
{
    halo_buffer base = {0};
    bool is_folder = true;
    halo_status status = find_base(job, job->todo[task], &base, &is_folder);
    if (status == HALO_OK) {
        status = write_files(job, task, (const char *)base.data, is_folder);
    }
    halo_buffer_free(&base);
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
        halo_buffer base = {0};
        bool is_folder;
        halo_status status = find_base(job, i, &base, &is_folder);
        names[i] = (result_name){(char *)base.data, i};
        HALO_TRY(status);
    }
    return HALO_OK;
}

halo_status results_check(const tasks_job *job)
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
