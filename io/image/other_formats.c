#define _GNU_SOURCE /* memmem */
#include "io/image/other_formats.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define DICOM     "a DICOM file", "convert its folder: dcm2niix -f OUT FOLDER"
#define MAGICK    "convert it: convert IN OUT.png"
#define BIO       "convert it: bfconvert IN OUT.ome.tif"
#define GDAL      "convert it: gdal_translate IN OUT.tif"
#define VTK_WRITE "write it as .mha or .vtkhdf from VTK or ParaView"
#define PICKLE    "a pickled object of Python", "save the array: numpy.save(\"OUT.npy\", array)"

/* IN and OUT stand for names of files. The programs are those of Debian's packages where there are
 * any: ffmpeg, webp, libopenjp2-tools, netpbm, poppler-utils, librsvg2-bin, dcm2niix,
 * libheif-examples, imagemagick, libjxl-tools, libjxr-tools, netcdf-bin, minc-tools, gdal-bin.
 * FreeSurfer, AFNI and Bio-Formats are not packaged. */
static const halo_other_format formats[] = {
    {128, "DICM", 4, DICOM},
    /* Those of before 1996, and of programs that leave out the first 128 bytes: the first group
     * of elements, with and without types. */
    {0, "\x08\0\0\0UL", 6, DICOM},
    {0, "\x08\0\1\0UL", 6, DICOM},
    {0, "\x08\0\5\0CS", 6, DICOM},
    {0, "\x08\0\x08\0CS", 6, DICOM},
    {0, "\x08\0\0\0\4\0\0\0", 8, DICOM},
    {0, "\x08\0\5\0\x0a\0\0\0", 8, DICOM},
    {0, "\2\0\0\0UL", 6, DICOM},
    {0, "GIF8", 4, "a GIF image", "convert it: ffmpeg -i IN OUT-%04d.png"},
    {0, "BM", 2, "a BMP image", MAGICK},
    {8, "WEBP", 4, "a WebP image", "convert it: dwebp IN -o OUT.png"},
    {0, "RIFF", 4, "a RIFF file of sound or video",
     "take its pictures out: ffmpeg -i IN OUT-%04d.png"},
    {0, "\x8aMNG", 4, "an MNG animation", MAGICK},
    {0, "\x8bJNG", 4, "a JNG image", MAGICK},
    {0, "\0\0\0\fjP  ", 8, "a JPEG 2000 image", "convert it: opj_decompress -i IN -o OUT.tif"},
    {0, "\xff\x4f\xff\x51", 4, "a JPEG 2000 codestream",
     "convert it: opj_decompress -i IN.j2k -o OUT.tif"},
    {4, "ftyphei", 7, "an HEIC image", "convert it: heif-convert IN OUT.png"},
    {4, "ftypavif", 8, "an AVIF image", "convert it: heif-convert IN OUT.png"},
    {4, "ftyp", 4, "a video", "take its pictures out: ffmpeg -i IN OUT-%04d.png"},
    {0, "\x1a\x45\xdf\xa3", 4, "a video", "take its pictures out: ffmpeg -i IN OUT-%04d.png"},
    {0, "\x76\x2f\x31\x01", 4, "an OpenEXR image", "convert it: convert IN OUT.tif"},
    {0, "P7\n", 3, "a PAM image", "convert it: pamtopnm IN > OUT.pnm"},
    {0, "Pf\n", 3, "a PFM image",
     "convert it: pfmtopam IN > OUT.pam && pamtopnm OUT.pam > OUT.pgm"},
    {0, "PF\n", 3, "a PFM image",
     "convert it: pfmtopam IN > OUT.pam && pamtopnm OUT.pam > OUT.ppm"},
    {0, "%PDF", 4, "a PDF document", "convert its pages: pdftoppm -png IN OUT"},
    {0, "<svg", 4, "an SVG drawing", "convert it: rsvg-convert IN -o OUT.png"},
    {0, "<VTKFile", 8, "a file of VTK in XML", VTK_WRITE},
    {0, "# vtk DataFile", 14, "a legacy file of VTK", VTK_WRITE},
    {0, "<?xml", 5, "an XML document", "name the file that it describes"},
    {0, "SIMPLE  =", 9, "a FITS image",
     "convert it: python3 -c 'import numpy; from astropy.io import fits; numpy.save(\"OUT.npy\", "
     "fits.getdata(\"IN\"))'"},
    {0, "CDF\1", 4, "a netCDF file of before version 4, or MINC",
     "convert it: nccopy -k nc4 IN OUT.nc (MINC: mincconvert -2 IN OUT.mnc)"},
    {0, "CDF\2", 4, "a netCDF file of before version 4", "convert it: nccopy -k nc4 IN OUT.nc"},
    {0, "CDF\5", 4, "a netCDF file of before version 4", "convert it: nccopy -k nc4 IN OUT.nc"},
    {0, "\x0e\x03\x13\x01", 4, "an HDF4 file", GDAL},
    {0, "GRIB", 4, "a GRIB file", GDAL},
    {0, "DSAA", 4, "a grid of Surfer", GDAL},
    {0, "DSBB", 4, "a grid of Surfer", GDAL},
    {0, "DSRB", 4, "a grid of Surfer", GDAL},
    {0, "ENVI", 4, "a header of ENVI",
     "convert the file of samples beside it: gdal_translate IN OUT.tif"},
    {0, "\ntype = string-attribute", 24, "a header of AFNI",
     "convert it: 3dAFNItoNIFTI -prefix OUT.nii IN"},
    {0, "8BPS", 4, "a Photoshop image", "convert it: convert IN[0] OUT.png"},
    {0, "gimp xcf", 8, "a GIMP image", MAGICK},
    {0, "#?RADIANCE", 10, "a Radiance image", "convert it: convert IN OUT.tif"},
    {0, "qoif", 4, "a QOI image", "convert it: ffmpeg -i IN OUT.png"},
    {0, "\xff\x0a", 2, "a JPEG XL image", "convert it: djxl IN OUT.png"},
    {0, "\0\0\0\fJXL ", 8, "a JPEG XL image", "convert it: djxl IN OUT.png"},
    {0, "II\xbc\1", 4, "a JPEG XR image", "convert it: JxrDecApp -i IN -o OUT.tif"},
    {0, "\0\0\1\0", 4, "an icon", MAGICK},
    {0, "DDS ", 4, "a DDS image", MAGICK},
    {0, "\x01\xda", 2, "an SGI image", MAGICK},
    {0, "#define", 7, "an XBM image", MAGICK},
    {0, "/* XPM */", 9, "an XPM image", MAGICK},
    {0, "%!PS", 4, "a PostScript drawing", MAGICK},
    {0, "\0\0\0\3", 4, "a file of Gatan's DigitalMicrograph (DM3)", BIO},
    {0, "\0\0\0\4", 4, "a file of Gatan's DigitalMicrograph (DM4)", BIO},
    {0, "Andor Technology", 16, "an SIF file of Andor", BIO},
    {0, "\t\nics_version", 13, "an ICS file of a microscope", BIO},
    {0, "# AmiraMesh", 11, "a file of Amira", BIO},
    {0, "# Avizo", 7, "a file of Avizo", BIO},
    {0, "\x80\2", 2, PICKLE},
    {0, "\x80\3", 2, PICKLE},
    {0, "\x80\4", 2, PICKLE},
    {0, "\x80\5", 2, PICKLE},
    {0, "MATLAB 5.0", 10, "a MATLAB file", "save it again as HDF5: save('OUT.mat', 'x', '-v7.3')"},
    {0, "\x5c\x01\0\0", 4, "an Analyze 7.5 header",
     "convert it: python3 -c 'import nibabel; nibabel.save(nibabel.load(\"IN\"), \"OUT.nii\")'"},
    {0, "\0\0\x01\x5c", 4, "an Analyze 7.5 header",
     "convert it: python3 -c 'import nibabel; nibabel.save(nibabel.load(\"IN\"), \"OUT.nii\")'"},
    {0, "\0\0\0\1", 4, "a volume of FreeSurfer (MGH or MGZ)", "convert it: mri_convert IN OUT.nii"},
    {0, "ZISRAWFILE", 10, "a CZI file of a microscope", BIO},
    {0, "\x70\0\0\0", 4, "an LIF file of a microscope", BIO},
    {0, "\xda\xce\xbe\x0a", 4, "an ND2 file of a microscope", BIO},
    {0, "\xd0\xcf\x11\xe0", 4, "an OLE file, perhaps of a microscope", BIO},
    {0, "\x1f\x8b", 2, "a gzip file within another", "unpack it: gunzip IN"},
    {0, "7z\xbc\xaf\x27\x1c", 6, "a 7z archive", "unpack it: 7z x IN"},
    {0, "BZh", 3, "a bzip2 file", "unpack it: bunzip2 IN"},
    {0,
     "\xfd"
     "7zXZ",
     5, "an xz file", "unpack it: unxz IN"},
    {0, "\x28\xb5\x2f\xfd", 4, "a zstd file", "unpack it: unzstd IN"},
    {257, "ustar", 5, "a tar archive", "unpack it: tar xf IN"},
};

