/* Inside of the reader of model configurations: from config.json to a gp_model without origins,
 * from that to the text of a catalogue row. */
#ifndef GP_IMPORT_HF_H
#define GP_IMPORT_HF_H

#include "base/buf.h"
#include "estimate/estimate.h"
#include "import/import.h"
#include "source/tree.h"

typedef struct gp_hf_family gp_hf_family;

enum { GP_HF_NOTES_MAX = 12 };

typedef struct gp_hf_reader {
    gp_arena *arena;
    gp_diags *diags;
    const gp_node *root;  /* config.json */
    const gp_node *text;  /* its decoder: text_config, llm_config or the root */
    const gp_node *quant; /* quantization_config, or that of hf_quant_config.json; may be NULL */
    const gp_hf_family *family;
    gp_model *model;      /* zero is absent; its metas are empty */
    int64_t dense_prefix; /* leading layers without experts */
    bool quantized;       /* the checkpoint is */
    const char *notes[GP_HF_NOTES_MAX];
    size_t note_count;
} gp_hf_reader;

/* What sets an architecture apart. */
enum {
    GP_HF_LOCAL_EXPERTS = 1u << 0, /* intermediate_size is that of an expert */
    GP_HF_WINDOW_ALL = 1u << 1,    /* sliding_window holds in every layer */
    GP_HF_PLAIN_MLP = 1u << 2,     /* the MLP is not gated */
    GP_HF_TIED = 1u << 3,          /* embeddings are tied unless it says otherwise */
    GP_HF_LATENT = 1u << 4,        /* multi-head latent attention */
    GP_HF_MLP_APART = 1u << 5      /* "mlp" names the dense layer beside the experts only */
};

struct gp_hf_family {
    const char *type; /* model_type of the decoder */
    unsigned flags;
    void (*finish)(gp_hf_reader *reader); /* what its own keys say; may be NULL */
};

/* Sorted by type; the public list of names follows it. */
extern const gp_hf_family gp_hf_families[];
extern const size_t gp_hf_family_count;

/* ---- hf_keys.c: keys of the configuration */

/* Value of the first of `keys` (NULL-terminated) that `map` has and that is not null, or NULL. */
const gp_node *gp_hf_first(const gp_node *map, const char *const *keys);
/* The whole number there; 0 where there is none. What is no whole number of at least zero is
 * reported. */
int64_t gp_hf_number(gp_hf_reader *reader, const gp_node *map, const char *const *keys);
/* The same for a key that must be there. */
int64_t gp_hf_needed(gp_hf_reader *reader, const gp_node *map, const char *const *keys);
/* A node as a whole number of at least zero. */
bool gp_hf_whole(const gp_node *node, int64_t *ret_number);
bool gp_hf_true(const gp_node *map, const char *key);
bool gp_hf_is(const gp_node *map, const char *key, const char *word);
/* Items of the list under `key` that are the scalar `word`; 0 where there is no list. */
int64_t gp_hf_count(const gp_node *map, const char *key, const char *word);
/* Items at the start of a list that are `word`. */
int64_t gp_hf_prefix(const gp_node *list, const char *word);
void gp_hf_note(gp_hf_reader *reader, const char *note);
/* Refuses what cannot be told in a row: GP1019 at `node`. */
void gp_hf_refuse(gp_hf_reader *reader, const gp_node *node, const char *what);

#define GP_HF_KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- the parts */

/* Sizes, experts, attention, state: into reader->model. */
void gp_hf_read_shape(gp_hf_reader *reader);
void gp_hf_read_vision(gp_hf_reader *reader);
/* Format and share of the checkpoint: what is stored how. `shape` is that of the model. */
void gp_hf_read_weights(gp_hf_reader *reader, const gp_shape *shape);

/* ---- hf_row.c */

/* The row of reader->model, a key per line at the start of the line. */
gp_status gp_hf_write_row(const gp_hf_reader *reader, const gp_import_model_input *input,
                          const char *id, const char **ret_row);
/* A Catalog document with that row. */
gp_status gp_hf_write_document(gp_arena *arena, const char *id, const char *row,
                               const char **ret_document);

#endif
