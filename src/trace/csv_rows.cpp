#include "trace/csv_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

std::size_t place_of(std::string_view name, const std::vector<std::string_view>& header) {
  const auto field = std::ranges::find_if(header, [&](std::string_view text) { return trimmed(text) == name; });
  return field == header.end() ? CsvColumns::absent : static_cast<std::size_t>(field - header.begin());
}

/// Which of two columns of one name is meant nobody can tell.
void refuse_twice(std::string_view name, const std::vector<std::string_view>& header, const std::string& file,
                  std::uint64_t line) {
  if (std::ranges::count_if(header, [&](std::string_view text) { return trimmed(text) == name; }) < 2) return;
  throw Error(fmt::format("{}: line {} names two columns \"{}\"; rename or remove one", file, line, name));
}

std::optional<CsvColumns> find_columns(const std::vector<std::string_view>& header,
                                       std::initializer_list<std::string_view> names,
                                       std::initializer_list<std::string_view> optional) {
  CsvColumns columns;
  for (const std::string_view name : names) {
    columns.at.push_back(place_of(name, header));
    if (columns.at.back() == CsvColumns::absent) return std::nullopt;
    columns.needed = std::max(columns.needed, columns.at.back() + 1);
  }
  for (const std::string_view name : optional) {
    columns.at.push_back(place_of(name, header));
    if (columns.at.back() != CsvColumns::absent) columns.needed = std::max(columns.needed, columns.at.back() + 1);
  }
  return columns;
}

}  // namespace

bool has_columns(const LogHead& head, std::initializer_list<std::string_view> names) {
  std::string_view rest = head.first_line();
  std::vector<std::string_view> header;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view field = trimmed(rest.substr(0, comma));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    header.push_back(field);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  return find_columns(header, names, {}).has_value();
}

CsvColumns read_csv_header(CsvReader& csv, TraceBuilder& builder, const std::string& file,
                           std::initializer_list<std::string_view> names,
                           std::initializer_list<std::string_view> optional) {
  while (csv.next()) {
    if (csv.blank()) {
      builder.filter(filter::blank);
    } else if (auto columns = find_columns(csv.fields(), names, optional)) {
      for (const auto wanted : {names, optional}) {
        for (const std::string_view name : wanted) refuse_twice(name, csv.fields(), file, csv.line());
      }
      return *std::move(columns);
    } else {
      break;
    }
  }
  throw Error(fmt::format(
      "{}: line {} is not the header of a log in the format {}, with {}; add the header, or name another format", file,
      csv.line(), builder.facts().format, fmt::join(names, ",")));
}

}  // namespace loadline
