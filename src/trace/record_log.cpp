#include "trace/record_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "trace/csv_reader.h"
#include "trace/field_walk.h"
#include "trace/field_words.h"
#include "trace/json_lines.h"
#include "trace/json_record_reader.h"
#include "trace/logged_request.h"
#include "trace/numbers.h"
#include "trace/record_place.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;
using simdjson::simdjson_result;

constexpr std::string_view page_key = "data";

using Records = PlacedRecords<JsonRecordReader>;

class RecordLog {
 public:
  RecordLog(TextWindow& window, TraceBuilder& builder, const RecordFormat& format)
      : window_(window),
        builder_(builder),
        format_(format),
        tree_(format.rules),
        request_(builder),
        walk_(tree_, request_, met_) {
    met_.rules.resize(format.rules.size());
  }

  FieldsMet read() {
    builder_.trace().has_times = format_.has_times;
    if (is_json_log(LogHead(window_.head(head_bytes)))) {
      read_json();
    } else {
      read_table();
    }
    check_unit();
    request_.stamps().settle(builder_.trace(), format_.bare_zone);
    return std::move(met_);
  }

 private:
  void read_json();
  void read_table();
  void read_header(CsvReader& csv);
  void read_record(const CsvReader& csv);
  error_code look_at_first(ondemand::object& object);
  error_code read_page(ondemand::array page, Records& records);
  simdjson_result<std::string_view> read_one(ondemand::object& object, Records& records);
  std::string names_looked_for() const;
  void check_columns() const;
  void check_unit() const;
  void check_column_is_new(std::string_view name, std::uint64_t line) const;
  void check_needed(const std::vector<FieldsMet::State>& rules) const;
  void deliver(std::uint64_t line) { request_.deliver(line, format_.is_request, format_.completion_may_lack); }

  /// A column of a table and what it tells.
  struct Column {
    std::size_t index;
    const FieldNode::Child* child;
  };

  TextWindow& window_;
  TraceBuilder& builder_;
  const RecordFormat& format_;
  FieldTree tree_;
  FieldsMet met_;
  LoggedRequest request_;
  FieldWalk walk_;
  bool looked_ = false, in_pages_ = false, is_page_ = false;
  std::vector<Column> columns_;
};

/// The elements of a page are records like any other, on lines of their own where the page is pretty-printed.
error_code RecordLog::read_page(ondemand::array page, Records& records) {
  for (auto element : page) {
    ondemand::value value;
    if (const error_code code = element.get(value)) return code;
    const char* here = nullptr;
    if (const error_code code = value.current_location().get(here)) return code;
    ondemand::object object;
    if (const error_code code = value.get_object().get(object)) return code;
    request_.begin();
    if (const error_code code = walk_.read_object(object, tree_.root())) return code;
    deliver(records.line_of(here));
  }
  return simdjson::SUCCESS;
}

/// The first object shows whether the log comes in pages.
error_code RecordLog::look_at_first(ondemand::object& object) {
  looked_ = true;
  for (auto field : object) {
    std::string_view key;
    if (const error_code code = field.unescaped_key().get(key)) return code;
    met_.names.emplace_back(key);
    ondemand::json_type type{};
    if (const error_code code = field.value().type().get(type)) return code;
    in_pages_ = in_pages_ || (key == page_key && type == ondemand::json_type::array);
  }
  return object.reset().error();
}

simdjson_result<std::string_view> RecordLog::read_one(ondemand::object& object, Records& records) {
  if (!looked_) {
    if (const error_code code = look_at_first(object)) return code;
  }
  is_page_ = false;
  ondemand::array page;
  if (in_pages_ && object.find_field_unordered(page_key).get_array().get(page) == simdjson::SUCCESS) {
    is_page_ = true;
    if (const error_code code = read_page(page, records)) return code;
    std::string_view rest;  // what follows the page inside the object must be sound too
    if (const error_code code = object.raw_json().get(rest)) return code;
    return std::string_view();
  }
  request_.begin();
  if (const error_code code = walk_.read_object(object, tree_.root())) return code;
  return std::string_view();
}

void RecordLog::read_json() {
  JsonRecordReader reader(window_);
  Records records(reader);
  read_json_lines(
      records, builder_, [&](ondemand::object& object) { return read_one(object, records); },
      [&](std::uint64_t line) {
        if (!is_page_) deliver(line);
      });
  builder_.filter(filter::blank, reader.take_blank_lines());
  check_needed(met_.rules);
}

