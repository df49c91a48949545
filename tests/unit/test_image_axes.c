#include "io/image/axes.h"
#include "io/image/xml_tags.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which part of a file with many axes is read: the mapping from choices to indices and places, and
 * what is refused; descriptions that nobody has checked. */

enum { T = 3, C = 2, Z = 4, Y = 5, X = 6, SAMPLES = T * C * Z * Y * X };

/* Writes an array of uint16 whose samples are their own numbers. */
static void write_array(const char *shape, int count)
{
    enum { HEAD = 128, MOST = 2 * SAMPLES };
    unsigned char bytes[HEAD + 2 * MOST] = {0};
    char text[HEAD];
    memcpy(bytes, "\x93NUMPY\1\0v\0", 10);
    int length =
        snprintf(text, sizeof text, "{'descr': '<u2', 'fortran_order': False, 'shape': %s}", shape);
    memset(bytes + 10, ' ', HEAD - 10);
    memcpy(bytes + 10, text, (size_t)length);
    bytes[HEAD - 1] = '\n';
    for (int i = 0; i < count; i++) {
        bytes[HEAD + 2 * i] = (unsigned char)i;
        bytes[HEAD + 2 * i + 1] = (unsigned char)(i >> 8);
    }
    scratch_write("array.npy", bytes, HEAD + 2 * (size_t)count);
}

/* Reads the array with what is behind its name; the rows' first samples go to `first` [rows]. */
static halo_status read_part(const char *path, const halo_image_options *options,
                             halo_image_info *info, int *first)
{
    halo_image_reader *reader = NULL;
    uint16_t row[64];
    halo_status status = halo_image_reader_open(&reader, path, options);
    if (status != HALO_OK) {
        return status;
    }
    *info = *halo_image_reader_info(reader);
    for (int64_t i = 0; i < info->rows && status == HALO_OK; i++) {
        status = halo_image_reader_rows(reader, i, 1, row, sizeof row);
        first[i] = row[0];
    }
    halo_image_reader_close(&reader);
    return status;
}

static int number(int t, int c, int z, int y)
{
    return (((t * C + c) * Z + z) * Y + y) * X;
}

TEST("every part of an array of five axes is where NumPy has it")
{
    const halo_image_options options = {.want = HALO_IMAGE_SAMPLES, .volumes = true};
    write_array("(3, 2, 4, 5, 6)", SAMPLES);
    for (int i = 0; i < T * C; i++) {
        char path[64];
        halo_image_info info;
        int first[Z * Y], t = i / C, c = i % C;
        snprintf(path, sizeof path, "array.npy:t=%d,c=%d", t, c);
        SUCCEEDS(read_part(path, &options, &info, first));
        CU_ASSERT(info.axes == 3 && info.planes == Z && info.height == Y && info.width == X);
        CU_ASSERT(info.parts[HALO_IMAGE_TIME].index == t && info.parts[HALO_IMAGE_TIME].count == T);
        CU_ASSERT(info.parts[HALO_IMAGE_CHANNEL].index == c);
        for (int row = 0; row < Z * Y; row++) {
            check(first[row] == number(t, c, row / Y, row % Y), "%s: another row %d", path, row);
        }
        snprintf(path, sizeof path, "array.npy:z=%d,t=%d,c=%d", i % Z, t, c);
        SUCCEEDS(read_part(path, &options, &info, first));
        CU_ASSERT(info.axes == 2 && first[Y - 1] == number(t, c, i % Z, Y - 1));
    }
}

TEST("options choose as what stands behind the name, which counts more")
{
    halo_image_options options = {.want = HALO_IMAGE_SAMPLES, .volumes = true};
    halo_image_info info;
    int first[Z * Y];
    write_array("(3, 2, 4, 5, 6)", SAMPLES);
    options.choices.of[HALO_IMAGE_TIME] = "2";
    options.choices.of[HALO_IMAGE_CHANNEL] = "1";
    SUCCEEDS(read_part("array.npy", &options, &info, first));
    CU_ASSERT(first[0] == number(2, 1, 0, 0));
    SUCCEEDS(read_part("array.npy:time=0", &options, &info, first));
    CU_ASSERT(first[0] == number(0, 1, 0, 0));
}

TEST("a last axis of few samples is refused, chosen, or said to be columns")
{
    halo_image_options options = {.want = HALO_IMAGE_SAMPLES, .volumes = true};
    halo_image_info info;
    int first[Z * Y];
    write_array("(4, 5, 2)", Z * Y * 2);
    CU_ASSERT(read_part("array.npy", &options, &info, first) == HALO_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "--volume"));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "--channel"));
    SUCCEEDS(read_part("array.npy:c=1", &options, &info, first));
    CU_ASSERT(info.axes == 2 && info.height == Z && info.width == Y && first[1] == Y * 2 + 1);
    options.solid = true;
    SUCCEEDS(read_part("array.npy", &options, &info, first));
    CU_ASSERT(info.axes == 3 && info.planes == Z && info.width == 2);
}

