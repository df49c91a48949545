#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/report/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Images in reports and checkpoints. */

/* Describes where the image lies in space; NULL: nothing is known. Axes and components are x, y,
 * z. */
static json_t *geometry_json(const halo_image_info *info)
{
    const halo_image_geometry *g = &info->geometry;
    bool spaced = halo_geometry_is_spaced(g);
    if (!spaced && !g->placed) {
        return NULL;
    }
    json_t *directions = g->placed ? json_array() : NULL;
    for (int axis = 0; axis < HALO_AXES && g->placed; axis++) {
        json_array_append_new(directions, app_fact_reals(g->direction[axis], HALO_AXES));
    }
    bool known = g->unit != HALO_LENGTH_UNKNOWN;
    return json_pack("{s:o*, s:s*, s:o*, s:o*}", "spacing",
                     spaced ? app_fact_reals(g->spacing, info->axes) : NULL, "unit",
                     known ? halo_length_name(g->unit) : NULL, "origin",
                     g->placed ? app_fact_reals(g->origin, HALO_AXES) : NULL, "direction",
                     directions);
}

/* Prints which part of each kind was taken, in words: "channel 1 (GFP) of 3, time 0 of 5". */
static void print_parts(const halo_image_info *info, char *text, size_t size)
{
    static const char *const words[] = {
#define PART_WORD(code, word, words, letter) word,
        HALO_IMAGE_CHOICE_LIST(PART_WORD)
#undef PART_WORD
    };
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < HALO_IMAGE_CHOICES && used < size; i++) {
        const halo_image_taken *part = &info->parts[i];
        if (part->count > 0) {
            used += (size_t)snprintf(text + used, size - used, "%s%s %" PRId64 "%s%s%s of %" PRId64,
                                     used > 0 ? ", " : "", words[i], part->index,
                                     part->name[0] != '\0' ? " (" : "", part->name,
                                     part->name[0] != '\0' ? ")" : "", part->count);
        }
    }
    if (info->note[0] != '\0' && used < size) {
        snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "", info->note);
    }
}

/* The parts of a file that an image is: {"channel": {"index": 1, "count": 3, "name": "GFP"}}. */
static void add_parts(const halo_image_info *info, json_t *object)
{
    static const char *const keys[] = {
#define PART_KEY(code, word, words, letter) word,
        HALO_IMAGE_CHOICE_LIST(PART_KEY)
#undef PART_KEY
    };
    char text[512];
    for (int i = 0; i < HALO_IMAGE_CHOICES; i++) {
        const halo_image_taken *part = &info->parts[i];
        json_t *name = part->name[0] != '\0' ? app_fact_text(part->name) : NULL;
        if (part->count > 0) {
            json_object_set_new(object, keys[i],
                                json_pack("{s:I, s:I, s:o*}", "index", (json_int_t)part->index,
                                          "count", (json_int_t)part->count, "name", name));
        }
    }
    print_parts(info, text, sizeof text);
    if (text[0] != '\0') {
        json_object_set_new(object, "taken", app_fact_text(text));
    }
}

/* ---- samples that are missing ---------------------------------------------------------------- */

static json_t *values_json(const halo_image_nodata *nodata)
{
    json_t *list = nodata->count > 1 ? json_array() : NULL;
    for (int i = 0; i < nodata->count && list != NULL; i++) {
        json_array_append_new(list, app_fact_number(&nodata->value[i]));
    }
    return nodata->count == 0   ? json_string("nan")
           : nodata->count == 1 ? app_fact_number(&nodata->value[0])
                                : list;
}

/* "-9999, GDAL_NODATA" */
static void print_nodata(const halo_image_nodata *nodata, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "%s", nodata->count == 0 ? "NaN" : "");
    for (int i = 0; i < nodata->count && used < size; i++) {
        const halo_number *number = &nodata->value[i];
        char value[HALO_NUMBER_TEXT];
        halo_number_print(number, value);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " or " : "", value);
    }
    if (nodata->count > 0 && used < size) {
        bool reals = nodata->missing == HALO_MISSING_NAN;
        snprintf(text + used, size - used, ", %s%s", nodata->source, reals ? "; or NaN" : "");
    }
}

static double missing_share(const app_image *image)
{
    return (double)image->missing_pixels / ((double)image->info.rows * (double)image->info.width);
}

json_t *app_image_nodata_json(const app_image *image)
{
    const halo_image_nodata *nodata = &image->info.nodata;
    char text[128];
    if (nodata->count == 0 && image->missing_pixels == 0) {
        return NULL;
    }
    print_nodata(nodata, text, sizeof text);
    json_t *said = image->missing_pixels > 0 ? app_fact_text(text) : NULL;
    json_t *source = nodata->count > 0 ? app_fact_text(nodata->source) : NULL;
    return json_pack("{s:o, s:o*, s:I, s:f, s:o*}", "value", values_json(nodata), "source", source,
                     "samples", (json_int_t)image->missing_pixels, "share", missing_share(image),
                     "said", said);
}

