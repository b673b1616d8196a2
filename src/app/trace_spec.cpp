#include "app/trace_spec.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace loadline {
namespace {

using Row = OptionRow<TraceSpec>;

const std::vector<Row>& reading_rows() {
  static const std::vector<Row> rows = {
      {"--format,--trace-format", "NAME", "format of the log, when its content is not recognised", &TraceSpec::format,
       "Log"},
      {"--map", "FIELDS",
       "read a CSV or JSON lines by its fields: prompt=NAME,completion=NAME,time=NAME[:s|ms|us|ns],... (also end, "
       "duration, cached, session, client, status, text, prompt_chars, completion_chars)",
       &TraceSpec::map, "Log"},
      {"--tokens-per-char", "RATIO", "tokens of a character, for rows whose tokens nobody counted (an estimate)",
       &TraceSpec::tokens_per_char, "Log"}};
  return rows;
}

std::vector<Row> with_reading(std::vector<Row> rows) {
  rows.insert(rows.end(), reading_rows().begin(), reading_rows().end());
  return rows;
}

constexpr std::string_view output_help = "file to write, which must not exist; default: standard output";

}  // namespace

const std::vector<Row>& trace_stats_rows() {
  static const std::vector<Row> rows = with_reading(
      {{"--json", "", "print JSON to standard output", &TraceSpec::json},
       {"--html", "", "print a page to standard output", &TraceSpec::html},
       {"--memory", "BYTES", "memory for block hashes, such as 512MiB; beyond it sharing is sampled, with its error",
        &TraceSpec::memory},
       {"--part", "FILE", "write what was counted as a part, for `loadline trace merge`; FILE must not exist",
        &TraceSpec::part},
       {"--model-config", "PATH", "config.json of a model, or its folder: cache sizes are shown in bytes too",
        &TraceSpec::model_config},
       {"--kv", "TYPE", "type of that model's KV cache (bf16, fp8; default bf16)", &TraceSpec::kv}});
  return rows;
}

const std::vector<Row>& trace_convert_rows() {
  static const std::vector<Row> rows =
      with_reading({{"--to", "FORMAT", "canonical, mooncake, aiperf or csv", &TraceSpec::to},
                    {"--output", "FILE", output_help, &TraceSpec::output}});
  return rows;
}

const std::vector<Row>& trace_sample_rows() {
  static const std::vector<Row> rows = with_reading(
      {{"--requests", "N", "requests to draw", &TraceSpec::requests},
       {"--sampler", "NAME", "rows, sessions or replay; default: sessions where the log shares beginnings, else rows",
        &TraceSpec::sampler},
       {"--seed", "N", "decides the draw", &TraceSpec::seed},
       {"--max-prompt-tokens", "N", "limit of the prompts", &TraceSpec::max_prompt_tokens},
       {"--over-limit", "WHAT", "clip: longer prompts are cut; drop: they are left out", &TraceSpec::over_limit},
       {"--output", "FILE", output_help, &TraceSpec::output}});
  return rows;
}

const std::vector<Row>& trace_anonymize_rows() {
  static const std::vector<Row> rows = with_reading({{"--output", "FILE", output_help, &TraceSpec::output}});
  return rows;
}

const std::vector<Row>& trace_check_rows() {
  static const std::vector<Row> rows = {};
  return rows;
}

const std::vector<Row>& trace_merge_rows() {
  static const std::vector<Row> rows = {
      {"--json", "", "parts: print JSON to standard output", &TraceSpec::json},
      {"--html", "", "parts: print a page to standard output", &TraceSpec::html},
      {"--memory", "BYTES", "parts: memory for block hashes", &TraceSpec::memory},
      {"--part", "FILE", "parts: write the whole as a part again; FILE must not exist", &TraceSpec::part},
      {"--model-config", "PATH", "parts: cache sizes are shown in bytes of this model too", &TraceSpec::model_config},
      {"--kv", "TYPE", "parts: type of that model's KV cache", &TraceSpec::kv},
      {"--one-log", "", "parts: they are pieces of one file, whose clock and ids they share", &TraceSpec::one_log},
      {"--same-ids", "", "canonical traces: equal block ids mean equal beginnings in all files (one import)",
       &TraceSpec::same_ids},
      {"--output", "FILE", "canonical traces: file to write, which must not exist; default: standard output",
       &TraceSpec::output}};
  return rows;
}

ReadOptions read_options(const std::string& format, const std::string& map, std::optional<double> tokens_per_char) {
  ReadOptions options;
  if (!format.empty()) options.format = format;
  if (!map.empty()) {
    if (options.format) throw Error("--map and --trace-format both say how the log is read; give one of them");
    options.map = parse_field_map(map, "--map");
  }
  if (tokens_per_char && !(*tokens_per_char > 0 && *tokens_per_char <= 10)) {
    throw Error("--tokens-per-char: give the tokens of one character, above 0 and at most 10 (about 0.25 for English)");
  }
  options.tokens_per_character = tokens_per_char;
  return options;
}

ReadOptions read_options(const TraceSpec& spec) { return read_options(spec.format, spec.map, spec.tokens_per_char); }

std::uint64_t parse_bytes(const std::string& text, std::string_view flag) {
  constexpr std::array<std::pair<std::string_view, double>, 8> units = {{{"KiB", 1024.0},
                                                                         {"MiB", 1048576.0},
                                                                         {"GiB", 1073741824.0},
                                                                         {"TiB", 1099511627776.0},
                                                                         {"KB", 1e3},
                                                                         {"MB", 1e6},
                                                                         {"GB", 1e9},
                                                                         {"B", 1}}};
  std::string number = text;
  double scale = 1;
  for (const auto& [unit, bytes] : units) {
    if (!number.ends_with(unit)) continue;
    number.resize(number.size() - unit.size());
    scale = bytes;
    break;
  }
  const double bytes = parse_number(number, flag) * scale;
  if (!(bytes >= 1048576) || bytes > 1e15) {
    throw Error(fmt::format("{}: '{}' is no usable amount of memory; give 1MiB or more, such as 512MiB", flag, text));
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace loadline
