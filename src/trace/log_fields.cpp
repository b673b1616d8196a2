#include "trace/log_fields.h"

#include <algorithm>

namespace loadline {
namespace {

FieldNode::Child& child_called(FieldNode& node, std::string_view key) {
  const bool is_beginning = key.ends_with('*');
  if (is_beginning) key.remove_suffix(1);
  const auto found = std::ranges::find_if(
      node.children, [&](const FieldNode::Child& c) { return c.key == key && c.is_beginning == is_beginning; });
  if (found != node.children.end()) return *found;
  node.first_letters |= key.empty() ? ~std::uint64_t{0} : std::uint64_t{1} << (static_cast<unsigned>(key.front()) % 64);
  return node.children.emplace_back(FieldNode::Child{std::string(key), is_beginning, {}, nullptr});
}

}  // namespace

bool is_generation_path(std::string_view path, bool has_lengths) {
  constexpr std::array<std::string_view, 7> marks{"completion", "chat",    "generate",   "/responses",
                                                  "/messages",  "/invoke", "/invocation"};
  return has_lengths ||
         std::ranges::any_of(marks, [&](std::string_view mark) { return path.find(mark) != std::string_view::npos; });
}

/// Every way to part the path at its dots is a way down the tree: logs nest keys, or write them flat.
void FieldNode::add(std::string_view path, std::size_t rule) {
  child_called(*this, path).rules.push_back(rule);
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    Child& outer = child_called(*this, path.substr(0, dot));
    if (!outer.inside) outer.inside = std::make_unique<FieldNode>();
    outer.inside->add(path.substr(dot + 1), rule);
  }
}

FieldTree::FieldTree(std::span<const FieldRule> rules) : rules_(rules.begin(), rules.end()) {
  for (std::size_t i = 0; i < rules_.size(); ++i) root_.add(rules_[i].path, i);
}

}  // namespace loadline
