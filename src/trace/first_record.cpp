#include "trace/first_record.h"

#include <simdjson.h>

#include <algorithm>

#include "trace/csv_reader.h"
#include "trace/json_record_reader.h"
#include "trace/numbers.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr int records_tried = 10;

std::string scalar_text(ondemand::value value) {
  std::string_view text;
  if (value.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
  ondemand::json_type type{};
  if (value.type().get(type) || type == ondemand::json_type::array || type == ondemand::json_type::object) return {};
  return std::string(trimmed(value.raw_json_token()));
}

std::optional<FirstRecord> fields_of(ondemand::object object) {
  FirstRecord record;
  for (auto field : object) {
    std::string_view key;
    ondemand::value value;
    if (field.unescaped_key().get(key)) return std::nullopt;
    const std::string name(key);
    if (field.value().get(value)) return std::nullopt;
    record.fields.emplace_back(name, scalar_text(value));
  }
  return record;
}

std::optional<FirstRecord> first_object(TextWindow& window) {
  JsonRecordReader records(window);
  ondemand::parser parser;
  Line line;
  for (int tried = 0; tried < records_tried && records.next(line); ++tried) {
    ondemand::document document;
    ondemand::object object;
    const simdjson::padded_string_view padded(line.text.data(), line.text.size(), line.readable);
    if (parser.iterate(padded).get(document) || document.get_object().get(object)) continue;
    if (auto record = fields_of(object)) return record;
  }
  return std::nullopt;
}

/// The next record that is not blank.
bool next_filled(CsvReader& csv) {
  while (csv.next()) {
    if (!csv.blank()) return true;
  }
  return false;
}

std::optional<FirstRecord> first_table_row(TextWindow& window) {
  CsvReader csv(window);
  if (!next_filled(csv)) return std::nullopt;
  FirstRecord record;
  for (const std::string_view name : csv.fields()) record.fields.emplace_back(trimmed(name), "");
  if (!next_filled(csv) || csv.fields().size() != record.fields.size()) return std::nullopt;
  for (std::size_t i = 0; i < record.fields.size(); ++i) record.fields[i].second = csv.fields()[i];
  return record;
}

}  // namespace

const std::string* FirstRecord::value_of(std::string_view name) const {
  const auto field = std::ranges::find(fields, name, [](const auto& f) -> std::string_view { return f.first; });
  return field == fields.end() ? nullptr : &field->second;
}

std::optional<FirstRecord> first_record(const LogHead& head) {
  ByteSource source = ByteSource::memory("head", head.text());
  TextWindow window(source);
  return is_json_log(head) ? first_object(window) : first_table_row(window);
}

}  // namespace loadline
