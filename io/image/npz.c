#define _POSIX_C_SOURCE 200809L
#include "io/image/npy_internal.h"
#include "io/npy/archive.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/read_at.h"
#include "io/image/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NumPy's archives of arrays: FILE, or FILE:/NAME of one of the arrays in it. A stored array is
 * read in place; a deflated one in order, unless it is stored by columns: then it is unpacked into
 * a temporary file. */

static const char MAGIC[] = {'P', 'K', 3, 4}, EMPTY[] = {'P', 'K', 5, 6}, ENDING[] = ".npy";

static bool sniff(const unsigned char *bytes, size_t count)
{
    return count >= sizeof MAGIC &&
           (memcmp(bytes, MAGIC, sizeof MAGIC) == 0 || memcmp(bytes, EMPTY, sizeof EMPTY) == 0);
}

/* FILE:/NAME, of a file that begins so. */
static bool claims(const char *path)
{
    struct stat about;
    unsigned char first[sizeof MAGIC];
    size_t length = strstr(path, ":/") != NULL ? halo_name_there(path, &about) : 0;
    char *name = length > 0 && path[length] != '\0' ? strndup(path, length) : NULL;
    int file = name != NULL ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    bool is = file >= 0 && pread(file, first, sizeof first, 0) == (ssize_t)sizeof first &&
              sniff(first, sizeof first);
    if (file >= 0) {
        close(file);
    }
    free(name);
    return is;
}

/* ---- which array ----------------------------------------------------------------------------- */

enum { LIST_BYTES = 240, ROOM_FOR_MORE = 8 };

typedef struct {
    const char *wanted; /* NULL: the only one */
    int64_t count;      /* of arrays */
    bool found;
    halo_archive_member member;
    char list[LIST_BYTES]; /* of their names, as many as fit */
} search;

static void add_to_list(search *s, const char *name)
{
    size_t used = strlen(s->list), length = strlen(name) + (used > 0 ? 2 : 0);
    const char *before = used > 0 ? ", " : "";
    if (used + length < LIST_BYTES - ROOM_FOR_MORE) {
        snprintf(s->list + used, LIST_BYTES - used, "%s%s", before, name);
    } else if (used >= 3 && strcmp(s->list + used - 3, "...") != 0) {
        snprintf(s->list + used, LIST_BYTES - used, ", ...");
    }
}

static halo_status note_member(void *context, const halo_archive_member *member)
{
    search *s = context;
    halo_archive_member m = *member;
    if (!halo_name_ends_by(m.name, strlen(m.name), ENDING, sizeof ENDING - 1)) {
        return HALO_OK; /* no array */
    }
    m.name[strlen(m.name) - (sizeof ENDING - 1)] = '\0';
    s->count++;
    add_to_list(s, m.name);
    if (s->wanted == NULL || strcmp(m.name, s->wanted) == 0) {
        s->found = true;
        s->member = m;
    }
    return HALO_OK;
}

/* ---- its header ------------------------------------------------------------------------------ */

/* The next bytes of a member: of which `at` is the place in the file, or that are unpacked. */
static halo_status read_next(halo_image_reader *reader, int64_t at, void *out, size_t bytes)
{
    if (reader->unpacker != NULL) {
        return halo_unpacker_read(reader->unpacker, out, bytes, 0);
    }
    return halo_read_at(reader->file, out, bytes, at) == (int64_t)bytes
               ? HALO_OK
               : halo_image_fail_ended(reader, 0);
}

static halo_status read_header(halo_image_reader *reader, const halo_archive_member *member,
                               int64_t at, halo_npy_header *header, bool *swapped, size_t *head)
{
    const size_t MOST = (size_t)1 << 20;
    unsigned char first[HALO_NPY_PREFIX], *all;
    if (member->bytes < HALO_NPY_PREFIX) {
        return halo_image_fail_ended(reader, 0);
    }
    HALO_TRY(read_next(reader, at, first, sizeof first));
    *head = halo_npy_head_bytes(first, sizeof first);
    if (*head < sizeof first || *head > MOST || (int64_t)*head > member->bytes) {
        return halo_fail(HALO_FORMAT,
                         "%s: the array %s is damaged: it does not begin as NumPy's do; save it "
                         "again with numpy.savez",
                         reader->path, member->name);
    }
    HALO_TRY(HALO_ALLOCATE(all, *head, "the header of an array"));
    memcpy(all, first, sizeof first);
    halo_status status =
        read_next(reader, at + (int64_t)sizeof first, all + sizeof first, *head - sizeof first);
    if (status == HALO_OK) {
        status = halo_npy_parse_axes(all, *head, reader->path, header, swapped, head);
    }
    free(all);
    return status;
}

/* Opens the member, so that its first bytes are the next ones; *at is their place in the file. */
static halo_status open_member(halo_image_reader *reader, const halo_archive_member *member,
                               int64_t *at)
{
    HALO_TRY(halo_archive_find(reader->file, reader->data_bytes, reader->path, member, at));
    const halo_packed_extent extent = {
        .at = *at, .packed = member->packed, .bytes = member->bytes, .crc = member->crc};
    return member->method == HALO_ARCHIVE_DEFLATED
               ? halo_unpacker_create_deflated(&reader->unpacker, reader, &extent)
               : HALO_OK;
}

/* ---- the only image -------------------------------------------------------------------------- */

enum { MOST_LOOKED_AT = 1000 };

typedef struct {
    halo_image_reader *reader;
    search *of;
    int64_t count;
} image_search;

static bool is_read(const halo_archive_member *m)
{
    return !m->encrypted &&
           (m->method == HALO_ARCHIVE_STORED || m->method == HALO_ARCHIVE_DEFLATED);
}