TEST("what is missing, and what is not there, is said")
{
    static const struct {
        const char *path, *message;
        halo_status status;
    } cases[] = {
        {"array.npy", "has 3 images along the unnamed axis 1 and 2 images along the unnamed axis 2",
         HALO_FORMAT},
        {"array.npy", "choose with --time and --channel, or as array.npy:t=0,c=0", HALO_FORMAT},
        {"array.npy:t=1", "choose with --channel, or as array.npy:c=0", HALO_FORMAT},
        {"array.npy:t=3,c=0", "no time is \"3\"; they are numbered from 0 to 2", HALO_ARGUMENT},
        {"array.npy:t=-1,c=0", "no time is \"-1\"", HALO_ARGUMENT},
        {"array.npy:t=99999999999999999999,c=0", "no time is \"9999", HALO_ARGUMENT},
        {"array.npy:t=0,c=red", "no channel is \"red\"", HALO_ARGUMENT},
        {"array.npy:t=0,c=0,s=1", "has 1 series, and no series is \"1\"", HALO_ARGUMENT},
        {"array.npy:t=0,c=0,z=4", "no plane is \"4\"", HALO_ARGUMENT},
        {"array.npy:x=0", "there is no \"x\" to choose", HALO_ARGUMENT},
    };
    const halo_image_options options = {.want = HALO_IMAGE_SAMPLES, .volumes = true};
    write_array("(3, 2, 4, 5, 6)", SAMPLES);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        halo_image_info info;
        int first[Z * Y];
        halo_status status = read_part(cases[i].path, &options, &info, first);
        check(status == cases[i].status && strstr(halo_last_message(), cases[i].message) != NULL,
              "%s: status %d: %s", cases[i].path, (int)status, halo_last_message());
    }
}

TEST("a file that is called as a choice is itself")
{
    const halo_image_options options = {.want = HALO_IMAGE_SAMPLES, .volumes = true};
    halo_image_info info;
    int first[Z * Y];
    write_array("(5, 6)", Y * X);
    CU_ASSERT(rename("array.npy", "array.npy:c=1") == 0);
    SUCCEEDS(read_part("array.npy:c=1", &options, &info, first));
    CU_ASSERT(info.parts[HALO_IMAGE_CHANNEL].count == 0 && first[4] == 4 * X);
    remove("array.npy:c=1");
}

/* ---- descriptions ---------------------------------------------------------------------------- */

TEST("tags of XML are found between whatever else is there")
{
    static const char text[] =
        "<?xml a='>'?><!-- <Image> --><ome:Image Name='a > &amp; b' ID = \"1\"/>"
        "<![CDATA[<No>]]>text</ome:Image><Pixels\nSizeX='3'";
    halo_xml_tag tag = halo_xml_begin(text);
    char value[16];
    CU_ASSERT(halo_xml_next(&tag) && halo_xml_is(&tag, "Image") && !tag.closes);
    CU_ASSERT(halo_xml_attribute(&tag, "Name", value, sizeof value));
    CU_ASSERT_STRING_EQUAL(value, "a > & b");
    CU_ASSERT(halo_xml_attribute(&tag, "ID", value, sizeof value) && strcmp(value, "1") == 0);
    CU_ASSERT(!halo_xml_attribute(&tag, "I", value, sizeof value) && value[0] == '\0');
    CU_ASSERT(halo_xml_attribute(&tag, "Name", value, 4) && strcmp(value, "a >") == 0);
    CU_ASSERT(halo_xml_next(&tag) && halo_xml_is(&tag, "Image") && tag.closes);
    CU_ASSERT(!halo_xml_next(&tag)); /* which does not end */
}

TEST("damaged XML ends early and reads nothing beyond")
{
    static const char text[] =
        "<OME><Image Name=\"x\"><Pixels SizeX='3' SizeC=\"2\"/><TiffData "
        "IFD='0'><UUID FileName='&amp;'>u</UUID></TiffData></Image><!-- x --></OME>";
    for (size_t length = 0; length < sizeof text; length++) {
        char *part = malloc(length + 1), value[8];
        memcpy(part, text, length);
        part[length] = '\0';
        halo_xml_tag tag = halo_xml_begin(part);
        int tags = 0;
        while (halo_xml_next(&tag)) {
            halo_xml_attribute(&tag, "SizeC", value, sizeof value);
            halo_xml_attribute(&tag, "FileName", value, sizeof value);
            tags++;
        }
        check(tags <= 9, "%d tags of %zu characters", tags, length);
        free(part);
    }
}

int main(void)
{
    return scratch_run();
}
