/* What the words of a table of runs mean: precisions, sharding, recomputation, adapters. */
#ifndef GP_FIT_WORDS_H
#define GP_FIT_WORDS_H

#include "estimate/estimate.h"

enum { GP_WORD_UNKNOWN = -1, GP_WORD_AMBIGUOUS = -2 };

/* `needle` stands in `text`, without regard to case. */
bool gp_words_has(const char *text, const char *needle);
/* `text` begins with `needle`, likewise; false for NULL. */
bool gp_words_starts(const char *text, const char *needle);
/* Experts' parallelism that the options of a framework name ("-ep4"); 0: none. */
double gp_words_experts(const char *text);
/* gp_precision; UNKNOWN where nothing is said, AMBIGUOUS where the text leaves it open. */
int gp_words_precision(const char *text);
/* gp_recompute; UNKNOWN where nothing is said. */
int gp_words_recompute(const char *text);
/* ZeRO stage 0..3; UNKNOWN where nothing is said. */
int gp_words_zero(const char *text);
/* GPUs of a shard group ("shard 64"); 0 where not said. */
double gp_words_shard(const char *text);
/* gp_format of a quantised base; UNKNOWN where there is none. */
int gp_words_quant(const char *text);
/* gp_optimizer; UNKNOWN where nothing is said. */
int gp_words_optimizer(const char *text);
/* gp_loss; AUTO where nothing is said. */
int gp_words_loss(const char *text);
/* Fills `ret_items` (room for GP_TARGET_MAX) with the matrices an adapter is put on; 0 where the
 * text names none that is known. */
enum { GP_TARGET_MAX = 7 };
size_t gp_words_targets(const char *text, const char *ret_items[GP_TARGET_MAX]);
/* Bits per second of a node (or, with *ret_per_gpu, of a GPU) that the text states; 0: none. */
double gp_words_link(const char *text, bool *ret_per_gpu);
/* InfiniBand generation that the text names ("ndr"), or NULL; its ports where it counts them. */
const char *gp_words_generation(const char *text, double *ret_ports);
/* The number behind `key`, blanks, '=' or '~' between them ("util ~.9", "CP4"); 0: none. */
double gp_words_number(const char *text, const char *key);
/* Order of a numbered release, "0.19.0" is 19 and "1.2" is 102; 0 where there is none. */
int64_t gp_words_version(const char *text);
/* Order of a release by the first version or month in the text: "26.04.01" and "2026-04" are 2604;
 * 0 where there is none. */
int64_t gp_words_release(const char *text);
/* The value of "key=value" among the notes, which are separated by ";" or blanks; *ret_len is 0
 * and the result NULL where there is none. */
const char *gp_notes_value(const char *notes, const char *key, size_t *ret_len);
/* The same as a number; 0 where there is none. */
double gp_notes_number(const char *notes, const char *key);

#endif
