#define _POSIX_C_SOURCE 200809L
#include "io/image/pieces.h"

#include "base/filename_pattern.h"
#include "base/memory.h"
#include "base/read_at.h"
#include "base/standard.h"
#include "base/text.h"
#include "io/image/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct halo_pieces {
    halo_buffer text; /* the names, each followed by a 0 byte */
    int64_t *begins;  /* [count] where each name begins there */
    int64_t count;
    int64_t bytes;                  /* of the samples in a file, decoded */
    int64_t at;                     /* the file that is open; -1: none */
    int64_t skip;                   /* bytes before the first sample in it */
    int64_t left;                   /* bytes that it still has, of encoded samples */
    halo_image_described described; /* how the samples lie in each */
};

static const int64_t MOST_PIECES = (int64_t)1 << 17, MOST_TEXT = (int64_t)1 << 24;

static const char *name_of(const halo_pieces *pieces, int64_t i)
{
    return (const char *)pieces->text.data + pieces->begins[i];
}

/* ---- names ----------------------------------------------------------------------------------- */

static halo_status fail_many(const halo_image_reader *reader)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the header names more than %" PRId64 " files of samples; save fewer that "
                     "are larger",
                     reader->path, MOST_PIECES);
}

/* Names are relative to the folder of the header. */
static halo_status add_name(const halo_image_reader *reader, const char *name, size_t length)
{
    halo_pieces *p = reader->pieces;
    const char *slash = strrchr(reader->path, '/');
    size_t folder = *name == '/' || slash == NULL ? 0 : (size_t)(slash - reader->path) + 1;
    if (p->count == MOST_PIECES) {
        return fail_many(reader);
    }
    p->begins[p->count++] = (int64_t)p->text.size;
    HALO_TRY(halo_buffer_append(&p->text, reader->path, folder));
    HALO_TRY(halo_buffer_append(&p->text, name, length));
    return halo_buffer_append(&p->text, "", 1);
}

/* The rest of the header, from `at` on. */
static halo_status read_rest(halo_image_reader *reader, int64_t at, halo_buffer *out)
{
    const unsigned char *bytes;
    size_t taken = 1;
    for (int64_t left = at; left > 0 && taken > 0; left -= (int64_t)taken) {
        taken = halo_source_take(&reader->source, (size_t)left, &bytes);
    }
    while ((taken = halo_source_take(&reader->source, SIZE_MAX, &bytes)) > 0) {
        if ((int64_t)(out->size + taken) > MOST_TEXT) {
            return halo_fail(HALO_FORMAT,
                             "%s: the list of files of samples is longer than %" PRId64
                             " bytes; save fewer that are larger",
                             reader->path, MOST_TEXT);
        }
        HALO_TRY(halo_buffer_append(out, bytes, taken));
    }
    return reader->source.status;
}

/* One name a line, without blanks around it. */
static halo_status add_lines(const halo_image_reader *reader, halo_buffer *text)
{
    bool carriage = false;
    text->size = halo_text_end_lines(text->data, text->size, &carriage);
    const char *blanks = " \t", *at = (const char *)text->data, *end = at + text->size;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const char *next = line_end != NULL ? line_end + 1 : end;
        line_end = line_end != NULL ? line_end : end;
        for (; at < line_end && strchr(blanks, *at) != NULL; at++) {
        }
        for (; at < line_end && strchr(blanks, line_end[-1]) != NULL; line_end--) {
        }
        if (at < line_end && memchr(at, '\0', (size_t)(line_end - at)) == NULL) {
            HALO_TRY(add_name(reader, at, (size_t)(line_end - at)));
        }
        at = next;
    }
    return HALO_OK;
}

static halo_status add_list(halo_image_reader *reader, const halo_image_described *d)
{
    halo_buffer text = {0};
    halo_status status = read_rest(reader, d->list_at, &text);
    if (status == HALO_OK && text.size > 0) {
        status = add_lines(reader, &text);
    }
    halo_buffer_free(&text);
    return status;
}

static halo_status add_numbered(halo_image_reader *reader, const halo_image_described *d)
{
    char name[FILENAME_SIZE];
    filename_pattern pattern;
    HALO_TRY(halo_filename_parse(&pattern, d->data));
    int64_t count = (d->last - d->first) / d->step + 1;
    if (count > MOST_PIECES) {
        return fail_many(reader);
    }
    for (int64_t i = 0; i < count; i++) {
        halo_filename_print(&pattern, d->first + i * d->step, name);
        HALO_TRY(add_name(reader, name, strlen(name)));
    }
    return HALO_OK;
}

