#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include "io/image/xml_tags.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OME-TIFF: the description of the first page lists images (series), each with its sizes, its
 * channels, and where its planes are. Schema: OME 2016-06. */

enum { NUMBER_BYTES = 24, FILE_BYTES = 200 };

/* An image of the description. */
typedef struct {
    int64_t z, c, t;
    char order[NUMBER_BYTES]; /* "XYZCT": the fastest axis first */
    int64_t listed, samples;  /* channels that are listed; their samples in all */
} ome_image;

static int64_t number_of(const halo_xml_tag *tag, const char *name, int64_t otherwise)
{
    char text[NUMBER_BYTES];
    char *end;
    if (!halo_xml_attribute(tag, name, text, sizeof text)) {
        return otherwise;
    }
    long long number = strtoll(text, &end, 10);
    return end != text && number >= 0 && number <= INT32_MAX ? number : otherwise;
}

/* Goes to the beginning of image `number`. */
static bool go_to(halo_xml_tag *tag, int64_t number)
{
    while (halo_xml_next(tag)) {
        if (!tag->closes && halo_xml_is(tag, "Image") && number-- == 0) {
            return true;
        }
    }
    return false;
}

/* The next tag within the image. */
static bool next_within(halo_xml_tag *tag)
{
    return halo_xml_next(tag) && !halo_xml_is(tag, "Image");
}

static void read_pixels(const halo_xml_tag *tag, ome_image *image)
{
    image->z = number_of(tag, "SizeZ", 1);
    image->c = number_of(tag, "SizeC", 1);
    image->t = number_of(tag, "SizeT", 1);
    if (!halo_xml_attribute(tag, "DimensionOrder", image->order, sizeof image->order)) {
        strcpy(image->order, "XYZCT");
    }
}

/* `axes`, which may be NULL, gets the names of channels. */
static ome_image read_image(const char *text, int64_t number, halo_image_axes *axes)
{
    ome_image image = {.z = 1, .c = 1, .t = 1};
    halo_xml_tag tag = halo_xml_begin(text);
    bool there = go_to(&tag, number);
    while (there && next_within(&tag)) {
        char name[HALO_IMAGE_NAME];
        if (!tag.closes && halo_xml_is(&tag, "Pixels")) {
            read_pixels(&tag, &image);
        } else if (!tag.closes && halo_xml_is(&tag, "Channel")) {
            image.listed++;
            image.samples += number_of(&tag, "SamplesPerPixel", 1);
            halo_xml_attribute(&tag, "Name", name, sizeof name);
            if (axes != NULL) {
                halo_image_add_name(axes, HALO_IMAGE_CHANNEL, name);
            }
        }
    }
    return image;
}

/* ---- which image ----------------------------------------------------------------------------- */

/* The images of the description: the largest, if there is one. */
typedef struct {
    int64_t count, largest;
    bool unique;
} ome_images;

static ome_images list_images(const char *text, halo_image_axes *names)
{
    ome_images list = {.unique = true};
    double most = 0;
    halo_xml_tag tag = halo_xml_begin(text);
    while (halo_xml_next(&tag)) {
        char name[HALO_IMAGE_NAME];
        if (!tag.closes && halo_xml_is(&tag, "Image")) {
            list.count++;
            halo_xml_attribute(&tag, "Name", name, sizeof name);
            halo_image_add_name(names, HALO_IMAGE_SERIES, name);
        } else if (!tag.closes && halo_xml_is(&tag, "Pixels") && list.count > 0) {
            double area = (double)number_of(&tag, "SizeX", 1) * (double)number_of(&tag, "SizeY", 1);
            list.unique = area > most || (list.unique && area < most);
            list.largest = area > most ? list.count - 1 : list.largest;
            most = area > most ? area : most;
        }
    }
    return list;
}

static halo_status choose_image(halo_image_reader *reader, const ome_images *list,
                                const halo_image_axes *names, int64_t *number)
{
    *number = list->largest;
    if (reader->choices.of[HALO_IMAGE_SERIES] != NULL) {
        HALO_TRY(halo_image_find_index(reader, names, HALO_IMAGE_SERIES, list->count, number));
    } else if (list->count > 1 && !list->unique) {
        char has[HALO_IMAGE_NAMES_BYTES] = "";
        halo_image_print_count(names, HALO_IMAGE_SERIES, list->count, has, sizeof has);
        return halo_fail(HALO_FORMAT,
                         "%s: has %.200s, and several are of the largest size; choose with "
                         "--series, or as %s:s=0",
                         reader->path, has, reader->path);
    }
    if (list->count > 1) {
        halo_image_note_part(reader, names, HALO_IMAGE_SERIES, *number, list->count);
    }
    return HALO_OK;
}

/* ---- where planes are ------------------------------------------------------------------------ */

