/*
 * The words of the catalogue's enumerations, in the order of their enums and NULL-terminated, as
 * descriptor tables take them. An empty word holds the place of "not given".
 */
#ifndef GP_CATALOG_WORDS_H
#define GP_CATALOG_WORDS_H

#include "catalog/catalog.h"

extern const char *const gp_precision_words[GP_PRECISION_COUNT + 1];
extern const char *const gp_format_words[GP_FORMAT_COUNT + 1];
/* Other names in use: pairs {word, format} and {word, precision}. */
extern const char *const gp_format_aliases[];
extern const char *const gp_precision_aliases[];
extern const char *const gp_evidence_words[GP_EVIDENCE_COUNT + 1];
extern const char *const gp_collective_words[GP_COLLECTIVE_COUNT + 1];
extern const char *const gp_cooling_words[5];
extern const char *const gp_stack_role_words[4];
extern const char *const gp_pool_words[GP_POOL_COUNT + 1];
extern const char *const gp_part_method_words[GP_PART_METHOD_COUNT + 1];
extern const char *const gp_image_rule_words[GP_IMAGE_RULE_COUNT + 1];
extern const char *const gp_kernels_words[GP_KERNELS_COUNT + 1];
extern const char *const gp_attention_words[GP_ATTENTION_COUNT + 1];
extern const char *const gp_loss_words[GP_LOSS_COUNT + 1];
extern const char *const gp_selective_words[GP_SELECTIVE_COUNT + 1];
extern const char *const gp_layout_rules_words[GP_RULES_COUNT + 1];
extern const char *const gp_linear_kind_words[3];

#endif
