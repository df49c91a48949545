#define _XOPEN_SOURCE 700
#include "io/hdf5/gate.h"
#include "io/hdf5/helper.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Samples in other files: external storage and virtual data sets. They are refused with a name, or
 * if links are followed all of these files are looked at before: of one that is missing, the
 * library would read zeros or fill values. */

enum { DEEPEST = 8, PATH_BYTES = 4096 };

/* ---- refused --------------------------------------------------------------------------------- */

static halo_status refuse_virtual(hid_t create)
{
    char file[HDF5_WORD] = "", set[HDF5_WORD] = "";
    size_t count = 0;
    H5Pget_virtual_count(create, &count);
    if (count > 0) {
        H5Pget_virtual_filename(create, 0, file, sizeof file);
        H5Pget_virtual_dsetname(create, 0, set, sizeof set);
    }
    return halo_fail(HALO_FORMAT,
                     "is a virtual data set, whose samples are in other files; say --follow-links, "
                     "or name one of these (%zu, the first is %s:%s)",
                     count, file, set);
}

static halo_status refuse_external(hid_t create)
{
    char file[HDF5_WORD] = "";
    off_t offset = 0;
    hsize_t bytes = 0;
    H5Pget_external(create, 0, sizeof file - 1, file, &offset, &bytes);
    return halo_fail(HALO_FORMAT,
                     "its samples are in other files, outside of HDF5 (%s); say --follow-links, or "
                     "give that file with --shape and --dtype",
                     file);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Sets `folder` [PATH_BYTES] to that of the file with this object. */
static bool find_folder(hid_t object, char *folder)
{
    char name[PATH_BYTES];
    ssize_t length = H5Fget_name(object, name, sizeof name);
    if (length <= 0 || length >= PATH_BYTES) {
        return false;
    }
    snprintf(folder, PATH_BYTES, "%s", dirname(name));
    return true;
}

/* As the library finds a file: by an absolute name, in the folder of the one that names it, or in
 * the working folder. */
static bool find_file(const char *folder, const char *name, char *path)
{
    struct stat about;
    int length = name[0] == '/' ? snprintf(path, PATH_BYTES, "%s", name)
                                : snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    if (length < PATH_BYTES && stat(path, &about) != 0 && name[0] != '/') {
        length = snprintf(path, PATH_BYTES, "%s", name);
    }
    return length < PATH_BYTES;
}

/* ---- external storage ------------------------------------------------------------------------ */

/* One of the files, with `*left` bytes of samples to come. */
static halo_status check_segment(const char *folder, hid_t create, unsigned i, uint64_t *left)
{
    char name[HDF5_NAME] = "", path[PATH_BYTES];
    off_t offset = 0;
    hsize_t bytes = 0;
    struct stat about = {0};
    H5Pget_external(create, i, sizeof name - 1, name, &offset, &bytes);
    uint64_t taken = bytes < *left ? bytes : *left;
    int length = name[0] == '/' ? snprintf(path, sizeof path, "%s", name)
                                : snprintf(path, sizeof path, "%s/%s", folder, name);
    bool there = length < PATH_BYTES && stat(path, &about) == 0;
    const char *reason = !there ? strerror(errno) : "is no ordinary file";
    if (!there || !S_ISREG(about.st_mode)) {
        return halo_fail(HALO_FORMAT,
                         "its samples are in the file %.200s, which cannot be read: %s", path,
                         reason);
    }
    if (offset < 0 || taken > (uint64_t)about.st_size ||
        (uint64_t)offset > (uint64_t)about.st_size - taken) {
        return halo_fail(HALO_FORMAT,
                         "its samples are in the file %.200s, which has %" PRIu64 " bytes, and "
                         "%" PRIu64 " are needed from byte %" PRIu64 " on; copy that again",
                         path, (uint64_t)about.st_size, taken, (uint64_t)offset);
    }
    *left -= taken;
    return hdf5_gate_note(path) ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: names of files");
}

/* libhdf5 looks for external files in the working folder. A prefix, which is set before the data
 * set is opened, makes it look in the folder of the HDF5 file. */
static halo_status open_external(hdf5_helper *helper, hid_t create)
{
    char folder[PATH_BYTES];
    const hdf5_description *about = &helper->about;
    uint64_t left = H5Tget_size(helper->type);
    for (int i = 0; i < about->axes; i++) {
        left = about->sizes[i] == 0 || left <= UINT64_MAX / 2 / about->sizes[i]
                   ? left * about->sizes[i]
                   : UINT64_MAX / 2;
    }
    bool found = find_folder(helper->set, folder);
    for (int i = 0, count = H5Pget_external_count(create); found && i < count; i++) {
        HALO_TRY(check_segment(folder, create, (unsigned)i, &left));
    }
    if (!found || left > 0) {
        return halo_fail(HALO_FORMAT, "its samples are in other files, which have too few bytes; "
                                      "copy or make the file again");
    }
    H5Pset_efile_prefix(helper->access, folder);
    H5Dclose(helper->set);
    helper->set = H5Dopen2(helper->file, about->name, helper->access);
    return helper->set >= 0 ? HALO_OK
                            : hdf5_fail("the data set cannot be opened again", "copy it again");
}

/* ---- virtual data sets ----------------------------------------------------------------------- */

static halo_status check_virtual(hdf5_helper *helper, hid_t set, hid_t create, int depth);

/* A data set that has a part of another one's samples. */
static halo_status check_source(hdf5_helper *helper, hid_t file, const char *path, const char *name,
                                int depth)
{
    hid_t set = H5Dopen2(file, name, helper->access);
    if (set < 0) {
        return halo_fail(HALO_FORMAT,
                         "is a virtual data set, and its source %.200s:%.100s is missing; copy or "
                         "make that",
                         path, name);
    }
    hid_t create = H5Dget_create_plist(set);
    halo_status status = HALO_OK;
    if (H5Pget_layout(create) == H5D_VIRTUAL) {
        status = check_virtual(helper, set, create, depth + 1);
    } else if (H5Pget_external_count(create) > 0) {
        status = halo_fail(HALO_FORMAT,
                           "is a virtual data set, and its source %.200s:%.100s has its samples in "
                           "yet another file; copy that with h5repack --layout=CONTI",
                           path, name);
    }
    H5Pclose(create);
    H5Dclose(set);
    return status;
}

static halo_status check_mapping(hdf5_helper *helper, hid_t set, hid_t create, size_t i, int depth)
{
    char folder[PATH_BYTES], name[HDF5_NAME] = "", source[HDF5_NAME] = "", path[PATH_BYTES];
    H5Pget_virtual_filename(create, i, name, sizeof name);
    H5Pget_virtual_dsetname(create, i, source, sizeof source);
    hdf5_limits_progress(0);
    if (strcmp(name, ".") == 0) {
        return check_source(helper, set, ".", source, depth);
    }
    if (strchr(name, '%') != NULL || strchr(source, '%') != NULL) {
        return halo_fail(HALO_FORMAT,
                         "is a virtual data set of files that are numbered by a pattern, %.100s; "
                         "copy it with h5repack --layout=CONTI",
                         name);
    }
    bool found = find_folder(set, folder) && find_file(folder, name, path);
    hid_t file = found ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (file < 0) {
        const char *reason = hdf5_gate_refused();
        return halo_fail(HALO_FORMAT,
                         "is a virtual data set, and its source cannot be opened: %s; copy or make "
                         "that",
                         reason[0] != '\0' ? reason : name);
    }
    halo_status status = check_source(helper, file, path, source, depth);
    H5Fclose(file);
    return status;
}

static halo_status check_virtual(hdf5_helper *helper, hid_t set, hid_t create, int depth)
{
    size_t count = 0;
    H5Pget_virtual_count(create, &count);
    if (depth > DEEPEST) {
        return halo_fail(
            HALO_FORMAT,
            "is a virtual data set of virtual data sets, more than %d, or without end; "
            "copy it with h5repack --layout=CONTI",
            DEEPEST);
    }
    for (size_t i = 0; i < count; i++) {
        HALO_TRY(check_mapping(helper, set, create, i, depth));
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status hdf5_check_virtual(hdf5_helper *helper, hid_t create)
{
    return helper->follows ? check_virtual(helper, helper->set, create, 0) : refuse_virtual(create);
}

halo_status hdf5_check_external(hdf5_helper *helper, hid_t create)
{
    return helper->follows ? open_external(helper, create) : refuse_external(create);
}

halo_status hdf5_check_read(const hdf5_helper *helper)
{
    return !helper->follows || !hdf5_gate_short()
               ? HALO_OK
               : halo_fail(HALO_FORMAT, "a file that it refers to cannot be opened: %s",
                           hdf5_gate_refused());
}

halo_status hdf5_file_name(const hdf5_helper *helper, uint64_t index, hdf5_attribute *out)
{
    const char *name = helper->follows ? hdf5_gate_name(index) : NULL;
    memset(out, 0, sizeof *out);
    out->found = name != NULL;
    snprintf(out->text, sizeof out->text, "%s", name != NULL ? name : "");
    return HALO_OK;
}
