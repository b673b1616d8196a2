// The method against the long run: how often the intervals of p99 and of capacity hold what the engine model does in
// the long run, and what a capacity costs. Everything in virtual time, seeded, by the product's own code.
// docs/method.md has the tables and the commands that print them.
//
//   method_bench coverage|truth|capacity [options]      exit status 1 where less than --require holds
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "bench/method/capacity_coverage.h"
#include "bench/method/p99_coverage.h"
#include "bench/method/p99_truth.h"
#include "core/error.h"

namespace {

using namespace loadline;
using namespace loadline::bench;

struct Options {
  std::string only, budget;
  std::vector<std::uint32_t> sizes = {1000, 3000, 10000};
  std::vector<std::string> ways = {"search", "sweep", "curve", "ten"};
  std::uint64_t runs = 0;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  double require = 0;
};

bool enough(double least, double required) {
  if (least >= required) return true;
  fmt::print(stderr, "method_bench: an interval holds in {:.1f}% of the runs, {:.1f}% are required\n", 100 * least,
             100 * required);
  return false;
}

bool run_coverage(const Options& options) {
  const CoverageTable table =
      coverage_table(options.only, options.sizes, options.runs > 0 ? options.runs : 400, options.threads);
  fmt::print("{}", table.text);
  return enough(table.least, options.require);
}

bool run_capacity(const Options& options) {
  std::vector<Way> ways;
  for (const std::string& word : options.ways) ways.push_back(way_named(word));
  const CapacityTable table =
      capacity_table(options.only, ways, options.budget, options.runs > 0 ? options.runs : 200, options.threads);
  fmt::print("{}", table.text);
  return enough(table.least, options.require);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("The intervals of the method against the long run of the engine model.");
  app.require_subcommand(1);
  CLI::App* coverage = app.add_subcommand("coverage", "intervals of p99 TTFT: 400 runs of each load and size");
  CLI::App* truth = app.add_subcommand("truth", "p99 TTFT in the long run: 40 runs of 20,000 requests");
  CLI::App* capacity = app.add_subcommand("capacity", "capacities by each way: 200 runs of each engine and objective");
  for (CLI::App* command : {coverage, truth, capacity}) {
    command->add_option("--case", options.only, "only cases whose name begins so");
    command->add_option("--runs", options.runs, "seeded runs of each");
    command->add_option("--threads", options.threads, "threads that share them")->check(CLI::Range(1U, 256U));
    command->add_option("--require", options.require, "least share of intervals that must hold, or exit status 1");
  }
  coverage->add_option("--requests", options.sizes, "requests a run")->delimiter(',');
  capacity->add_option("--way", options.ways, "search, sweep, curve, ten (a fixed list), open")->delimiter(',');
  capacity->add_option("--budget", options.budget, "engine time of a search or sweep, such as 3600s");
  CLI11_PARSE(app, argc, argv);
  try {
    if (*truth) {
      fmt::print("{}", truth_table(options.only, options.runs > 0 ? options.runs : 40, 20000, options.threads));
      return 0;
    }
    return (*coverage ? run_coverage(options) : run_capacity(options)) ? 0 : 1;
  } catch (const Error& error) {
    fmt::print(stderr, "method_bench: {}\n", error.what());
    return 2;
  }
}
