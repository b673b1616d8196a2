#pragma once
// Options are tables: a row names an option, explains it and says where its value goes.

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "app/values.h"
#include "core/error.h"

namespace loadline {

template <class Spec>
struct OptionRow {
  using Member =
      std::variant<std::string Spec::*, std::vector<std::string> Spec::*, bool Spec::*, double Spec::*,
                   std::uint64_t Spec::*, std::optional<double> Spec::*, std::optional<std::uint64_t> Spec::*>;
  std::string_view names;  ///< "--url,--base-url": the first is the name, the others aliases
  std::string_view value;  ///< what stands for the value in --help; empty for a switch
  std::string_view help;
  Member member;
  std::string_view group = {};  ///< heading in --help
  bool secret = false;          ///< never written anywhere
  bool in_plan = true;          ///< may stand in a plan file and is stored in the effective plan
};

/// The plan file key of a row: "--max-prompt-tokens,..." -> "max_prompt_tokens".
template <class Spec>
std::string plan_key(const OptionRow<Spec>& row) {
  std::string key(row.names.substr(0, row.names.find(',')));
  key.erase(0, 2);
  for (char& c : key) {
    if (c == '-') c = '_';
  }
  return key;
}

/// Sets the row's member from texts (one for plain values, any number for lists, none for a switch).
template <class Spec>
void assign(const OptionRow<Spec>& row, Spec& spec, const std::vector<std::string>& texts, std::string_view where) {
  const auto one = [&]() -> const std::string& {
    if (texts.size() != 1) throw Error(std::string(where) + ": give exactly one value");
    return texts.front();
  };
  std::visit(
      [&](auto member) {
        auto& slot = spec.*member;
        using Value = std::decay_t<decltype(slot)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          if (one().empty()) throw Error(std::string(where) + ": the value is empty; give one or leave it out");
          slot = one();
        } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
          slot = texts;
        } else if constexpr (std::is_same_v<Value, bool>) {
          if (!texts.empty() && one() != "true" && one() != "false") {
            throw Error(std::string(where) + ": '" + one() + "' is neither true nor false");
          }
          slot = texts.empty() || one() == "true";
        } else if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>) {
          slot = parse_number(one(), where);
        } else {
          slot = parse_whole_number(one(), where);
        }
      },
      row.member);
}

}  // namespace loadline