halo_status halo_pieces_find(halo_image_reader *reader, const halo_image_described *described)
{
    halo_pieces *p;
    if (halo_is_standard(reader->path)) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header's samples are in other files; give the header by its "
                         "name, so that they can be found",
                         reader->path);
    }
    HALO_TRY(HALO_ALLOCATE(p, 1, "names of files"));
    reader->pieces = p;
    p->at = -1;
    p->described = *described;
    HALO_TRY(HALO_ALLOCATE(p->begins, MOST_PIECES, "names of files"));
    HALO_TRY(described->listed ? add_list(reader, described) : add_numbered(reader, described));
    if (p->count == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header ends before the names of the files with its samples; add "
                         "them, one a line",
                         reader->path);
    }
    reader->data_path = strdup(name_of(p, 0));
    return reader->data_path != NULL ? HALO_OK
                                     : halo_fail(HALO_MEMORY, "out of memory: names of files");
}

halo_status halo_pieces_each(const halo_image_reader *reader, halo_name_take *take, void *context)
{
    for (int64_t i = 0; i < reader->pieces->count; i++) {
        HALO_TRY(take(context, name_of(reader->pieces, i), false));
    }
    return HALO_OK;
}

void halo_pieces_destroy(halo_pieces **pieces)
{
    if (*pieces != NULL) {
        halo_buffer_free(&(*pieces)->text);
        free((*pieces)->begins);
        free(*pieces);
        *pieces = NULL;
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Check the number of files that the header names: the product of the axes behind those of a file.
 * If each file has all axes, any number that divides the slowest axis is right. */
static halo_status check_count(const halo_image_reader *reader, const halo_image_described *d)
{
    halo_pieces *p = reader->pieces;
    int dims = d->dims > 0 ? d->dims : d->axes - 1;
    int64_t samples = d->channels, files = 1; /* whose product fits, as the layout has it */
    for (int i = 0; i < d->axes; i++) {
        *(i < dims ? &samples : &files) *= d->sizes[i];
    }
    bool slabs = dims == d->axes && d->sizes[d->axes - 1] % p->count == 0;
    if (dims > d->axes || (slabs ? 0 : files != p->count)) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header names %" PRId64 " file%s of samples, and its sizes make "
                         "%" PRId64 " of %d axes; correct one of them",
                         reader->path, p->count, p->count == 1 ? "" : "s", files, dims);
    }
    samples = slabs ? samples / p->count : samples;
    p->bytes = samples * (int64_t)reader->layout.sample_bytes;
    return HALO_OK;
}

static halo_status fail_file(const halo_image_reader *reader, int64_t i, const char *why)
{
    return halo_fail(HALO_FILE,
                     "%s: samples %" PRId64 " of %" PRId64 " are to be in %s, which %s; put them "
                     "there, or correct the header",
                     reader->path, i + 1, reader->pieces->count, name_of(reader->pieces, i), why);
}

static halo_status check_file(halo_image_reader *reader, int64_t i, bool encoded)
{
    char why[160];
    struct stat about;
    const halo_pieces *p = reader->pieces;
    const halo_image_described *d = &p->described;
    if (stat(name_of(p, i), &about) != 0) {
        snprintf(why, sizeof why, "cannot be opened: %s", strerror(errno));
        return fail_file(reader, i, why);
    }
    if (!S_ISREG(about.st_mode)) {
        return fail_file(reader, i, "is no plain file");
    }
    int64_t before = d->offset > 0 ? d->offset : 0, there = (int64_t)about.st_size;
    if (!encoded && (there < before || there - before - d->skip_bytes < p->bytes)) {
        snprintf(why, sizeof why, "has %" PRId64 " bytes, and needs %" PRId64, there,
                 before + d->skip_bytes + p->bytes);
        return fail_file(reader, i, why);
    }
    reader->info.file_bytes += there;
    return HALO_OK;
}

/* Samples are the last bytes of a file, or behind some lines and bytes. */
static halo_status find_first(halo_image_reader *reader, int64_t i)
{
    halo_pieces *p = reader->pieces;
    const halo_image_described *d = &p->described;
    struct stat about;
    if (fstat(reader->file, &about) != 0) {
        return fail_file(reader, i, strerror(errno));
    }
    p->skip = d->offset < 0 ? (int64_t)about.st_size - p->bytes : d->offset;
    HALO_TRY(d->offset >= 0 && d->skip_lines > 0
                 ? halo_image_pass_lines(reader, d->skip_lines, &p->skip)
                 : HALO_OK);
    p->skip += d->offset >= 0 ? d->skip_bytes : 0;
    return HALO_OK;
}