/* Pages of several samples hold several channels. */
static int64_t channel_planes(const ome_image *image, int samples)
{
    return image->listed > 0 && image->samples == image->c ? image->listed
           : samples > 1 && image->c % samples == 0        ? image->c / samples
                                                           : image->c;
}

/* Strides of z, c and t in planes. */
typedef struct {
    int64_t z, c, t;
} ome_strides;

static ome_strides strides_of(const ome_image *image, int samples)
{
    ome_strides strides = {1, 1, 1};
    int64_t stride = 1;
    for (int i = 2; i < 5; i++) {
        switch (image->order[i]) {
        case 'Z':
            strides.z = stride;
            stride *= image->z;
            break;
        case 'C':
            strides.c = stride;
            stride *= channel_planes(image, samples);
            break;
        default:
            strides.t = stride;
            stride *= image->t;
        }
    }
    return strides;
}

static bool is_known_order(const char *order)
{
    static const char *const orders[] = {"XYZCT", "XYZTC", "XYCZT", "XYCTZ", "XYTZC", "XYTCZ"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (strcmp(order, orders[i]) == 0) {
            return true;
        }
    }
    return false;
}

static halo_status check_image(const halo_image_reader *reader, const ome_image *image)
{
    const double most = 1e15;
    double planes = (double)image->z * (double)image->c * (double)image->t;
    return is_known_order(image->order) && planes >= 1 && planes <= most
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the OME description has the order of axes \"%.20s\" and %g planes, "
                           "which cannot be read; choose a page with --page, or as %s:p=0",
                           reader->path, image->order, planes, reader->path);
}

/* Planes of which the description says where they are. */
typedef struct {
    int64_t first, count; /* planes of the image */
    int64_t directory;
    bool elsewhere;
    char file[FILE_BYTES];
} ome_data;

/* Planes are looked for from `first` in steps of `step`. */
typedef struct {
    int64_t first, step, count;
    int64_t *pages;
    int64_t placed;
    char elsewhere[FILE_BYTES]; /* the file with one that is not here; or "" */
} ome_search;

static void place(const ome_data *data, ome_search *search)
{
    int64_t before = data->first - search->first, step = search->step;
    int64_t i = before <= 0 ? 0 : (before + step - 1) / step;
    for (; i < search->count; i++) {
        int64_t plane = search->first + i * step - data->first;
        if (plane >= data->count || search->placed > 2 * search->count) {
            break;
        }
        search->placed++;
        if (data->elsewhere) {
            memcpy(search->elsewhere, data->file, sizeof search->elsewhere);
        } else {
            search->pages[i] = data->directory + plane;
        }
    }
}

static ome_data read_data(const halo_xml_tag *tag, const ome_image *image, int samples,
                          int64_t planes)
{
    const ome_strides strides = strides_of(image, samples);
    char given[NUMBER_BYTES];
    bool alone = halo_xml_attribute(tag, "IFD", given, sizeof given);
    return (ome_data){.first = number_of(tag, "FirstZ", 0) * strides.z +
                               number_of(tag, "FirstC", 0) * strides.c +
                               number_of(tag, "FirstT", 0) * strides.t,
                      .count = number_of(tag, "PlaneCount", alone ? 1 : planes),
                      .directory = number_of(tag, "IFD", 0)};
}

/* Is what <UUID FileName="..."> names this file? One that was renamed is known by its number. */
static bool is_own(const halo_image_reader *reader, const halo_xml_tag *uuid, const char *root,
                   const char *file)
{
    const char *slash = strrchr(reader->path, '/');
    const char *base = slash != NULL ? slash + 1 : reader->path;
    size_t length = strcspn(uuid->at, "<");
    return strcmp(base, file) == 0 ||
           (root[0] != '\0' && length == strlen(root) && memcmp(uuid->at, root, length) == 0);
}

static void read_root(const char *text, char *uuid, size_t size)
{
    halo_xml_tag tag = halo_xml_begin(text);
    uuid[0] = '\0';
    while (halo_xml_next(&tag) && !halo_xml_is(&tag, "OME")) {
    }
    if (tag.name != NULL) {
        halo_xml_attribute(&tag, "UUID", uuid, size);
    }
}

