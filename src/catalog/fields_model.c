/* Descriptor tables of model shapes. */
#include "catalog/fields.h"
#include "catalog/words.h"

/* A size of the network: layers, widths, heads. */
#define SIZE(T, name, member, text)       GP_COUNT(T, name, member, GP_RANGE(0, 1e9), .help = text)
#define SIZE_ABOVE(T, name, member, text) GP_COUNT(T, name, member, GP_RANGE(1, 1e9), .help = text)

static const gp_field expert_fields[] = {
    GP_COUNT(gp_experts, "count", count, GP_RANGE(1, 1e6), .flags = GP_FIELD_REQUIRED,
             .help = "Routed experts in a layer."),
    GP_COUNT(gp_experts, "topK", top_k, GP_RANGE(1, 1e6), .flags = GP_FIELD_REQUIRED,
             .help = "Routed experts each token visits."),
    SIZE_ABOVE(gp_experts, "ffn", ffn, "Inner width of one routed expert."),
    SIZE(gp_experts, "shared", shared, "Experts every token visits."),
    SIZE(gp_experts, "sharedFfn", shared_ffn, "Total inner width of the shared experts."),
    SIZE(gp_experts, "firstDense", first_dense, "Leading layers without experts."),
    SIZE(gp_experts, "every", every, "Experts stand in every n-th layer."),
    SIZE(gp_experts, "latent", latent, "Width that tokens are projected to before the experts."),
    SIZE(gp_experts, "denseFfn", dense_ffn, "Inner width of the layers without experts."),
};

static const gp_struct experts_type = GP_TYPE(gp_experts, expert_fields, .name = "experts",
                                              .help = "Mixture of experts in place of the MLP.");

static const gp_field mla_fields[] = {
    SIZE(gp_mla, "qLora", q_lora, "Rank of the query projection; 0 where it is full."),
    SIZE_ABOVE(gp_mla, "kvLora", kv_lora, "Rank of the shared key-value latent."),
    SIZE(gp_mla, "nope", nope, "Per-head dimensions without rotary encoding."),
    SIZE(gp_mla, "rope", rope, "Per-head dimensions with rotary encoding."),
    SIZE_ABOVE(gp_mla, "value", value, "Per-head dimensions of the values."),
};

static const gp_struct mla_type =
    GP_TYPE(gp_mla, mla_fields, .name = "mla", .help = "Multi-head latent attention.");

static const gp_field window_fields[] = {
    SIZE_ABOVE(gp_window, "size", size, "Tokens a layer with a sliding window sees."),
    SIZE(gp_window, "layers", layers, "Layers with a sliding window."),
};

static const gp_struct window_type =
    GP_TYPE(gp_window, window_fields, .name = "window", .help = "Sliding-window attention.");

static const gp_field mamba_fields[] = {
    SIZE(gp_mamba, "layers", layers, "State-space layers."),
    SIZE_ABOVE(gp_mamba, "heads", heads, "Heads of a state-space layer."),
    SIZE_ABOVE(gp_mamba, "headDim", head_dim, "Width of one head."),
    SIZE_ABOVE(gp_mamba, "state", state, "Size of the state per channel."),
    SIZE_ABOVE(gp_mamba, "groups", groups, "Groups that share the input projections."),
    SIZE(gp_mamba, "conv", conv, "Width of the causal convolution."),
};

static const gp_struct mamba_type =
    GP_TYPE(gp_mamba, mamba_fields, .name = "mamba", .help = "State-space (Mamba) layers.");

static const gp_field linear_fields[] = {
    GP_ENUM(gp_linear_attention, "kind", kind, gp_linear_kind_words, .default_text = "delta",
            .help = "Form of the recurrence."),
    SIZE(gp_linear_attention, "layers", layers, "Layers with linear attention."),
    SIZE_ABOVE(gp_linear_attention, "keyHeads", key_heads, "Key heads."),
    SIZE_ABOVE(gp_linear_attention, "keyDim", key_dim, "Width of a key head."),
    SIZE_ABOVE(gp_linear_attention, "valueHeads", value_heads, "Value heads."),
    SIZE_ABOVE(gp_linear_attention, "valueDim", value_dim, "Width of a value head."),
    SIZE(gp_linear_attention, "conv", conv, "Width of the causal convolution."),
};

static const gp_struct linear_type = GP_TYPE(gp_linear_attention, linear_fields, .name = "linear",
                                             .help = "Linear-attention layers.");

