#include "module.h"

#include "base/minmax.h"
#include "base/names.h"
#include "core/world/world.h"
#include "io/array/array_write.h"
#include "io/array/png_parallel.h"
#include "io/image/density.h"
#include "io/image/image_reader.h"

#include <stdbool.h>
#include <string.h>

/* Images, volumes and arrays of files. */

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct {
    bool colours; /* red, green and blue, not greys or samples as they are */
    bool solid;   /* the last axis of an array is one of space, however short it is */
    bool as_stored, follow_links;
    halo_image_choices choices;
    halo_image_raw raw;
} read_options;

#define READ_ROW(option, kind, member) HALO_OPTION_ROW(read_options, option, kind, member)
static const halo_option read_rows[] = {
    {READ_ROW("colours", FLAG, colours), .help = "Red, green and blue"},
    {READ_ROW("solid", FLAG, solid), .help = "An array's last axis is never one of colours"},
    {READ_ROW("series", TEXT, choices.of[HALO_IMAGE_SERIES]), .value = "NUMBER|NAME",
     .help = "Of a file with several series, the one to read, by its number from 0 or its name"},
    {READ_ROW("page", TEXT, choices.of[HALO_IMAGE_PAGE]), .value = "NUMBER|NAME",
     .help = "The page to read"},
    {READ_ROW("time", TEXT, choices.of[HALO_IMAGE_TIME]), .value = "NUMBER|NAME",
     .help = "The point in time to read"},
    {READ_ROW("channel", TEXT, choices.of[HALO_IMAGE_CHANNEL]), .value = "NUMBER|NAME",
     .help = "The channel to read"},
    {READ_ROW("plane", TEXT, choices.of[HALO_IMAGE_PLANE]), .value = "NUMBER|NAME",
     .help = "The plane of a volume to read"},
    {READ_ROW("as-stored", FLAG, as_stored),
     .help = "Leave an image as it is stored, whatever orientation the file asks for"},
    {READ_ROW("follow-links", FLAG, follow_links),
     .help = "Open other files that one of HDF5 refers to"},
    {READ_ROW("planes", INTEGER, raw.planes), .help = "Of a file without a header, or 0"},
    {READ_ROW("height", INTEGER, raw.height), .help = "Rows of each plane"},
    {READ_ROW("width", INTEGER, raw.width), .help = "Samples of each row"},
    {READ_ROW("dtype", TEXT, raw.dtype), .value = "TYPE", .help = "Of these samples"},
    {READ_ROW("offset", INTEGER, raw.offset), .unit = "bytes",
     .help = "Of a file without a header: bytes before the first sample"},
    {0}};
static const halo_option *const read_table = read_rows;

enum { READ_PATH, READ_MAKE };

static PyObject *three(const double *values)
{
    return Py_BuildValue("(ddd)", values[0], values[1], values[2]);
}

static PyObject *describe_place(const halo_image_geometry *place)
{
    if (!place->placed) {
        return Py_NewRef(Py_None);
    }
    return Py_BuildValue("(N(NNN))", three(place->origin), three(place->direction[0]),
                         three(place->direction[1]), three(place->direction[2]));
}

/* A dictionary of what Python makes an array of, and shows users. */
static PyObject *describe_image(const halo_image_info *info, bool colours)
{
    return Py_BuildValue(
        "{sssssssisLsLsLsssisisisOsOsLsNsssNsOsssL}", "format", info->format, "kind", info->kind,
        "decoder", info->decoder, "axes", info->axes, "planes", (long long)info->planes, "height",
        (long long)info->height, "width", (long long)info->width, "dtype",
        halo_sample_types[info->type].numpy, "bits", info->bits, "channels", info->channels,
        "cell_bits", info->cell_bits, "colourful", info->colourful ? Py_True : Py_False, "colours",
        colours ? Py_True : Py_False, "maximum", (long long)info->maximum, "spacing",
        three(info->geometry.spacing), "unit", halo_length_name(info->geometry.unit), "place",
        describe_place(&info->geometry), "anatomical",
        info->geometry.anatomical ? Py_True : Py_False, "note", info->note, "row_bytes",
        (long long)halo_image_row_bytes(info));
}

