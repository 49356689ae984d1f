/* Descriptor tables of the entries of a Lock document. */
#include "model/fields.h"
#include "model/lock.h"

#define F_TABLES
#define F_ROWS "model/lock.def"
#include "schema/rows.def"