/* The file that all planes are said to be in is this one, whatever it is called now. */
static bool is_single(const char *text)
{
    char first[FILE_BYTES] = "", file[FILE_BYTES];
    halo_xml_tag tag = halo_xml_begin(text);
    while (halo_xml_next(&tag)) {
        if (!tag.closes && halo_xml_is(&tag, "UUID") &&
            halo_xml_attribute(&tag, "FileName", file, sizeof file)) {
            if (first[0] == '\0') {
                memcpy(first, file, sizeof first);
            } else if (strcmp(first, file) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void search_planes(const halo_image_reader *reader, int64_t number, const ome_image *image,
                          ome_search *search)
{
    const tiff_state *state = reader->state;
    const char *text = state->description;
    int samples = state->page.channels;
    int64_t planes = image->z * channel_planes(image, samples) * image->t;
    char root[FILE_BYTES];
    bool single = is_single(text), listed = false, open = false;
    ome_data data = {.count = planes};
    halo_xml_tag tag = halo_xml_begin(text);
    read_root(text, root, sizeof root);
    bool there = go_to(&tag, number);
    while (there && next_within(&tag)) {
        if (!tag.closes && halo_xml_is(&tag, "TiffData")) {
            if (open) {
                place(&data, search);
            }
            data = read_data(&tag, image, samples, planes);
            open = listed = true;
        } else if (!tag.closes && open && halo_xml_is(&tag, "UUID") &&
                   halo_xml_attribute(&tag, "FileName", data.file, sizeof data.file)) {
            data.elsewhere = !single && !is_own(reader, &tag, root, data.file);
        }
    }
    if (open || !listed) {
        place(&data, search);
    }
}

halo_status halo_tiff_find_planes(const halo_image_reader *reader, const tiff_series *series,
                                  int64_t first, int64_t step, int64_t count, int64_t *pages)
{
    const tiff_state *state = reader->state;
    const ome_image image = read_image(state->description, series->series, NULL);
    ome_search search = {.first = first, .step = step, .count = count, .pages = pages};
    if (count > state->directory_count) {
        return halo_fail(HALO_FORMAT,
                         "%s: the OME description claims %" PRId64 " planes of a volume, and the "
                         "file has %" PRId64 " pages; copy or make it again",
                         reader->path, count, state->directory_count);
    }
    for (int64_t i = 0; i < count; i++) {
        pages[i] = -1;
    }
    search_planes(reader, series->series, &image, &search);
    for (int64_t i = 0; i < count; i++) {
        if (pages[i] < 0 && search.elsewhere[0] != '\0') {
            return halo_fail(HALO_FORMAT,
                             "%s: plane %" PRId64 " of what was chosen is in another file, %.150s; "
                             "name that, or save the image as one file",
                             reader->path, i, search.elsewhere);
        }
        if (pages[i] < 0 || pages[i] >= state->directory_count) {
            return halo_fail(HALO_FORMAT,
                             "%s: the OME description does not say in which of the %" PRId64
                             " pages plane %" PRId64 " is; copy or make the file again, or choose "
                             "a page with --page",
                             reader->path, state->directory_count, i);
        }
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* The first page of the image that is in this file gives the samples. */
static halo_status use_first(halo_image_reader *reader, int64_t number, const ome_image *image)
{
    const tiff_state *state = reader->state;
    int64_t page = -1;
    ome_search search = {.first = 0, .step = 1, .count = 1, .pages = &page};
    search_planes(reader, number, image, &search);
    return halo_tiff_use_page(reader, page >= 0 && page < state->directory_count ? page : 0);
}

static halo_status check_samples(const halo_image_reader *reader, const tiff_series *series)
{
    int channels = 0;
    for (int i = 0; i < series->axes.count; i++) {
        channels += series->axes.axis[i].kind == HALO_AXIS_CHANNEL;
    }
    return channels < 2 ? HALO_OK
                        : halo_fail(HALO_FORMAT,
                                    "%s: has several channels, each of several samples a pixel; "
                                    "choose a page with --page, or as %s:p=0",
                                    reader->path, reader->path);
}

halo_status halo_tiff_describe_ome(halo_image_reader *reader, tiff_series *series)
{
    const tiff_state *state = reader->state;
    halo_image_axes *axes = &series->axes;
    const ome_images list = list_images(state->description, axes);
    int64_t number;
    if (list.count == 0) {
        return HALO_OK; /* the description is in another file */
    }
    HALO_TRY(choose_image(reader, &list, axes, &number));
    const ome_image image = read_image(state->description, number, axes);
    HALO_TRY(check_image(reader, &image));
    HALO_TRY(use_first(reader, number, &image));
    series->ome = true;
    series->series = number;
    series->of_pages = 0;
    for (int i = 4; i >= 2; i--) {
        char letter = image.order[i];
        int64_t size = letter == 'Z'   ? image.z
                       : letter == 'T' ? image.t
                                       : channel_planes(&image, state->page.channels);
        halo_axis_kind kind = letter == 'Z'   ? HALO_AXIS_SPACE
                              : letter == 'T' ? HALO_AXIS_TIME
                                              : HALO_AXIS_CHANNEL;
        series->of_pages += size > 1 && halo_image_add_axis(axes, kind, size);
    }
    HALO_TRY(halo_tiff_add_page_axes(reader, axes));
    return check_samples(reader, series);
}

#endif
