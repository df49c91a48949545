#ifndef HALOBEAT_IO_HDF5_PROTOCOL_H
#define HALOBEAT_IO_HDF5_PROTOCOL_H

#include <stdint.h>

/* The messages between a reader and its helper program halobeat-hdf5. libhdf5 runs in that process
 * alone: damaged files make it crash, read beyond its memory, or grow without end. The reader sends
 * requests over a socket that keeps messages apart, and gets a reply to each. Both are structures
 * of one build, without pointers. A reader believes nothing that a reply says: numbers are checked
 * before they are used, and texts end where their arrays do. */

#define HDF5_HELPER "halobeat-hdf5"

enum {
    HDF5_SOCKET = 3, /* descriptors in the helper: where requests come from, */
    HDF5_FILE = 4,   /* the file, */
    HDF5_WINDOW = 5, /* and memory of both, for samples */
    HDF5_DESCRIPTORS
};

enum {
    HDF5_AXES = 32,      /* H5S_MAX_RANK */
    HDF5_NAME = 1024,    /* path of an object in a file */
    HDF5_WORD = 64,      /* a text about a type or axes; name of an attribute */
    HDF5_SENTENCE = 512, /* HALO_MESSAGE_SIZE */
    HDF5_NUMBERS = 16,
    HDF5_LONG_TEXT = 4096
};

/* Limits of the helper. Each object found, and each chunk read, is progress, after which the
 * seconds begin anew. */
enum {
    HDF5_MEBIBYTES = 512,      /* of memory, beyond its libraries and what samples need */
    HDF5_SECONDS = 10,         /* of processor time without progress, */
    HDF5_MEBIBYTES_SECOND = 10 /* and one more for so many of the samples that are asked for */
};

typedef enum {
    HDF5_OPEN,      /* opens the file and one of its data sets, and describes that */
    HDF5_ATTRIBUTE, /* reads an attribute of an object */
    HDF5_BOX,       /* reads samples into the window */
    HDF5_DIMENSION, /* names axis number start[0], and what its scale says of it */
    HDF5_FILE_NAME, /* names a file that was opened or will be: that of number start[0] */
    HDF5_REQUESTS
} hdf5_what;

typedef struct {
    int32_t what;         /* hdf5_what */
    char path[HDF5_NAME]; /* OPEN: of the data set; "": the only one that can be meant. ATTRIBUTE:
                           * of the object; "": the data set that is open */
    char name[HDF5_WORD]; /* ATTRIBUTE: its name */
    int32_t follows;      /* OPEN: links to other files are followed */
    uint64_t start[HDF5_AXES], count[HDF5_AXES]; /* BOX: of each axis of the data set */
    uint64_t window;                             /* BOX: bytes of the window */
} hdf5_request;

/* A data set. */
typedef struct {
    char name[HDF5_NAME];       /* path in the file, from "/" on */
    char type_text[HDF5_WORD];  /* "uint8", "text" */
    char shape_text[HDF5_WORD]; /* "23 x 40 x 51", "one value" */
    int32_t known;              /* the type can be read: the next five are set */
    int32_t type;               /* halo_sample_type */
    int32_t boolean;            /* bytes of 0 and 1, as h5py writes them */
    int32_t in_place;           /* samples are stored as they are read, except */
    int32_t swapped;            /* for the byte order */
    int32_t sample_bytes;       /* of a sample in the window */
    int32_t axes;               /* number of them; -1: no array */
    uint64_t sizes[HDF5_AXES];  /* [axes] slowest first */
    int32_t chunked;            /* stored in chunks, of `chunk` */
    int32_t packed;             /* by filters */
    uint64_t chunk[HDF5_AXES];  /* [axes]; 1 without chunks */
    int64_t offset; /* of samples stored one after the other, in the file; otherwise -1 */
} hdf5_description;

typedef struct {
    int32_t found;
    int32_t count; /* of numbers; 0 for an attribute that is no number, or of more than there is
                    * room for */
    double numbers[HDF5_NUMBERS];
    int32_t whole;     /* they are whole numbers of these bits: */
    int32_t is_signed; /* with a sign, in two's complement */
    uint64_t bits[HDF5_NUMBERS];
    char text[HDF5_LONG_TEXT]; /* of a text; FILE_NAME: the name; DIMENSION: lines, of which the
                                * first is the name; of a scale its units, standard name and axis
                                * follow */
} hdf5_attribute;

typedef struct {
    int32_t status;               /* halo_status */
    char sentence[HDF5_SENTENCE]; /* of a failure: what is wrong, and the remedy */
    union {
        hdf5_description description;
        hdf5_attribute attribute;
    };
} hdf5_reply;

#endif
