#ifndef HALOBEAT_APP_OPTIONS_SHARED_OPTIONS_H
#define HALOBEAT_APP_OPTIONS_SHARED_OPTIONS_H

#include "app/options/options.h"
#include "io/image/image_reader.h"

#include <stdbool.h>

/* The options that many commands have and that are not a service's (app/services/service.h): their
 * values, and tables of their rows. Strings belong to argv or, if restored, to the checkpoint; NULL
 * if not given. Numbers are 0 if not given. */

/* --until: conditions that end the run before its last beat. */
typedef struct {
    bool steady;    /* nothing changes any more */
    int64_t period; /* the state is that of this number of beats before */
    double share;   /* at most this share changes in a beat */
} app_until;

/* How a grid is cut between ranks, and how halos are exchanged. */
typedef struct {
    const char *parts;    /* of --decomposition */
    const char *exchange; /* mode, corner_way and packing of halo_exchange_options */
    const char *corners;
    const char *packing;
    int64_t beats_per_exchange; /* 0: auto */
    const char *detector;       /* see halo_async_options */
} decomposition_arguments;

enum { APP_MOST_THREADS = 4096 }; /* ranks that are threads */

/* Options of every command. */
typedef struct {
    const char *vote, *wait, *progress; /* names; "auto" if that is the default */
    const char *instructions;           /* NULL: the best */
    const char *json, *report;
    int64_t ranks;   /* threads of one process; 0: not chosen */
    double patience; /* seconds; 0: no limit */
    bool quiet, verbose;
} common_arguments;

/* Input files. */
typedef struct {
    const char *first; /* NULL: none */
    const char **list; /* [count] allocated by the frame; the names belong to argv */
    int64_t count, room;
} app_inputs;

/* The first member of every command's options structure. */
typedef struct app_arguments {
    int64_t beats;
    app_inputs image;
    halo_image_raw raw; /* layout of files without a header */
    bool stack;         /* the images are planes of one volume */
    bool as_stored;     /* images are not turned */
    const char *filter; /* steps that images are filtered by while they are read, or "none" */
    bool follow_links;  /* other files that HDF5 files refer to are opened */
    halo_image_nodata_choice nodata;
    halo_image_fill fill;
    halo_sample_range range;    /* of samples that become greys, from black to white */
    halo_image_choices choices; /* the part of each image that is read */
    bool volume;                /* an array's last axis of 2 to 4 samples is columns of a volume */
    app_until until;
    decomposition_arguments decomposition;
    common_arguments common;
} app_arguments;

/* ---- tables, for the syntax of a command ----------------------------------------------------- */

extern const halo_option app_decomposition_rows[]; /* --decomposition */
extern const halo_option app_depth_rows[];         /* --halo-depth */
extern const halo_option app_exchange_rows[];      /* --exchange */
extern const halo_option app_corner_rows[];        /* --corners, --packing */
extern const halo_option app_detector_rows[];      /* --detector */
extern const halo_option app_how_rows[];           /* the heading APP_HOW_SECTION alone */
extern const halo_option app_isa_rows[];           /* --instructions */
extern const halo_option app_ranks_rows[];         /* --ranks */
extern const halo_option app_wait_rows[];          /* --vote, --wait */
extern const halo_option app_raw_rows[];           /* --shape, --dtype, ..., --filter */
extern const halo_option app_unfiltered_rows[];    /* the same without --filter */
extern const halo_option app_stack_rows[];         /* --stack */
extern const halo_option app_choice_rows[];        /* --channel, --time, ..., --volume */
extern const halo_option app_picture_rows[];       /* --channel, ..., --as-stored: of commands that
                                                    * take pictures besides other files */
extern const halo_option app_report_rows[];        /* --json, --report, --progress, ... */

/* Tables at the end of every command's list; and without --instructions, for kernels that choose
 * theirs. */
#define APP_SHARED_TABLES         app_isa_rows, app_ranks_rows, APP_SHARED_TABLES_BUT_ISA
#define APP_SHARED_TABLES_BUT_ISA app_wait_rows, app_place_of_ranks, app_report_rows, NULL

/* ---- rows of a command's own tables ---------------------------------------------------------- */

/* The beginning of a row whose value is a member of app_arguments. */
#define APP_FRAME_ROW(option, kind, member) HALO_OPTION_ROW(app_arguments, option, kind, member)

/* For every command that reads images. */
#define APP_AS_STORED_ROW                                                                      \
    {                                                                                          \
        APP_FRAME_ROW("as-stored", FLAG, as_stored),                                           \
            .help = "Leave images as they are stored. Without it they are turned as the file " \
                    "says (orientation of TIFF, EXIF of JPEG and PNG), as viewers show them"   \
    }

#define APP_FOLLOW_LINKS_ROW                                                                     \
    {                                                                                            \
        APP_FRAME_ROW("follow-links", FLAG, follow_links),                                       \
            .help = "Open other files to which a file of HDF5 refers: external links, external " \
                    "storage, sources of virtual data sets. Without it they are refused"         \
    }

