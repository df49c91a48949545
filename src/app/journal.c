#define _DEFAULT_SOURCE /* getline, flock */
#include "app/journal.h"

#include "app/append.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/types.h>
#include <xxhash.h>

static const char heading[] = "halobeat journal 1\n";

/* A task that is done, in the buffer of all, before what it found. */
typedef struct {
    int64_t task;
    size_t bytes;
} entry;

struct app_journal {
    char *path;
    FILE *file;         /* rank 0 */
    unsigned char *has; /* [tasks], is it done? */
    int64_t tasks, left;
    int64_t *numbers;   /* [left] */
    halo_buffer found;  /* rank 0, or one that is loaded: entries that were read */
    size_t *where;      /* [tasks], one that is loaded: where a task's entry is in these */
    halo_buffer line;   /* scratch */
    int64_t line_count; /* read so far */
};

/* ---- whose it is ----------------------------------------------------------------------------- */

/* A line that tells jobs apart: what the job says, how many tasks, and a checksum of their names.
 */
static halo_status write_key(const app_journal_job *job, char **out)
{
    char *text = NULL;
    size_t length = 0;
    XXH64_hash_t names = 0;
    for (int64_t i = 0; job->name != NULL && i < job->tasks; i++) {
        const char *name = job->name(job->context, i);
        names = XXH3_64bits_withSeed(name, strlen(name) + 1, names);
    }
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a journal");
    }
    for (const char *at = job->says; *at != '\0'; at++) {
        putc(*at == '\n' ? ' ' : *at, to);
    }
    fprintf(to, "; %" PRId64 " tasks, list %016" PRIx64 "\n", job->tasks, (uint64_t)names);
    bool written = fclose(to) == 0;
    *out = text;
    return written ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a journal");
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Of 0 to 9 and a to f. */
static int digit_of(char character)
{
    return character <= '9' ? character - '0' : character - 'a' + 10;
}

static halo_status fail_damaged(const app_journal *journal)
{
    return halo_fail(HALO_FORMAT,
                     "the journal \"%s\" is damaged in line %" PRId64 "; remove the line, whose "
                     "task is then done again, or the journal",
                     journal->path, journal->line_count);
}

/* "TASK BYTES-IN-HEXADECIMAL-DIGITS". */
static halo_status take_line(app_journal *journal, const char *line, size_t length)
{
    int at = 0;
    entry one = {0};
    bool good = sscanf(line, "%" SCNd64 "%n", &one.task, &at) == 1 && line[at] == ' ' &&
                one.task >= 0 && one.task < journal->tasks;
    const char *digits = line + at + 1;
    size_t count = good ? length - (size_t)at - 2 : 0; /* without the line's end */
    if (!good || count % 2 != 0 || strspn(digits, "0123456789abcdef") != count) {
        return fail_damaged(journal);
    }
    if (journal->has[one.task]) {
        return HALO_OK;
    }
    journal->has[one.task] = 1;
    one.bytes = count / 2;
    HALO_TRY(halo_buffer_reserve(&journal->found, sizeof one + one.bytes));
    HALO_TRY(halo_buffer_append(&journal->found, &one, sizeof one));
    for (size_t i = 0; i < one.bytes; i++) {
        int byte = 16 * digit_of(digits[2 * i]) + digit_of(digits[2 * i + 1]);
        journal->found.data[journal->found.size++] = (unsigned char)byte;
    }
    return HALO_OK;
}

static halo_status fail_no_journal(const app_journal *journal)
{
    return halo_fail(HALO_FORMAT, "\"%s\" is no journal; use another file, or remove it",
                     journal->path);
}

static halo_status check_head(const app_journal *journal, const char *line, const char *key)
{
    if (journal->line_count == 1) {
        return strcmp(line, heading) == 0 ? HALO_OK : fail_no_journal(journal);
    }
    return strcmp(line, key) == 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "the journal \"%s\" belongs to another job: \"%.*s\" there, and "
                           "\"%.*s\" here; use another journal, or remove it",
                           journal->path, (int)strcspn(line, "\n"), line, (int)strcspn(key, "\n"),
                           key);
}

enum { HEAD_LINES = 2 };

static halo_status read_lines(app_journal *journal, const char *key)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    halo_status status = HALO_OK;
    rewind(journal->file);
    while (status == HALO_OK && (length = getline(&line, &room, journal->file)) > 0) {
        journal->line_count++;
        status = journal->line_count <= HEAD_LINES ? check_head(journal, line, key)
                                                   : take_line(journal, line, (size_t)length);
    }
    if (status == HALO_OK && ferror(journal->file)) {
        status = halo_fail(HALO_FILE, "cannot read \"%s\": %s", journal->path, strerror(errno));
    }
    free(line);
    fseek(journal->file, 0, SEEK_END);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A journal that was killed before it had a task begins anew. */
