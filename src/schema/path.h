/* Dotted paths into bound structs: workloads.chat.traffic.requestsPerSecond, pools[0].count. */
#ifndef GP_SCHEMA_PATH_H
#define GP_SCHEMA_PATH_H

#include "schema/bind.h"

/* Binds `value` to the field that `path` (a text of its own, for carets) names in `object`. List
 * items go by their name, which may have dots, or by [index]; map entries by their key. An
 * unknown segment is GP1021 with the nearest word. Groups on the way count as given. */
gp_status gp_path_set(gp_binder *binder, void *object, const gp_text *path, const gp_node *value);

#endif
