#include "app/live_side.h"

#include <optional>
#include <utility>

#include "app/client_setup.h"
#include "app/describe_run.h"
#include "app/finished_run.h"
#include "app/http_driver.h"
#include "app/reach_target.h"
#include "app/run_setup.h"
#include "app/simulated_driver.h"
#include "app/target_doubts.h"
#include "core/error.h"
#include "target/cache.h"

namespace loadline {
namespace {

class HttpSide final : public LiveSide {
 public:
  HttpSide(RunSpec spec, RunDescription description, const Input& input, Progress& progress,
           const std::atomic<bool>& stop)
      : LiveSide(std::move(spec), std::move(description)),
        input_(input),
        progress_(progress),
        stop_(stop),
        client_(client_settings_of(spec_)),
        reached_(reach_target(spec_, stop)) {
    remarks_ = describe_measured(spec_, input_, reached_, description_);
  }

  void open(const std::string& folder) override {
    recorder_.emplace(RunWriter(folder), progress_);
    put_description(recorder_->writer(), description_);
    time_.emplace(spec_.engine_speed);
    fleet_.emplace(client_maker(spec_, client_, reached_.target, input_, description_.salt, time_->monotonic_start()),
                   description_.client_threads, *time_);
    before_ = read_counters(reached_.target);
    driver_.emplace(*fleet_, reached_.target, *recorder_, progress_, stop_, spec_.cache != "as-found");
  }

  LevelDriver& driver() override { return *driver_; }

  void close(bool interrupted) override {
    if (!interrupted) {
      const std::optional<ServerCounters> after = read_counters(reached_.target);
      put_counters(recorder_->writer(), before_, after);
      doubt_changed_server(spec_, reached_, stop_, before_, after, description_);
    }
    doubt_slow_engine(reached_, description_);
    recorder_->writer().put("state", interrupted ? "interrupted" : "complete");
    put_description(recorder_->writer(), description_);
    recorder_->writer().finish();
  }

 private:
  const Input& input_;
  Progress& progress_;
  const std::atomic<bool>& stop_;
  ClientSettings client_;
  ReachedTarget reached_;
  std::optional<Recorder> recorder_;
  std::optional<SystemTime> time_;
  std::optional<Fleet> fleet_;
  std::optional<ServerCounters> before_;
  std::optional<HttpDriver> driver_;
};

class ModelSide final : public LiveSide {
 public:
  ModelSide(RunSpec spec, RunDescription description, Progress& progress)
      : LiveSide(std::move(spec), std::move(description)),
        parameters_(engine_parameters_of(spec_.engine_parameter)),
        driver_(parameters_, progress, writer_) {
    description_.target = "loadline's engine model in virtual time";
    description_.virtual_time = true;
    describe_embedded_engine(parameters_, description_);
  }

  void open(const std::string& folder) override {
    writer_.emplace(folder);
    put_description(*writer_, description_);
  }

  LevelDriver& driver() override { return driver_; }

  void close(bool interrupted) override {
    writer_->put("state", interrupted ? "interrupted" : "complete");
    put_description(*writer_, description_);
    writer_->finish();
  }

 private:
  EngineParameters parameters_;
  std::optional<RunWriter> writer_;
  SimulatedDriver driver_;
};

void refuse_for_model(const RunSpec& spec) {
  if (spec.engine_speed != 1) throw Error("--engine-speed: virtual time has no speed; leave it out with model:");
  if (spec.content == "log") throw Error("--content log: the engine model reads no text; compare engine: or URLs");
  if (spec.cache == "warm") {
    throw Error("--cache warm: in virtual time every level starts with an empty engine; compare engine: or URLs");
  }
}

}  // namespace

std::unique_ptr<LiveSide> reach_side(const ComparedSide& side, const RunSpec& shared, const Input& input,
                                     const std::string& command_line, Progress& progress,
                                     const std::atomic<bool>& stop) {
  RunSpec spec = shared;
  spec.engine_parameter = side.parameters;
  if (side.kind == SideKind::url) spec.url = {side.text};
  if (side.kind == SideKind::engine_model) refuse_for_model(spec);
  RunDescription description = describe_run(spec, input, command_line);
  if (side.kind == SideKind::engine_model)
    return std::make_unique<ModelSide>(std::move(spec), std::move(description), progress);
  return std::make_unique<HttpSide>(std::move(spec), std::move(description), input, progress, stop);
}

}  // namespace loadline
