#include "io/hdf5/helper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which data sets there are. Objects are opened by their addresses in the file, once each, so that
 * the time grows with their number, however deep groups are, and cycles of links end. */

enum { LISTED = 6, LINE = 160, LIST = 280 };

/* The first data sets of a kind. */
typedef struct {
    char list[LIST];
    char name[HDF5_NAME]; /* of the first */
    int64_t count;
    size_t used;
} listed;

typedef struct {
    haddr_t address;
    size_t name;    /* its last word, in search.names */
    int64_t parent; /* the group it is in, in search.groups; -1: the root of the search */
} link_found;

/* An array that grows. */
typedef struct {
    void *items;
    size_t count, room;
} growing;

typedef struct {
    const char *root_name;
    growing links;  /* of link_found: still to be looked at, the next one last */
    growing groups; /* of link_found: that were looked at */
    growing names;  /* of char */
    growing seen;   /* of haddr_t: a hash table of room entries; 0: free */
    int64_t parent; /* whose links are listed */
    uint64_t links_left;
    bool no_memory;
    listed all, images;
    listed larger; /* of which a part has to be chosen */
} search;

/* ---- memory ---------------------------------------------------------------------------------- */

static void *grow(search *s, growing *array, size_t more, size_t size)
{
    if (array->count + more > array->room) {
        size_t room = 2 * (array->count + more);
        void *items = realloc(array->items, room * size);
        if (items == NULL) {
            s->no_memory = true;
            return NULL;
        }
        array->items = items;
        array->room = room;
    }
    array->count += more;
    return (char *)array->items + (array->count - more) * size;
}

static bool push(search *s, growing *array, const link_found *link)
{
    link_found *at = grow(s, array, 1, sizeof *link);
    if (at != NULL) {
        *at = *link;
    }
    return at != NULL;
}

static haddr_t *place_of(const growing *seen, haddr_t address)
{
    haddr_t *items = seen->items;
    size_t at = (size_t)(address * UINT64_C(0x9E3779B97F4A7C15) >> 16) % seen->room;
    while (items[at] != 0 && items[at] != address + 1) {
        at = (at + 1) % seen->room;
    }
    return &items[at];
}

static bool rehash(search *s)
{
    growing larger = {.room = 4 * s->seen.room + 1024, .count = s->seen.count};
    larger.items = calloc(larger.room, sizeof(haddr_t));
    if (larger.items == NULL) {
        s->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < s->seen.room; i++) {
        haddr_t entry = ((haddr_t *)s->seen.items)[i];
        if (entry != 0) {
            *place_of(&larger, entry - 1) = entry;
        }
    }
    free(s->seen.items);
    s->seen = larger;
    return true;
}

/* Is it here for the first time? */
static bool is_new(search *s, haddr_t address)
{
    if (2 * s->seen.count >= s->seen.room && !rehash(s)) {
        return false;
    }
    haddr_t *place = place_of(&s->seen, address);
    bool is_free = *place == 0;
    *place = address + 1;
    s->seen.count += is_free;
    return is_free;
}

static void free_search(search *s)
{
    free(s->links.items);
    free(s->groups.items);
    free(s->names.items);
    free(s->seen.items);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* "/a/b/c"; of long ones the end is cut. */
static void write_path(const search *s, const link_found *link, char path[HDF5_NAME])
{
    const link_found *groups = s->groups.items;
    const char *names = s->names.items;
    size_t length = strlen(s->root_name), all = length, used = length;
    for (const link_found *l = link; l != NULL; l = l->parent >= 0 ? &groups[l->parent] : NULL) {
        all += 1 + strlen(names + l->name);
    }
    for (const link_found *l = link; l != NULL; l = l->parent >= 0 ? &groups[l->parent] : NULL) {
        size_t count = strlen(names + l->name), at = all - count;
        for (size_t i = 0; i < count && at + i < HDF5_NAME; i++) {
            path[at + i] = names[l->name + i];
        }
        if (at - 1 < HDF5_NAME) {
            path[at - 1] = '/';
        }
        all = at - 1;
        used += 1 + count;
    }
    memcpy(path, s->root_name, length);
    path[used < HDF5_NAME ? used : HDF5_NAME - 1] = '\0';
}

static void add(listed *to, const hdf5_description *about)
{
    char line[LINE];
    if (to->count++ == 0) {
        memcpy(to->name, about->name, sizeof to->name);
    }
    int length = snprintf(line, sizeof line, "%s%.90s (%s, %s)", to->used > 0 ? ", " : "",
                          about->name, about->shape_text, about->type_text);
    if (to->count <= LISTED && length > 0 && length < LINE &&
        to->used + (size_t)length < sizeof to->list) {
        memcpy(to->list + to->used, line, (size_t)length + 1);
        to->used += (size_t)length;
    }
}

static const char *more(const listed *of)
{
    return of->count > LISTED ? ", ..." : "";
}

/* ---- looking --------------------------------------------------------------------------------- */

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *about, void *context)
{
    enum { OFTEN = 1024 };
    search *s = context;
    (void)group;
    if (about->type != H5L_TYPE_HARD) {
        return 0;
    }
    /* Each link takes some bytes of the file: more links than bytes are a cycle. */
    if (s->links_left-- == 0) {
        return -1;
    }
    if (s->links_left % OFTEN == 0) {
        hdf5_limits_progress(0);
    }
    size_t length = strlen(name) + 1;
    char *copy = grow(s, &s->names, length, 1);
    if (copy == NULL) {
        return -1;
    }
    memcpy(copy, name, length);
    const link_found link = {
        .address = about->u.address, .name = s->names.count - length, .parent = s->parent};
    return push(s, &s->links, &link) ? 0 : -1;
}

