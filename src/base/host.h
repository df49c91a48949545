#ifndef HALOBEAT_BASE_HOST_H
#define HALOBEAT_BASE_HOST_H

#include <stdint.h>

/* Local. A number that two processes have in common if they run on one machine, started once, in
 * the same namespaces: with the same processes, memory, files and network. 0 where Linux does not
 * tell. */
uint64_t halo_host_id(void);

#endif
