#ifndef HALOBEAT_BASE_HOST_H
#define HALOBEAT_BASE_HOST_H

#include <stdint.h>

/* Local. A number that is the same for two processes if they run on the same boot of one machine in
 * the same namespaces: with the same processes, memory, files and network. 0 if Linux does not
 * tell. */
uint64_t halo_host_id(void);

#endif