/* Numbers and texts beside an image are no arrays of two axes. */
static halo_status note_image(void *context, const halo_archive_member *member)
{
    image_search *s = context;
    halo_npy_header header;
    bool swapped;
    size_t head;
    int64_t at;
    search one = {.wanted = NULL};
    note_member(&one, member);
    if (!one.found || !is_read(member)) {
        return HALO_OK;
    }
    int file = s->reader->file; /* an unpacker closes the one that it has */
    bool random_access = s->reader->info.random_access;
    int copy = dup(file);
    HALO_FAIL_IF(copy < 0, HALO_FILE, "%s: cannot be opened: %s", s->reader->path, strerror(errno));
    s->reader->file = copy;
    halo_status status = open_member(s->reader, member, &at);
    if (status == HALO_OK) {
        status = read_header(s->reader, member, at, &header, &swapped, &head);
    }
    halo_unpacker_destroy(&s->reader->unpacker);
    if (s->reader->file >= 0) {
        close(s->reader->file);
    }
    s->reader->file = file;
    s->reader->info.random_access = random_access;
    if (status == HALO_OK && header.axes > 1) {
        s->count++;
        s->of->member = one.member;
    }
    return status == HALO_MEMORY ? status : HALO_OK;
}

static halo_status choose_image(halo_image_reader *reader, search *of)
{
    image_search s = {.reader = reader, .of = of};
    HALO_TRY(halo_archive_list(reader->file, reader->data_bytes, reader->path, note_image, &s));
    of->count = s.count == 1 ? 1 : of->count;
    return HALO_OK;
}

static halo_status choose(halo_image_reader *reader, search *s)
{
    HALO_TRY(halo_archive_list(reader->file, reader->data_bytes, reader->path, note_member, s));
    if (s->wanted == NULL && s->count > 1 && s->count <= MOST_LOOKED_AT) {
        HALO_TRY(choose_image(reader, s));
    }
    if (s->count == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: is an archive without arrays; save some with numpy.savez, or unpack "
                         "it if it is another zip file",
                         reader->path);
    }
    if (s->wanted != NULL ? !s->found : s->count > 1) {
        return halo_fail(HALO_FORMAT, "%s: has %s%" PRId64 " array%s; name one as FILE:/NAME: %s",
                         reader->path, s->wanted != NULL ? "no such array, but " : "", s->count,
                         s->count == 1 ? "" : "s", s->list);
    }
    const halo_archive_member *m = &s->member;
    return is_read(m)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the array %s is %s (method %d of zip); save it with numpy.savez or "
                           "numpy.savez_compressed",
                           reader->path, m->name,
                           m->encrypted ? "encrypted" : "compressed in a way that is not read",
                           m->method);
}

/* ---- its samples ----------------------------------------------------------------------------- */

/* Sizes must be those that the archive says, and no more than deflate can make of its bytes. */
static halo_status check_sizes(const halo_image_reader *reader, const halo_archive_member *member,
                               const halo_npy_header *header, size_t head)
{
    const int64_t most_ratio = 1040, least = 65536;
    int64_t bytes = header->halves ? 2 : (int64_t)halo_npy_sample_bytes(header);
    int64_t samples = header->width * header->height; /* below 2^59 */
    bool possible = member->method == HALO_ARCHIVE_STORED
                        ? member->bytes == member->packed
                        : (member->bytes - least) / most_ratio <= member->packed;
    if (!possible || samples * bytes > member->bytes - (int64_t)head) {
        return halo_fail(HALO_FORMAT,
                         "%s: the array %s claims %" PRId64 " bytes of samples, which its %" PRId64
                         " bytes in the archive cannot hold; save it again with numpy.savez",
                         reader->path, member->name, samples * bytes, member->packed);
    }
    return HALO_OK;
}

static halo_status start_member(halo_image_reader *reader, const halo_archive_member *member)
{
    halo_npy_header header;
    bool swapped = false, packed = member->method == HALO_ARCHIVE_DEFLATED;
    size_t head;
    int64_t at;
    HALO_TRY(open_member(reader, member, &at));
    HALO_TRY(read_header(reader, member, at, &header, &swapped, &head));
    HALO_TRY(check_sizes(reader, member, &header, head));
    if (packed && header.by_columns) {
        HALO_TRY(halo_image_spool_unpacked(reader, member->bytes - (int64_t)head));
    }
    return halo_npy_start(reader, &header, swapped, packed ? 0 : at + (int64_t)head);
}

static halo_status open_npz(halo_image_reader *reader)
{
    search s = {.wanted = NULL};
    struct stat about;
    bool claimed = reader->source.name == NULL;
    if (claimed) {
        size_t length = halo_name_there(reader->path, &about);
        HALO_TRY(HALO_ALLOCATE(reader->data_path, length + 1, "the name of a file"));
        memcpy(reader->data_path, reader->path, length);
        s.wanted = reader->path + length + (reader->path[length] == '\0' ? 0 : 2);
    }
    HALO_TRY(halo_image_make_seekable(reader));
    if (claimed) {
        reader->info.file_bytes = reader->data_bytes;
    }
    HALO_TRY(choose(reader, &s));
    return start_member(reader, &s.member);
}

const halo_image_format halo_image_npz = {.name = "npz",
                                          .listed = "",
                                          .numbers = true,
                                          .claims = claims,
                                          .sniff = sniff,
                                          .open = open_npz,
                                          .rows = halo_npy_rows,
                                          .finish = halo_image_raw_finish,
                                          .close = halo_npy_close};