static halo_status read_into(call_state *call, halo_image_reader *reader, const Py_buffer *view)
{
    enum { CHUNK = 1 << 20 };
    const halo_image_info *info = halo_image_reader_info(reader);
    size_t bytes = halo_image_row_bytes(info);
    int64_t fits = CHUNK / halo_max((int64_t)bytes, 1), rows = halo_max(fits, 1);
    double next = 0;
    HALO_FAIL_IF(view->len != (Py_ssize_t)(bytes * (size_t)info->rows), HALO_ARGUMENT,
                 "the array has %zd bytes, and the file %zu", view->len,
                 bytes * (size_t)info->rows);
    for (int64_t row = 0; row < info->rows; row += rows) {
        int64_t now = halo_min(rows, info->rows - row);
        HALO_TRY(halo_image_reader_rows(reader, row, now, (char *)view->buf + (size_t)row * bytes,
                                        bytes));
        HALO_TRY(call_watch_now_and_then(call, &next, row + now, info->rows));
    }
    return halo_image_reader_finish(reader);
}

/* Python makes an array for what the file has. Takes the interpreter to ask it. */
static halo_status take_array(call_state *call, halo_image_reader *reader, Py_buffer *view)
{
    const read_options *options = call->options;
    PyEval_RestoreThread(call->self);
    PyObject *about = describe_image(halo_image_reader_info(reader), options->colours);
    PyObject *array =
        about != NULL ? PyObject_CallFunction(call->object[READ_MAKE], "O", about) : NULL;
    bool taken = array != NULL && (array == Py_None || /* it wants another reader */
                                   PyObject_GetBuffer(array, view, PyBUF_CONTIG) == 0);
    Py_XDECREF(array); /* the view has it */
    Py_XDECREF(about);
    call->self = PyEval_SaveThread();
    return HALO_REQUIRE(taken, HALO_CANCELLED, "there is no array to read to");
}

static halo_status run_imread(call_state *call)
{
    const read_options *options = call->options;
    const halo_image_options how = {.want =
                                        options->colours ? HALO_IMAGE_COLOURS : HALO_IMAGE_NATIVE,
                                    .choices = options->choices,
                                    .solid = options->solid,
                                    .lines = true,
                                    .volumes = true,
                                    .as_stored = options->as_stored,
                                    .follow_links = options->follow_links,
                                    .raw = options->raw};
    halo_image_reader *reader;
    HALO_TRY(halo_image_reader_open(&reader, call->object[READ_PATH], &how));
    Py_buffer *view = &call->views[call->taken];
    halo_status status = take_array(call, reader, view);
    if (status == HALO_OK && view->obj != NULL) {
        call->taken++;
        status = read_into(call, reader, view);
    }
    halo_image_reader_close(&reader);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct {
    double spacing[HALO_AXES]; /* along x, y, z */
    const char *unit;
    bool labels, anatomical;
    int packing;
} write_options;

#define PACKING_CHOICE(code, name)      "|" #name
#define WRITE_ROW(option, kind, member) HALO_OPTION_ROW(write_options, option, kind, member)
static const halo_option write_rows[] = {
    {WRITE_ROW("spacing-x", REAL, spacing[0]), .help = "Distance of elements along the last axis"},
    {WRITE_ROW("spacing-y", REAL, spacing[1]), .help = "Along the axis before it"},
    {WRITE_ROW("spacing-z", REAL, spacing[2]), .help = "Along the first axis of three"},
    {WRITE_ROW("unit", TEXT, unit), .value = "UNIT",
     .help = "The unit of spacing, such as mm or um; empty if it is not known"},
    {WRITE_ROW("labels", FLAG, labels),
     .help = "The elements are numbers of regions, as the file says where its format can"},
    {WRITE_ROW("anatomical", FLAG, anatomical),
     .help = "Components of origin and direction point to the left, the back and the head"},
    {WRITE_ROW("compression", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(PACKING_CHOICE),
     .standard = "none", .help = "Of formats that have it"},
    {0}};
static const halo_option *const write_table = write_rows;

enum { WRITE_PATH, WRITE_ARRAY, WRITE_COLOURS, WRITE_PLACE };

typedef struct {
    call_state *call;
    const char *data;
    size_t row_bytes;
    int64_t rows;
    double next;
} written_rows;

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    written_rows *from = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, from->data + (size_t)(first + i) * from->row_bytes,
               from->row_bytes);
    }
    return call_watch_now_and_then(from->call, &from->next, first + rows, from->rows);
}