/* The first name is to be looked at first. */
static void turn(search *s, size_t from)
{
    link_found *links = s->links.items;
    for (size_t a = from, b = s->links.count; a + 1 < b; a++) {
        link_found other = links[--b];
        links[b] = links[a];
        links[a] = other;
    }
}

static bool list_group(search *s, hid_t group, int64_t parent)
{
    size_t from = s->links.count;
    s->parent = parent;
    bool well = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, s) >= 0;
    turn(s, from);
    return well;
}

static void note_set(search *s, const link_found *link, hid_t set)
{
    hdf5_description about = {.axes = -1};
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hdf5_describe_type(&about, type);
    hdf5_describe_shape(&about, space);
    bool is_image = hdf5_is_image(&about);
    bool has_images = hdf5_has_images(&about);
    if (s->all.count < LISTED || (is_image && s->images.count < LISTED) ||
        (has_images && s->larger.count < LISTED)) {
        write_path(s, link, about.name);
    }
    add(&s->all, &about);
    if (is_image) {
        add(&s->images, &about);
    }
    if (has_images) {
        add(&s->larger, &about);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static bool look_at(search *s, hid_t root, const link_found *link)
{
    hid_t object = H5Oopen_by_addr(root, link->address);
    H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
    bool well = object >= 0;
    hdf5_limits_progress(0);
    if (kind == H5I_DATASET) {
        note_set(s, link, object);
    } else if (kind == H5I_GROUP) {
        well = push(s, &s->groups, link) && list_group(s, object, (int64_t)s->groups.count - 1);
    }
    if (well) { /* or else the library would forget what is wrong */
        H5Oclose(object);
    }
    return well;
}

/* False: the file is damaged; what was found before stays. */
static bool look(search *s, const hdf5_helper *helper, hid_t root)
{
    s->links_left = helper->file_bytes;
    bool well = list_group(s, root, -1);
    while (well && s->links.count > 0) {
        const link_found link = ((link_found *)s->links.items)[--s->links.count];
        well = !is_new(s, link.address) || look_at(s, root, &link);
    }
    return well && !s->no_memory;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status fail_all(const search *s, const char *what)
{
    return s->all.count == 0
               ? halo_fail(HALO_FORMAT, "%s, and there is no data set; name one", what)
               : halo_fail(HALO_FORMAT,
                           "%s; of the %" PRId64 " data sets name one as FILE:/PATH: %s%s", what,
                           s->all.count, s->all.list, more(&s->all));
}

halo_status hdf5_fail_list(const hdf5_helper *helper, hid_t root, const char *name,
                           const char *what)
{
    search s = {.root_name = name};
    bool well = look(&s, helper, root);
    halo_status status =
        well ? fail_all(&s, what)
             : halo_fail(HALO_FORMAT,
                         "%s, and its data sets cannot be listed, for the file is damaged; copy or "
                         "make it again",
                         what);
    free_search(&s);
    return status;
}

halo_status hdf5_find(hdf5_helper *helper)
{
    search s = {.root_name = ""};
    bool well = look(&s, helper, helper->file);
    halo_status status = HALO_OK;
    if (!well) {
        status = hdf5_fail("its data sets cannot be listed",
                           "copy or make it again, or name one as FILE:/PATH");
    } else if (s.images.count == 0 && s.larger.count == 1) {
        memcpy(helper->about.name, s.larger.name, sizeof helper->about.name);
    } else if (s.images.count == 0) {
        status = fail_all(&s, "has no numbers of 2 or 3 axes");
    } else if (s.images.count > 1) {
        status = halo_fail(HALO_FORMAT,
                           "has %" PRId64 " data sets of 2 or 3 axes; name one as FILE:/PATH: %s%s",
                           s.images.count, s.images.list, more(&s.images));
    } else {
        memcpy(helper->about.name, s.images.name, sizeof helper->about.name);
    }
    free_search(&s);
    return status;
}