void RecordLog::check_needed(const std::vector<FieldsMet::State>& rules) const {
  if (!format_.every_field_needed || met_.names.empty()) return;
  const auto lacking = std::ranges::find(rules, FieldsMet::State::never);
  if (lacking == rules.end()) return;
  const std::string_view path = tree_.rule(static_cast<std::size_t>(lacking - rules.begin())).path;
  throw Error(fmt::format("{} has no field \"{}\"{}", window_.name(), path, words_on_fields(path, met_.names)));
}

/// Numbers that are no times in the unit they were read in, when by their size they are times in another.
void RecordLog::check_unit() const {
  const std::string_view unit = request_.stamps().unit_instead();
  if (!format_.every_field_needed || unit.empty()) return;
  for (const FieldRule& rule : tree_.rules()) {
    if (rule.field != LogField::arrival && rule.field != LogField::end) continue;
    const std::string_view key = rule.field == LogField::arrival ? "time" : "end";
    throw Error(
        fmt::format("{}: no number of {} is a time in the unit it was read in; by their size they are in {}: "
                    "write {}={}:{} in --map",
                    window_.name(), rule.path, unit, key, rule.path, unit));
  }
}

/// Which of two columns of one name is meant nobody can tell.
void RecordLog::check_column_is_new(std::string_view name, std::uint64_t line) const {
  if (std::ranges::count(met_.names, name) < 2) return;
  throw Error(fmt::format("{}: line {} names two columns \"{}\"; rename or remove one", window_.name(), line,
                          shown_name(name)));
}

/// The first record that is not blank must be the header.
void RecordLog::read_header(CsvReader& csv) {
  bool any = csv.next();
  for (; any && csv.blank(); any = csv.next()) builder_.filter(filter::blank);
  std::vector<std::string_view> header;
  if (any) header = csv.fields();
  bool tells_prompt = false;
  for (const std::string_view name : header) {
    const std::string key = std::string(trimmed(name)) + '"';
    met_.names.emplace_back(trimmed(name));
    for (const FieldNode::Child& child : tree_.root().children) {
      if (!names_child(key.data(), child)) continue;
      check_column_is_new(met_.names.back(), csv.line());
      columns_.push_back({met_.names.size() - 1, &child});
      tells_prompt =
          tells_prompt || child.inside || std::ranges::any_of(child.rules, [&](std::size_t rule) {
            const LogField field = tree_.rule(rule).field;
            return field == LogField::prompt || field == LogField::prompt_characters || field == LogField::prompt_text;
          });
    }
  }
  if (format_.every_field_needed) check_columns();
  if (!tells_prompt) {
    throw Error(
        fmt::format("{}: line {} names no column that tells the prompt ({}); add the header, or name the "
                    "columns with --map",
                    window_.name(), csv.line(), names_looked_for()));
  }
}

/// A column may hold JSON, of which only the records show whether it has the field.
void RecordLog::check_columns() const {
  std::vector<FieldsMet::State> rules(met_.rules.size(), FieldsMet::State::never);
  for (const Column& column : columns_) {
    if (column.child->inside) return;
    for (const std::size_t rule : column.child->rules) rules[rule] = FieldsMet::State::empty;
  }
  check_needed(rules);
}

void RecordLog::read_record(const CsvReader& csv) {
  request_.begin();
  const std::vector<std::string_view>& fields = csv.fields();
  if (!csv.well_formed() || fields.size() != met_.names.size())
    return builder_.refuse(csv.ended() ? refusal::malformed : refusal::truncated, csv.line());
  for (const Column& column : columns_) walk_.read_cell(fields[column.index], *column.child);
  deliver(csv.line());
}

void RecordLog::read_table() {
  CsvReader csv(window_);
  read_header(csv);
  while (csv.next()) {
    if (csv.blank()) {
      builder_.filter(filter::blank);
    } else {
      read_record(csv);
    }
  }
}

std::string RecordLog::names_looked_for() const {
  std::string list;
  for (const FieldRule& rule : tree_.rules()) {
    if (rule.field == LogField::prompt || rule.field == LogField::prompt_characters ||
        rule.field == LogField::prompt_text)
      list += fmt::format("{}{}", list.empty() ? "" : " or ", rule.path);
  }
  return list;
}

}  // namespace

bool is_json_log(const LogHead& head) {
  const auto opens = [](std::string_view line) { return line.starts_with('{') || line.starts_with('['); };
  const std::string_view first = head.first_line();
  // A broken first line hides no JSON behind it, and JSON in a cell makes no JSON of a table.
  return opens(first) || (first.find(',') == std::string_view::npos && head.any_line(opens));
}

FieldsMet read_record_log(TextWindow& window, TraceBuilder& builder, const RecordFormat& format) {
  return RecordLog(window, builder, format).read();
}

}  // namespace loadline
