#include "app/plan_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace loadline {
namespace {

std::vector<std::string> texts_of(const YAML::Node& node, const std::string& where) {
  if (node.IsScalar()) return {node.Scalar()};
  std::vector<std::string> texts;
  if (node.IsSequence()) {
    for (const YAML::Node& item : node) {
      if (!item.IsScalar()) throw Error(where + ": the list holds something that is not a plain value");
      texts.push_back(item.Scalar());
    }
    return texts;
  }
  if (node.IsMap()) {  // facts: {model.quantization: fp8}
    for (const auto& item : node) {
      if (!item.first.IsScalar() || !item.second.IsScalar())
        throw Error(where + ": only plain keys and values fit here");
      texts.push_back(item.first.Scalar() + "=" + item.second.Scalar());
    }
    return texts;
  }
  throw Error(where + ": the key has no value");
}

const OptionRow<RunSpec>* row_with_key(const std::string& key) {
  const std::string wanted = key == "facts" ? "fact" : key;
  for (const OptionRow<RunSpec>& row : run_option_rows()) {
    if (row.in_plan && plan_key(row) == wanted) return &row;
  }
  return nullptr;
}

std::string unknown_key(const std::string& where, const std::string& key) {
  std::vector<std::string> keys;
  for (const OptionRow<RunSpec>& row : run_option_rows()) {
    if (!row.secret && row.in_plan) keys.push_back(plan_key(row));
  }
  const std::string near = nearest_name(key, keys);
  const std::string hint =
      near.empty() ? "; `loadline run --help` lists the keys as flags" : "; did you mean " + near + "?";
  return fmt::format("{}: unknown key '{}'{}", where, key, hint);
}

/// A list of levels may be written as YAML list too.
std::vector<std::string> joined_where_one_is_wanted(const OptionRow<RunSpec>& row, std::vector<std::string> texts) {
  if (!std::holds_alternative<std::string RunSpec::*>(row.member) || texts.size() < 2) return texts;
  return {fmt::format("{}", fmt::join(texts, ","))};
}

}  // namespace

void read_plan_file(const std::string& path, RunSpec& spec) {
  std::ifstream file(path);
  if (!file) throw Error(fmt::format("{}: cannot open the plan file; check the path", path));
  std::stringstream content;
  content << file.rdbuf();
  read_plan_text(content.str(), path, spec);
}

void read_plan_text(const std::string& text, const std::string& source, RunSpec& spec) {
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw Error(fmt::format("{} line {}: not readable as YAML: {}", source, error.mark.line + 1, error.msg));
  }
  if (!root.IsMap())
    throw Error(fmt::format("{}: a plan is a YAML map of keys such as 'slo: p99 ttft<=1000ms'", source));
  std::vector<std::string> seen;
  for (const auto& item : root) {
    const std::string key = item.first.IsScalar() ? item.first.Scalar() : "";
    const std::string place = fmt::format("{} line {}", source, item.first.Mark().line + 1);
    const OptionRow<RunSpec>* row = row_with_key(key);
    if (row == nullptr) throw Error(unknown_key(place, key));
    const std::string where = fmt::format("{}, key {}", place, key);
    if (std::ranges::find(seen, key) != seen.end()) throw Error(where + ": the key is given twice");
    seen.push_back(key);
    assign(*row, spec, joined_where_one_is_wanted(*row, texts_of(item.second, where)), where);
  }
}

std::string effective_plan(const RunSpec& spec) {
  const RunSpec defaults;
  YAML::Emitter out;
  out << YAML::BeginMap;
  for (const OptionRow<RunSpec>& row : run_option_rows()) {
    if (row.secret || !row.in_plan) continue;
    std::visit(
        [&](auto member) {
          const auto& value = spec.*member;
          if (value == defaults.*member) return;
          using Value = std::decay_t<decltype(value)>;
          out << YAML::Key << plan_key(row) << YAML::Value;
          if constexpr (std::is_same_v<Value, std::optional<double>> ||
                        std::is_same_v<Value, std::optional<std::uint64_t>>) {
            out << fmt::format("{}", *value);
          } else if constexpr (std::is_same_v<Value, double>) {
            out << fmt::format("{}", value);
          } else {
            out << value;
          }
        },
        row.member);
  }
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::map<std::string, std::string> plan_values(const std::string& text, const std::string& source) {
  RunSpec read;
  read_plan_text(text, source, read);  // says what is wrong with it
  std::map<std::string, std::string> values;
  for (const auto& item : YAML::Load(text)) {
    const std::string key = item.first.Scalar();
    values[key] = fmt::format("{}", fmt::join(texts_of(item.second, key), ", "));
  }
  return values;
}

}  // namespace loadline