static halo_status write_png(halo_world *world, const char *path, const halo_npy_header *header,
                             const halo_array_about *about, const int64_t *cuts,
                             const halo_rows *rows)
{
    bool bytes = header->type == HALO_SAMPLE_U8, colours = header->pixel == 3;
    HALO_FAIL_IF(header->axes == 1, HALO_ARGUMENT,
                 "%s: PNG holds no arrays of one axis; use a name ending in .npy or .raw", path);
    HALO_FAIL_IF(header->planes > 1 || (header->pixel > 0 && !colours), HALO_ARGUMENT,
                 "a PNG file has one image of greys, or of red, green and blue; write a volume as "
                 ".tif or .nii");
    HALO_FAIL_IF(!bytes && (colours || header->type != HALO_SAMPLE_U16), HALO_ARGUMENT,
                 "a PNG file has greys of uint8, uint16 or bool, or colours of uint8; convert the "
                 "%s, or write it as .tif or .npy",
                 halo_sample_types[header->type].name);
    HALO_FAIL_IF(about->packing != HALO_ARRAY_PACKING_NONE, HALO_ARGUMENT,
                 "%s: PNG files are always compressed; leave out compression", path);
    halo_png_header png = {.width = header->width / (colours ? 3 : 1),
                           .height = header->height,
                           .kind = colours ? HALO_PNG_RGB8
                                   : bytes ? HALO_PNG_GREY8
                                           : HALO_PNG_GREY16};
    halo_density_of(&about->geometry, png.density);
    return halo_png_write(world, path, &png, cuts, rows);
}

/* The array as files have it: rows of all planes. */
static halo_npy_header head_of(const halo_array *array, bool colours)
{
    int axes = array->axes;
    bool solid = axes == HALO_AXES && !colours;
    int64_t width = array->n[axes - 1];
    halo_npy_header header = {.axes = axes, .type = array->type};
    header.width = axes == 1 ? 1 : colours ? array->n[1] * width : width;
    header.height = solid ? array->n[0] * array->n[1] : array->n[0];
    header.planes = solid ? array->n[0] : 0;
    header.pixel = colours ? width : 0;
    return header;
}

/* `place`, if it is given, is of float64 and without gaps: the origin, and the directions of x, y
 * and z. */
static halo_status take_geometry(const write_options *options, const halo_array *place,
                                 halo_image_geometry *geometry)
{
    memcpy(geometry->spacing, options->spacing, sizeof options->spacing);
    geometry->unit = options->unit != NULL ? halo_length_find(options->unit) : HALO_LENGTH_UNKNOWN;
    geometry->anatomical = options->anatomical;
    if (place != NULL) {
        const double(*rows)[HALO_AXES] = place->data;
        geometry->placed = true;
        memcpy(geometry->origin, rows[0], sizeof geometry->origin);
        memcpy(geometry->direction, rows[1], sizeof geometry->direction);
    }
    return HALO_REQUIRE(
        options->unit == NULL || geometry->unit != HALO_LENGTH_UNKNOWN, HALO_ARGUMENT,
        "unit is \"%s\", and must be one of length, such as mm or um", options->unit);
}

static halo_status write_array(call_state *call, halo_world *world, const char *path)
{
    const write_options *options = call->options;
    const halo_array *array = call->array[WRITE_ARRAY];
    const halo_npy_header header = head_of(array, call->whole[WRITE_COLOURS] != 0);
    written_rows from = {.call = call,
                         .data = array->data,
                         .row_bytes = (size_t)header.width * halo_sample_types[array->type].stored,
                         .rows = header.height};
    const halo_rows rows = {.fill = fill_rows, .context = &from};
    const int64_t cuts[] = {0, header.height};
    halo_array_about about = {.labels = options->labels,
                              .packing = (halo_array_packing)options->packing};
    HALO_TRY(take_geometry(options, call->array[WRITE_PLACE], &about.geometry));
    if (halo_name_ends(path, ".png")) {
        return write_png(world, path, &header, &about, cuts, &rows);
    }
    HALO_TRY(halo_array_check(path, &header));
    HALO_TRY(halo_array_check_packing(path, about.packing));
    HALO_TRY(halo_array_check_path(world, path));
    return halo_array_write(world, path, &header, &about, cuts, &rows);
}

static halo_status run_imwrite(call_state *call)
{
    halo_world *world;
    HALO_TRY(halo_world_create_alone(&world, NULL));
    halo_status status = write_array(call, world, call->object[WRITE_PATH]);
    halo_world_destroy(&world);
    return status;
}

const call_table image_tables[] = {{.name = "imread",
                                    .own_rows = &read_table,
                                    .options_bytes = sizeof(read_options),
                                    .run = run_imread,
                                    .arguments = {{"path", CALL_PATH}, {"make", CALL_FUNCTION}}},
                                   {.name = "imwrite",
                                    .own_rows = &write_table,
                                    .options_bytes = sizeof(write_options),
                                    .run = run_imwrite,
                                    .arguments = {{"path", CALL_PATH},
                                                  {"array", CALL_INPUT},
                                                  {"colours", CALL_WHOLE},
                                                  {"place", CALL_OPTIONAL_INPUT}}},
                                   {0}};
