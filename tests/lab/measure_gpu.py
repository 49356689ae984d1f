"""Measures what one GPU draws and achieves by kind of work, one kind at a time.

Published figures mix the kinds: a serving point holds weights read, attention, prefill and waiting
at once. Here each kind runs alone for some seconds; the energy is the GPU's own counter.

    python3 measure_gpu.py NAME > rows.csv     NAME: the catalogue's word for the GPU

Needs PyTorch with CUDA and pynvml. Each row: kind of work, shape, watts, limit, rate.
"""
import csv
import sys
import time

import pynvml
import torch
import torch.nn.functional as F

SETTLE_S, MEASURE_S = 0.7, 2.2
pynvml.nvmlInit()
BOARD = pynvml.nvmlDeviceGetHandleByIndex(0)
LIMIT_W = pynvml.nvmlDeviceGetEnforcedPowerLimit(BOARD) / 1000
OUT = csv.writer(sys.stdout, lineterminator="\n")


def energy_j():
    return pynvml.nvmlDeviceGetTotalEnergyConsumption(BOARD) / 1000


def row(kind, batch, tokens, seconds, watts, calls, flops=0, read=0, busy=1.0):
    """Writes what `calls` calls took: the rates are those of useful work."""
    clock = pynvml.nvmlDeviceGetClockInfo(BOARD, pynvml.NVML_CLOCK_SM)
    OUT.writerow([sys.argv[1], kind, batch, tokens, f"{busy:.3f}", f"{watts:.1f}", f"{LIMIT_W:.0f}",
                  f"{seconds / calls * 1e6:.2f}" if calls else "",
                  f"{flops * calls / seconds / 1e12:.1f}" if flops else "",
                  f"{read * calls / seconds / 1e9:.0f}" if read else "", clock])
    sys.stdout.flush()


def idle(kind, seconds):
    start, joules = time.monotonic(), energy_j()
    time.sleep(seconds)
    took = time.monotonic() - start
    row(kind, 0, 0, took, (energy_j() - joules) / took, 0, busy=0)


def measure(kind, batch, tokens, call, flops=0, read=0, copies=0):
    """Runs `call` back to back; enough are queued that the GPU never waits for the host.

    Short kernels are recorded `copies` times into one graph, which is then the call."""
    try:
        call(0)
        torch.cuda.synchronize()
        if copies:
            call = captured(call, copies)
        begin = time.monotonic()
        for i in range(2):
            call(i)
        torch.cuda.synchronize()
        each = (time.monotonic() - begin) / 2
        chunk = max(1, int(0.05 / each))
        until = time.monotonic() + SETTLE_S
        n = 0
        while time.monotonic() < until:
            for _ in range(chunk):
                call(n)
                n += 1
            torch.cuda.synchronize()
        start, joules, calls = time.monotonic(), energy_j(), 0
        ends = []
        while time.monotonic() < start + MEASURE_S:
            for _ in range(chunk):
                call(n)
                n += 1
            calls += chunk
            ends.append(torch.cuda.Event())
            ends[-1].record()
            if len(ends) > 2:
                ends.pop(0).synchronize()
        torch.cuda.synchronize()
        took = time.monotonic() - start
        row(kind, batch, tokens, took, (energy_j() - joules) / took, calls, flops, read)
    except Exception as error:  # a kind this build cannot run is left out, and said to be
        print(f"{kind} {batch} {tokens}: {str(error).splitlines()[0]}", file=sys.stderr)
        torch.cuda.empty_cache()


