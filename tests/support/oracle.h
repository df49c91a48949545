#ifndef HALOBEAT_TESTS_ORACLE_H
#define HALOBEAT_TESTS_ORACLE_H

#include "support/images.h"

/* A simple reference for region labelling: flood fill with a stack. */
typedef struct {
    int64_t regions;
    int64_t *scan; /* [height * width]: 0 background, otherwise 1 to regions in raster order of
                    * first pixels */
    int64_t *seed; /* [height * width]: 0 background, otherwise 1 + the region's largest row-major
                    * index */
    int64_t *area; /* [regions + 1]: pixels by scan number; area[0] is unused and 0 */
} oracle;

/* `connectivity` is 4 or 8; `periodic` for rows and columns. Exits the program if there is no
 * memory. The caller frees it with oracle_free. */
oracle oracle_make(const image *from, int connectivity, const bool periodic[2]);

/* Accepts a zeroed oracle. */
void oracle_free(oracle *made);

#endif
