#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "base/text.h"
#include "io/image/image_internal.h"
#include "io/image/other_formats.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The formats that are read, and which of them a file has. */

static const halo_image_format *const formats[] = {
    &halo_image_png,  &halo_image_tiff, &halo_image_jpeg,  &halo_image_pnm, &halo_image_npy,
    &halo_image_npz,  &halo_image_hdf5, &halo_image_nifti, &halo_image_mrc, &halo_image_nrrd,
    &halo_image_meta, &halo_image_asc,  &halo_image_zarr};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Formats of which this build can read some files, or those of which it cannot read all. */
static void list(char text[HALO_IMAGE_LIST], bool missing)
{
    static const char separator[] = ", ";
    char list[HALO_IMAGE_LIST + sizeof separator] = "";
    size_t used = 0;
    for (int i = 0; i < FORMATS && used < sizeof list; i++) {
        const halo_image_format *format = formats[i];
        const char *word = format->listed != NULL ? format->listed : format->name;
        char *at = list + used;
        const size_t room = sizeof list - used;
        if (format->rows == NULL && missing) {
            used += (size_t)snprintf(at, room, ", %s (%s)", word, format->library);
        } else if (missing && format->missing != NULL) {
            used += (size_t)snprintf(at, room, "%s", format->missing);
        } else if (format->rows != NULL && !missing && word[0] != '\0') {
            used += (size_t)snprintf(at, room, ", %s", word);
        }
    }
    snprintf(text, HALO_IMAGE_LIST, "%s", list + (used > 0 ? strlen(separator) : 0));
}

void halo_image_formats(char text[HALO_IMAGE_LIST])
{
    list(text, false);
}

void halo_image_missing(char text[HALO_IMAGE_LIST])
{
    list(text, true);
}

/* ---- which format ---------------------------------------------------------------------------- */

static halo_status fail_unknown(const halo_image_reader *reader, const unsigned char *bytes,
                                size_t count)
{
    const char *path = reader->path;
    if (count == 0) {
        return halo_fail(HALO_FORMAT, "%s: the file is empty; name an image", path);
    }
    bool letters = count >= 4 && (bytes[2] == '\0') != (bytes[3] == '\0');
    HALO_TRY(letters ? halo_text_check_encoding(path, bytes, count) : HALO_OK);
    char header[PATH_MAX];
    if (halo_find_header(path, header, sizeof header)) {
        return halo_fail(HALO_FORMAT,
                         "%s: not an image of a known format: it may be the samples of %s; name "
                         "that header",
                         path, header);
    }
    const halo_other_format *other = halo_find_other_format(bytes, count);
    if (other != NULL) {
        return halo_fail(HALO_FORMAT, "%s: not an image of a known format: it looks like %s; %s",
                         path, other->name, other->remedy);
    }
    char known[HALO_IMAGE_LIST];
    halo_image_formats(known);
    return halo_fail(HALO_FORMAT, "%s: not an image of a known format: known are %s%s", path, known,
                     /* where the type of samples can be said, though they have no header */
                     reader->options.raw.dtype != NULL
                         ? "; if it is samples without a header, give --shape "
                           "[DEPTHx]HEIGHTxWIDTH and --dtype TYPE"
                         : "");
}

const halo_image_format *halo_image_claim(const char *path)
{
    int i = 0;
    while (i < FORMATS && (formats[i]->claims == NULL || !formats[i]->claims(path))) {
        i++;
    }
    return i < FORMATS ? formats[i] : NULL;
}

/* By the path alone. */
const halo_image_format *halo_image_find_claimed(const halo_image_reader *reader)
{
    if (reader->options.slice_count > 0 || halo_image_stack.claims(reader->path)) {
        return &halo_image_stack; /* whose files may have no header */
    }
    return reader->options.raw.width == 0 ? halo_image_claim(reader->path) : NULL;
}

const halo_image_format *halo_image_sniff(const unsigned char *bytes, size_t count)
{
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i]->sniff != NULL && formats[i]->sniff(bytes, count)) {
            return formats[i];
        }
    }
    return NULL;
}

/* Recognise the format by its first bytes. Memory has no size to report, nor has a pipe: there is
 * no file that could be opened again. */
halo_status halo_image_find_by_content(halo_image_reader *reader, const void *data, size_t size)
{
    HALO_TRY(halo_source_open(&reader->source, reader->path, data, size, false));
    bool again = data == NULL && reader->source.size != INT64_MAX;
    reader->info.file_bytes = again ? reader->source.size : -1;
    if (reader->options.raw.width != 0) {
        reader->format = &halo_image_raw_format;
        return HALO_OK;
    }
    size_t count = halo_source_peek(&reader->source);
    HALO_TRY(reader->source.status);
    const unsigned char *bytes = reader->source.at;
    reader->format = halo_image_sniff(bytes, count);
    return reader->format != NULL ? HALO_OK : fail_unknown(reader, bytes, count);
}

halo_status halo_image_find_format(halo_image_reader *reader, const void *data, size_t size)
{
    reader->format = data == NULL ? halo_image_find_claimed(reader) : NULL;
    return reader->format != NULL ? HALO_OK : halo_image_find_by_content(reader, data, size);
}
