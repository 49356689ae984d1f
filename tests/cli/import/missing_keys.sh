echo '{"model_type": "llama"}' | "$GPUPLAN" import file:-