static const gp_field sparse_fields[] = {
    SIZE_ABOVE(gp_sparse_attention, "indexHeads", index_heads, "Heads of the indexer."),
    SIZE_ABOVE(gp_sparse_attention, "indexDim", index_dim, "Width of an indexer head."),
    SIZE_ABOVE(gp_sparse_attention, "topK", top_k, "Tokens that attention keeps."),
    SIZE(gp_sparse_attention, "layers", layers, "Layers with an indexer; all where absent."),
    SIZE(gp_sparse_attention, "block", block, "Tokens that are picked together."),
};

static const gp_struct sparse_type =
    GP_TYPE(gp_sparse_attention, sparse_fields, .name = "sparse",
            .help = "Attention over the tokens that an indexer selects.");

static const gp_field full_fields[] = {
    SIZE(gp_full_attention, "kvHeads", kv_heads, "Key-value heads of the full-attention layers."),
    SIZE(gp_full_attention, "headDim", head_dim, "Width of a head of the full-attention layers."),
    GP_BOOL(gp_full_attention, "keyIsValue", key_is_value, .default_text = "false",
            .help = "One projection serves as key and value."),
};

static const gp_struct full_type =
    GP_TYPE(gp_full_attention, full_fields, .name = "fullAttention",
            .help = "Full-attention layers that differ from the windowed ones.");

static const gp_field compression_fields[] = {
    SIZE_ABOVE(gp_compression, "ratio", ratio, "Tokens that become one entry."),
    SIZE(gp_compression, "layers", layers, "Layers compressed like this."),
};

static const gp_struct compression_type =
    GP_TYPE(gp_compression, compression_fields, .name = "compression",
            .help = "Compression of the key-value cache along the sequence.");

static const gp_field compressed_fields[] = {
    SIZE_ABOVE(gp_compressed_attention, "qLora", q_lora, "Rank of the query projection."),
    SIZE_ABOVE(gp_compressed_attention, "oLora", o_lora, "Rank of a group's output projection."),
    SIZE_ABOVE(gp_compressed_attention, "oGroups", o_groups, "Groups of the output projection."),
    SIZE(gp_compressed_attention, "rope", rope, "Dimensions with rotary encoding."),
    SIZE(gp_compressed_attention, "window", window, "Recent tokens that every layer sees."),
    GP_STRUCT(gp_compressed_attention, "fine", fine, gp_compression, compression_type,
              .help = "Layers of the small ratio, which pick tokens by an indexer."),
    GP_STRUCT(gp_compressed_attention, "coarse", coarse, gp_compression, compression_type,
              .help = "Layers of the large ratio."),
    SIZE_ABOVE(gp_compressed_attention, "indexHeads", index_heads, "Heads of the indexer."),
    SIZE_ABOVE(gp_compressed_attention, "indexDim", index_dim, "Width of an indexer head."),
    SIZE_ABOVE(gp_compressed_attention, "topK", top_k, "Entries that attention keeps."),
};

static const gp_struct compressed_type =
    GP_TYPE(gp_compressed_attention, compressed_fields, .name = "compressed",
            .help = "Attention over a cache compressed along the sequence.");

static const gp_field block_fields[] = {
    SIZE_ABOVE(gp_block, "layers", layers, "Layers of this kind."),
    SIZE(gp_block, "kvHeads", kv_heads, "Key-value heads; 0 for no attention."),
    SIZE(gp_block, "ffn", ffn, "Inner width of the MLP."),
};

static const gp_struct block_type =
    GP_TYPE(gp_block, block_fields, .name = "block", .help = "Layers of one kind.");

