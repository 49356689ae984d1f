/* The rows that the compiler itself is built with: none yet. */
#include "catalog/compiled.h"

const gp_compiled_rows gp_catalog_compiled[GP_CATALOG_KIND_COUNT] = {{.word_count = 0}};
const char gp_catalog_strings[] = "";
const gp_text gp_catalog_texts[] = {{.name = NULL}};
const size_t gp_catalog_text_count = 0;
const char gp_catalog_texts_sha256[] = "";
