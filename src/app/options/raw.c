#include "app/options/shared_options.h"

#include "base/scan.h"

#include <math.h>
#include <string.h>

/* Images in files that are nothing but samples, and volumes in several files. */

/* Skips the separator of two sizes as people write it: 160x160, 160X160, 160*160, 160,160, 160
 * 160, and the sign of multiplication. */
static const char *skip_between(const char *text)
{
    static const char times[] = "\xc3\x97"; /* in UTF-8 */
    text += strspn(text, " ");
    if (strncmp(text, times, sizeof times - 1) == 0) {
        text += sizeof times - 1;
    } else if (*text != '\0' && strchr("xX*,", *text) != NULL) {
        text++;
    }
    return text + strspn(text, " ");
}

/* Also in brackets, as NumPy prints it. */
static halo_status parse_shape(const char *text, void *into)
{
    int64_t sizes[3];
    int count = 0;
    char closing = *text == '(' ? ')' : *text == '[' ? ']' : '\0';
    text += closing != '\0';
    for (const char *before = NULL; before != text; count++) {
        if (count == 3 || !halo_scan_integer(&text, 1, INT32_MAX, &sizes[count])) {
            return HALO_ARGUMENT;
        }
        before = text;
        text = skip_between(text);
    }
    text += closing != '\0' && *text == closing;
    if (*text != '\0' || (closing != '\0' && text[-1] != closing) || count < 2) {
        return HALO_ARGUMENT;
    }
    halo_image_raw *raw = into;
    raw->planes = count == 3 ? sizes[0] : 0;
    raw->height = sizes[count - 2];
    raw->width = sizes[count - 1];
    return HALO_OK;
}

halo_status app_parse_nodata(const char *text, void *into)
{
    halo_image_nodata_choice *choice = into;
    *choice = (halo_image_nodata_choice){.given = true, .none = strcmp(text, "none") == 0};
    return choice->none || halo_image_scan_nodata(text, &choice->value) ? HALO_OK : HALO_ARGUMENT;
}

halo_status app_parse_fill(const char *text, void *into)
{
    halo_image_fill *fill = into;
    *fill = (halo_image_fill){.given = true};
    return halo_image_scan_nodata(text, &fill->value) && !isnan(fill->value.value) ? HALO_OK
                                                                                   : HALO_ARGUMENT;
}

#define TYPE_OFFER(code, type, kind, range, name, numpy, ...) "|" numpy

#define RAW_ROWS                                                                                   \
    {.type = HALO_OPTION_SECTION, .help = "A file of samples without a header:"},                  \
        {APP_FRAME_ROW("shape", CUSTOM, raw), .parse = parse_shape,                                \
         .value = "[DEPTHx]HEIGHTxWIDTH",                                                          \
         .takes = "HEIGHTxWIDTH or DEPTHxHEIGHTxWIDTH, as NumPy's shapes are",                     \
         .help = "Planes, rows and columns of the file; columns are the fastest axis"},            \
        {APP_FRAME_ROW("dtype", TEXT, raw.dtype),                                                  \
         .standard = "u1",                                                                         \
         .value = "TYPE",                                                                          \
         .offers = HALO_SAMPLE_TYPE_LIST(TYPE_OFFER),                                              \
         .needs = "shape",                                                                         \
         .help = "The samples' type: u1, <u2 (low byte first), >u2, <i4, <f4 and so on as "        \
                 "NumPy's, or in words: uint16, short, float (32 bits), double"},                  \
        {APP_FRAME_ROW("offset", INTEGER, raw.offset), .unit = "bytes", .value = "BYTES",          \
         .needs = "shape", .help = "Bytes before the first sample"},                               \
        {.type = HALO_OPTION_SECTION, .help = "What an image says of itself:"}, APP_AS_STORED_ROW, \
        APP_FOLLOW_LINKS_ROW, APP_NODATA_ROW, APP_FILL_ROW

const halo_option app_raw_rows[] = {
    RAW_ROWS,
    {APP_FRAME_ROW("filter", TEXT, filter), .value = "'STEP ...'", .standard = "none",
     .flags = APP_SAVED | APP_UNLESS_DEFAULT,
     .help = "Filter the image while it is read: steps of `halobeat filter` with blanks between "
             "them, such as 'gaussian:1.5'. Steps that need the whole image are refused"},
    {.type = HALO_OPTION_END}};

/* The command filter has steps of its own. */
const halo_option app_unfiltered_rows[] = {RAW_ROWS, {.type = HALO_OPTION_END}};

#define CHOICE(name, kind) \
    APP_FRAME_ROW(name, TEXT, choices.of[HALO_IMAGE_##kind]), .value = "N|NAME"

#define CHOICE_ROWS                                                                                \
    {.type = HALO_OPTION_SECTION,                                                                  \
     .help = "A part of a file, by a number from 0; also as FILE:c=1,t=0:"},                       \
        {CHOICE("channel", CHANNEL), .help =                                                       \
                                         "The channel to read (c), by number or name; of colours " \
                                         "red, green, blue or alpha"},                             \
        {CHOICE("time", TIME), .help = "The point in time to read (t)"},                           \
        {CHOICE("page", PAGE),                                                                     \
         .help = "The page of a TIFF file to read (p), whatever the others are"},                  \
    {                                                                                              \
        CHOICE("series", SERIES),                                                                  \
            .help = "The image of an OME file, or the pages of one size, to read (s)"              \
    }

const halo_option app_picture_rows[] = {
    CHOICE_ROWS,
    {.type = HALO_OPTION_SECTION, .help = "The orientation of an image:"},
    APP_AS_STORED_ROW,
    {.type = HALO_OPTION_END}};

const halo_option app_choice_rows[] = {
    CHOICE_ROWS,
    {APP_FRAME_ROW("volume", FLAG, volume), .excludes = "channel",
     .help = "An array whose last axis has 2 to 4 samples is a volume of so many columns, and no "
             "image with channels"},
    {.type = HALO_OPTION_END}};

const halo_option app_stack_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "A volume in several files:"},
    {APP_FRAME_ROW("stack", FLAG, stack), .excludes = "table|ranks-per-image|batch",
     .why = "images are then the planes of one volume",
     .help =
         "The images named are the planes of one volume, in this order; those that a pattern in "
         "quotes ('z*.png') stands for, or of a folder, are in natural order, 2 before 10. "
         "Without it, names with a place for a number (z%04d.png, from the lowest number there "
         "is up) and folders of pictures called z0012.png or the like are such volumes"},
    {.type = HALO_OPTION_END}};
