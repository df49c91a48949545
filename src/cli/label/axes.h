#ifndef HALOBEAT_CLI_LABEL_AXES_H
#define HALOBEAT_CLI_LABEL_AXES_H

#include "app/options.h"

/* Local. "z,x": a label_axes. "0.5,0.2,0.2", of planes, rows and columns, or of the last two: a
 * label_spacing. */
app_parse label_parse_axes, label_parse_background, label_parse_spacing;

#endif
