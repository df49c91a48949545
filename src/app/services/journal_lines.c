#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "app/paths/append.h"
#include "app/services/journal_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

/* ---- whose it is ----------------------------------------------------------------------------- */

halo_status journal_key(const app_journal_job *job, char **out)
{
    char *text = NULL;
    size_t length = 0;
    XXH64_hash_t names = 0;
    for (int64_t i = 0; job->name != NULL && i < job->tasks; i++) {
        const char *name = job->name(job->context, i);
        names = XXH3_64bits_withSeed(name, strlen(name) + 1, names);
    }
    FILE *to = open_memstream(&text, &length);
    HALO_FAIL_IF(to == NULL, HALO_MEMORY, "out of memory: a journal");
    for (const char *at = job->says; *at != '\0'; at++) {
        putc(*at == '\n' ? ' ' : *at, to);
    }
    if (job->source != NULL) {
        fprintf(to, "; images of %s\n", job->source);
    } else {
        fprintf(to, "; %" PRId64 " tasks, list %016" PRIx64 "\n", job->tasks, (uint64_t)names);
    }
    bool written = fclose(to) == 0;
    *out = text;
    return HALO_REQUIRE(written, HALO_MEMORY, "out of memory: a journal");
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
static halo_status scan_line(app_journal *journal, journal_entry *one, bool *good, int *last)
{
    uint64_t sum;
    size_t begin = journal->found.size + sizeof *one;
    bool is_one;
    *good = false;
    one->task = scan_task(journal->file, last);
    HALO_TRY(journal_meet(journal, one->task, &is_one));
    if (!is_one || !scan_checksum(journal->file, &sum, last)) {
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
    journal_entry one = {0};
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
    return HALO_REQUIRE(same || !*more, HALO_FORMAT,
                        "the journal \"%s\" belongs to another job: \"%s\" there, and \"%.*s\" "
                        "here; use another journal, or remove it",
                        journal->path, there, (int)strcspn(key, "\n"), key);
}

halo_status journal_read_lines(app_journal *journal, const char *key)
{
    bool more = true;
    HALO_TRY(check_key(journal, key, &more));
    while (more) {
        HALO_TRY(take_line(journal, &more));
    }
    HALO_FAIL_IF(ferror(journal->file), HALO_FILE, "cannot read \"%s\": %s", journal->path,
                 strerror(errno));
    return HALO_OK;
}

halo_status journal_write_line(app_journal *journal, int64_t task, const void *data, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
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
