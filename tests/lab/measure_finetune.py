"""Measures fine-tuning on one GPU: the Hugging Face Trainer with PEFT, random weights and tokens.

Time, memory and power hang on shapes alone, so nothing is downloaded. Every row is one run.

    python3 measure_finetune.py [SECONDS [GROUP [FIRST]]] > rows.csv

SECONDS: no run starts after so many (400). GROUP: usual (runs as users set them up), or small
(steps so short that the host, which issues the kernels, is what they wait for). FIRST: number of the first run, from 0.

Needs PyTorch with CUDA, transformers, peft, accelerate and pynvml.
"""
import csv
import gc
import os
import sys
import tempfile
import time

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
import pynvml
import torch
import transformers
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainerCallback, TrainingArguments

WARM, TIMED = 3, 6
BEGIN = time.monotonic()
LAST_S = float(sys.argv[1]) if len(sys.argv) > 1 else 400
GROUP = sys.argv[2] if len(sys.argv) > 2 else "usual"
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else 0
pynvml.nvmlInit()
BOARD = pynvml.nvmlDeviceGetHandleByIndex(0)
OUT = csv.writer(sys.stdout, lineterminator="\n")
ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
ATTENTION = ALL[:4]


def llama(layers, hidden, ffn, heads, kv_heads, vocab=128256, tied=False, head_dim=None):
    return transformers.LlamaConfig(
        num_hidden_layers=layers, hidden_size=hidden, intermediate_size=ffn, vocab_size=vocab,
        num_attention_heads=heads, num_key_value_heads=kv_heads, tie_word_embeddings=tied,
        head_dim=head_dim or hidden // heads, max_position_embeddings=16384)


def qwen3(layers, hidden, ffn, heads, kv_heads, tied=False):
    return transformers.Qwen3Config(
        num_hidden_layers=layers, hidden_size=hidden, intermediate_size=ffn, vocab_size=151936,
        num_attention_heads=heads, num_key_value_heads=kv_heads, tie_word_embeddings=tied,
        head_dim=128, max_position_embeddings=16384)


def olmoe():
    return transformers.OlmoeConfig(
        num_hidden_layers=16, hidden_size=2048, intermediate_size=1024, num_experts=64,
        num_experts_per_tok=8, vocab_size=50304, num_attention_heads=16, num_key_value_heads=16,
        max_position_embeddings=16384)


def qwen2_moe():
    return transformers.Qwen2MoeConfig(
        num_hidden_layers=24, hidden_size=2048, intermediate_size=5632, moe_intermediate_size=1408,
        shared_expert_intermediate_size=5632, num_experts=60, num_experts_per_tok=4,
        vocab_size=151936, num_attention_heads=16, num_key_value_heads=16,
        max_position_embeddings=16384)


def qwen3_moe():
    return transformers.Qwen3MoeConfig(
        num_hidden_layers=48, hidden_size=2048, intermediate_size=6144, moe_intermediate_size=768,
        num_experts=128, num_experts_per_tok=8, norm_topk_prob=True, vocab_size=151936,
        num_attention_heads=32, num_key_value_heads=4, head_dim=128, decoder_sparse_step=1,
        max_position_embeddings=16384)


MODELS = {
    "Llama-3.1-8B": lambda: llama(32, 4096, 14336, 32, 8),
    "Llama-3.2-1B": lambda: llama(16, 2048, 8192, 32, 8, tied=True),
    "Llama-3.2-3B": lambda: llama(28, 3072, 8192, 24, 8, tied=True),
    "Qwen3-8B": lambda: qwen3(36, 4096, 12288, 32, 8),
    "Qwen3-32B": lambda: qwen3(64, 5120, 25600, 64, 8),
    "Qwen3-30B-A3B": qwen3_moe,
    "OLMoE-1B-7B": olmoe,
    "Qwen1.5-MoE-A2.7B": qwen2_moe,
}

# model, rank (0: all weights), targets, sequences, their length, recomputation, experts
USUAL = [
    ("Llama-3.1-8B", 16, ALL, 1, 2048, True, ""),
    ("Llama-3.1-8B", 16, ALL, 4, 2048, True, ""),
    ("Llama-3.1-8B", 16, ALL, 1, 2048, False, ""),
    ("Llama-3.1-8B", 16, ALL, 1, 8192, True, ""),
    ("Llama-3.1-8B", 64, ["q_proj", "v_proj"], 4, 1024, True, ""),
    ("Qwen3-30B-A3B", 16, ATTENTION, 1, 512, True, "eager"),
    ("Qwen3-30B-A3B", 16, ATTENTION, 1, 2048, True, "eager"),
    ("Qwen3-30B-A3B", 16, ATTENTION, 4, 2048, True, "grouped_mm"),
    ("Qwen3-8B", 16, ALL, 2, 4096, True, ""),
    ("Qwen3-8B", 16, ALL, 8, 512, False, ""),
    ("Llama-3.2-3B", 16, ALL, 8, 1024, False, ""),
    ("Llama-3.2-3B", 16, ALL, 16, 1024, True, ""),
    ("Llama-3.2-1B", 0, None, 8, 1024, True, ""),
    ("Llama-3.2-1B", 0, None, 4, 1024, False, ""),
    ("Qwen3-32B", 16, ALL, 1, 1024, True, ""),
    ("Qwen3-30B-A3B", 16, ATTENTION, 1, 2048, True, "grouped_mm"),
    ("Qwen3-30B-A3B", 16, ATTENTION, 1, 4096, False, "grouped_mm"),
    ("OLMoE-1B-7B", 16, ATTENTION, 4, 2048, True, "grouped_mm"),
    ("OLMoE-1B-7B", 16, ATTENTION, 8, 2048, False, "grouped_mm"),
    ("OLMoE-1B-7B", 0, None, 2, 2048, True, "grouped_mm"),
    ("OLMoE-1B-7B", 16, ATTENTION, 4, 2048, True, "eager"),
    ("Qwen1.5-MoE-A2.7B", 16, ATTENTION, 4, 2048, True, "grouped_mm"),
    ("Qwen1.5-MoE-A2.7B", 16, ATTENTION, 1, 4096, False, "grouped_mm"),
    ("Qwen3-32B", 16, ALL, 1, 2048, True, ""),
]

SMALL = [
    ("Llama-3.1-8B", 16, ALL, 1, 256, False, ""),
    ("Llama-3.1-8B", 16, ALL, 1, 256, True, ""),
    ("Llama-3.1-8B", 16, ["q_proj", "v_proj"], 1, 256, False, ""),
    ("Llama-3.1-8B", 16, ["q_proj", "v_proj"], 1, 256, True, ""),
    ("Llama-3.2-3B", 16, ALL, 1, 256, False, ""),
    ("Llama-3.2-3B", 16, ATTENTION, 1, 256, False, ""),
    ("Llama-3.2-3B", 0, None, 1, 256, False, ""),
    ("Llama-3.2-3B", 0, None, 1, 256, True, ""),
    ("Llama-3.2-1B", 0, None, 1, 256, False, ""),
    ("Llama-3.2-1B", 16, ALL, 1, 256, False, ""),
    ("Qwen3-8B", 16, ALL, 1, 256, False, ""),
    ("Qwen3-8B", 16, ALL, 1, 256, True, ""),
    ("OLMoE-1B-7B", 16, ATTENTION, 1, 256, False, "eager"),
    ("OLMoE-1B-7B", 16, ATTENTION, 1, 256, True, "eager"),
    ("Qwen1.5-MoE-A2.7B", 16, ATTENTION, 1, 256, False, "eager"),
]


class Random(torch.utils.data.Dataset):
    def __init__(self, vocab, length):
        self.vocab, self.length = vocab, length

    def __len__(self):
        return 1 << 20

    def __getitem__(self, index):
        ids = torch.randint(0, self.vocab, (self.length,))
        return {"input_ids": ids, "labels": ids, "attention_mask": torch.ones_like(ids)}


class Clock(TrainerCallback):
    """Steps after the first few, with the GPU's own energy counter."""

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step in (WARM, WARM + TIMED):
            torch.cuda.synchronize()
            joules = pynvml.nvmlDeviceGetTotalEnergyConsumption(BOARD) / 1000
            now = (time.monotonic(), joules)
            if state.global_step == WARM:
                self.begin = now
            else:
                self.each_s = (now[0] - self.begin[0]) / TIMED
                self.watts = (now[1] - self.begin[1]) / (now[0] - self.begin[0])


def build(name, rank, targets, experts):
    config = MODELS[name]()
    if experts:
        config._experts_implementation = experts
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
    torch.set_default_dtype(torch.float32)
    if experts:
        model.config._experts_implementation = experts
    model.config.use_cache = False
    parameters = sum(p.numel() for p in model.parameters())
    if rank:
        model.enable_input_require_grads()
        lora = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=targets, lora_dropout=0.0,
                          task_type="CAUSAL_LM")
        model = get_peft_model(model, lora)
    return model, parameters