/* Behind the line "<?xml version=...?>", if there is one. */
static size_t behind_prologue(const char *bytes, size_t count)
{
    static const char begin[] = "<?xml", end[] = "?>";
    const char *found = count > sizeof begin && memcmp(bytes, begin, sizeof begin - 1) == 0
                            ? memmem(bytes, count, end, sizeof end - 1)
                            : NULL;
    size_t at = found != NULL ? (size_t)(found - bytes) + sizeof end - 1 : 0;
    while (found != NULL && at < count && strchr(" \t\r\n", bytes[at]) != NULL) {
        at++;
    }
    return at;
}

static const halo_other_format *find(const char *bytes, size_t count)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const halo_other_format *format = &formats[i];
        if (count >= format->offset + format->count &&
            memcmp(bytes + format->offset, format->bytes, format->count) == 0) {
            return format;
        }
    }
    return NULL;
}

const halo_other_format *halo_find_other_format(const void *bytes, size_t count)
{
    const char *text = bytes;
    size_t mark = halo_text_mark(text, count);
    text += mark;
    count -= mark;
    size_t prologue = behind_prologue(text, count);
    const halo_other_format *within = prologue > 0 && prologue < count && text[prologue] == '<'
                                          ? find(text + prologue, count - prologue)
                                          : NULL;
    return within != NULL ? within : find(text, count);
}

bool halo_find_header(const char *path, char *header, size_t size)
{
    static const char *const pairs[][2] = {{".img", ".hdr"},  {".raw", ".mhd"},  {".raw", ".nhdr"},
                                           {".zraw", ".mhd"}, {".bin", ".mhd"},  {".bin", ".nhdr"},
                                           {".dat", ".nhdr"}, {".BRIK", ".HEAD"}};
    struct stat about;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t ending = strlen(pairs[i][0]), length = strlen(path);
        int before = length > ending ? (int)(length - ending) : 0;
        bool ends = before > 0 && strcasecmp(path + before, pairs[i][0]) == 0;
        bool fits = snprintf(header, size, "%.*s%s", before, path, pairs[i][1]) < (int)size;
        if (ends && fits && stat(header, &about) == 0) {
            return true;
        }
    }
    return false;
}