static const gp_field processor_fields[] = {
    GP_ROW_FIELDS(gp_image_processor, "processors"),
    GP_ENUM(gp_image_processor, "rule", rule, gp_image_rule_words,
            .help =
                "How a size becomes patches: fixed, round to multiples, pad, fill a limit, rows "
                "with an end token, tiles by least scaling, tiles by aspect."),
    SIZE(gp_image_processor, "patch", patch, "Patch edge in pixels, where the tower does not say."),
    SIZE(gp_image_processor, "merge", merge,
         "Edge of the square of patches that become one token, where the tower does not say."),
    SIZE(gp_image_processor, "minPixels", min_pixels, "Smaller images are scaled up to this area."),
    SIZE(gp_image_processor, "maxPixels", max_pixels, "Larger images are scaled down to it."),
    SIZE(gp_image_processor, "maxPatches", max_patches, "Most patches of an image."),
    SIZE(gp_image_processor, "maxEdge", max_edge, "Longest edge in pixels."),
    SIZE(gp_image_processor, "tile", tile, "Edge of a tile in pixels."),
    SIZE(gp_image_processor, "maxTiles", max_tiles, "Most tiles of an image."),
    GP_BOOL(gp_image_processor, "overview", overview, .default_text = "false",
            .help = "Several tiles come with one of the whole image."),
    SIZE(gp_image_processor, "tokens", tokens, "Tokens of any image; by its size where absent."),
    SIZE(gp_image_processor, "marks", marks, "Tokens around an image."),
    SIZE(gp_image_processor, "tileMarks", tile_marks, "Tokens beside each of several tiles."),
    SIZE(gp_image_processor, "framePixels", frame_pixels,
         "Largest area of a frame of video; that of an image where absent."),
    SIZE(gp_image_processor, "videoPixels", video_pixels,
         "Largest area of all frames of a video together."),
    GP_BOOL(gp_image_processor, "crossAttention", cross_attention, .default_text = "false",
            .help = "The decoder reads images in layers of cross attention, not in the prompt."),
};

const gp_struct gp_image_processor_type =
    GP_TYPE(gp_image_processor, processor_fields, .name = "processor", .scalar_key = "extends",
            .help = "How images are cut into tokens; a bare word is a row of the catalogue.");

static const gp_field vision_fields[] = {
    GP_STRUCT(gp_vision, "processor", processor, gp_image_processor, gp_image_processor_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "How images are cut into tokens."),
    SIZE_ABOVE(gp_vision, "layers", layers, "Layers of the vision tower."),
    SIZE_ABOVE(gp_vision, "hidden", hidden, "Width of the vision tower."),
    SIZE_ABOVE(gp_vision, "ffn", ffn, "Inner width of its MLP."),
    SIZE_ABOVE(gp_vision, "heads", heads, "Attention heads."),
    SIZE_ABOVE(gp_vision, "patch", patch, "Patch edge in pixels."),
    SIZE(gp_vision, "imageSize", image_size, "Image edge in pixels."),
    SIZE(gp_vision, "tokensPerImage", tokens_per_image, "Tokens one image becomes."),
    GP_BOOL(gp_vision, "gated", gated, .default_text = "false", .help = "Its MLP is gated."),
    SIZE(gp_vision, "qkv", qkv, "Width of its attention; the tower's own where absent."),
    SIZE(gp_vision, "temporalPatch", temporal_patch, "Frames in a patch."),
    SIZE(gp_vision, "positions", positions, "Learned position embeddings."),
    SIZE(gp_vision, "merge", merge, "Edge of the square of patches that become one token."),
    SIZE(gp_vision, "projectors", projectors, "Mergers into the decoder."),
    SIZE(gp_vision, "crossLayers", cross_layers,
         "Layers of the decoder that read the tower's patches in place of the text."),
};

static const gp_struct vision_type =
    GP_TYPE(gp_vision, vision_fields, .name = "vision", .help = "Vision tower.");