halo_status app_image_check_missing(const app_image *image, const char *what)
{
    char text[128];
    if (image->missing_pixels == 0) {
        return HALO_OK;
    }
    print_nodata(&image->info.nodata, text, sizeof text);
    return halo_fail(
        HALO_FORMAT,
        "%s: %" PRId64 " of its samples are nodata (%s), and %s needs all of them; "
        "give it a part without such, or %s",
        image->path, image->missing_pixels, text, what,
        image->info.nodata.count > 0
            ? "give them a value with --fill-missing, or take them for samples with --nodata none"
            : "replace them by --fill-missing VALUE");
}

json_t *app_image_json(const app_image *image)
{
    const halo_image_info *info = &image->info;
    json_t *planes = info->axes == HALO_AXES ? json_integer(info->planes) : NULL;
    json_t *slices = info->slices > 0 ? json_integer(info->slices) : NULL;
    json_t *object = json_pack(
        "{s:o, s:s, s:o*, s:o*, s:I, s:I, s:i, s:s, s:b, s:o*, s:s, s:o*, s:o*, s:o*, s:o*}",
        "file", app_fact_text(image->path), "format", info->format, "slices", slices, "planes",
        planes, "width_pixels", (json_int_t)info->width, "height_pixels", (json_int_t)info->height,
        "bits_per_sample", info->bits, "kind", info->kind, "interlaced", (int)info->held,
        "maximum_grey", info->maximum > 0 ? json_integer(info->maximum) : NULL, "decoder",
        info->decoder, "geometry", geometry_json(info), "orientation",
        info->orientation > 0 ? json_integer(info->orientation) : NULL, "nodata",
        app_image_nodata_json(image), "filter",
        image->options.filter != NULL ? app_fact_text(image->options.filter) : NULL);
    if (object != NULL) {
        add_parts(info, object);
    }
    return object;
}

enum { DIGEST_TEXT = 17 };

static void print_digest(const app_image *image, char text[DIGEST_TEXT])
{
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, image->digest);
}

json_t *app_image_sign(const app_image *image)
{
    char digest[DIGEST_TEXT];
    print_digest(image, digest);
    json_t *planes =
        image->domain.axes == HALO_AXES ? json_integer((json_int_t)image->info.planes) : NULL;
    return json_pack("{s:I, s:I, s:o*, s:s}", "width", (json_int_t)image->info.width, "height",
                     (json_int_t)image->info.height, "planes", planes, "digest", digest);
}

halo_status app_image_check(const app_image *image, const json_t *signature, const char *path)
{
    char digest[DIGEST_TEXT];
    const char *signed_digest = json_string_value(json_object_get(signature, "digest"));
    int64_t width = json_integer_value(json_object_get(signature, "width"));
    int64_t height = json_integer_value(json_object_get(signature, "height"));
    const json_t *planes = json_object_get(signature, "planes"); /* not of images of two axes */
    bool as_deep = planes == NULL || json_integer_value(planes) == image->info.planes;
    print_digest(image, digest);
    if (signed_digest != NULL && strcmp(signed_digest, digest) == 0 && width == image->info.width &&
        height == image->info.height && as_deep) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "the checkpoint \"%s\" is of another picture, of %" PRId64 " x %" PRId64
                     " pixels, than \"%s\", of %" PRId64 " x %" PRId64
                     "; restore it with the one it was made from",
                     path, width, height, image->path, image->info.width, image->info.height);
}

halo_status app_image_check_size(const app_image *image, const char *option,
                                 const halo_domain *domain, const char *of)
{
    const int64_t *wanted = domain->n, *found = image->domain.n;
    if (domain->axes == HALO_AXES) {
        bool same = image->domain.axes == HALO_AXES && found[2] == wanted[2];
        return HALO_REQUIRE(
            same && wanted[0] == found[0] && wanted[1] == found[1], HALO_ARGUMENT,
            "--%s %s: it has %" PRId64 " x %" PRId64 " pixels%s, and the %s is a "
            "volume of %" PRId64 " planes of %" PRId64 " x %" PRId64 "; use one of the same size",
            option, image->path, found[image->domain.axes - 1], found[image->domain.axes - 2],
            image->domain.axes == HALO_AXES ? " a plane" : "", of, wanted[0], wanted[2], wanted[1]);
    }
    return HALO_REQUIRE(wanted[0] == found[0] && wanted[1] == found[1], HALO_ARGUMENT,
                        "--%s %s: it has %" PRId64 " x %" PRId64 " pixels, and the %s %" PRId64
                        " x %" PRId64 "; use one of the same size",
                        option, image->path, found[1], found[0], of, wanted[1], wanted[0]);
}
