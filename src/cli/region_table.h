#ifndef HALOBEAT_CLI_REGION_TABLE_H
#define HALOBEAT_CLI_REGION_TABLE_H

#include "app/run.h"
#include "io/table/table.h"
#include "kernels/label/measure/properties.h"

/* The table of regions, which several commands write: its columns, by the properties that were
 * asked for, and their names. */

#define CLI_REGION_NAMES_LIST(X) X(OWN, halobeat) X(AMERICAN, american) X(SKIMAGE, skimage)

typedef enum {
#define CLI_REGION_NAMES_ENUM(code, name) CLI_REGION_NAMES_##code,
    CLI_REGION_NAMES_LIST(CLI_REGION_NAMES_ENUM)
#undef CLI_REGION_NAMES_ENUM
} cli_region_names;

/* The beginning of the row --properties for the member `properties` of `structure`, a
 * label_property_choice; the default and help follow. */
#define CLI_PROPERTY_OFFER(code, name, ...)                         "|" #name
#define CLI_PROPERTY_NOTE(code, name, short_name, needs, note, ...) #name note ", "
#define CLI_PROPERTY_SHORT                                          "or by short names such as mean, median, std and box. "
#define CLI_PROPERTIES_ROW(structure)                                                    \
    HALO_OPTION_ROW(structure, "properties", CUSTOM, properties),                        \
        .parse = label_parse_properties, .value = "NAME,...|standard|all",               \
        .offers = LABEL_PROPERTY_LIST(CLI_PROPERTY_OFFER),                               \
        .takes = "some of the names that its help lists, standard and all, with commas " \
                 "between",                                                              \
        .standard = "standard"

/* A column of the table. */
typedef struct {
    label_property property;
    int place;   /* among the columns of the property */
    int channel; /* of samples */
} cli_region_column;

enum { CLI_REGION_NAME = 48 }; /* bytes of a column's name */

/* What a table is made of. */
typedef struct {
    const label_property_choice *choice;
    unsigned missed;    /* conditions that the image does not meet */
    int names;          /* cli_region_names */
    label_facts *facts; /* [channels] of each image that is measured, which differ in what they say
                         * of samples; at least one. Only the first one is complete before */
    int channels;
    int64_t rows; /* regions of this rank */
    /* Collective. Finds what the properties need: of facts[0], and of others only the samples. */
    halo_status (*find)(app_run *run, label_facts *facts);
} cli_region_source;

/* Zero-initialise it, except for the input. */
typedef struct {
    const cli_region_source *of;                   /* input */
    halo_table_column columns[HALO_TABLE_COLUMNS]; /* [count] */
    char texts[HALO_TABLE_COLUMNS][CLI_REGION_NAME];
    cli_region_column shown[HALO_TABLE_COLUMNS];
    int count;
} cli_region_table;

/* Writes a table of regions to a file. */
typedef halo_status cli_region_write_table(app_run *run, const char *path, const halo_table *table);

/* Collective. Finds the facts, and passes the table to `write`; then all that was found is freed.
 * HALO_ARGUMENT if there are more columns than a table has, HALO_MEMORY; failures of `find` and
 * `write`. */
halo_status cli_region_write(app_run *run, const char *path, const cli_region_source *source,
                             cli_region_write_table *write);

/* Collective. Sets what properties with these `needs` take of surfaces, contacts and thickness, of
 * an image whose numbers are those of the regions. HALO_ARGUMENT for images too large for local
 * thickness, HALO_MEMORY, HALO_TRANSPORT. */
halo_status cli_region_find(const app_run *run, const label_numbered *image, unsigned needs,
                            label_facts *facts);

/* Local. The measures of samples that properties with these `needs` take. */
unsigned cli_region_measures(unsigned needs);

/* Local. Bytes per region of what cli_region_find finds. */
int64_t cli_region_bytes(unsigned needs);

/* Local. Bytes for these pixels of this rank, besides. */
int64_t cli_region_pixel_bytes(const app_run *run, unsigned needs, const halo_box *owned);

/* Local. All needs of the properties that are chosen. */
unsigned cli_region_needs(const label_property_choice *choice, unsigned missed);

/* Local. The conditions that pixels of this size do not meet. */
unsigned cli_region_missed_by(const app_run *run, const double size[HALO_AXES]);

/* Local. HALO_ARGUMENT, with a remedy, if a property is asked for by name whose conditions are
 * among `missed`. `spacing_given`: --spacing says how large pixels are. */
halo_status cli_region_check(const app_run *run, const label_property_choice *choice,
                             unsigned missed, const double size[HALO_AXES], bool spacing_given);

#endif
