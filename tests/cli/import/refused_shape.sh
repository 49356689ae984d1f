cat >config.json <<END
{"model_type": "gemma4_text", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
 "vocab_size": 1000, "intermediate_size": 256, "num_kv_shared_layers": 1}
END
"$GPUPLAN" import file:config.json
