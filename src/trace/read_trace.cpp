#include "trace/read_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "core/error.h"
#include "trace/byte_source.h"
#include "trace/choose_format.h"
#include "trace/known_sources.h"
#include "trace/mapped.h"
#include "trace/refused_books.h"
#include "trace/trace_builder.h"

namespace loadline {
namespace {

constexpr unsigned most_threads = 16;

void read_format(ByteSource& source, TraceBuilder& builder, const ReadOptions& options) {
  TextWindow window(source);
  const std::string_view head = window.head(head_bytes);
  if (head.empty()) throw Error(fmt::format("{} is empty; name a log with at least one request", source.name()));
  if (!options.map.empty()) {
    builder.trace().format = "mapped";
    return read_mapped(window, builder, options.map);
  }
  const TraceFormat& format = choose_format(source.name(), head, options.format);
  builder.trace().format = format.name;
  format.read(window, builder);
}

/// Reads one source by its format, which goes into the builder's trace with the source's fingerprint.
void read_source(ByteSource& source, TraceBuilder& builder, const ReadOptions& options) {
  read_format(source, builder, options);
  builder.trace().fingerprint = source.fingerprint();
}

std::string first_place(const Refused& refused) {
  if (refused.first_files.empty()) return fmt::format("on line {}", refused.first_lines.front());
  return fmt::format("at {}:{}", refused.first_files.front(), refused.first_lines.front());
}

void check_usable(const Trace& trace, std::uint64_t rows, const std::string& names) {
  if (rows > 0) return;
  if (trace.refused.empty()) throw Error(fmt::format("{} has no rows; name a log with at least one request", names));
  const auto most = std::max_element(trace.refused.begin(), trace.refused.end(),
                                     [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  throw Error(fmt::format(
      "{} ({}) has no usable row: {} of {} were refused as {}, the first {}; look at that line, or "
      "name the right format with --trace-format (known: {})",
      names, trace.format, most->second.count, trace.read, most->first, first_place(most->second), list_of_formats()));
}

std::string joined(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", path == "-" ? "standard input" : path);
  return names;
}

std::uint64_t usable_rows(const Trace& books) {
  std::uint64_t rows = books.read;
  for (const auto& [reason, refused] : books.refused) rows -= refused.count;
  for (const auto& [reason, count] : books.filtered) rows -= count;
  return rows;
}

/// Calls read_file(i) for each file, on as many threads as the machine has; throws what the first file threw.
void for_each_file(std::size_t files, const std::function<void(std::size_t)>& read_file) {
  std::vector<std::exception_ptr> failures(files);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < files; i = next++) {
      try {
        read_file(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const std::size_t threads = std::min<std::size_t>({files, std::thread::hardware_concurrency(), most_threads});
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void check_one_log(const std::vector<std::string>& files, const std::vector<TraceBuilder>& builders) {
  for (std::size_t i = 1; i < files.size(); ++i) {
    const std::string &first = builders.front().facts().format, &other = builders[i].facts().format;
    if (first != other) refuse_two_formats(files.front(), first, files[i], other);
  }
  KnownSources sources;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Trace& facts = builders[i].facts();
    if (!facts.rows.empty()) sources.add(*facts.fingerprint, files[i]);
  }
}

}  // namespace

Trace read_trace(const std::vector<std::string>& paths, const ReadOptions& options) {
  const std::vector<std::string> files = files_named(paths);
  refuse_repeated_files(files);
  refuse_unrelated_files(files, options);
  const TextKey key;
  const BuilderSettings settings{&key, nullptr, options.keep_texts, options.tokens_per_character};
  std::vector<TraceBuilder> builders;
  for (std::size_t i = 0; i < files.size(); ++i) builders.emplace_back(settings);
  for_each_file(files.size(), [&](std::size_t i) {
    builders[i].trace().source = joined({files[i]});
    ByteSource source = ByteSource::open(files[i]);
    read_source(source, builders[i], options);
  });
  check_one_log(files, builders);
  TraceBuilder& whole = builders.front();
  for (std::size_t i = 1; i < files.size(); ++i) whole.append(std::move(builders[i]));
  if (files.size() > 1) {
    whole.trace().source = joined(paths);
    whole.trace().fingerprint.reset();
  }
  Trace trace = whole.finish();
  check_usable(trace, trace.rows.size(), joined(paths));
  return trace;
}

Trace read_trace_bytes(const std::string& name, std::string_view bytes, const ReadOptions& options, std::size_t step) {
  TraceBuilder builder({nullptr, nullptr, options.keep_texts, options.tokens_per_character});
  builder.trace().source = name;
  ByteSource source = ByteSource::memory(name, bytes, step);
  read_source(source, builder, options);
  Trace trace = builder.finish();
  check_usable(trace, trace.rows.size(), name);
  return trace;
}

void read_into(const std::vector<std::string>& paths, const ReadOptions& options,
               const std::function<RowSink&(std::size_t file)>& sink_for) {
  const std::vector<std::string> files = files_named(paths);
  refuse_repeated_files(files);
  refuse_unrelated_files(files, options);
  const TextKey key;
  std::vector<RowSink*> sinks;
  for (std::size_t i = 0; i < files.size(); ++i) sinks.push_back(&sink_for(i));
  std::vector<TraceBuilder> builders;
  for (RowSink* sink : sinks) builders.emplace_back(BuilderSettings{&key, sink, false, options.tokens_per_character});
  for_each_file(files.size(), [&](std::size_t i) {
    builders[i].trace().source = joined({files[i]});
    ByteSource source = ByteSource::open(files[i]);
    read_source(source, builders[i], options);
  });
  check_one_log(files, builders);
  // Lengths that are estimated and ids of text are one for all files: what waits for them waits together.
  const bool waited = std::ranges::any_of(builders, &TraceBuilder::holds_rows);
  if (waited) {
    for (std::size_t i = 1; i < builders.size(); ++i) builders.front().append(std::move(builders[i]));
  }
  std::vector<Trace> books;
  for (TraceBuilder& builder : builders) {
    if (waited && !books.empty()) builder.share_as(books.front());
    books.push_back(builder.finish());
  }
  std::uint64_t rows = 0;
  for (const Trace& book : books) rows += usable_rows(book);
  if (files.size() > 1) name_file(books.front().refused, files.front());
  if (rows == 0) check_usable(books.front(), rows, joined(paths));
}

}  // namespace loadline
