#define _XOPEN_SOURCE 700
#include "io/hdf5/gate.h"
#include "io/hdf5/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file, one of its data sets, and how that is stored. Links to other files are refused with their
 * names, unless they are to be followed. */

enum { REASON = 160, PATH_BYTES = 4096 };

/* ---- the library's failures ------------------------------------------------------------------ */

static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *context)
{
    if (n == 0 && error->desc != NULL) {
        snprintf(context, REASON, "%s", error->desc);
    }
    return 0;
}

halo_status hdf5_fail(const char *what, const char *remedy)
{
    char reason[REASON] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, reason);
    return halo_fail(HALO_FORMAT, "%s: %s; %s", what,
                     reason[0] != '\0' ? reason : "the file is damaged", remedy);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* A link to another file, which the library will open unless this fails. */
static herr_t note_elsewhere(const char *parent_file, const char *parent_group,
                             const char *child_file, const char *child_object, unsigned *flags,
                             hid_t access, void *context)
{
    hdf5_helper *helper = context;
    (void)parent_file, (void)parent_group, (void)flags, (void)access;
    snprintf(helper->elsewhere, sizeof helper->elsewhere, "%.150s:%s%.150s", child_file,
             child_object[0] == '/' ? "" : "/", child_object);
    return helper->follows ? 0 : -1;
}

/* So that files beside it are found, it is opened by its own name. */
static void name_file(const hdf5_helper *helper, const char *real, char *name)
{
    snprintf(name, PATH_BYTES, "/proc/self/fd/%d", HDF5_FILE);
    if (helper->follows && real != NULL) {
        snprintf(name, PATH_BYTES, "%s", real);
    }
}

/* Names in links are relative to the files that have them: environment variables of libhdf5 with
 * other prefixes do not count. */
static void follow(void)
{
    unsetenv("HDF5_EXT_PREFIX");
    unsetenv("HDF5_VDS_PREFIX");
    unsetenv("HDF5_EXTFILE_PREFIX");
    hdf5_gate_watch();
}

static halo_status open_file(hdf5_helper *helper)
{
    char name[PATH_BYTES];
    struct stat about;
    if (fstat(HDF5_FILE, &about) != 0) {
        return halo_fail(HALO_FILE, "the file cannot be looked at");
    }
    helper->file_bytes = (uint64_t)about.st_size;
    helper->access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_elink_cb(helper->access, note_elsewhere, helper);
    H5Pset_chunk_cache(helper->access, 0, 0, 1); /* each chunk is read once */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    name_file(helper, NULL, name);
    char *real = realpath(name, NULL);
    name_file(helper, real, name);
    if (real == NULL) { /* a temporary file without a name, which the usual driver wants to know */
        H5Pset_fapl_stdio(access);
    }
    free(real);
    if (helper->follows) {
        follow();
    }
    helper->file = H5Fopen(name, H5F_ACC_RDONLY, access);
    hdf5_limits_files(helper->follows);
    if (helper->file < 0) { /* before another call forgets why */
        return hdf5_fail("the HDF5 file cannot be opened", "copy or make it again");
    }
    H5Pclose(access);
    return HALO_OK;
}

hid_t hdf5_open_object(hdf5_helper *helper, const char *path)
{
    helper->elsewhere[0] = '\0';
    return H5Oopen(helper->file, path, helper->access);
}

static halo_status fail_elsewhere(const hdf5_helper *helper)
{
    const char *reason = hdf5_gate_refused();
    if (!helper->follows) {
        return halo_fail(HALO_FORMAT,
                         "is a link to another file; say --follow-links, or name that: %s",
                         helper->elsewhere);
    }
    return reason[0] != '\0' ? halo_fail(HALO_FORMAT, "is a link to %s, which cannot be opened: %s",
                                         helper->elsewhere, reason)
                             : hdf5_fail("is a link to another file that leads to no data set",
                                         "name one that is there");
}

