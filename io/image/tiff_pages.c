#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which pages of a TIFF file are read: those that are chosen, otherwise those that its description
 * puts together, otherwise all of one size and type, of several sizes the largest. */

/* ---- the directories ------------------------------------------------------------------------- */

static bool is_extra(TIFF *tiff)
{
    uint32_t type = 0;
    halo_libtiff.GetField(tiff, TIFFTAG_SUBFILETYPE, &type);
    return (type & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
}

static halo_status list_directories(halo_image_reader *reader, halo_buffer *list)
{
    const tiff_state *state = reader->state;
    do {
        tiff_directory directory;
        memset(&directory, 0, sizeof directory);
        directory.page = halo_tiff_page_of(state->tiff);
        directory.offset = halo_libtiff.CurrentDirOffset(state->tiff);
        directory.extra = is_extra(state->tiff);
        HALO_TRY(halo_buffer_append(list, &directory, sizeof directory));
    } while (halo_libtiff.ReadDirectory(state->tiff) == 1);
    return state->error[0] == '\0' ? HALO_OK : halo_tiff_fail(reader, 0);
}

halo_status halo_tiff_list(halo_image_reader *reader)
{
    tiff_state *state = reader->state;
    halo_buffer list = {0};
    halo_status status = list_directories(reader, &list);
    int64_t count = (int64_t)(list.size / sizeof *state->directories);
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(state->directories, count, "pages of a TIFF file");
    }
    if (status == HALO_OK) {
        memcpy(state->directories, list.data, list.size);
        state->directory_count = count;
    }
    halo_buffer_free(&list);
    return status;
}

/* Their compression may differ. */
static bool are_alike(const tiff_page *a, const tiff_page *b)
{
    tiff_page other = *b;
    other.compression = a->compression;
    return memcmp(a, &other, sizeof other) == 0;
}

halo_status halo_tiff_use_page(halo_image_reader *reader, int64_t directory)
{
    tiff_state *state = reader->state;
    state->page = state->directories[directory].page;
    return halo_libtiff.SetSubDirectory(state->tiff, state->directories[directory].offset) == 1
               ? HALO_OK
               : halo_tiff_fail(reader, 0);
}

/* ---- the axes of a page ---------------------------------------------------------------------- */

