/* The descriptor of lock entries. */
#ifndef GP_MODEL_LOCK_H
#define GP_MODEL_LOCK_H

#include <gpuplan/lock.h>

#include "model/fields.h"

extern const gp_struct gp_lock_entry_type;

#endif
