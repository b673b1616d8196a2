#include "tokens/tokenizer_file.h"

#include <fmt/core.h>
#include <simdjson.h>

#include "tokens/unsupported.h"

namespace loadline {
namespace {

using Element = simdjson::dom::element;

/// Absent where the member is missing or null.
std::optional<Element> member(Element object, std::string_view key) {
  Element found;
  if (object[key].get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
  return found;
}

std::optional<std::string> text_member(Element object, std::string_view key) {
  const std::optional<Element> found = member(object, key);
  std::string_view text;
  if (!found || found->get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

std::string needed_text(Element object, std::string_view key) {
  std::optional<std::string> text = text_member(object, key);
  if (!text) throw Unsupported(fmt::format("it has no text \"{}\" where one belongs", key));
  return *std::move(text);
}

bool flag(Element object, std::string_view key, bool otherwise) {
  const std::optional<Element> found = member(object, key);
  bool value = otherwise;
  if (found && found->get(value) != simdjson::SUCCESS) throw Unsupported(fmt::format("its \"{}\" is no boolean", key));
  return value;
}

simdjson::dom::array list(Element object, std::string_view key) {
  const std::optional<Element> found = member(object, key);
  simdjson::dom::array array;
  if (!found || found->get(array) != simdjson::SUCCESS) throw Unsupported(fmt::format("it has no list \"{}\"", key));
  return array;
}

Regex pattern_of(Element step) {
  const std::optional<Element> pattern = member(step, "pattern");
  if (pattern) {
    if (const auto text = text_member(*pattern, "String")) return Regex::literal(*text);
    if (const auto text = text_member(*pattern, "Regex")) return Regex(*text);
  }
  throw Unsupported("one of its steps has no pattern");
}

// The model.

std::pair<std::string, std::string> merge_of_text(Element merge) {
  std::string_view text;
  if (merge.get(text) == simdjson::SUCCESS) {
    const std::size_t space = text.find(' ');
    if (space != std::string_view::npos && text.find(' ', space + 1) == std::string_view::npos) {
      return {std::string(text.substr(0, space)), std::string(text.substr(space + 1))};
    }
  }
  std::string_view left, right;
  if (merge.at(0).get(left) != simdjson::SUCCESS || merge.at(1).get(right) != simdjson::SUCCESS) {
    throw Unsupported("one of its merges is not a pair of tokens");
  }
  return {std::string(left), std::string(right)};
}

TokenIds ids_of(Element model) {
  simdjson::dom::object vocabulary;
  if (model["vocab"].get(vocabulary) != simdjson::SUCCESS) throw Unsupported("its model has no vocabulary");
  TokenIds ids;
  ids.reserve(vocabulary.size());
  for (const auto& [token, value] : vocabulary) {
    std::uint64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS || id > UINT32_MAX) {
      throw Unsupported(fmt::format("the id of its token \"{}\" is no number", token));
    }
    ids[std::string(token)] = static_cast<TokenId>(id);
  }
  return ids;
}

BpeRules rules_of(Element file) {
  const std::optional<Element> model = member(file, "model");
  if (!model) throw Unsupported("it has no model, so it is no tokenizer.json");
  const std::string type = text_member(*model, "type").value_or(member(*model, "merges") ? "BPE" : "of no type");
  if (type != "BPE") throw Unsupported(fmt::format("its model is {}", type));
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"}) {
    const std::optional<Element> value = member(*model, key);
    double number = 1;
    const bool is_nothing = value && ((value->get(number) == simdjson::SUCCESS && number == 0) ||
                                      text_member(*model, key).value_or("-").empty());
    if (value && !is_nothing) throw Unsupported(fmt::format("its model has the member {}", key));
  }
  BpeRules rules;
  rules.ids = ids_of(*model);
  for (const Element merge : list(*model, "merges")) rules.merges.push_back(merge_of_text(merge));
  rules.unknown = text_member(*model, "unk_token");
  rules.fuse_unknown = flag(*model, "fuse_unk", false);
  rules.byte_fallback = flag(*model, "byte_fallback", false);
  rules.ignore_merges = flag(*model, "ignore_merges", false);
  return rules;
}

// What comes before it.

void add_normalizer(Element step, Normalizer& normalizer) {
  const std::string type = needed_text(step, "type");
  if (type == "Sequence") {
    for (const Element one : list(step, "normalizers")) add_normalizer(one, normalizer);
  } else if (type == "Prepend") {
    normalizer.add(PrependText{needed_text(step, "prepend")});
  } else if (type == "Replace") {
    normalizer.add(ReplaceMatches{pattern_of(step), needed_text(step, "content")});
  } else if (type == "NFC") {
    normalizer.add(UnicodeForm::nfc);
  } else if (type == "NFD") {
    normalizer.add(UnicodeForm::nfd);
  } else if (type == "NFKC") {
    normalizer.add(UnicodeForm::nfkc);
  } else if (type == "NFKD") {
    normalizer.add(UnicodeForm::nfkd);
  } else {
    throw Unsupported(fmt::format("its normalizer is {}", type));
  }
}

Separator separator_named(const std::string& name) {
  if (name == "Removed") return Separator::removed;
  if (name == "Isolated") return Separator::isolated;
  if (name == "MergedWithPrevious") return Separator::merged_with_previous;
  if (name == "MergedWithNext") return Separator::merged_with_next;
  if (name == "Contiguous") return Separator::contiguous;
  throw Unsupported(fmt::format("its pre-tokenizer splits by {}", name));
}

MetaspaceStep metaspace_of(Element step) {
  MetaspaceStep made;
  made.mark = needed_text(step, "replacement");
  const std::string prepend = text_member(step, "prepend_scheme").value_or("always");
  if (prepend == "never" || !flag(step, "add_prefix_space", true))
    made.prepend = MetaspaceStep::Prepend::never;
  else if (prepend == "first")
    made.prepend = MetaspaceStep::Prepend::first;
  else if (prepend != "always")
    throw Unsupported(fmt::format("its pre-tokenizer Metaspace prepends {}", prepend));
  if (flag(step, "split", true)) made.words = marked_words(made.mark);
  return made;
}

void add_pre_tokenizer(Element step, PreTokenizer& pre_tokenizer) {
  const std::string type = needed_text(step, "type");
  if (type == "Sequence") {
    for (const Element one : list(step, "pretokenizers")) add_pre_tokenizer(one, pre_tokenizer);
  } else if (type == "Split") {
    pre_tokenizer.add(
        SplitStep{pattern_of(step), separator_named(needed_text(step, "behavior")), flag(step, "invert", false)});
  } else if (type == "ByteLevel") {
    ByteLevelStep made{flag(step, "add_prefix_space", true), std::nullopt};
    if (flag(step, "use_regex", true)) made.words = gpt2_words();
    pre_tokenizer.add(std::move(made));
  } else if (type == "Metaspace") {
    pre_tokenizer.add(metaspace_of(step));
  } else if (type == "Digits") {
    const bool each = flag(step, "individual_digits", false);
    pre_tokenizer.add(SplitStep{Regex("\\p{N}"), each ? Separator::isolated : Separator::contiguous});
  } else if (type == "Punctuation") {
    const Separator separator = separator_named(text_member(step, "behavior").value_or("Isolated"));
    pre_tokenizer.add(SplitStep{Regex(R"([\p{P}$+<=>^`|~])"), separator});
  } else if (type == "WhitespaceSplit") {
    pre_tokenizer.add(SplitStep{Regex("\\s"), Separator::removed});
  } else {
    throw Unsupported(fmt::format("its pre-tokenizer is {}", type));
  }
}

TokenizerFile::Added added_token_of(Element token) {
  std::uint64_t id = 0;
  if (token["id"].get(id) != simdjson::SUCCESS || id > UINT32_MAX)
    throw Unsupported("one of its added tokens has no id");
  TokenizerFile::Added added{{needed_text(token, "content"), static_cast<TokenId>(id), flag(token, "lstrip", false),
                              flag(token, "rstrip", false)},
                             flag(token, "normalized", false)};
  if (flag(token, "single_word", false)) {
    throw Unsupported(fmt::format("its added token \"{}\" stands for a single word", added.token.content));
  }
  return added;
}

}  // namespace

TokenizerFile read_tokenizer_file(const std::string& json) {
  simdjson::dom::parser parser;
  Element root;
  if (const auto error = parser.parse(json).get(root)) {
    throw Unsupported(fmt::format("it is not JSON ({})", simdjson::error_message(error)));
  }
  TokenizerFile file;
  file.rules = rules_of(root);
  if (const auto step = member(root, "normalizer")) add_normalizer(*step, file.normalizer);
  if (const auto step = member(root, "pre_tokenizer")) add_pre_tokenizer(*step, file.pre_tokenizer);
  if (member(root, "added_tokens")) {
    for (const Element token : list(root, "added_tokens")) file.added.push_back(added_token_of(token));
  }
  return file;
}

}  // namespace loadline
