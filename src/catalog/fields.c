/* Descriptor tables of the rows of the catalogue. */
#include "catalog/catalog.h"
#include "schema/field.h"

#include "catalog/words.h"

#define F_TABLES
#define F_ROWS "catalog/catalog.def"
#include "schema/rows.def"