def measure(run):
    name, rank, targets, sequences, length, recompute, experts = run
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    model, parameters = build(name, rank, targets, experts)
    arguments = TrainingArguments(
        output_dir=tempfile.gettempdir(), per_device_train_batch_size=sequences, max_steps=WARM + TIMED,
        bf16=True, gradient_checkpointing=recompute, report_to=[], save_strategy="no",
        logging_strategy="no", dataloader_num_workers=2, disable_tqdm=True, learning_rate=1e-5,
        gradient_checkpointing_kwargs={"use_reentrant": False} if recompute else None)
    clock = Clock()
    vocab = MODELS[name]().vocab_size
    Trainer(model=model, args=arguments, train_dataset=Random(vocab, length),
            callbacks=[clock]).train()
    peak = torch.cuda.max_memory_allocated() / 2**30
    reserved = torch.cuda.max_memory_reserved() / 2**30
    clocked = pynvml.nvmlDeviceGetClockInfo(BOARD, pynvml.NVML_CLOCK_SM)
    OUT.writerow([name, parameters, rank, "+".join(t.split("_")[0] for t in targets or []),
                  sequences, length, "full" if recompute else "none", experts,
                  f"{clock.each_s:.4f}", f"{sequences * length / clock.each_s:.1f}",
                  f"{peak:.2f}", f"{reserved:.2f}", f"{clock.watts:.1f}", clocked])
    sys.stdout.flush()


