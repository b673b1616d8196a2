#include "app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <list>

#include "app/commands.h"
#include "app/plan_file.h"
#include "engine/parameters.h"

namespace loadline {
namespace {

/// What the user gave to one option: applied after the plan file, so that flags win.
template <class Spec>
struct Given {
  const OptionRow<Spec>* row;
  std::vector<std::string> texts;
  std::size_t count = 0;
};

template <class Spec>
using GivenOptions = std::list<Given<Spec>>;

template <class Spec>
void add_rows(CLI::App& command, const std::vector<OptionRow<Spec>>& rows, GivenOptions<Spec>& given) {
  for (const OptionRow<Spec>& row : rows) {
    Given<Spec>& slot = given.emplace_back();
    slot.row = &row;
    CLI::Option* option = nullptr;
    if (row.value.empty()) {
      option = command.add_flag_callback(std::string(row.names), [&slot] { ++slot.count; }, std::string(row.help));
    } else {
      option = command.add_option_function<std::vector<std::string>>(
          std::string(row.names),
          [&slot](const std::vector<std::string>& texts) {
            slot.texts = texts;
            ++slot.count;
          },
          std::string(row.help));
      const bool list = std::holds_alternative<std::vector<std::string> Spec::*>(row.member);
      option->type_name(std::string(row.value));
      option->expected(1)->allow_extra_args(false);  // else it would take the file names behind it
      if (list)
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->expected(1, 1000)->allow_extra_args(false);
    }
    if (!row.group.empty()) option->group(std::string(row.group));
  }
}

template <class Spec>
void apply_given(const GivenOptions<Spec>& given, Spec& spec) {
  for (const Given<Spec>& option : given) {
    if (option.count == 0) continue;
    assign(*option.row, spec, option.texts, option.row->names.substr(0, option.row->names.find(',')));
  }
}

const std::vector<OptionRow<ReportSpec>>& report_rows() {
  static const std::vector<OptionRow<ReportSpec>> rows = {
      {"--slo", "OBJECTIVE", "another objective, such as 'p99 ttft<=2000ms' (repeatable)", &ReportSpec::slo},
      {"--goodput", "LIMITS", "other limits per request in ms, such as 'ttft:1000 tpot:50'", &ReportSpec::goodput},
      {"--window", "FROM..TO",
       "only the requests due in this part of each level's measured window, such as 30s..120s, or 30s.. to its end",
       &ReportSpec::window},
      {"--format", "LIST",
       "html, json, md, csv, svg: print one to standard output, or write several into the output folder",
       &ReportSpec::format},
      {"--output-dir", "FOLDER", "where files go (default: nowhere; the page is printed)", &ReportSpec::output_dir},
      {"--quiet", "", "print nothing but errors", &ReportSpec::quiet}};
  return rows;
}

const std::vector<OptionRow<BoundSpec>>& bound_rows() {
  static const std::vector<OptionRow<BoundSpec>> rows = {
      {"--model", "PATH", "config.json of the model, or its folder", &BoundSpec::model},
      {"--hardware", "NxNAME", "such as 8xH100-SXM", &BoundSpec::hardware},
      {"--weights", "TYPE", "type of the weights (default: as the config says)", &BoundSpec::weights},
      {"--kv", "TYPE", "type of the KV cache (default bf16)", &BoundSpec::kv},
      {"--concurrency", "LIST", "requests in decode, such as 1,64", &BoundSpec::concurrency},
      {"--context", "TOKENS", "mean context of a decoding request (default: the middle of the answer)",
       &BoundSpec::context},
      {"--new", "TOKENS", "uncached prompt tokens of a request (default 1024)", &BoundSpec::new_tokens},
      {"--cached", "TOKENS", "cached prompt tokens of a request", &BoundSpec::cached_tokens},
      {"--out", "TOKENS", "output tokens of a request (default 256)", &BoundSpec::out_tokens},
      {"--json", "", "print JSON to standard output", &BoundSpec::json}};
  return rows;
}

/// Names every parameter with its default.
std::string_view engine_parameter_help() {
  static const std::string help = [] {
    std::string text = "another parameter of the model (repeatable):";
    for (const auto& [key, value] : engine_flags(EngineParameters{})) text += fmt::format(" {}={}", key, value);
    return text;
  }();
  return help;
}

const std::vector<OptionRow<EngineSpec>>& engine_rows() {
  static const std::vector<OptionRow<EngineSpec>> rows = {
      {"--port", "N", "port to listen on; 0 takes a free one and prints it", &EngineSpec::port},
      {"--host", "ADDRESS", "address to listen on", &EngineSpec::host},
      {"--speed,--engine-speed", "X", "engine time runs X times faster than wall time", &EngineSpec::speed},
      {"--engine-parameter", "KEY=VALUE", engine_parameter_help(), &EngineSpec::engine_parameter}};
  return rows;
}

const std::vector<OptionRow<PlanCommandSpec>>& plan_rows() {
  static const std::vector<OptionRow<PlanCommandSpec>> rows = {
      {"--requests", "N", "requests listed per level with --json", &PlanCommandSpec::requests}};
  return rows;
}

/// What was typed, with the values of secret options left out.
std::string command_line_without_secrets(int argc, char** argv) {
  std::string line = "loadline";
  bool hide_next = false;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (hide_next) {
      word = "...";
      hide_next = false;
    } else if (word.starts_with("--api-key") || word.starts_with("--header")) {
      hide_next = word.find('=') == std::string::npos;
      word = word.substr(0, word.find('='));
      if (!hide_next) word += "=...";
    }
    const bool plain =
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+") ==
        std::string::npos;
    if (!plain || word.empty()) {
      std::string quoted = "'";
      for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      word = quoted + "'";
    }
    line += ' ' + word;
  }
  return line;
}

/// Options of a run: the plan file first, then the flags.
RunSpec resolve(const std::string& plan_file, const GivenOptions<RunSpec>& given) {
  RunSpec spec;
  if (!plan_file.empty()) read_plan_file(plan_file, spec);
  apply_given(given, spec);
  if (spec.api_key.empty()) {
    if (const char* key = std::getenv("OPENAI_API_KEY")) spec.api_key = key;
  }
  settle_max_concurrency(spec);
  return spec;
}

/// A command on logs: its name, what it is for, its options, what it does.
struct TraceCommand {
  std::string_view name, help, files;
  const std::vector<OptionRow<TraceSpec>>& (*rows)();
  ExitStatus (*run)(const TraceSpec& spec);
};

constexpr std::array<TraceCommand, 6> trace_commands = {{
    {"stats", "lengths, arrivals, sessions and prefix sharing of a log", "log files or patterns; - is standard input",
     trace_stats_rows, trace_stats_command},
    {"convert", "a log as a canonical trace without any text, or for another tool",
     "log files or patterns; - is standard input", trace_convert_rows, trace_convert_command},
    {"sample", "a part of a log that is like the whole, as a canonical trace",
     "log files or patterns; - is standard input", trace_sample_rows, trace_sample_command},
    {"anonymize", "a canonical trace without names, dates and anybody's ids",
     "log files or patterns; - is standard input", trace_anonymize_rows, trace_anonymize_command},
    {"check", "prove that canonical traces hold no text", "canonical traces", trace_check_rows, trace_check_command},
    {"merge", "join parts of one log that were read apart", "parts of `trace stats --part`, or canonical traces",
     trace_merge_rows, trace_merge_command},
}};

/// What was given to one of them.
struct GivenTrace {
  const TraceCommand* command = nullptr;
  CLI::App* parser = nullptr;
  TraceSpec spec;
  GivenOptions<TraceSpec> given;
};

void add_trace_commands(CLI::App& program, std::list<GivenTrace>& slots) {
  CLI::App* trace = program.add_subcommand("trace", "what a log holds, and traces made of it");
  trace->require_subcommand(1);
  for (const TraceCommand& command : trace_commands) {
    GivenTrace& slot = slots.emplace_back();
    slot.command = &command;
    slot.parser = trace->add_subcommand(std::string(command.name), std::string(command.help));
    slot.parser->add_option("FILE", slot.spec.files, std::string(command.files))->required();
    add_rows(*slot.parser, command.rows(), slot.given);
  }
}

struct RunLike {
  CLI::App* command = nullptr;
  std::string plan_file;
  GivenOptions<RunSpec> given;
};

void add_run_like(CLI::App& program, RunLike& slot, const std::string& name, const std::string& help) {
  slot.command = program.add_subcommand(name, help);
  slot.command->add_option("PLAN", slot.plan_file, "plan file (YAML); flags override it");
  add_rows(*slot.command, run_option_rows(), slot.given);
}

/// The parser would only say that a command is missing.
void refuse_unknown_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return;
  throw Error(
      fmt::format("'{}' is no command{}; known are {}", argv[1], did_you_mean(argv[1], names), fmt::join(names, ", ")));
}

