#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "app/services/journal.h"

#include "app/paths/append.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const app_append_kind kind = {
    .noun = "journal", .heading = "halobeat journal 2\n", .family = "halobeat journal "};

/* A finished task, in the buffer of all, before its result. */
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
    size_t *where;      /* [tasks], the same: offset of a task's last entry in these */
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

/* A line is "TASK CHECKSUM RESULT". It is read a character at a time and kept only as far as it is
 * one, since a damaged file may have lines of any length. The checksum is that of the result, with
 * the task's number. */
static uint64_t checksum(int64_t task, const void *data, size_t bytes)
{
    return XXH3_64bits_withSeed(data, bytes, (XXH64_hash_t)task);
}

static halo_status fail_damaged(const app_journal *journal)
{
    return halo_fail(HALO_FORMAT,
                     "the journal \"%s\" is damaged in line %" PRId64 "; remove the line, whose "
                     "task is then done again, or the journal",
                     journal->path, journal->line_count);
}

/* The value of a hexadecimal digit, or -1. */
static int digit_of(int character)
{
    return character >= '0' && character <= '9'   ? character - '0'
           : character >= 'a' && character <= 'f' ? character - 'a' + 10
                                                  : -1;
}

/* Reads digits up to a blank; -1 if there are none, or too many. *last is the character behind. */
static int64_t scan_task(FILE *file, int *last)
{
    enum { MAX_DIGITS = 18 };
    int64_t value = 0;
    int digits = 0;
    while (*last = getc(file), *last >= '0' && *last <= '9') {
        if (digits == MAX_DIGITS) {
            return -1;
        }
        value = 10 * value + *last - '0';
        digits++;
    }
    return *last == ' ' && digits > 0 ? value : -1;
}

static bool scan_checksum(FILE *file, uint64_t *value, int *last)
{
    enum { DIGITS = 16 };
    *value = 0;
    for (int i = 0; i < DIGITS; i++) {
        *last = getc(file);
        if (digit_of(*last) < 0) {
            return false;
        }
        *value = *value << 4 | (uint64_t)digit_of(*last);
    }
    *last = getc(file);
    return *last == ' ';
}

/* Appends the bytes that pairs of digits say, to the end of the line. */
static halo_status scan_result(FILE *file, halo_buffer *out, bool *good, int *last)
{
    unsigned char part[1024];
    size_t count = 0;
    int high;
    while (high = digit_of(*last = getc(file)), high >= 0) {
        int low = digit_of(*last = getc(file));
        if (low < 0) {
            return HALO_OK;
        }
        part[count++] = (unsigned char)(16 * high + low);
        if (count == sizeof part) {
            HALO_TRY(halo_buffer_append(out, part, count));
            count = 0;
        }
    }
    *good = *last == '\n';
    return halo_buffer_append(out, part, count);
}

/* *good: this is a line, and the entry is appended. *last is the last character that was read. */
static halo_status scan_line(app_journal *journal, entry *one, bool *good, int *last)
{
    uint64_t sum;
    size_t begin = journal->found.size + sizeof *one;
    *good = false;
    one->task = scan_task(journal->file, last);
    if (one->task < 0 || one->task >= journal->tasks || !scan_checksum(journal->file, &sum, last)) {
        return HALO_OK;
    }
    HALO_TRY(halo_buffer_append(&journal->found, one, sizeof *one));
    HALO_TRY(scan_result(journal->file, &journal->found, good, last));
    if (*good) {
        one->bytes = journal->found.size - begin;
        memcpy(journal->found.data + begin - sizeof *one, one, sizeof *one);
        *good = sum == checksum(one->task, journal->found.data + begin, one->bytes);
    }
    return HALO_OK;
}

/* Reads the rest of a line. Returns false if the file ends before the line does. */
static bool skip_line(FILE *file, int last)
{
    while (last != '\n' && last != EOF) {
        last = getc(file);
    }
    return last == '\n';
}

/* *more is false at the end. What is there of a line that was cut off is left out. */
static halo_status take_line(app_journal *journal, bool *more)
{
    size_t before = journal->found.size;
    entry one = {0};
    bool good;
    int last;
    journal->line_count++;
    HALO_TRY(scan_line(journal, &one, &good, &last));
    if (good) {
        journal->has[one.task] = 1;
        journal->where[one.task] = before;
        return HALO_OK;
    }
    journal->found.size = before;
    *more = skip_line(journal->file, last);
    return *more ? fail_damaged(journal) : HALO_OK;
}

/* Compares the next line with `key` and keeps its beginning. *whole: it has an end. */
static bool is_next_line(FILE *file, const char *key, char *there, size_t size, bool *whole)
{
    size_t at = 0, kept = 0;
    bool same = true;
    int c;
    do {
        c = getc(file);
        same = same && c == (unsigned char)key[at];
        at += same;
        if (c != '\n' && c != EOF && kept + 1 < size) {
            there[kept++] = (char)c;
        }
    } while (c != '\n' && c != EOF);
    there[kept] = '\0';
    *whole = c == '\n';
    return same;
}

/* The second line says whose journal it is. A run that was killed before it wrote this line has
 * done nothing: *more is false. */
static halo_status check_key(app_journal *journal, const char *key, bool *more)
{
    char there[HALO_MESSAGE_SIZE / 2];
    journal->line_count = 1;
    bool same = is_next_line(journal->file, key, there, sizeof there, more);
    journal->line_count += *more;
    return same || !*more
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "the journal \"%s\" belongs to another job: \"%s\" there, and "
                           "\"%.*s\" here; use another journal, or remove it",
                           journal->path, there, (int)strcspn(key, "\n"), key);
}

enum { HEAD_LINES = 2 };

static halo_status read_lines(app_journal *journal, const char *key)
{
    bool more = true;
    HALO_TRY(check_key(journal, key, &more));
    while (more) {
        HALO_TRY(take_line(journal, &more));
    }
    return ferror(journal->file)
               ? halo_fail(HALO_FILE, "cannot read \"%s\": %s", journal->path, strerror(errno))
               : HALO_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Results of before, whose inputs may have changed since. */
static halo_status check_tasks(app_journal *journal, const app_journal_job *job)
{
    for (int64_t task = 0; job->check != NULL && task < job->tasks; task++) {
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
    halo_status status = write_key(job, &key);
    if (status == HALO_OK && begun) {
        status = read_lines(journal, key);
    }
    if (status == HALO_OK) {
        status = check_tasks(journal, job);
    }
    if (status == HALO_OK) {
        status = app_append_begin(journal->file, journal->path, &kind, begun);
    }
    if (status == HALO_OK && journal->line_count < HEAD_LINES) {
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
    bool begun;
    char *key = NULL;
    HALO_TRY(app_append_read(&journal->file, journal->path, &kind, &begun));
    halo_status status = write_key(job, &key);
    if (status == HALO_OK && begun) {
        status = read_lines(journal, key);
    }
    free(key);
    return status == HALO_OK && journal->line_count < HEAD_LINES
               ? halo_fail(HALO_FORMAT, "the journal \"%s\" is empty", journal->path)
               : status;
}

halo_status app_journal_load(app_journal **out, const char *path, const app_journal_job *job)
{
    *out = NULL;
    halo_status status = create(out, path, job);
    if (status == HALO_OK) {
        status = load_lines(*out, job);
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
    fprintf(journal->file, "%" PRId64 " %016" PRIx64 " ", task, checksum(task, data, bytes));
    fwrite(journal->line.data, 1, 2 * bytes, journal->file);
    putc('\n', journal->file);
    return app_append_flush(journal->file, journal->path);
}
