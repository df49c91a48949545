#include "cli/tasks/job.h"

#include <stdlib.h>
#include <string.h>

/* Rank 0 keeps the output of a job until the job ends, or prints it at once with --line-buffer
 * and --ungroup. */

static job_output *output_of(tasks_job *job, int64_t task)
{
    if (job->outputs[task] == NULL) {
        job->outputs[task] = halo_memory_zeroed(1, sizeof(job_output), "what jobs write");
    }
    return job->outputs[task];
}

static void forget(tasks_job *job, int64_t task)
{
    output_drop(job, task);
    if (job->outputs[task] != NULL) {
        free(job->outputs[task]->tag);
        free(job->outputs[task]);
        job->outputs[task] = NULL;
    }
}

void output_drop(tasks_job *job, int64_t task)
{
    for (int i = 0; job->outputs[task] != NULL && i < SHELL_STREAMS; i++) {
        stored_text_drop(&job->store, &job->outputs[task]->text[i]);
    }
}

/* ---- printing -------------------------------------------------------------------------------- */

typedef struct {
    tasks_job *job;
    job_output *output;
    int stream;
} printing;

static halo_status make_tag(tasks_job *job, int64_t task)
{
    const tasks_options *options = job->options;
    const char *template = options->tagstring != NULL ? options->tagstring
                           : options->tag             ? "{}"
                                                      : NULL;
    job_output *output = job->outputs[task];
    if (template == NULL || output->tag != NULL) {
        return HALO_OK;
    }
    halo_buffer text = {0};
    halo_status status = tasks_expand(job, job->todo[task], template, &text);
    output->tag = (char *)text.data;
    return status;
}

/* Each line begins with the tag, and a tab. */
static bool write_tagged(FILE *to, job_output *output, int stream, const char *data, size_t bytes)
{
    bool good = true;
    while (good && bytes > 0) {
        const char *end = memchr(data, '\n', bytes);
        size_t length = end != NULL ? (size_t)(end - data) + 1 : bytes;
        good = (output->within_line[stream] || fprintf(to, "%s\t", output->tag) >= 0) &&
               fwrite(data, 1, length, to) == length;
        output->within_line[stream] = end == NULL;
        data += length;
        bytes -= length;
    }
    return good;
}

static halo_status print_piece(void *context, const void *data, size_t bytes)
{
    const printing *p = context;
    FILE *to = p->stream == SHELL_OUT ? stdout : stderr;
    bool good = p->output->tag != NULL ? write_tagged(to, p->output, p->stream, data, bytes)
                                       : fwrite(data, 1, bytes, to) == bytes;
    p->job->unwritten = p->job->unwritten || !good;
    return HALO_OK;
}

static halo_status print_stored(tasks_job *job, int64_t task, int stream)
{
    job_output *output = job->outputs[task];
    printing p = {job, output, stream};
    if (output->text[stream].bytes == 0) {
        return HALO_OK;
    }
    progress_end(&job->run->progress);
    HALO_TRY(make_tag(job, task));
    halo_status status = stored_text_read(&job->store, &output->text[stream], print_piece, &p);
    stored_text_drop(&job->store, &output->text[stream]);
    job->unwritten = fflush(stream == SHELL_OUT ? stdout : stderr) != 0 || job->unwritten;
    return status;
}

static halo_status print_all(tasks_job *job, int64_t task)
{
    halo_status status = HALO_OK;
    for (int i = 0; i < SHELL_STREAMS && job->outputs[task] != NULL; i++) {
        status = halo_status_first(status, print_stored(job, task, i));
    }
    return status;
}

/* ---- as jobs write --------------------------------------------------------------------------- */

static bool streams(const tasks_job *job)
{
    return (job->options->line_buffer || job->options->ungroup) && job->options->results == NULL;
}

/* How much of it can be printed at once. Jobs must not mix within a line, unless that was asked
 * for, or it is a job's turn. */
static size_t count_printable(const tasks_job *job, int64_t task, const char *data, size_t bytes)
{
    if (!streams(job)) {
        return 0;
    }
    if (job->options->ungroup || job->options->keep_order) {
        return job->options->ungroup || task == job->shown ? bytes : 0;
    }
    while (bytes > 0 && data[bytes - 1] != '\n') {
        bytes--;
    }
    return bytes;
}

halo_status output_take(tasks_job *job, int64_t task, int stream, const void *data, size_t bytes)
{
    job_output *output = output_of(job, task);
    if (output == NULL) {
        return HALO_MEMORY;
    }
    if (output->lost || bytes == 0) {
        return HALO_OK;
    }
    size_t printable = count_printable(job, task, data, bytes);
    if (printable > 0) {
        printing p = {job, output, stream};
        progress_end(&job->run->progress);
        HALO_TRY(make_tag(job, task));
        HALO_TRY(print_stored(job, task, stream));
        HALO_TRY(print_piece(&p, data, printable));
        job->unwritten = fflush(stream == SHELL_OUT ? stdout : stderr) != 0 || job->unwritten;
    }
    halo_status status = stored_text_append(&job->store, &output->text[stream],
                                            (const char *)data + printable, bytes - printable);
    if (status != HALO_OK) {
        output->lost = true;
        output_drop(job, task);
    }
    return status;
}

/* ---- when they end --------------------------------------------------------------------------- */

/* In the order of the list, as far as all before it are done. */
static halo_status print_in_order(tasks_job *job)
{
    halo_status status = HALO_OK;
    while (job->shown < job->todo_count && job->outputs[job->shown] != NULL &&
           job->outputs[job->shown]->there) {
        status = halo_status_first(status, print_all(job, job->shown));
        forget(job, job->shown++);
    }
    if (job->shown < job->todo_count && streams(job)) { /* now it is this one's turn */
        status = halo_status_first(status, print_all(job, job->shown));
    }
    return status;
}

halo_status output_end(tasks_job *job, int64_t task)
{
    job_output *output = output_of(job, task);
    if (output == NULL) {
        return HALO_MEMORY;
    }
    output->there = true;
    if (job->options->results != NULL) {
        forget(job, task);
        return HALO_OK;
    }
    if (job->options->keep_order) {
        return print_in_order(job);
    }
    halo_status status = print_all(job, task);
    forget(job, task);
    return status;
}

void output_close(tasks_job *job)
{
    for (int64_t task = 0; job->outputs != NULL && task < job->todo_count; task++) {
        if (job->outputs[task] != NULL && job->outputs[task]->there) {
            tasks_keep_failure(job, print_all(job, task));
        }
        forget(job, task);
    }
    output_store_close(&job->store);
    free(job->outputs);
    job->outputs = NULL;
}
