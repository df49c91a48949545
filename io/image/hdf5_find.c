#include "io/image/hdf5_internal.h"

#ifdef HALOBEAT_HDF5

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is in an HDF5 file, and which of its data sets is an image. */

/* ---- types ----------------------------------------------------------------------------------- */

static bool matches(hid_t type, hid_t little, hid_t big, hdf5_type *found)
{
    bool is_big = H5Tequal(type, big) > 0;
    found->in_place = is_big || H5Tequal(type, little) > 0;
    found->swapped = found->in_place && is_big != halo_image_big_endian() && H5Tget_size(type) > 1;
    return found->in_place;
}

static void find_integer(hid_t type, hdf5_type *found)
{
    static const halo_image_type types[2][4] = {
        {HALO_IMAGE_U8, HALO_IMAGE_U16, HALO_IMAGE_U32, HALO_IMAGE_U64},
        {HALO_IMAGE_I8, HALO_IMAGE_I16, HALO_IMAGE_I32, HALO_IMAGE_I64}};
    const hid_t orders[2][4][2] = {{{H5T_STD_U8LE, H5T_STD_U8BE},
                                    {H5T_STD_U16LE, H5T_STD_U16BE},
                                    {H5T_STD_U32LE, H5T_STD_U32BE},
                                    {H5T_STD_U64LE, H5T_STD_U64BE}},
                                   {{H5T_STD_I8LE, H5T_STD_I8BE},
                                    {H5T_STD_I16LE, H5T_STD_I16BE},
                                    {H5T_STD_I32LE, H5T_STD_I32BE},
                                    {H5T_STD_I64LE, H5T_STD_I64BE}}};
    size_t bytes = H5Tget_size(type);
    bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
    for (int i = 0; i < 4; i++) {
        if (bytes == (size_t)1 << i) {
            found->known = true;
            found->type = types[is_signed][i];
            matches(type, orders[is_signed][i][0], orders[is_signed][i][1], found);
        }
    }
    snprintf(found->text, sizeof found->text, "%sint%zu", is_signed ? "" : "u", 8 * bytes);
}

/* Short floats become floats of 32 bits, which hold them. */
static void find_float(hid_t type, hdf5_type *found)
{
    size_t bytes = H5Tget_size(type);
    bool whole = matches(type, H5T_IEEE_F32LE, H5T_IEEE_F32BE, found) ||
                 matches(type, H5T_IEEE_F64LE, H5T_IEEE_F64BE, found);
    found->known = whole || bytes == 2;
    found->type = bytes == 8 ? HALO_IMAGE_F64 : HALO_IMAGE_F32;
    snprintf(found->text, sizeof found->text, "float%zu", 8 * bytes);
}

/* h5py's booleans. */
static bool is_boolean(hid_t type)
{
    signed char no = 1, yes = 0;
    return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
           H5Tenum_valueof(type, "FALSE", &no) >= 0 && H5Tenum_valueof(type, "TRUE", &yes) >= 0 &&
           no == 0 && yes == 1;
}

hdf5_type halo_hdf5_type(hid_t type)
{
    static const struct {
        H5T_class_t kind;
        const char *name;
    } others[] = {{H5T_STRING, "text"},          {H5T_COMPOUND, "compound values"},
                  {H5T_TIME, "times"},           {H5T_BITFIELD, "fields of bits"},
                  {H5T_OPAQUE, "opaque values"}, {H5T_REFERENCE, "references"},
                  {H5T_VLEN, "lists"},           {H5T_ARRAY, "arrays"}};
    hdf5_type found = {.text = "an unknown type"};
    H5T_class_t kind = H5Tget_class(type);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (kind == others[i].kind) {
            snprintf(found.text, sizeof found.text, "%s", others[i].name);
        }
    }
    if (kind == H5T_ENUM && is_boolean(type)) {
        return (hdf5_type){.known = true,
                           .type = HALO_IMAGE_BIT,
                           .boolean = true,
                           .in_place = true,
                           .text = "bool"};
    }
    if (kind == H5T_INTEGER) {
        find_integer(type, &found);
    } else if (kind == H5T_FLOAT) {
        find_float(type, &found);
    } else if (kind == H5T_ENUM) { /* names for numbers */
        hid_t numbers = H5Tget_super(type);
        find_integer(numbers, &found);
        H5Tclose(numbers);
    }
    return found;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void print_sizes(hdf5_shape *shape)
{
    size_t used = 0;
    snprintf(shape->text, sizeof shape->text, "%s", shape->count < 0 ? "no array" : "one value");
    for (int i = 0; i < shape->count && used < sizeof shape->text; i++) {
        used += (size_t)snprintf(shape->text + used, sizeof shape->text - used, "%s%" PRIu64,
                                 i > 0 ? " x " : "", (uint64_t)shape->sizes[i]);
    }
}