def copies():
    """Pinned memory to and from the GPU: one direction, and both at once."""
    size = 1 << 30
    host = [torch.empty(size, dtype=torch.uint8, pin_memory=True) for _ in range(2)]
    there = [torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(2)]
    ways = [torch.cuda.Stream() for _ in range(2)]
    for kind, used in (("to", [0]), ("from", [1]), ("both", [0, 1])):
        for timed in (False, True):
            torch.cuda.synchronize()
            begin = time.monotonic()
            for _ in range(8):
                for way in used:
                    with torch.cuda.stream(ways[way]):
                        if way == 0:
                            there[0].copy_(host[0], non_blocking=True)
                        else:
                            host[1].copy_(there[1], non_blocking=True)
            torch.cuda.synchronize()
            if timed:
                rate = 8 * size / (time.monotonic() - begin) / 1e9
                print(f"# copies {kind}: {rate:.2f} GB/s each way", flush=True)


def main():
    print(f"# torch {torch.__version__} transformers {transformers.__version__} "
          f"{torch.cuda.get_device_name(0)}", flush=True)
    OUT.writerow("model parameters rank targets sequences length recompute experts step_s "
                 "tokens_per_s peak_gib reserved_gib watts sm_mhz".split())
    copies()
    for run in {"usual": USUAL, "small": SMALL}[GROUP][FIRST:]:
        if time.monotonic() - BEGIN > LAST_S:
            break
        try:
            measure(run)
        except Exception as error:  # one that does not fit must not end the others
            print(f"# {run}: {type(error).__name__}: {str(error)[:300]}", flush=True)
        gc.collect()
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
