#include "app/paths/append.h"
#include "app/services/journal_internal.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

static const app_append_kind kind = {.noun = "journal", .heading = "halobeat journal 1\n"};

/* A number far beyond those that are there is none of a line that a run wrote. */
halo_status journal_meet(app_journal *journal, int64_t task, bool *is_one)
{
    enum { FURTHER = 1 << 16 };
    *is_one = task >= 0 && task < journal->tasks + (journal->grows ? FURTHER : 0);
    for (; *is_one && journal->tasks <= task; journal->tasks++) {
        int64_t last = journal->tasks;
        HALO_TRY(halo_grow(&journal->has, &journal->room[0], last, 1, "a journal"));
        HALO_TRY(halo_grow(&journal->where, &journal->room[1], last, sizeof *journal->where,
                           "a journal"));
        journal->has[last] = 0;
        journal->where[last] = 0;
    }
    return HALO_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Results of before, whose inputs may have changed since. */
static halo_status check_tasks(app_journal *journal, const app_journal_job *job)
{
    for (int64_t task = 0; job->check != NULL && task < journal->tasks; task++) {
        bool done = true;
        if (journal->has[task]) {
            size_t bytes;
            const void *data = app_journal_found(journal, task, &bytes);
            HALO_TRY(job->check(job->context, task, data, bytes, &done));
            journal->has[task] = done;
        }
    }
    return HALO_OK;
}

static halo_status read_journal(app_journal *journal, const app_journal_job *job)
{
    bool begun;
    char *key = NULL;
    HALO_TRY(app_append_open(&journal->file, journal->path, &kind, &begun));
    halo_status status = journal_key(job, &key);
    if (status == HALO_OK && begun) {
        status = journal_read_lines(journal, key);
    }
    HALO_IF_OK(status, check_tasks(journal, job));
    HALO_IF_OK(status, app_append_begin(journal->file, journal->path, &kind, begun));
    if (status == HALO_OK && journal->line_count < JOURNAL_HEAD_LINES) {
        fputs(key, journal->file);
        status = app_append_flush(journal->file, journal->path);
    }
    free(key);
    return status;
}

static halo_status create(app_journal **out, const char *path, const app_journal_job *job)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a journal"));
    app_journal *journal = *out;
    journal->tasks = job->tasks;
    journal->grows = job->source != NULL;
    HALO_TRY(HALO_ALLOCATE(journal->path, strlen(path) + 1, "a journal"));
    memcpy(journal->path, path, strlen(path));
    HALO_TRY(HALO_ALLOCATE(journal->has, job->tasks, "a journal"));
    HALO_TRY(HALO_ALLOCATE(journal->numbers, job->tasks, "a journal"));
    return HALO_ALLOCATE(journal->where, job->tasks, "a journal");
}

halo_status app_journal_open(app_journal **out, halo_world *world, const char *path,
                             const app_journal_job *job)
{
    *out = NULL;
    halo_status status = create(out, path, job);
    app_journal *journal = *out;
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        status = read_journal(journal, job);
    }
    status = halo_agree(world, status);
    HALO_IF_OK(status, halo_bcast(world, journal->has, (size_t)job->tasks, 0));
    for (int64_t task = 0; status == HALO_OK && task < job->tasks; task++) {
        if (!journal->has[task]) {
            journal->numbers[journal->left++] = task;
        }
    }
    if (status != HALO_OK) {
        app_journal_close(out);
    }
    return status;
}

/* ---- without writing to it ------------------------------------------------------------------- */

static halo_status load_lines(app_journal *journal, const app_journal_job *job)
{
    bool begun;
    char *key = NULL;
    HALO_TRY(app_append_read(&journal->file, journal->path, &kind, &begun));
    halo_status status = journal_key(job, &key);
    if (status == HALO_OK && begun) {
        status = journal_read_lines(journal, key);
    }
    free(key);
    return status == HALO_OK && journal->line_count < JOURNAL_HEAD_LINES
               ? halo_fail(HALO_FORMAT, "the journal \"%s\" is empty", journal->path)
               : status;
}

halo_status app_journal_load(app_journal **out, const char *path, const app_journal_job *job)
{
    *out = NULL;
    halo_status status = create(out, path, job);
    HALO_IF_OK(status, load_lines(*out, job));
    if (status != HALO_OK) {
        app_journal_close(out);
    }
    return status;
}

const void *app_journal_found(const app_journal *journal, int64_t task, size_t *bytes)
{
    journal_entry one;
    *bytes = 0;
    if (!journal->has[task]) {
        return NULL;
    }
    const unsigned char *at = journal->found.data + journal->where[task];
    memcpy(&one, at, sizeof one);
    *bytes = one.bytes;
    return at + sizeof one;
}

void app_journal_close(app_journal **out)
{
    app_journal *journal = *out;
    if (journal == NULL) {
        return;
    }
    if (journal->file != NULL) {
        fclose(journal->file);
    }
    halo_buffer_free(&journal->found);
    halo_buffer_free(&journal->line);
    free(journal->numbers);
    free(journal->where);
    free(journal->has);
    free(journal->path);
    free(journal);
    *out = NULL;
}

/* ---- using it -------------------------------------------------------------------------------- */

int64_t app_journal_left(const app_journal *journal, const int64_t **numbers)
{
    *numbers = journal->numbers;
    return journal->left;
}

halo_status app_journal_replay(const app_journal *journal,
                               halo_status (*collect)(void *context, int64_t task, const void *data,
                                                      size_t bytes),
                               void *context)
{
    for (size_t at = 0; at < journal->found.size;) {
        journal_entry one;
        memcpy(&one, journal->found.data + at, sizeof one);
        size_t next = at + sizeof one + one.bytes;
        if (journal->has[one.task] && journal->where[one.task] == at) {
            HALO_TRY(collect(context, one.task, journal->found.data + at + sizeof one, one.bytes));
        }
        at = next;
    }
    return HALO_OK;
}

halo_status app_journal_add(app_journal *journal, int64_t task, const void *data, size_t bytes)
{
    bool is_one;
    HALO_TRY(journal_meet(journal, task, &is_one));
    HALO_FAIL_IF(!is_one, HALO_ARGUMENT, "the journal \"%s\" has no task %lld", journal->path,
                 (long long)task);
    if (journal->has[task]) {
        return HALO_OK;
    }
    journal->has[task] = 1;
    return journal_write_line(journal, task, data, bytes);
}