static halo_status open_set(hdf5_helper *helper)
{
    char what[HDF5_SENTENCE];
    helper->set = hdf5_open_object(helper, helper->about.name);
    helper->is_elsewhere = helper->elsewhere[0] != '\0';
    if (helper->is_elsewhere && helper->set < 0) {
        return fail_elsewhere(helper);
    }
    if (helper->set < 0) {
        snprintf(what, sizeof what, "has no \"%.100s\"", helper->about.name);
        return hdf5_fail_list(helper, helper->file, "", what);
    }
    H5I_type_t kind = H5Iget_type(helper->set);
    if (kind == H5I_GROUP) {
        return hdf5_fail_list(helper, helper->set, helper->about.name, "is a group, no data set");
    }
    return kind == H5I_DATASET ? HALO_OK
                               : hdf5_fail_list(helper, helper->file, "", "is a type, no data set");
}

/* ---- how it is stored ------------------------------------------------------------------------ */

static halo_status check_filters(const hdf5_helper *helper, hid_t create)
{
    for (int i = 0, count = H5Pget_nfilters(create); i < count; i++) {
        char name[HDF5_WORD] = "";
        unsigned flags = 0, config = 0;
        size_t values = 0;
        H5Z_filter_t id =
            H5Pget_filter2(create, (unsigned)i, &flags, &values, NULL, sizeof name, name, &config);
        hdf5_limits_files(true); /* for plugins */
        bool available = id < 0 || H5Zfilter_avail(id) > 0;
        hdf5_limits_files(helper->follows);
        if (!available) {
            return halo_fail(HALO_FORMAT,
                             "is packed by the filter %d (%.40s), which HDF5 does not have here; "
                             "install its plugin and set HDF5_PLUGIN_PATH, or save the data set "
                             "with gzip",
                             (int)id, name[0] != '\0' ? name : "unnamed");
        }
    }
    return HALO_OK;
}

static halo_status describe_layout(hdf5_helper *helper, hid_t create)
{
    hdf5_description *about = &helper->about;
    hsize_t chunk[H5S_MAX_RANK];
    for (int i = 0; i < HDF5_AXES; i++) {
        about->chunk[i] = 1;
    }
    about->chunked = H5Pget_layout(create) == H5D_CHUNKED;
    about->packed = H5Pget_nfilters(create) > 0;
    if (about->chunked && H5Pget_chunk(create, H5S_MAX_RANK, chunk) != about->axes) {
        return hdf5_fail("the data set's chunks cannot be read", "copy or make the file again");
    }
    for (int i = 0; about->chunked && i < about->axes; i++) {
        about->chunk[i] = chunk[i];
    }
    haddr_t offset = H5Dget_offset(helper->set);
    bool plain = H5Pget_layout(create) == H5D_CONTIGUOUS && !about->packed && about->in_place;
    plain = plain && !helper->is_elsewhere && H5Pget_external_count(create) == 0;
    about->offset = plain && offset <= INT64_MAX ? (int64_t)offset : -1;
    return HALO_OK;
}

static halo_status describe(hdf5_helper *helper, hid_t create)
{
    H5D_layout_t layout = H5Pget_layout(create);
    helper->type = H5Dget_type(helper->set);
    hdf5_describe_type(&helper->about, helper->type);
    if (layout == H5D_VIRTUAL) { /* whose extent may depend on the other files */
        HALO_TRY(hdf5_check_virtual(helper, create));
    }
    hid_t space = H5Dget_space(helper->set);
    hdf5_describe_shape(&helper->about, space);
    H5Sclose(space);
    if (!helper->about.known) {
        return HALO_OK; /* for the reader to refuse */
    }
    if (H5Pget_external_count(create) > 0) {
        HALO_TRY(hdf5_check_external(helper, create));
    }
    HALO_TRY(check_filters(helper, create));
    HALO_TRY(describe_layout(helper, create));
    return helper->about.offset >= 0 ? HALO_OK : hdf5_prepare_boxes(helper, create);
}

halo_status hdf5_open(hdf5_helper *helper, const char *path)
{
    HALO_TRY(open_file(helper));
    snprintf(helper->about.name, sizeof helper->about.name, "%s", path);
    if (path[strspn(path, "/")] == '\0') {
        HALO_TRY(hdf5_find(helper));
    }
    HALO_TRY(open_set(helper));
    hid_t create = H5Dget_create_plist(helper->set);
    if (create < 0) {
        return hdf5_fail("the data set cannot be read", "copy or make the file again");
    }
    halo_status status = describe(helper, create);
    H5Pclose(create);
    return status;
}
