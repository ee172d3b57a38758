"""KV-cache bytes per token for five attention designs, and how many sequences fit."""

# --8<-- [start:sizing]
BYTES = 2  # per cached number: 2 for BF16, 1 for FP8
CONTEXT = 8192  # tokens a sequence holds: prompt and answer so far
ROOM = 150e9  # bytes left for the cache after weights and workspace


def heads(layers, kv_heads, size=128):  # a key and a value for each KV head
    return layers * 2 * kv_heads * size


def latent(layers, rank=512, rope=64):  # MLA: one vector for all heads
    return layers * (rank + rope)


numbers_per_token = {
    "80 layers, MHA, 64 KV heads": heads(80, 64),
    "80 layers, GQA, 8 KV heads": heads(80, 8),  # Llama-3.1-70B
    "80 layers, MQA, 1 KV head": heads(80, 1),
    "32 layers, GQA, 8 KV heads": heads(32, 8),  # Llama-3.1-8B
    "61 layers, MLA, 512 + 64": latent(61),  # DeepSeek-V3
}
# --8<-- [end:sizing]

print(f"{CONTEXT} tokens a sequence     KiB/token  GiB/seq.  fit")
for name, numbers in numbers_per_token.items():
    token = numbers * BYTES
    sequence = token * CONTEXT
    print(f"{name:28} {token / 1024:9.1f} {sequence / 2**30:9.2f} {ROOM // sequence:4.0f}")

# --8<-- [start:parallel]
KV_HEADS, LAYERS, SIZE = 8, 80, 128  # Llama-3.1-70B
print("\nGPUs  KV heads on each  KiB/token on each  on all")
for gpus in (1, 2, 4, 8, 16):
    held = max(1, KV_HEADS // gpus)  # a head is copied, never cut in two
    each = LAYERS * 2 * held * SIZE * BYTES / 1024
    print(f"{gpus:4} {held:17} {each:18.0f} {each * gpus:7.0f}")
# --8<-- [end:parallel]