static const gp_field diffusion_fields[] = {
    SIZE_ABOVE(gp_diffusion, "steps", steps, "Denoising steps where nobody states them."),
    SIZE_ABOVE(gp_diffusion, "passes", passes,
               "Passes of a step that the prompt guides: 2, or 1 where guidance is learned."),
    SIZE_ABOVE(gp_diffusion, "edge", edge, "Pixels on the edge of a latent cell."),
    SIZE_ABOVE(gp_diffusion, "patch", patch, "Latent cells on the edge of a token."),
    SIZE(gp_diffusion, "frames", frames, "Frames of a clip in a latent one; 0 for pictures alone."),
    SIZE(gp_diffusion, "framePatch", frame_patch, "Latent frames in a token."),
    SIZE(gp_diffusion, "textTokens", text_tokens, "Tokens of a prompt, as it is padded."),
    GP_BOOL(gp_diffusion, "joined", joined, .default_text = "false",
            .help = "Text and picture are one sequence; else every layer looks the text up."),
    SIZE(gp_diffusion, "doubleLayers", double_layers,
         "Layers in which text and picture have weights of their own."),
    SIZE(gp_diffusion, "twinLayers", twin_layers,
         "Layers with a second attention over the picture alone."),
    GP_BOOL(gp_diffusion, "linear", linear, .default_text = "false",
            .help = "Attention grows with the tokens, not with their square."),
    GP_QUANTITY(gp_diffusion, "passFlop", pass_flop, GP_DIM_COUNT, GP_ABOVE(0, 1e18),
                .flags = GP_FIELD_SUFFIX,
                .help = "FLOP of a pass of a denoiser that is no transformer."),
    GP_QUANTITY(gp_diffusion, "passPixels", pass_pixels, GP_DIM_COUNT, GP_ABOVE(0, 1e12),
                .flags = GP_FIELD_SUFFIX, .help = "Pixels of the picture that passFlop is for."),
    GP_QUANTITY(gp_diffusion, "textParameters", text_parameters, GP_DIM_COUNT, GP_ABOVE(0, 1e13),
                .flags = GP_FIELD_SUFFIX, .help = "Parameters of the encoders of the prompt."),
    GP_QUANTITY(gp_diffusion, "decoderParameters", decoder_parameters, GP_DIM_COUNT,
                GP_ABOVE(0, 1e13), .flags = GP_FIELD_SUFFIX,
                .help = "Parameters of what makes pixels of latent cells."),
    GP_QUANTITY(gp_diffusion, "decoderFlop", decoder_flop, GP_DIM_COUNT, GP_ABOVE(0, 1e12),
                .flags = GP_FIELD_SUFFIX, .help = "FLOP that it takes for a pixel."),
};

static const gp_struct diffusion_type =
    GP_TYPE(gp_diffusion, diffusion_fields, .name = "diffusion",
            .help = "Pictures or clips out of noise; the model's own fields are the denoiser's.");

static const gp_field scoring_fields[] = {
    GP_QUANTITY(gp_scoring, "flop", flop, GP_DIM_COUNT, GP_ABOVE(0, 1e18),
                .flags = GP_FIELD_SUFFIX | GP_FIELD_REQUIRED, .help = "FLOP of one item."),
    SIZE(gp_scoring, "lookups", lookups, "Rows of tables that an item reads."),
    SIZE(gp_scoring, "width", width, "Numbers in a row."),
};

static const gp_struct scoring_type =
    GP_TYPE(gp_scoring, scoring_fields, .name = "scoring",
            .help = "One answer to an item by a fixed amount of work: recommenders, classifiers.");

static const gp_field speech_fields[] = {
    GP_QUANTITY(gp_speech, "window", window_s, GP_DIM_TIME, GP_ABOVE(0, 1e6),
                .help = "Sound that the encoder reads at once; none where the model speaks."),
    SIZE(gp_speech, "positions", positions, "Positions of a window behind the encoder."),
    GP_QUANTITY(gp_speech, "tokensPerSecond", tokens_per_s, GP_DIM_PER_S, GP_ABOVE(0, 1e6),
                .flags = GP_FIELD_REQUIRED,
                .help = "Tokens written for a second that is heard, or that is said."),
};

static const gp_struct speech_type =
    GP_TYPE(gp_speech, speech_fields, .name = "speech", .help = "Speech heard, or said.");

static const gp_field weight_fields[] = {
    GP_ENUM(gp_weights, "format", format, gp_format_words, .aliases = gp_format_aliases,
            .default_text = "bf16", .help = "Storage format of the released checkpoint."),
    GP_QUANTITY(gp_weights, "quantizedFraction", quantized_fraction, GP_DIM_FRACTION,
                GP_RANGE(0, 1), .help = "Share of the parameters stored in that format."),
    GP_QUANTITY(gp_weights, "bytes", bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e15),
                .help = "Size of the checkpoint."),
    GP_ENUM(gp_weights, "remainder", remainder, gp_format_words,
            .help = "Format of what is not quantized; 16 bit where absent."),
    GP_ENUM(gp_weights, "kvCache", kv_cache, gp_format_words,
            .help = "Format of the key-value cache the checkpoint is made for."),
};

static const gp_struct weights_type =
    GP_TYPE(gp_weights, weight_fields, .name = "weights", .scalar_key = "format",
            .help = "The released checkpoint.");