#define APP_NODATA_ROW                                                                            \
    {                                                                                             \
        APP_FRAME_ROW("nodata", CUSTOM, nodata),                                                  \
            .parse = app_parse_nodata, .value = "VALUE|none", .takes = "a number, nan, or none",  \
            .unless = "as the file says",                                                         \
            .help = "Samples of this value, as they are stored, are missing, as NaN always is; "  \
                    "none: no value is. Without it, values that the file names are (GDAL_NODATA " \
                    "of TIFF, NODATA_value, _FillValue)"                                          \
    }
#define APP_FILL_ROW                                                                        \
    {                                                                                       \
        APP_FRAME_ROW("fill-missing", CUSTOM, fill),                                        \
            .parse = app_parse_fill, .value = "VALUE", .takes = "a number",                 \
            .unless = "they are missing",                                                   \
            .help = "Missing samples are taken for this value, as samples are stored, NaN " \
                    "among them, so that commands that need all samples can compute"        \
    }

/* For commands that compute on greys. */
#define APP_RANGE_ROW                                                                              \
    {                                                                                              \
        APP_FRAME_ROW("range", CUSTOM, range),                                                     \
            .parse = halo_sample_range_parse, .value = "LOW..HIGH|auto",                           \
            .flags = APP_SAVED | APP_UNLESS_DEFAULT,                                               \
            .takes = "auto, or two numbers, the lower one first, such as -1000..400",              \
            .standard = "auto",                                                                    \
            .help = "Samples that become black and white; those between become greys of 16 bits. " \
                    "auto: unsigned samples of 8 and 16 bits, and other whole numbers of 0 to "    \
                    "65535, are greys as they are; others range from the smallest to the largest"  \
    }

/* True if the value of a row is in this member of app_arguments. */
#define APP_IS_WITHIN(row, member)                       \
    ((row)->offset >= offsetof(app_arguments, member) && \
     (row)->offset < offsetof(app_arguments, member) + sizeof((app_arguments *)0)->member)

/* Beginnings of rows that differ between commands: in the unit counted ("beats"), the parser of
 * --until, the endings of files, and the help. */
#define APP_BEATS_ROW(counted) \
    APP_FRAME_ROW("beats", INTEGER, beats), .letter = 'n', .unit = counted
#define APP_UNTIL_ROW(parser) APP_FRAME_ROW("until", CUSTOM, until), .parse = parser
#define APP_OUTPUT_ROW(structure, endings) \
    HALO_OPTION_ROW(structure, "output", OUTPUT, output), .letter = 'o', .choices = endings
#define APP_REPORT_ROW                                                              \
    APP_FRAME_ROW("report", OUTPUT, common.report),                                 \
        .value = "FILE.html", .flags = APP_STREAM,                                  \
        .help = "A report as one HTML page: options, results, pictures, where the " \
                "time went, when and why boundaries moved"

/* Local. Parse the value of --nodata, a halo_image_nodata_choice, and that of --fill-missing, a
 * halo_image_fill. */
halo_option_parse app_parse_nodata, app_parse_fill;

/* Local. Adds a name to an app_inputs. */
halo_option_parse app_parse_input;

/* The image, or images, that a command computes on. */
#define APP_IMAGE_OPTION                                                                       \
    {                                                                                          \
        APP_FRAME_ROW("IMAGE", CUSTOM, image),                                                 \
            .parse = app_parse_input, .takes = "the name of a file",                           \
            .file = offsetof(app_arguments, image.first), .flags = APP_ARGUMENT | APP_REPEATS, \
            .required = "which image? Give the name of its file", .instead = "watch-folder"    \
    }

/* The heading of options that change how a result is computed but not the result. Rows of that kind
 * of a command's own are at the end of its last table, after this row. */
#define APP_HOW_SECTION                                                                           \
    {                                                                                             \
        .type = HALO_OPTION_SECTION, .help = "How it is computed; the result is always the same:" \
    }

/* The end of the help: common to all commands, the status for a lost rank, and the end for commands
 * that signals can stop. */
#define APP_MEMORY                                                                           \
    "A file called - is standard input or output; -.npy says which format.\n"                \
    "HALOBEAT_MEMORY=8G in the environment: the ranks on a host take no more than that for " \
    "their data, or the run is refused before it begins.\n"
#define APP_EXIT_LOST                                                                           \
    "75 there was no sign of a rank for --patience seconds, or a call of MPI failed: start it " \
    "again. Where a rank was killed, mpiexec has a status of its own (MPICH: 9 for SIGKILL)."
#define APP_EXIT_STATUS                                                                      \
    APP_MEMORY                                                                               \
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may make 0), 2 " \
    "unusable arguments, " APP_EXIT_LOST

/* Local. Parses the seconds of --patience, a double. HALO_ARGUMENT. */
halo_option_parse app_scan_patience;

/* Local. Parsers for values of --until, stored in an app_until. */
halo_option_parse app_parse_steady;           /* steady */
halo_option_parse app_parse_steady_or_cycle;  /* steady, cycle:N */
halo_option_parse app_parse_steady_or_change; /* steady, change:SHARE */

/* ---- what was asked for ---------------------------------------------------------------------- */

/* Local. Help after the options, appended to `out` (`size` bytes): balancers, ways of migration,
 * and what a beat is. */
void balance_describe(const app_syntax *syntax, char *out, size_t size);

/* Local. The same, and before it the detectors of --detector and when each is right. */
void app_detectors_describe(const app_syntax *syntax, char *out, size_t size);

#endif
