#define _POSIX_C_SOURCE 200809L
#include "app/image/image.h"
#include "app/page/page_internal.h"

#include "base/names.h"

#include <stdio.h>
#include <sys/stat.h>

/* Pictures of files as figures. */

enum { SMALL = 240 }; /* pixels; smaller pictures are shown with large dots */

/* Types of files that a page may embed. */
typedef struct {
    int largest;   /* pixels along an axis */
    int64_t whole; /* bytes of a picture that is embedded as it is, */
    int64_t movie; /* of what cannot be scaled down, */
    int64_t all;   /* and of everything on the page */
} limits;

static const limits limits_of[] = {[PAGE_PICTURE] = {720, 1 << 20, 8 << 20, 12 << 20},
                                   [PAGE_LABELS] = {720, 1 << 20, 8 << 20, 12 << 20},
                                   [PAGE_PLOT] = {1440, 1 << 20, 8 << 20, 12 << 20},
                                   [PAGE_THUMBNAIL] = {256, 1 << 16, 1 << 20, 6 << 20},
                                   [PAGE_THUMBNAIL_OF_LABELS] = {256, 1 << 16, 1 << 20, 6 << 20}};

static bool is_of_labels(page_kind kind)
{
    return kind == PAGE_LABELS || kind == PAGE_THUMBNAIL_OF_LABELS;
}

/* Files that browsers show as they are. */
typedef struct {
    const char *ending, *type;
    bool moves; /* or has no pixels: it cannot be scaled down here */
    bool film;
} web_type;

static const web_type types[] = {
    {".gif", "image/gif", true, false},     {".apng", "image/apng", true, false},
    {".svg", "image/svg+xml", true, false}, {".mp4", "video/mp4", true, true},
    {".png", "image/png", false, false},    {".jpg", "image/jpeg", false, false},
    {".jpeg", "image/jpeg", false, false},  {0}};

static const web_type *type_of(const char *path)
{
    const web_type *type = types;
    while (type->ending != NULL && !halo_name_ends(path, type->ending)) {
        type++;
    }
    return type->ending != NULL ? type : NULL;
}

/* All of a file. */
static halo_status read_file(const char *path, int64_t bytes, halo_buffer *out)
{
    FILE *file = fopen(path, "rb");
    halo_status status = file != NULL ? halo_buffer_reserve(out, (size_t)bytes)
                                      : halo_fail(HALO_FILE, "\"%s\" cannot be read", path);
    if (status == HALO_OK) {
        out->size = fread(out->data, 1, (size_t)bytes, file);
        status = HALO_REQUIRE(out->size == (size_t)bytes, HALO_FILE, "\"%s\" cannot be read", path);
    }
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

static void put_data(page *p, const char *path, const char *about, const web_type *type,
                     const app_scaled *scaled, const halo_buffer *data)
{
    /* A picture whose size is not known here fills the figure. */
    bool small = scaled->width > 0 && scaled->width <= SMALL && scaled->height <= SMALL;
    int64_t larger =
        small ? 2 * SMALL / (scaled->width > scaled->height ? scaled->width : scaled->height) : 1;
    page_printf(p, type->film ? "<video controls muted%s" : "<img%s",
                small ? " class=\"dots\"" : "");
    if (scaled->width > 0) {
        page_printf(p, " width=\"%lld\" height=\"%lld\"", (long long)(larger * scaled->width),
                    (long long)(larger * scaled->height));
    }
    page_text_in(p, type->film ? " aria-label=\"" : " alt=\"", about, about != NULL ? ": " : "");
    page_text_in(p, "", path, "\"");
    page_printf(p, " src=\"data:%s;base64,", type->type);
    page_base64(p, data->data, data->size);
    page_put(p, type->film ? "\"></video>" : "\">");
    p->picture_bytes += (int64_t)data->size;
}

static void put_caption(page *p, const char *path, const char *about, const app_scaled *scaled)
{
    page_text_in(p, "<figcaption><code>", path, "</code>");
    page_text_in(p, about != NULL ? ": " : "", about, "");
    if (scaled->of_width > 0) {
        page_printf(p, ". %lld x %lld", (long long)scaled->of_width, (long long)scaled->of_height);
        if (scaled->of_planes > 1) {
            page_printf(p, ", plane %lld of %lld", (long long)scaled->plane,
                        (long long)scaled->of_planes);
        }
    }
    page_put(p, "</figcaption>");
}

/* As it is, if a browser can show it and it is no more than that. */
static halo_status take_whole(const char *path, const web_type *type, int64_t bytes,
                              app_scaled *scaled, halo_buffer *data)
{
    app_scaled about = {.largest = scaled->largest};
    if (!type->moves) {
        HALO_TRY(app_scaled_look(path, NULL, &about));
        if (about.of_width > about.largest || about.of_height > about.largest || !about.plain) {
            return HALO_ARGUMENT;
        }
        about.width = about.of_width;
        about.height = about.of_height;
    }
    *scaled = about;
    return read_file(path, bytes, data);
}

/* HALO_ARGUMENT where it is no picture. */
static halo_status take(page *p, const char *path, page_kind kind, const web_type **type,
                        app_scaled *scaled, halo_buffer *data)
{
    static const web_type png = {".png", "image/png", false, false};
    struct stat file;
    const app_image_options *read = &p->run->image->options;
    const halo_image_options as = {.raw = read->raw,
                                   .choices = read->choices,
                                   .narrow = read->narrow,
                                   .solid = read->solid,
                                   .nodata = read->nodata,
                                   .fill = read->fill,
                                   .as_stored = read->as_stored,
                                   .follow_links = read->follow_links};
    const web_type *own = type_of(path);
    bool is_input = path == p->run->arguments->image.first;
    bool there = stat(path, &file) == 0 && S_ISREG(file.st_mode);
    bool labels = is_of_labels(kind);
    int64_t most = own == NULL ? 0 : own->moves ? limits_of[kind].movie : limits_of[kind].whole;
    *type = own;
    if (own != NULL && there && !labels && file.st_size <= most &&
        take_whole(path, own, file.st_size, scaled, data) == HALO_OK) {
        return HALO_OK;
    }
    if (own != NULL && own->moves) {
        return HALO_ARGUMENT;
    }
    *type = &png;
    halo_buffer_free(data);
    return page_picture_scale(path, is_input ? &as : NULL, labels, scaled, data);
}

void page_picture(page *p, const char *path, const char *about, page_kind kind)
{
    app_scaled scaled = {.largest = limits_of[kind].largest};
    halo_buffer data = {0};
    const web_type *type;
    if (p->picture_bytes >= limits_of[kind].all) {
        p->pictures_left_out++;
    } else if (take(p, path, kind, &type, &scaled, &data) == HALO_OK) {
        page_put(p, kind == PAGE_PLOT ? "<figure class=\"plot\">" : "<figure>");
        put_data(p, path, about, type, &scaled, &data);
        put_caption(p, path, about, &scaled);
        page_put(p, "</figure>\n");
    }
    halo_buffer_free(&data);
}
