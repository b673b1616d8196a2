// Every step is what Hugging Face's tokenizers 0.23 does under the same name; the tests hold their counts against its.
#include "tokens/pre_tokenizer.h"

#include <algorithm>
#include <array>

#include "tokens/utf8.h"

namespace loadline {
namespace {

/// A part of a piece: a separator or what lies between two.
struct Part {
  TextRange range;
  bool is_separator = false;
};

/// The whole piece in parts, in order.
void find_parts(std::string_view piece, const SplitStep& step, std::vector<Part>& parts) {
  parts.clear();
  std::size_t done = 0, from = 0;
  while (from <= piece.size()) {
    const std::optional<TextRange> match = step.pattern.find(piece, from);
    if (!match) break;
    if (match->first > done) parts.push_back({{done, match->first - done}, step.invert});
    parts.push_back({*match, !step.invert});
    done = from = match->first + match->size;
    if (match->size == 0) from += from < piece.size() ? character_size(piece[from]) : 1;
  }
  if (done < piece.size()) parts.push_back({{done, piece.size() - done}, step.invert});
}

/// Joins neighbours, or drops separators.
void settle_parts(std::vector<Part>& parts, Separator separator) {
  if (separator == Separator::isolated) return;
  if (separator == Separator::removed) {
    std::erase_if(parts, [](const Part& part) { return part.is_separator; });
    return;
  }
  std::vector<Part> joined;
  bool is_after_separator = false;
  const auto take = [&](const Part& part, bool joins) {
    if (joins && !joined.empty()) {
      TextRange& last = joined.back().range;
      last = {std::min(last.first, part.range.first), last.size + part.range.size};
    } else {
      joined.push_back(part);
    }
    is_after_separator = part.is_separator;
  };
  if (separator == Separator::merged_with_next) {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      take(*part, part->is_separator && !is_after_separator);
    std::ranges::reverse(joined);
  } else {
    for (const Part& part : parts) {
      const bool continues = part.is_separator == is_after_separator;
      take(part, separator == Separator::contiguous ? continues : part.is_separator && !is_after_separator);
    }
  }
  parts = std::move(joined);
}

void apply(const SplitStep& step, Pieces& pieces) {
  std::vector<TextRange> ranges;
  std::vector<Part> parts;
  for (const TextRange& piece : pieces.ranges) {
    find_parts(std::string_view(pieces.text).substr(piece.first, piece.size), step, parts);
    settle_parts(parts, step.separator);
    for (const Part& part : parts) {
      if (part.range.size > 0) ranges.push_back({piece.first + part.range.first, part.range.size});
    }
  }
  pieces.ranges = std::move(ranges);
}

/// Rewrites every piece: `write(piece, out)` appends what it becomes.
template <class Write>
void rewrite(Pieces& pieces, Write write) {
  std::string text;
  text.reserve(pieces.text.size() + pieces.text.size() / 4);
  for (TextRange& piece : pieces.ranges) {
    const std::size_t first = text.size();
    write(std::string_view(pieces.text).substr(piece.first, piece.size), text);
    piece = {first, text.size() - first};
  }
  pieces.text = std::move(text);
}

/// GPT-2's character of a byte: itself where it can be seen (Latin-1), else one of those from U+0100 on, in turn.
std::array<std::string, 256> visible_bytes() {
  std::array<std::string, 256> visible;
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool is_visible =
        (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
    append_character(visible[byte], is_visible ? byte : next++);
  }
  return visible;
}

void apply(const ByteLevelStep& step, Pieces& pieces) {
  static const std::array<std::string, 256> visible = visible_bytes();
  if (step.add_prefix_space) {
    rewrite(pieces, [](std::string_view piece, std::string& out) {
      if (!piece.starts_with(' ')) out += ' ';
      out += piece;
    });
  }
  if (step.words) apply(*step.words, pieces);
  rewrite(pieces, [](std::string_view piece, std::string& out) {
    for (const char c : piece) out += visible[static_cast<unsigned char>(c)];
  });
}

void append_with_marks(std::string_view piece, const std::string& mark, std::string& out) {
  for (const char c : piece) {
    if (c == ' ')
      out += mark;
    else
      out += c;
  }
}

void apply(const MetaspaceStep& step, Pieces& pieces) {
  bool is_first = pieces.begins_answer;
  rewrite(pieces, [&](std::string_view piece, std::string& out) {
    const bool may =
        step.prepend == MetaspaceStep::Prepend::always || (step.prepend == MetaspaceStep::Prepend::first && is_first);
    if (may && !piece.starts_with(' ') && !piece.starts_with(step.mark)) out += step.mark;
    append_with_marks(piece, step.mark, out);
    is_first = false;
  });
  if (step.words) apply(*step.words, pieces);
}

}  // namespace

SplitStep gpt2_words() {
  return {Regex(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"), Separator::isolated};
}

SplitStep marked_words(const std::string& mark) { return {Regex::literal(mark), Separator::merged_with_next}; }

Pieces PreTokenizer::cut(std::string text, bool begins_answer) const {
  Pieces pieces{std::move(text), {}, begins_answer};
  if (!pieces.text.empty()) pieces.ranges.push_back({0, pieces.text.size()});
  for (const PreTokenizerStep& step : steps_) {
    std::visit([&pieces](const auto& one) { apply(one, pieces); }, step);
  }
  return pieces;
}

}  // namespace loadline
