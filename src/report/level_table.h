#pragma once
// The levels as rows of text, alike in the terminal and in Markdown. Texts are ours: nothing foreign is in them.

#include <string>
#include <vector>

#include "core/run_report.h"

namespace loadline {

struct TextColumn {
  std::string header, unit;
  bool number = true;
  int rank = 0;  ///< where room is short the highest rank goes first; 0 always stays
};

struct LevelRow {
  bool operating_point = false;
  std::vector<std::string> cells;  ///< one a column; empty: nothing to say
};

/// Levels of one kind in order of load, the operating point (where its estimate exists) in its place among them.
/// No rows where the run has no such level.
struct LevelTable {
  std::vector<TextColumn> columns;
  std::vector<LevelRow> rows;
};
LevelTable level_table(const RunReport& report, LevelKind kind);
/// The same without the visits near the crossing, which are many and lie close together.
LevelTable curve_table(const RunReport& report, LevelKind kind);

}  // namespace loadline