static const gp_field model_fields[] = {
    GP_ROW_FIELDS(gp_model, "models"),
    GP_STRING(gp_model, "family", family, .help = "Family of shapes, such as decoder."),
    SIZE_ABOVE(gp_model, "layers", layers, "Layers of the decoder."),
    SIZE_ABOVE(gp_model, "hidden", hidden, "Width of the residual stream."),
    SIZE(gp_model, "heads", heads, "Query heads."),
    SIZE(gp_model, "kvHeads", kv_heads, "Key-value heads; as many as query heads where absent."),
    SIZE(gp_model, "headDim", head_dim, "Width of a head; hidden / heads where absent."),
    SIZE(gp_model, "ffn", ffn, "Inner width of the MLP."),
    GP_BOOL(gp_model, "gated", gated, .default_text = "true",
            .help = "The MLP is gated (three matrices)."),
    SIZE_ABOVE(gp_model, "vocab", vocab, "Size of the vocabulary."),
    GP_BOOL(gp_model, "tied", tied, .default_text = "false",
            .help = "Input and output embeddings are one matrix."),
    SIZE(gp_model, "positions", positions, "Learned position embeddings."),
    SIZE(gp_model, "context", context, "Longest context in tokens."),
    SIZE(gp_model, "valueDim", value_dim, "Width of a value head where it differs."),
    SIZE(gp_model, "normsPerLayer", norms_per_layer, "Norms in a layer; two where absent."),
    GP_BOOL(gp_model, "attentionGate", attention_gate, .default_text = "false",
            .help = "Attention output is gated by a projection as wide as the query."),
    GP_BOOL(gp_model, "bidirectional", bidirectional, .default_text = "false",
            .help = "An encoder: every token attends to all others, none is written."),
    GP_STRUCT(gp_model, "experts", experts, gp_experts, experts_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Mixture of experts."),
    GP_STRUCT(gp_model, "mla", mla, gp_mla, mla_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Latent attention."),
    GP_STRUCT(gp_model, "window", window, gp_window, window_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Sliding window."),
    GP_STRUCT(gp_model, "mamba", mamba, gp_mamba, mamba_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "State-space layers."),
    GP_STRUCT(gp_model, "linear", linear, gp_linear_attention, linear_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Linear attention."),
    GP_STRUCT(gp_model, "sparse", sparse, gp_sparse_attention, sparse_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Indexed sparse attention."),
    GP_STRUCT(gp_model, "full", full, gp_full_attention, full_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Full-attention layers where they differ."),
    GP_STRUCT(gp_model, "compressed", compressed, gp_compressed_attention, compressed_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Compressed attention."),
    GP_STRUCT_LIST(gp_model, "blocks", blocks, gp_block, block_type,
                   .help = "Layers of a searched architecture, kind by kind."),
    GP_STRUCT(gp_model, "vision", vision, gp_vision, vision_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Vision tower, or the encoder of sound."),
    GP_STRUCT(gp_model, "diffusion", diffusion, gp_diffusion, diffusion_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Pictures or clips out of noise."),
    GP_STRUCT(gp_model, "scoring", scoring, gp_scoring, scoring_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "One answer to an item by a fixed amount of work."),
    GP_STRUCT(gp_model, "speech", speech, gp_speech, speech_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Speech heard, or said."),
    GP_STRING(gp_model, "pattern", pattern,
              .help = "Layer by layer: M state space, E experts, * attention, - MLP."),
    SIZE(gp_model, "mtp", mtp, "Extra layers that predict further tokens."),
    GP_QUANTITY(gp_model, "parameters", parameters, GP_DIM_COUNT, GP_ABOVE(0, 1e15),
                .flags = GP_FIELD_SUFFIX, .help = "Parameters as the maker publishes them."),
    GP_QUANTITY(gp_model, "activeParameters", active_parameters, GP_DIM_COUNT, GP_ABOVE(0, 1e15),
                .flags = GP_FIELD_SUFFIX, .help = "Parameters a token visits."),
    GP_STRING(gp_model, "parametersSource", parameters_source,
              .help = "Where the published figures stand."),
    GP_STRING(gp_model, "parametersOf", parameters_of,
              .help = "What they count: language where the vision tower is left out."),
    GP_STRUCT(gp_model, "weights", weights, gp_weights, weights_type, .flags = GP_FIELD_WHOLE,
              .help = "The released checkpoint."),
};

const gp_struct gp_model_type =
    GP_TYPE(gp_model, model_fields, .name = "model", .scalar_key = "extends",
            .help = "Shape of a language model; a bare word is a catalogue id or hf: name.");