static halo_status begin(const app_journal *journal, const char *key)
{
    if (journal->line_count < 1) {
        fputs(heading, journal->file);
    }
    if (journal->line_count < HEAD_LINES) {
        fputs(key, journal->file);
    }
    return app_append_flush(journal->file, journal->path);
}

static halo_status read_journal(app_journal *journal, const app_journal_job *job)
{
    long size;
    char *key = NULL;
    HALO_TRY(app_append_open(&journal->file, journal->path, &size));
    /* Where the file system knows no locks there are none. */
    if (flock(fileno(journal->file), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return halo_fail(HALO_FILE,
                         "another run writes the journal \"%s\"; wait for its end, or use another "
                         "journal",
                         journal->path);
    }
    halo_status status = write_key(job, &key);
    if (status == HALO_OK && size > 0) {
        status = read_lines(journal, key);
    }
    if (status == HALO_OK) {
        status = begin(journal, key);
    }
    free(key);
    return status;
}

static halo_status create(app_journal **out, const char *path, const app_journal_job *job,
                          bool first)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a journal"));
    app_journal *journal = *out;
    journal->tasks = job->tasks;
    HALO_TRY(HALO_ALLOCATE(journal->path, strlen(path) + 1, "a journal"));
    memcpy(journal->path, path, strlen(path));
    HALO_TRY(HALO_ALLOCATE(journal->has, job->tasks, "a journal"));
    HALO_TRY(HALO_ALLOCATE(journal->numbers, job->tasks, "a journal"));
    return first ? read_journal(journal, job) : HALO_OK;
}

halo_status app_journal_open(app_journal **out, halo_world *world, const char *path,
                             const app_journal_job *job)
{
    *out = NULL;
    halo_status status = halo_agree(world, create(out, path, job, halo_world_rank(world) == 0));
    app_journal *journal = *out;
    if (status == HALO_OK) {
        status = halo_bcast(world, journal->has, (size_t)job->tasks, 0);
    }
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
    char *key = NULL;
    journal->file = fopen(journal->path, "rbe");
    if (journal->file == NULL) {
        return halo_fail(HALO_FILE, "cannot read \"%s\": %s", journal->path, strerror(errno));
    }
    halo_status status = write_key(job, &key);
    if (status == HALO_OK) {
        status = read_lines(journal, key);
    }
    free(key);
    return status == HALO_OK && journal->line_count < HEAD_LINES ? fail_no_journal(journal)
                                                                 : status;
}

halo_status app_journal_load(app_journal **out, const char *path, const app_journal_job *job)
{
    *out = NULL;
    halo_status status = create(out, path, job, false);
    app_journal *journal = *out;
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(journal->where, job->tasks, "a journal");
    }
    if (status == HALO_OK) {
        status = load_lines(journal, job);
    }
    for (size_t at = 0; status == HALO_OK && at < journal->found.size;) {
        entry one;
        memcpy(&one, journal->found.data + at, sizeof one);
        journal->where[one.task] = at;
        at += sizeof one + one.bytes;
    }
    if (status != HALO_OK) {
        app_journal_close(out);
    }
    return status;
}

const void *app_journal_found(const app_journal *journal, int64_t task, size_t *bytes)
{
    entry one;
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
        entry one;
        memcpy(&one, journal->found.data + at, sizeof one);
        at += sizeof one + one.bytes;
        HALO_TRY(collect(context, one.task, journal->found.data + at - one.bytes, one.bytes));
    }
    return HALO_OK;
}

halo_status app_journal_add(app_journal *journal, int64_t task, const void *data, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    if (journal->has[task]) {
        return HALO_OK;
    }
    journal->has[task] = 1;
    journal->line.size = 0;
    HALO_TRY(halo_buffer_reserve(&journal->line, 2 * bytes));
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte = ((const unsigned char *)data)[i];
        journal->line.data[2 * i] = (unsigned char)digits[byte >> 4];
        journal->line.data[2 * i + 1] = (unsigned char)digits[byte & 15];
    }
    fprintf(journal->file, "%" PRId64 " ", task);
    fwrite(journal->line.data, 1, 2 * bytes, journal->file);
    putc('\n', journal->file);
    return app_append_flush(journal->file, journal->path);
}