def captured(call, copies):
    """A graph of `copies` calls, so that short kernels follow each other without the host."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(copies):
            call(i)
    return lambda _: graph.replay()


def products(dtype):
    """Weights of 8 matrices are read in turn: 1.9 GB in BF16, far beyond the L2 cache."""
    n, k, copies = 14336, 8192, 8
    size = torch.finfo(dtype).bits // 8
    if dtype == torch.bfloat16:
        weights = [torch.randn(n, k, device="cuda", dtype=dtype) for _ in range(copies)]
    else:
        weights = [torch.randn(n, k, device="cuda", dtype=torch.bfloat16).to(dtype)
                   for _ in range(copies)]
    one = torch.ones((), device="cuda")
    for m in (1, 16, 64, 128, 256, 512, 2048, 8192):
        if dtype != torch.bfloat16 and m == 1:
            continue
        a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16).to(dtype)
        if dtype == torch.bfloat16:
            call = lambda i: a @ weights[i % copies].t()
        else:
            call = lambda i: torch._scaled_mm(a, weights[i % copies].t(), scale_a=one, scale_b=one,
                                              out_dtype=torch.bfloat16, use_fast_accum=True)
        measure("gemm-" + ("bf16" if size == 2 else "fp8"), m, 0, call,
                copies * 2 * m * n * k,
                copies * (size * (n * k + m * k) + 2 * m * n), copies)


def attention():
    heads, kv, dim = 64, 8, 128
    for batch, seq in ((8, 2048), (2, 8192), (1, 32768)):
        q = torch.randn(batch, heads, seq, dim, device="cuda", dtype=torch.bfloat16)
        k = torch.randn(batch, heads, seq, dim, device="cuda", dtype=torch.bfloat16)
        v = torch.randn_like(k)
        measure("attention-prefill", batch, seq,
                lambda i: F.scaled_dot_product_attention(q, k, v, is_causal=True),
                2 * batch * heads * seq * seq * dim)
    for batch, seq in ((16, 4096), (64, 4096), (128, 8192)):
        # The query heads of one group are rows of one product, as decode kernels do it.
        q = torch.randn(batch, kv, heads // kv, dim, device="cuda", dtype=torch.bfloat16)
        k = torch.randn(batch, kv, seq, dim, device="cuda", dtype=torch.bfloat16)
        v = torch.randn_like(k)
        measure("attention-decode", batch, seq,
                lambda i: F.scaled_dot_product_attention(q, k, v),
                4 * batch * heads * seq * dim, 2 * 2 * batch * kv * seq * dim)


def elementwise():
    x = torch.randn(1 << 29, device="cuda", dtype=torch.bfloat16)
    y = torch.empty_like(x)
    measure("copy", 0, 0, lambda i: y.copy_(x), 0, 2 * 2 * x.numel())
    w = torch.ones(8192, device="cuda", dtype=torch.bfloat16)
    z = x[: 1 << 28].view(-1, 8192)
    measure("norm", 32768, 0, lambda i: F.rms_norm(z, (8192,), w), 0, 2 * 2 * z.numel())


def duty():
    """The same work for a part of the time: whether power is the mean of work and waiting."""
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    w = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    event = torch.cuda.Event
    for part in (0.25, 0.5, 0.75):
        start, joules, busy_s, calls = time.monotonic(), energy_j(), 0.0, 0
        while time.monotonic() < start + SETTLE_S + MEASURE_S:
            if calls and time.monotonic() < start + SETTLE_S:
                joules, busy_s, calls, begin = energy_j(), 0.0, 0, time.monotonic()
            first, last = event(enable_timing=True), event(enable_timing=True)
            first.record()
            for _ in range(4):
                a @ w
            last.record()
            last.synchronize()
            ran = first.elapsed_time(last) / 1000
            busy_s += ran
            calls += 4
            time.sleep(ran * (1 - part) / part)
        took = time.monotonic() - begin
        row("duty-gemm-bf16", 8192, 0, took, (energy_j() - joules) / took, calls, 2 * 8192**3,
            busy=busy_s / took)


class Block(torch.nn.Module):
    """One dense decoder layer of the usual shape."""

    def __init__(self, hidden, inter, heads, kv):
        super().__init__()
        self.heads, self.kv, self.dim = heads, kv, hidden // heads
        self.qkv = torch.nn.Linear(hidden, hidden + 2 * kv * self.dim, bias=False)
        self.out = torch.nn.Linear(hidden, hidden, bias=False)
        self.up = torch.nn.Linear(hidden, 2 * inter, bias=False)
        self.down = torch.nn.Linear(inter, hidden, bias=False)
        self.norms = torch.nn.ModuleList(torch.nn.RMSNorm(hidden) for _ in range(2))

    def split(self, x):
        batch, seq, _ = x.shape
        sizes = [self.heads * self.dim, self.kv * self.dim, self.kv * self.dim]
        return [t.view(batch, seq, -1, self.dim).transpose(1, 2)
                for t in self.qkv(self.norms[0](x)).split(sizes, -1)]

    def rest(self, x, seen):
        x = x + self.out(seen)
        gate, up = self.up(self.norms[1](x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)

    def forward(self, x):
        q, k, v = self.split(x)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.rest(x, seen.transpose(1, 2).flatten(2))

    def decode(self, x, keys, values):
        q, k, v = self.split(x)
        keys[:, :, -1:], values[:, :, -1:] = k, v
        batch = x.shape[0]
        seen = F.scaled_dot_product_attention(q.reshape(batch, self.kv, -1, self.dim), keys, values)
        return self.rest(x, seen.reshape(batch, 1, -1))


def layers(count):
    torch.manual_seed(1)
    return torch.nn.ModuleList(Block(4096, 14336, 32, 8) for _ in range(count)).to(
        "cuda", torch.bfloat16)


@torch.no_grad()
def serving():
    """Whole steps of the layers of an 8B model: decode at several batches, and prefill."""
    model = layers(32)
    matrices = sum(p.numel() for p in model.parameters())
    for batch, seq in ((1, 1024), (8, 1024), (32, 1024), (128, 1024), (256, 1024), (32, 8192)):
        cache = [torch.randn(2, batch, 8, seq, 128, device="cuda", dtype=torch.bfloat16)
                 for _ in model]
        x = torch.randn(batch, 1, 4096, device="cuda", dtype=torch.bfloat16)

        def step(_):
            y = x
            for block, kv in zip(model, cache):
                y = block.decode(y, kv[0], kv[1])

        measure("decode-8b", batch, seq, step, 2 * batch * matrices,
                2 * matrices + 2 * sum(kv.numel() for kv in cache), copies=1)
        del cache, step
        torch.cuda.empty_cache()
    for batch, seq in ((8, 1024), (1, 8192), (1, 32768)):
        x = torch.randn(batch, seq, 4096, device="cuda", dtype=torch.bfloat16)

        def prefill(_):
            y = x
            for block in model:
                y = block(y)

        measure("prefill-8b", batch, seq, prefill,
                batch * seq * (2 * matrices + 32 * 2 * seq * 4096))


def training():
    """Forward, backward and AdamW over eight layers of the 8B shape."""
    model = layers(8)
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    matrices = sum(p.numel() for p in model.parameters())
    for batch, seq in ((4, 4096), (2, 8192)):
        x = torch.randn(batch, seq, 4096, device="cuda", dtype=torch.bfloat16)

        def step(_):
            y = x
            for block in model:
                y = block(y)
            y.float().square().mean().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

        measure("train-8b", batch, seq, step,
                3 * batch * seq * (2 * matrices + 8 * 2 * seq * 4096))


def main():
    OUT.writerow("gpu kind batch tokens busy watts limit_w call_us tflops gbps sm_mhz".split())
    idle("idle-bare", 8)
    torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
    time.sleep(2)
    idle("idle-context", 8)
    products(torch.bfloat16)
    products(torch.float8_e4m3fn)
    torch.cuda.empty_cache()
    attention()
    elementwise()
    duty()
    torch.cuda.empty_cache()
    serving()
    torch.cuda.empty_cache()
    training()
    time.sleep(3)
    idle("idle-loaded", 5)
    time.sleep(15)
    idle("idle-rested", 5)


main()
