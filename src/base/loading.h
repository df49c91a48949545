#ifndef HALOBEAT_BASE_LOADING_H
#define HALOBEAT_BASE_LOADING_H

/* Messages about shared objects that dlopen could not load. */

/* Local. Returns what the system was short of, so that the object has no fault: EMFILE or ENFILE,
 * file descriptors; ENOMEM, memory; 0: neither. `reason` is the text of dlerror; NULL is accepted.
 */
int halo_loading_shortage(const char *reason);

/* Local. The remedy for a shortage of file descriptors, as a sentence's end: "raise the limit on
 * open files (ulimit -n)". Returns `otherwise` for other numbers. */
const char *halo_loading_remedy(int shortage, const char *otherwise);

#endif
