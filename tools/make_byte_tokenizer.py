#!/usr/bin/env python3
"""Writes a tokenizer folder (tokenizer.json, tokenizer_config.json, config.json) in which every byte is one token: make_byte_tokenizer.py FOLDER.

Servers that only pretend to have a model, such as Dynamo's mocker, need no more. Byte-level BPE without merges: ids 0 to 255 are the bytes;
the ids after them are words that no text is encoded to, but that can be asked for and answered by id; the last two are those of the chat template.
"""
import json
import os
import sys

VOCABULARY = 65536
SPECIAL = ["<|im_start|>", "<|im_end|>"]
FIRST_SPECIAL = VOCABULARY - len(SPECIAL)
TEMPLATE = ("{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
            "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")


def byte_letters():
    """The letter that byte-level BPE writes for each byte: itself where it can be seen, else one from U+0100 on."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = iter(range(0x100, 0x200))
    return [chr(byte if byte in seen else next(hidden)) for byte in range(256)]


def tokenizer():
    added = [{"id": FIRST_SPECIAL + i, "content": text, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
             for i, text in enumerate(SPECIAL)]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    vocabulary = {letter: byte for byte, letter in enumerate(byte_letters())}
    vocabulary.update((f"w{number}", number) for number in range(256, FIRST_SPECIAL))
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None, "pre_tokenizer": byte_level,
            "post_processor": None, "decoder": byte_level,
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                      "fuse_unk": False, "byte_fallback": False, "vocab": vocabulary, "merges": []}}


def model():
    return {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "torch_dtype": "bfloat16", "hidden_size": 64,
            "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "rms_norm_eps": 1e-5,
            "rope_theta": 10000.0, "max_position_embeddings": 32768, "vocab_size": VOCABULARY, "tie_word_embeddings": True,
            "bos_token_id": FIRST_SPECIAL, "eos_token_id": FIRST_SPECIAL + 1}


def write(folder, name, content):
    with open(os.path.join(folder, name), "w") as file:
        json.dump(content, file)


if __name__ == "__main__":
    target = sys.argv[1]
    os.makedirs(target, exist_ok=True)
    write(target, "tokenizer.json", tokenizer())
    write(target, "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": SPECIAL[0], "eos_token": SPECIAL[1],
                                            "chat_template": TEMPLATE, "model_max_length": 32768})
    write(target, "config.json", model())