static halo_status open_plain(halo_image_reader *reader, int64_t i)
{
    halo_pieces *p = reader->pieces;
    if (i == p->at) {
        return HALO_OK;
    }
    if (reader->file >= 0) {
        close(reader->file);
    }
    p->at = i;
    reader->file = open(name_of(p, i), O_RDONLY | O_CLOEXEC);
    if (reader->file < 0) {
        p->at = -1;
        return fail_file(reader, i, strerror(errno));
    }
    return find_first(reader, i);
}

static halo_status pass_bytes(halo_image_reader *reader, int64_t row, halo_pieces_stream *read)
{
    enum { PASSED = 4096 };
    char passed[PASSED];
    for (int64_t left = reader->pieces->described.skip_bytes; left > 0; left -= PASSED) {
        HALO_TRY(read(reader, row, passed, (size_t)(left < PASSED ? left : PASSED)));
    }
    return HALO_OK;
}

/* The name of the file that is open is that of messages. */
static halo_status open_encoded(halo_image_reader *reader, int64_t i)
{
    halo_pieces *p = reader->pieces;
    const halo_image_described *d = &p->described;
    char *name = strdup(name_of(p, i));
    if (name == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: names of files");
    }
    free(reader->data_path);
    reader->data_path = name;
    halo_unpacker_destroy(&reader->unpacker);
    halo_source_close(&reader->source);
    HALO_TRY(halo_source_open(&reader->source, name, NULL, 0, false));
    HALO_TRY(halo_image_pass_head(reader, d->offset < 0 ? 0 : d->offset, d->skip_lines));
    p->at = i;
    p->left = p->bytes;
    reader->texts = d->encoding == HALO_IMAGE_TEXT;
    return reader->texts                     ? HALO_OK
           : d->encoding == HALO_IMAGE_BZIP2 ? halo_unpacker_create_bzip2(&reader->unpacker, reader)
                                             : halo_unpacker_create(&reader->unpacker, reader);
}

halo_status halo_pieces_start(halo_image_reader *reader, const halo_image_described *described)
{
    halo_pieces *p = reader->pieces;
    bool encoded = described->encoding != HALO_IMAGE_RAW;
    p->described = *described;
    HALO_TRY(check_count(reader, described));
    reader->info.file_bytes = 0;
    for (int64_t i = 0; i < p->count; i++) {
        HALO_TRY(check_file(reader, i, encoded));
    }
    reader->info.random_access = !encoded;
    return encoded ? open_encoded(reader, 0) : open_plain(reader, 0);
}

/* ---- samples --------------------------------------------------------------------------------- */

static halo_status read_at(halo_image_reader *reader, int64_t at, void *out, size_t bytes,
                           int64_t row)
{
    int64_t got = halo_read_at(reader->file, out, bytes, at);
    return got == (int64_t)bytes
               ? HALO_OK
               : halo_fail(HALO_FILE, "%s: %s: %s (%" PRId64 " of %" PRId64 " rows could be read)",
                           reader->path, name_of(reader->pieces, reader->pieces->at),
                           got >= 0 ? "has become shorter" : strerror(errno), row,
                           reader->info.rows);
}

halo_status halo_pieces_read(halo_image_reader *reader, int64_t at, void *out, size_t bytes,
                             int64_t row)
{
    halo_pieces *p = reader->pieces;
    for (size_t done = 0; done < bytes;) {
        int64_t within = at % p->bytes, left = p->bytes - within;
        size_t now = (int64_t)(bytes - done) < left ? bytes - done : (size_t)left;
        HALO_TRY(open_plain(reader, at / p->bytes));
        HALO_TRY(read_at(reader, p->skip + within, (char *)out + done, now, row));
        done += now;
        at += (int64_t)now;
    }
    return HALO_OK;
}

halo_status halo_pieces_next(halo_image_reader *reader, int64_t row, void *out, size_t bytes,
                             halo_pieces_stream *read, size_t *taken)
{
    halo_pieces *p = reader->pieces;
    if (p->left == 0 && p->at + 1 < p->count) {
        HALO_TRY(reader->unpacker != NULL ? halo_unpacker_finish(reader->unpacker) : HALO_OK);
        HALO_TRY(open_encoded(reader, p->at + 1));
    }
    if (p->left == p->bytes) {
        HALO_TRY(pass_bytes(reader, row, read));
    }
    if (p->left == 0) { /* nobody asks for more than there is to be */
        return halo_image_fail_ended(reader, row);
    }
    *taken = (int64_t)bytes < p->left ? bytes : (size_t)p->left;
    HALO_TRY(read(reader, row, out, *taken));
    p->left -= (int64_t)*taken;
    return HALO_OK;
}