/* Of more than three axes, those of one sample are left out: colours, which come last, before
 * times, which come first. */
hdf5_shape halo_hdf5_shape(hid_t space)
{
    hdf5_shape shape = {.count = -1};
    bool dropped[H5S_MAX_RANK] = {false};
    if (H5Sget_simple_extent_type(space) != H5S_NULL) {
        shape.count = H5Sget_simple_extent_dims(space, shape.sizes, NULL);
    }
    shape.left = shape.count;
    for (int i = 0; shape.left > 3 && i < shape.count; i++) {
        int axis = i == 0 ? shape.count - 1 : i - 1;
        dropped[axis] = shape.sizes[axis] == 1;
        shape.left -= dropped[axis];
    }
    shape.known = shape.left == 2 || shape.left == 3;
    for (int i = 0, at = 0; shape.known && i < shape.count; i++) {
        if (!dropped[i]) {
            shape.is[at++] = i;
        }
    }
    print_sizes(&shape);
    return shape;
}

/* ---- lists ----------------------------------------------------------------------------------- */

enum { LISTED = 6, LINE = 160, LIST = 280 };

typedef struct {
    char list[LIST]; /* of the first */
    char name[HALO_IMAGE_NAME_BYTES];
    int64_t all, images; /* data sets, and those of them that are like one */
    bool only_images;
    size_t used;
} contents;

static void add_line(contents *c, const char *name, const hdf5_shape *shape, const hdf5_type *type)
{
    char line[LINE];
    int length = snprintf(line, sizeof line, "%s%.90s (%s, %s)", c->used > 0 ? ", " : "", name,
                          shape->text, type->text);
    if (length > 0 && length < LINE && c->used + (size_t)length < sizeof c->list) {
        memcpy(c->list + c->used, line, (size_t)length + 1);
        c->used += (size_t)length;
    }
}

static herr_t visit(hid_t root, const char *name, const H5O_info_t *about, void *context)
{
    contents *c = context;
    if (about->type != H5O_TYPE_DATASET) {
        return 0;
    }
    hid_t set = H5Dopen2(root, name, H5P_DEFAULT);
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const hdf5_type its_type = halo_hdf5_type(type);
    const hdf5_shape its_shape = halo_hdf5_shape(space);
    bool image = its_type.known && its_shape.known;
    char full[HALO_IMAGE_NAME_BYTES] = "";
    H5Iget_name(set, full, sizeof full);
    c->all++;
    c->images += image;
    if (image && c->images == 1) {
        snprintf(c->name, sizeof c->name, "%s", full);
    }
    if ((image || !c->only_images) && (c->only_images ? c->images : c->all) <= LISTED) {
        add_line(c, full, &its_shape, &its_type);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return 0;
}

/* Of a damaged file, what is not. */
static bool look(hid_t root, contents *c)
{
    return H5Ovisit2(root, H5_INDEX_NAME, H5_ITER_INC, visit, c, H5O_INFO_BASIC) >= 0;
}

halo_status halo_hdf5_fail_list(const halo_image_reader *reader, hid_t root, const char *what)
{
    contents c = {.all = 0};
    if (!look(root, &c)) {
        return halo_fail(
            HALO_FORMAT,
            "%s: %s, and its data sets cannot be listed, for the file is damaged; copy "
            "or make it again",
            reader->path, what);
    }
    bool more = c.all > LISTED;
    return c.all == 0
               ? halo_fail(HALO_FORMAT, "%s: %s, and there is no data set; name one", reader->path,
                           what)
               : halo_fail(HALO_FORMAT,
                           "%s: %s; of the %" PRId64 " data sets name one as FILE:/PATH: %s%s",
                           reader->path, what, c.all, c.list, more ? ", ..." : "");
}

halo_status halo_hdf5_find(const halo_image_reader *reader, hid_t root)
{
    hdf5_state *state = reader->state;
    contents c = {.only_images = true};
    if (!look(root, &c)) {
        return halo_hdf5_fail(reader, "its data sets cannot be listed",
                              "copy or make it again, or name one as FILE:/PATH");
    }
    if (c.images == 0) {
        return halo_hdf5_fail_list(reader, root, "has no numbers of 2 or 3 axes");
    }
    if (c.images > 1) {
        return halo_fail(HALO_FORMAT,
                         "%s: has %" PRId64 " data sets of 2 or 3 axes; name one as FILE:/PATH: "
                         "%s%s",
                         reader->path, c.images, c.list, c.images > LISTED ? ", ..." : "");
    }
    strcpy(state->name, c.name);
    return HALO_OK;
}

#endif
