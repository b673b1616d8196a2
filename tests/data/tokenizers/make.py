"""Makes the small tokenizers of this folder and what Hugging Face's tokenizers (`pip install tokenizers`, 0.23) say of some
texts: python3 make.py FOLDER. They are trained on this repository's own pages."""
import glob
import json
import os
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
WORDS = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
         r"|\s+(?!\S)|\s+")
SPECIAL = ["<|end|>", "<|user|>"]

# What goes wrong in tokenizers: white space, line ends, numbers, contractions, scripts, forms of one letter, emoji.
TEXTS = [
    "", " ", "a", "Hello, world!", "The quick brown fox jumps over the lazy dog.", "  leading", "trailing  ", "\n", "\r\n",
    "one\r\n\r\n  two\r\n", "\t\tif x:\n\t\t\treturn 1\n", " " * 120, "x" + " " * 150 + "y", "\n" * 40,
    "it's I'LL you'Re they'd we've", "\u017fs '\u017f", "0 12 345 6789 1234567890 \u00b2\u00bd\u2167", "3.14159e-10, 0xFF",
    "def f(x):\n    return {k: v for k, v in x.items() if v != 'None'}  # done\n", "https://example.com/a?b=c&d=%20#e",
    "caf\u00e9 cafe\u0301 \u212b \u1e9b\u0323 q\u0307\u0323", "\u6f22\u5b57\u304b\u306a\u4ea4\u3058\u308a\u6587\u3001\u30c6\u30b9\u30c8\u3002",
    "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab", "\u0645\u0631\u062d\u0628\u0627 \u0661\u0662\u0663", "\u0928\u092e\u0938\u094d\u0924\u0947 \u0958",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!", "\U0001f680 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd",
    "a\u00a0b\u2003c\u3000d\u2028e\u0085f", "\u180e x\u180e\u180e", "\ufeffmark", "\u2581\u2581 \u2581a \u2581", "\x00\x01\x7f",
    "<|user|>hi<|end|>", "a <|end|> b<|en", "</s><s>", "the throughput of the server in tokens per second",
    "```cpp\nstd::vector<int> v{1, 2, 3};\n```", "abcabcabc" * 30, "\ufffd\ufffd", "\ue000\U000f0000", "a_b __c__ d-e",
]


def pages():
    names = sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
    return [open(name, encoding="utf-8").read() for name in names]


def byte_level():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(WORDS), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(pages(), trainers.BpeTrainer(
        vocab_size=800, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return tokenizer


def sentencepiece():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    # Trained on words, as sentencepiece is; used without cutting, as Llama 2 is.
    tokenizer.pre_tokenizer = pre_tokenizers.Split("\u2581", "merged_with_next")
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    tokenizer.train_from_iterator(pages(), trainers.BpeTrainer(
        vocab_size=800, special_tokens=tokens, limit_alphabet=70, show_progress=False))
    made = json.loads(tokenizer.to_str())
    made["pre_tokenizer"] = None
    made["added_tokens"] = made["added_tokens"][:3]
    return Tokenizer.from_str(json.dumps(made))


def main(folder):
    made = {"byte_level": byte_level(), "sentencepiece": sentencepiece()}
    for name, tokenizer in made.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(json.loads(tokenizer.to_str(pretty=False)), file, ensure_ascii=True, separators=(",", ":"))
            file.write("\n")
    with open(os.path.join(folder, "expected.jsonl"), "w", encoding="utf-8") as file:
        for text in TEXTS:
            row = {"text": text}
            row.update({name: t.encode(text, add_special_tokens=False).ids for name, t in made.items()})
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


main(sys.argv[1] if len(sys.argv) > 1 else HERE)
