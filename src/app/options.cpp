#include "app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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
      option->expected(1);
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
      {"--format", "LIST",
       "html, json, md, csv, svg: print one to standard output, or write several into the output folder",
       &ReportSpec::format},
      {"--output-dir", "FOLDER", "where files go (default: nowhere; the page is printed)", &ReportSpec::output_dir},
      {"--quiet", "", "print nothing but errors", &ReportSpec::quiet}};
  return rows;
}

const std::vector<OptionRow<TraceSpec>>& trace_rows() {
  static const std::vector<OptionRow<TraceSpec>> rows = {
      {"--json", "", "print JSON to standard output", &TraceSpec::json},
      {"--trace-format,--format", "NAME", "format of the log, when its content is not recognised", &TraceSpec::format}};
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
  return spec;
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
  const std::string near = nearest_name(argv[1], names);
  throw Error(fmt::format("'{}' is no command{}; known are {}", argv[1],
                          near.empty() ? "" : ", did you mean " + near + "?", fmt::join(names, ", ")));
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

  TraceSpec trace_spec;
  GivenOptions<TraceSpec> trace_given;
  CLI::App* trace = program.add_subcommand("trace", "what a log holds");
  trace->require_subcommand(1);
  CLI::App* stats = trace->add_subcommand("stats", "lengths, arrivals, sessions and prefix sharing of a log");
  stats->add_option("FILE", trace_spec.files, "log files; - is standard input")->required();
  add_rows(*stats, trace_rows(), trace_given);

  GivenOptions<BoundSpec> bound_given;
  CLI::App* bound = program.add_subcommand("bound", "what the hardware could do with a model, without a run");
  add_rows(*bound, bound_rows(), bound_given);

  GivenOptions<EngineSpec> engine_given;
  CLI::App* engine = program.add_subcommand("engine", "serve the embedded simulated engine over HTTP");
  add_rows(*engine, engine_rows(), engine_given);

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
  if (*stats) {
    apply_given(trace_given, trace_spec);
    return trace_stats_command(trace_spec);
  }
  if (*bound) {
    BoundSpec spec;
    apply_given(bound_given, spec);
    return bound_command(spec);
  }
  EngineSpec spec;
  apply_given(engine_given, spec);
  return engine_command(spec);
}

}  // namespace loadline
