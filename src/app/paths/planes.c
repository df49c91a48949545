#include "app/paths/planes.h"

#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/paths/paths_internal.h"
#include "base/filename_pattern.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/file/file.h"
#include "io/array/array_write.h"
#include "io/array/picture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that writing a picture takes and frees, with some to spare. */
static const size_t BUFFERS = (size_t)16 << 20;

typedef struct {
    app_run *run;
    filename_pattern name;
    const void *header;
    app_write_plane *write;
    halo_rows_fill *fill;
    int64_t height; /* rows of a plane */
    int64_t first;  /* the row that is the plane's first one */
} planes;

bool app_planes_in_folder(const char *path)
{
    return path != NULL && *path != '\0' && path[strlen(path) - 1] == '/' &&
           !halo_name_means_inside(path);
}

bool app_planes_are_png(const char *path)
{
    return app_planes_in_folder(path) || halo_picture_is_png(path);
}

bool app_planes_are_named(const char *path)
{
    filename_pattern name;
    if (app_planes_in_folder(path)) {
        return true;
    }
    return path != NULL && strchr(path, '%') != NULL &&
           halo_filename_parse(&name, path) == HALO_OK && name.numbered;
}

/* Parses the pattern of names. That of a folder is made in `text`. */
static halo_status parse_name(filename_pattern *name, const char *path, char text[FILENAME_SIZE])
{
    if (app_planes_in_folder(path)) {
        HALO_FAIL_IF(snprintf(text, FILENAME_SIZE, "%s" APP_PLANE_PREFIX "%%04d" APP_PLANE_SUFFIX,
                              path) >= FILENAME_SIZE,
                     HALO_ARGUMENT, "the name of the folder \"%.100s...\" is too long", path);
        path = text;
    }
    return halo_filename_parse(name, path);
}

/* On rank 0. What is hidden does not count, as for those who read the folder. */
static halo_status find_others(const app_run *run, const char *path)
{
    char text[FILENAME_SIZE];
    filename_pattern name;
    halo_status status = HALO_OK;
    int64_t first = run->image->info.first_slice, count = run->domain.n[0];
    HALO_TRY(parse_name(&name, path, text));
    DIR *folder = opendir(path);
    for (const struct dirent *entry; status == HALO_OK && folder != NULL;) {
        char file[FILENAME_SIZE];
        entry = readdir(folder);
        if (entry == NULL) {
            break;
        }
        snprintf(file, sizeof file, "%s%s", path, entry->d_name);
        int64_t number = halo_filename_match(&name, file);
        if (*entry->d_name != '.' && (number < first || number >= first + count)) {
            status =
                halo_fail(HALO_FILE,
                          "the folder %s has the file %.200s, which is none of the planes to be "
                          "written; remove it, or name another folder",
                          path, entry->d_name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return status;
}

halo_status app_planes_check_folder(app_run *run, const char *path)
{
    bool looks = app_planes_in_folder(path) && run->domain.axes == HALO_AXES && app_is_root(run);
    return halo_agree(run->world, looks ? find_others(run, path) : HALO_OK);
}

bool app_planes_are_there(const char *path, int64_t first, int64_t count)
{
    char text[FILENAME_SIZE], file[FILENAME_SIZE];
    filename_pattern name;
    bool there = parse_name(&name, path, text) == HALO_OK;
    for (int64_t plane = first; there && plane < first + count; plane++) {
        there = halo_array_is_there(halo_filename_print(&name, plane, file));
    }
    return there;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const planes *p = context;
    return p->fill(p->run, p->first + first, rows, out, pitch);
}

/* Collective in `world`, of which `cuts` say who has which rows of the plane. */
static halo_status write_plane(planes *p, halo_world *world, int64_t plane, const int64_t *cuts)
{
    char path[FILENAME_SIZE];
    const halo_rows rows = {.fill = fill_rows, .context = p};
    p->first = plane * p->height;
    halo_filename_print(&p->name, p->run->image->info.first_slice + plane, path);
    return p->write(world, path, p->header, cuts, &rows);
}

/* Local. */
static halo_status write_own(planes *p)
{
    const int64_t *mine = app_cuts(p->run) + halo_world_rank(p->run->world);
    const int64_t begin = mine[0] / p->height, end = mine[1] / p->height;
    const int64_t cuts[2] = {0, p->height};
    halo_world *alone;
    halo_memory_retain(BUFFERS);
    halo_status status = halo_world_create_alone(&alone, p->run->world);
    for (int64_t plane = begin; plane < end && status == HALO_OK; plane++) {
        status = write_plane(p, alone, plane, cuts);
        app_show_rows(p->run, plane + 1 - begin, end - begin);
    }
    halo_world_destroy(&alone);
    return status;
}

/* Collective. */
static halo_status write_together(planes *p)
{
    halo_world *world = p->run->world;
    const int64_t *rows = app_cuts(p->run), count = p->run->domain.n[0];
    int ranks = halo_world_ranks(world);
    int64_t *cuts;
    halo_status status = halo_agree(world, HALO_ALLOCATE(cuts, ranks + 1, "cuts of a plane"));
    for (int64_t plane = 0; plane < count && status == HALO_OK; plane++) {
        for (int r = 0; r <= ranks; r++) {
            cuts[r] = halo_max(0, halo_min(rows[r] - plane * p->height, p->height));
        }
        status = write_plane(p, world, plane, cuts);
        app_show_rows(p->run, plane + 1, count);
    }
    free(cuts);
    return status;
}

halo_status app_write_planes(app_run *run, const char *path, const void *header,
                             app_write_plane *write, halo_rows_fill *fill)
{
    planes p = {
        .run = run, .header = header, .write = write, .fill = fill, .height = run->domain.n[1]};
    bool own_files = true;
    char text[FILENAME_SIZE];
    if (app_planes_in_folder(path)) {
        HALO_TRY(paths_make_folder(run->world, path));
    }
    HALO_TRY(parse_name(&p.name, path, text));
    path = p.name.text;
    HALO_TRY(halo_file_check_shared(run->world, path, &own_files));
    for (int r = 0; r <= halo_world_ranks(run->world); r++) {
        own_files = own_files && app_cuts(run)[r] % p.height == 0;
    }
    return own_files ? halo_agree(run->world, write_own(&p)) : write_together(&p);
}