/// CLI11's own sentence, with the place to look for help.
Error argument_error(const CLI::ParseError& error) {
  return Error(fmt::format("{}; `loadline COMMAND --help` lists what is known", error.what()));
}

}  // namespace

ExitStatus parse_and_run(int argc, char** argv) {
  CLI::App program{
      "loadline: how much of your real traffic a deployment carries while users still get what was promised"};
  program.name("loadline");
  program.require_subcommand(1);
  program.set_version_flag("--version", std::string("loadline ") + LOADLINE_VERSION);

  RunLike run, simulate, plan;
  add_run_like(program, run, "run", "sweep a deployment (or the embedded engine) and write a run folder");
  add_run_like(program, simulate, "simulate", "the same sweep against the engine model in virtual time");
  add_run_like(program, plan, "plan", "what `run` with these options would send, without sending it");
  GivenOptions<PlanCommandSpec> plan_given;
  add_rows(*plan.command, plan_rows(), plan_given);

  ReportSpec report_spec;
  GivenOptions<ReportSpec> report_given;
  CLI::App* report = program.add_subcommand("report", "read a finished or interrupted run again");
  report->add_option("RUN", report_spec.run, "run folder")->required();
  add_rows(*report, report_rows(), report_given);

  std::list<GivenTrace> trace_given;
  add_trace_commands(program, trace_given);

  GivenOptions<BoundSpec> bound_given;
  CLI::App* bound = program.add_subcommand("bound", "what the hardware could do with a model, without a run");
  add_rows(*bound, bound_rows(), bound_given);

  GivenOptions<EngineSpec> engine_given;
  CLI::App* engine = program.add_subcommand("engine", "serve the embedded simulated engine over HTTP");
  add_rows(*engine, engine_rows(), engine_given);

  GivenOptions<CalibrateSpec> calibrate_given;
  CLI::App* calibrate =
      program.add_subcommand("calibrate", "what this client can carry on this machine, and how exactly");
  add_rows(*calibrate, calibrate_rows(), calibrate_given);

  CompareSpec compare_spec;
  GivenOptions<CompareSpec> compare_given;
  GivenOptions<RunSpec> compare_run_given;
  CLI::App* compare =
      program.add_subcommand("compare", "two runs, or two live targets: which is faster, if only one fact differs");
  compare->add_option("A", compare_spec.a, "run folder, or a live target: URL, engine:KEY=VALUE,..., model:...")
      ->required();
  compare->add_option("B", compare_spec.b, "the other")->required();
  add_rows(*compare, compare_rows(), compare_given);
  add_rows(*compare, compare_run_rows(), compare_run_given);

  GateSpec gate_spec;
  GivenOptions<GateSpec> gate_given;
  CLI::App* gate = program.add_subcommand("gate", "pass or fail for a pipeline: is a run slower than its baseline");
  gate->add_option("RUN", gate_spec.run, "run folder")->required();
  add_rows(*gate, gate_rows(), gate_given);

  refuse_unknown_command(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw argument_error(error);
    program.exit(error);  // --help, --version
    return ExitStatus::valid;
  }

  const std::string command_line = command_line_without_secrets(argc, argv);
  if (*run.command) return run_command(resolve(run.plan_file, run.given), command_line);
  if (*simulate.command) return simulate_command(resolve(simulate.plan_file, simulate.given), command_line);
  if (*plan.command) {
    PlanCommandSpec spec;
    spec.run = resolve(plan.plan_file, plan.given);
    apply_given(plan_given, spec);
    return plan_command(spec);
  }
  if (*report) {
    apply_given(report_given, report_spec);
    return report_command(report_spec);
  }
  for (GivenTrace& slot : trace_given) {
    if (!*slot.parser) continue;
    apply_given(slot.given, slot.spec);
    return slot.command->run(slot.spec);
  }
  if (*compare) {
    apply_given(compare_given, compare_spec);
    compare_spec.run = resolve("", compare_run_given);
    return compare_command(compare_spec, command_line);
  }
  if (*gate) {
    apply_given(gate_given, gate_spec);
    return gate_command(gate_spec, command_line);
  }
  if (*bound) {
    BoundSpec spec;
    apply_given(bound_given, spec);
    return bound_command(spec);
  }
  if (*calibrate) {
    CalibrateSpec spec;
    apply_given(calibrate_given, spec);
    return calibrate_command(spec);
  }
  EngineSpec spec;
  apply_given(engine_given, spec);
  return engine_command(spec);
}

}  // namespace loadline
