#ifndef HALOBEAT_APP_IMBALANCE_DIAGNOSIS_H
#define HALOBEAT_APP_IMBALANCE_DIAGNOSIS_H

#include <stddef.h>

enum { IMBALANCE_DIAGNOSIS_TEXT = 192 };

/* Print what made ranks slow on stdout, `text` of each, empty for nothing: ranks of which the same
 * is said, but for the numbers, share a line, in which numbers become spans. `lines` [ranks] begin
 * with the text and are `stride` bytes apart. Local. */
void imbalance_diagnosis_print(const char *lines, size_t stride, int ranks);

#endif
