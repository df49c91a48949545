#include "cli/tasks/job.h"

#include "base/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The list of jobs: inputs, commands, and which of them are to be done. */

halo_status tasks_command_of(void *context, int64_t i, char **out)
{
    const tasks_job *job = context;
    const tasks_words *words = job->words;
    const template_use use = {.number = i + 1, .quoted = true, .behind = true};
    halo_buffer text = {0};
    job_input input;
    halo_status status = job_inputs_at(&job->inputs, i, &input);
    HALO_IF_OK(status, template_expand(&text, words->command, words->command_count, &input, &use));
    job_input_free(&input);
    if (status != HALO_OK) {
        halo_buffer_free(&text);
    }
    *out = (char *)text.data;
    return status;
}

halo_status tasks_expand(const tasks_job *job, int64_t i, const char *template, halo_buffer *out)
{
    const template_use use = {.number = i + 1};
    char *const words[] = {(char *)template};
    job_input input;
    halo_status status = job_inputs_at(&job->inputs, i, &input);
    HALO_IF_OK(status, template_expand(out, words, 1, &input, &use));
    job_input_free(&input);
    return status;
}

static halo_status find_todo(tasks_job *job)
{
    bool *done;
    int64_t count = job->inputs.count;
    HALO_TRY(HALO_ALLOCATE(job->todo, count, "a list of jobs"));
    HALO_TRY(HALO_ALLOCATE(done, count, "a list of jobs"));
    halo_status status = HALO_OK;
    if (job->options->resume) {
        status = job_log_read(&job->log, count, tasks_command_of, job, done);
    }
    for (int64_t i = 0; i < count; i++) {
        job->todo[job->todo_count] = i;
        job->todo_count += !done[i];
    }
    free(done);
    return status;
}

halo_status tasks_read_jobs(tasks_job *job)
{
    const tasks_options *options = job->options;
    const tasks_words *words = job->words;
    /* An empty line is an input, as for GNU parallel, but no command. */
    const input_options how = {.files = options->files.name,
                               .file_count = options->files.count,
                               .colsep = options->colsep,
                               .end = options->null ? '\0' : '\n',
                               .header = options->header != NULL,
                               .empty = words->command_count > 0 && !options->skip_empty};
    HALO_TRY(template_check(words->command, words->command_count));
    HALO_TRY(job_inputs_read(&job->inputs, words, &how));
    /* Before any file is made. */
    HALO_TRY(options->results != NULL && !options->dry_run ? results_check(job) : HALO_OK);
    HALO_TRY(options->log != NULL ? job_log_open(&job->log, options->log, !options->dry_run)
                                  : HALO_OK);
    return find_todo(job);
}

halo_status tasks_print_commands(tasks_job *job)
{
    for (int64_t i = 0; i < job->todo_count; i++) {
        char *command;
        HALO_TRY(tasks_command_of(job, job->todo[i], &command));
        if (isatty(STDOUT_FILENO)) { /* else another program may read them */
            halo_make_printable(command);
        }
        puts(command);
        free(command);
    }
    return HALO_OK;
}
