#ifndef HALOBEAT_CORE_BEAT_KERNEL_EXPORT_H
#define HALOBEAT_CORE_BEAT_KERNEL_EXPORT_H

#include "core/beat/kernel.h"

/* A kernel as a shared object that `halobeat run ./mykernel.so` loads: one line in its source,
 *
 *     HALO_KERNEL_EXPORT(my_kernel);
 *
 * behind the table `static const halo_kernel my_kernel`, and
 *
 *     mpicc -shared -fPIC -O3 mykernel.c -o mykernel.so
 *
 * It needs not be linked with the library: what it calls of it is the program's own. */

/* Grows when an object that was built before would misunderstand what it is called with. */
enum { HALO_KERNEL_ABI = 4 };

/* What an object shows. Its first three members stay where they are in every version to come. */
typedef struct {
    char mark[8];  /* HALO_KERNEL_MARK */
    int32_t abi;   /* HALO_KERNEL_ABI when it was built, */
    int32_t sizes; /* and the bytes of what is handed to and fro, added up */
    const halo_kernel *kernel;
} halo_kernel_export;

#define HALO_KERNEL_MARK "halobeat"

enum {
    HALO_KERNEL_SIZES = sizeof(halo_kernel) + sizeof(halo_step) + sizeof(halo_advance) +
                        sizeof(halo_view) + sizeof(halo_param)
};

/* `table` is a halo_kernel that is there as long as the object is loaded. */
#define HALO_KERNEL_EXPORT(table)                                                            \
    extern const halo_kernel_export halo_exported_kernel;                                    \
    __attribute__((visibility("default"))) const halo_kernel_export halo_exported_kernel = { \
        {'h', 'a', 'l', 'o', 'b', 'e', 'a', 't'}, HALO_KERNEL_ABI, HALO_KERNEL_SIZES, &(table)}

#endif
