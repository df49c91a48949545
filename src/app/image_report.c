#include "app/frame_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Images in reports and checkpoints. */

json_t *app_image_json(const app_image *image)
{
    const halo_image_info *info = &image->info;
    json_t *planes = info->axes == HALO_AXES ? json_integer(info->planes) : NULL;
    json_t *slices = info->slices > 0 ? json_integer(info->slices) : NULL;
    return json_pack("{s:o, s:s, s:o*, s:o*, s:I, s:I, s:i, s:s, s:b, s:o*, s:s}", "file",
                     app_fact_text(image->path), "format", info->format, "slices", slices, "planes",
                     planes, "width_pixels", (json_int_t)info->width, "height_pixels",
                     (json_int_t)info->height, "bits_per_sample", info->bits, "kind", info->kind,
                     "interlaced", (int)info->held, "maximum_grey",
                     info->maximum > 0 ? json_integer(info->maximum) : NULL, "decoder",
                     info->decoder);
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
    return json_pack("{s:I, s:I, s:s}", "width", (json_int_t)image->info.width, "height",
                     (json_int_t)image->info.height, "digest", digest);
}

halo_status app_image_check(const app_image *image, const json_t *signature, const char *path)
{
    char digest[DIGEST_TEXT];
    const char *signed_digest = json_string_value(json_object_get(signature, "digest"));
    int64_t width = json_integer_value(json_object_get(signature, "width"));
    int64_t height = json_integer_value(json_object_get(signature, "height"));
    print_digest(image, digest);
    if (signed_digest != NULL && strcmp(signed_digest, digest) == 0 && width == image->info.width &&
        height == image->info.height) {
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
    return wanted[0] == found[0] && wanted[1] == found[1]
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--%s %s: it has %" PRId64 " x %" PRId64 " pixels, and the %s %" PRId64
                           " x %" PRId64 "; use one of the same size",
                           option, image->path, found[1], found[0], of, wanted[1], wanted[0]);
}