/* Samples beside grey or red, green and blue. */
static halo_axis_kind kind_of_samples(const halo_image_reader *reader, const tiff_page *page)
{
    const tiff_state *state = reader->state;
    uint16_t count = 0, *kinds = NULL;
    bool grey = page->photometric <= PHOTOMETRIC_MINISBLACK;
    halo_libtiff.GetField(state->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    bool alpha = count == 1 && kinds[0] != EXTRASAMPLE_UNSPECIFIED;
    return grey ? page->channels == 2 && alpha ? HALO_AXIS_COLOUR : HALO_AXIS_CHANNEL
           : page->channels <= 4 ? HALO_AXIS_COLOUR
                                 : HALO_AXIS_CHANNEL;
}

halo_status halo_tiff_add_page_axes(halo_image_reader *reader, halo_image_axes *axes)
{
    const tiff_page *page = &((const tiff_state *)reader->state)->page;
    bool fits = halo_image_add_axis(axes, HALO_AXIS_SPACE, page->height) &&
                halo_image_add_axis(axes, HALO_AXIS_SPACE, page->width) &&
                (page->channels <= 1 ||
                 halo_image_add_axis(axes, kind_of_samples(reader, page), page->channels));
    return fits ? HALO_OK
                : halo_fail(HALO_FORMAT, "%s: more axes than %d; save a part of them", reader->path,
                            HALO_IMAGE_MAX_AXES);
}

/* ---- groups of pages that are alike ---------------------------------------------------------- */

/* The directory that the one at `index` is like, the first of a group. Others are smaller copies of
 * pages, or masks: -1. */
static int64_t group_of(const tiff_state *state, int64_t index)
{
    const tiff_directory *list = state->directories;
    if (index > 0 && list[index].extra) {
        return -1;
    }
    for (int64_t i = 0; i < index; i++) {
        if ((i == 0 || !list[i].extra) && are_alike(&list[i].page, &list[index].page)) {
            return i;
        }
    }
    return index;
}

typedef struct {
    int64_t *first; /* [directory_count] the first directory of each one's group, or -1 */
    int64_t groups;
    int64_t largest; /* the first directory of the group with the largest pages */
    bool unique;     /* no other group has pages as large */
    char sizes[96];  /* of the other groups */
} page_groups;

static double area_of(const tiff_state *state, int64_t directory)
{
    const tiff_page *page = &state->directories[directory].page;
    return (double)page->width * page->height;
}

static void list_other(const tiff_state *state, int64_t directory, page_groups *groups)
{
    const tiff_page *page = &state->directories[directory].page;
    size_t used = strlen(groups->sizes);
    snprintf(groups->sizes + used, sizeof groups->sizes - used, "%s%u x %u", used > 0 ? ", " : "",
             page->width, page->height);
}

/* Many pages of many sizes would take long to compare: then each run of pages that are alike is a
 * group. */
static halo_status find_groups(const halo_image_reader *reader, page_groups *groups)
{
    enum { COMPARED = 1000 };
    const tiff_state *state = reader->state;
    int64_t count = state->directory_count, last = 0;
    *groups = (page_groups){.unique = true};
    HALO_TRY(HALO_ALLOCATE(groups->first, count, "pages of a TIFF file"));
    for (int64_t i = 0; i < count; i++) {
        const tiff_directory *directory = &state->directories[i];
        bool alike = i > 0 && are_alike(&state->directories[last].page, &directory->page);
        bool extra = i > 0 && directory->extra;
        groups->first[i] = extra                       ? -1
                           : alike                     ? last
                           : groups->groups < COMPARED ? group_of(state, i)
                                                       : i;
        last = extra ? last : groups->first[i];
        if (groups->first[i] != i) {
            continue;
        }
        double area = area_of(state, i), most = area_of(state, groups->largest);
        groups->unique = i == 0 || area > most || (groups->unique && area < most);
        groups->largest = area > most ? i : groups->largest;
        groups->groups++;
    }
    for (int64_t i = 0; i < count; i++) {
        if (groups->first[i] == i && i != groups->largest) {
            list_other(state, i, groups);
        }
    }
    return HALO_OK;
}

/* The first directory of group `number`. */
static int64_t find_group(const page_groups *groups, int64_t count, int64_t number)
{
    for (int64_t i = 0; i < count; i++) {
        if (groups->first[i] == i && number-- == 0) {
            return i;
        }
    }
    return 0;
}

static halo_status choose_group(halo_image_reader *reader, const page_groups *groups,
                                int64_t *group)
{
    int64_t count = ((const tiff_state *)reader->state)->directory_count, number;
    *group = groups->largest;
    if (reader->choices.of[HALO_IMAGE_SERIES] != NULL) {
        HALO_TRY(halo_image_find_index(reader, NULL, HALO_IMAGE_SERIES, groups->groups, &number));
        halo_image_note_part(reader, NULL, HALO_IMAGE_SERIES, number, groups->groups);
        *group = find_group(groups, count, number);
        return HALO_OK;
    }
    if (!groups->unique) {
        const tiff_state *state = reader->state;
        const tiff_page *page = &state->directories[groups->largest].page;
        return halo_fail(HALO_FORMAT,
                         "%s: has %" PRId64 " pages of several kinds, of which more than one kind "
                         "has %u x %u pixels; choose with --page or --series, or as %s:p=0",
                         reader->path, count, page->width, page->height, reader->path);
    }
    if (groups->groups > 1) {
        halo_image_add_note(reader, "the largest pages were taken; others: %s", groups->sizes);
    }
    return HALO_OK;
}

static halo_status take_group(halo_image_reader *reader, const page_groups *groups, int64_t *planes)
{
    tiff_state *state = reader->state;
    int64_t group, count = 0;
    HALO_TRY(choose_group(reader, groups, &group));
    for (int64_t i = 0; i < state->directory_count; i++) {
        if (groups->first[i] == group) {
            state->pages[count++] = i;
        }
    }
    if (count == 1 && groups->groups > 1) {
        halo_image_note_part(reader, NULL, HALO_IMAGE_PAGE, group, state->directory_count);
    }
    *planes = count;
    return HALO_OK;
}

/* ---- what is read ---------------------------------------------------------------------------- */

/* Pages without a description are planes. */
static halo_status take_plain(halo_image_reader *reader, tiff_series *series, halo_image_part *part,
                              int64_t *planes)
{
    tiff_state *state = reader->state;
    page_groups groups;
    int64_t plane = 0;
    halo_status status = find_groups(reader, &groups);
    if (status == HALO_OK) {
        status = take_group(reader, &groups, planes);
    }
    free(groups.first);
    HALO_TRY(status);
    HALO_TRY(halo_tiff_use_page(reader, state->pages[0]));
    series->of_pages = *planes > 1;
    if (*planes > 1) {
        halo_image_add_axis(&series->axes, HALO_AXIS_SPACE, *planes);
    }
    HALO_TRY(halo_tiff_add_page_axes(reader, &series->axes));
    HALO_TRY(halo_image_choose_part(reader, &series->axes, part));
    if (*planes > 1 && part->space[0] < 0) {
        plane = part->at[0];
        state->pages[0] = state->pages[plane];
        *planes = 1;
    }
    return HALO_OK;
}

/* The first page's geometry and description hold for all pages that are like it. */
static halo_status take_page(halo_image_reader *reader, tiff_series *series, halo_image_part *part,
                             int64_t *planes)
{
    tiff_state *state = reader->state;
    const tiff_directory *list = state->directories;
    HALO_TRY(halo_image_find_index(reader, NULL, HALO_IMAGE_PAGE, state->directory_count,
                                   &state->pages[0]));
    int64_t page = state->pages[0];
    halo_image_note_part(reader, NULL, HALO_IMAGE_PAGE, page, state->directory_count);
    *planes = 1;
    if (are_alike(&list[0].page, &list[page].page)) {
        HALO_TRY(halo_tiff_use_page(reader, 0));
        HALO_TRY(halo_tiff_keep_description(reader));
    }
    HALO_TRY(halo_tiff_use_page(reader, page));
    HALO_TRY(halo_tiff_add_page_axes(reader, &series->axes));
    return halo_image_choose_part(reader, &series->axes, part);
}

/* Pages that a description puts together, in the order of their axes. */
static halo_status take_described(halo_image_reader *reader, const tiff_series *series,
                                  halo_image_part *part, int64_t *planes)
{
    tiff_state *state = reader->state;
    const halo_image_axes *axes = &series->axes;
    int64_t first = 0, step = 1, stride = 1;
    HALO_TRY(halo_image_choose_part(reader, axes, part));
    for (int i = series->of_pages - 1; i >= 0; i--) {
        first += part->at[i] * stride;
        step = i == part->space[0] ? stride : step;
        stride *= axes->axis[i].size;
    }
    *planes = part->space[0] >= 0 ? axes->axis[part->space[0]].size : 1;
    if (series->ome) {
        HALO_TRY(halo_tiff_find_planes(reader, series, first, step, *planes, state->pages));
    }
    for (int64_t i = 0; !series->ome && series->images == 0 && i < *planes; i++) {
        state->pages[i] = first + i * step;
    }
    state->page = state->directories[state->pages[0]].page;
    for (int64_t i = 0; series->images == 0 && i < *planes; i++) {
        if (!are_alike(&state->page, &state->directories[state->pages[i]].page)) {
            return halo_fail(HALO_FORMAT,
                             "%s: pages %" PRId64 " and %" PRId64 " are planes of one volume, and "
                             "differ in size or type; choose one with --page, or as %s:p=%" PRId64,
                             reader->path, state->pages[0], state->pages[i], reader->path,
                             state->pages[0]);
        }
    }
    return HALO_OK;
}

halo_status halo_tiff_choose(halo_image_reader *reader, tiff_series *series, halo_image_part *part,
                             int64_t *planes)
{
    tiff_state *state = reader->state;
    *series = (tiff_series){.of_pages = -1};
    HALO_TRY(HALO_ALLOCATE(state->pages, state->directory_count, "pages of a TIFF file"));
    if (reader->choices.of[HALO_IMAGE_PAGE] != NULL) {
        return take_page(reader, series, part, planes);
    }
    HALO_TRY(halo_tiff_use_page(reader, 0));
    HALO_TRY(halo_tiff_describe(reader, series));
    return series->of_pages >= 0 ? take_described(reader, series, part, planes)
                                 : take_plain(reader, series, part, planes);
}

#endif
