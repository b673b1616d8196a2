#pragma once
// Requests whose beginning a log has told and whose end it has not yet: what a log of events is paired with. Bounded,
// since some requests never end: the oldest makes room.

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace loadline {

template <class Beginning>
class OpenRequests {
 public:
  explicit OpenRequests(std::size_t most = std::size_t{1} << 16) : most_(most) {}

  /// Opens `id`. Gives what had to make room: the one that was open under this id, or the oldest of too many.
  std::optional<Beginning> open(std::string_view id, Beginning beginning) {
    std::optional<Beginning> displaced = close(id);
    if (!displaced && in_order_.size() >= most_) displaced = close(std::string(in_order_.front().first));
    in_order_.emplace_back(id, std::move(beginning));
    by_id_.emplace(in_order_.back().first, std::prev(in_order_.end()));
    return displaced;
  }

  /// Null where `id` is not open. Valid until it is closed.
  Beginning* find(std::string_view id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second->second;
  }

  std::optional<Beginning> close(std::string_view id) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return std::nullopt;
    const auto entry = found->second;
    by_id_.erase(found);
    std::optional<Beginning> beginning(std::move(entry->second));
    in_order_.erase(entry);
    return beginning;
  }

  /// Closes all, the oldest first.
  template <class Visit>
  void close_all(Visit visit) {
    by_id_.clear();
    for (const auto& [id, beginning] : in_order_) visit(beginning);
    in_order_.clear();
  }

 private:
  using Entries = std::list<std::pair<std::string, Beginning>>;

  std::size_t most_;
  Entries in_order_;
  std::unordered_map<std::string_view, typename Entries::iterator> by_id_;  ///< keys live in in_order_
};

}  // namespace loadline
