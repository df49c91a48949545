#include "io/image/other_formats.h"

#include <string.h>

/* IN and OUT stand for names of files. The programs are those of Debian's packages where there are
 * any: ffmpeg, webp, libopenjp2-tools, netpbm, poppler-utils, librsvg2-bin, dcm2niix,
 * libheif-examples, imagemagick. FreeSurfer and Bio-Formats are not packaged. */
static const halo_other_format formats[] = {
    {128, "DICM", 4, "a DICOM file", "convert its folder: dcm2niix -f OUT FOLDER"},
    {0, "GIF8", 4, "a GIF image", "convert it: ffmpeg -i IN OUT-%04d.png"},
    {0, "BM", 2, "a BMP image", "convert it: convert IN OUT.png"},
    {8, "WEBP", 4, "a WebP image", "convert it: dwebp IN -o OUT.png"},
    {0, "RIFF", 4, "a RIFF file of sound or video",
     "take its pictures out: ffmpeg -i IN OUT-%04d.png"},
    {0, "\x8aMNG", 4, "an MNG animation", "convert it: convert IN OUT.png"},
    {0, "\x8bJNG", 4, "a JNG image", "convert it: convert IN OUT.png"},
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
    {0, "<VTKFile", 8, "a file of VTK in XML", "write it as .mha or .vtkhdf from VTK or ParaView"},
    {0, "# vtk DataFile", 14, "a legacy file of VTK",
     "write it as .mha or .vtkhdf from VTK or ParaView"},
    {0, "<?xml", 5, "an XML document", "name the file that it describes"},
    {0, "SIMPLE  =", 9, "a FITS image",
     "convert it: python3 -c 'import numpy; from astropy.io import fits; numpy.save(\"OUT.npy\", "
     "fits.getdata(\"IN\"))'"},
    {0, "MATLAB 5.0", 10, "a MATLAB file", "save it again as HDF5: save('OUT.mat', 'x', '-v7.3')"},
    {0, "\x5c\x01\0\0", 4, "an Analyze 7.5 header",
     "convert it: python3 -c 'import nibabel; nibabel.save(nibabel.load(\"IN\"), \"OUT.nii\")'"},
    {0, "\0\0\x01\x5c", 4, "an Analyze 7.5 header",
     "convert it: python3 -c 'import nibabel; nibabel.save(nibabel.load(\"IN\"), \"OUT.nii\")'"},
    {0, "\0\0\0\1", 4, "a volume of FreeSurfer (MGH or MGZ)", "convert it: mri_convert IN OUT.nii"},
    {0, "ZISRAWFILE", 10, "a CZI file of a microscope", "convert it: bfconvert IN OUT.ome.tif"},
    {0, "\x70\0\0\0", 4, "an LIF file of a microscope", "convert it: bfconvert IN OUT.ome.tif"},
    {0, "\xda\xce\xbe\x0a", 4, "an ND2 file of a microscope",
     "convert it: bfconvert IN OUT.ome.tif"},
    {0, "\xd0\xcf\x11\xe0", 4, "an OLE file, perhaps of a microscope",
     "convert it: bfconvert IN OUT.ome.tif"},
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

const halo_other_format *halo_find_other_format(const void *bytes, size_t count)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const halo_other_format *format = &formats[i];
        if (count >= format->offset + format->count &&
            memcmp((const char *)bytes + format->offset, format->bytes, format->count) == 0) {
            return format;
        }
    }
    return NULL;
}
