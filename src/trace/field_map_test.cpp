#include "trace/field_map.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string message_of_map(std::string_view text) {
  try {
    parse_field_map(text, "--map");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FieldMap, NamesAndUnits) {
  const FieldMap map = parse_field_map(
      "prompt=usage.in, completion=usage.out,end=ended:ms,duration=took:us,cached=c,session=s,client=who,status=code",
      "--map");
  EXPECT_EQ(map.prompt, "usage.in");
  EXPECT_EQ(map.completion, "usage.out");
  EXPECT_EQ(map.end, "ended");
  EXPECT_EQ(map.time_unit, Nanos(1ms));
  EXPECT_EQ(map.duration, "took");
  EXPECT_EQ(map.duration_unit, Nanos(1us));
  EXPECT_EQ(map.cached, "c");
  EXPECT_EQ(map.session, "s");
  EXPECT_EQ(map.client, "who");
  EXPECT_EQ(map.status, "code");
  EXPECT_TRUE(map.time.empty());
}

TEST(FieldMap, UnitsThatNobodyGave) {
  const FieldMap map = parse_field_map("prompt_chars=a,completion_chars=b,time=t", "--map");
  EXPECT_EQ(map.prompt_characters, "a");
  EXPECT_EQ(map.completion_characters, "b");
  EXPECT_FALSE(map.time_unit);
  EXPECT_EQ(map.duration_unit, Nanos(1s));
  EXPECT_EQ(parse_field_map("text=q", "--map").text, "q");
}

TEST(FieldMap, ErrorsNameTheKeyAndTheWayOut) {
  EXPECT_EQ(message_of_map("promt=a").substr(0, 69),
            "--map: \"promt\" is nothing that a field can tell, did you mean prompt?");
  EXPECT_EQ(message_of_map("prompt=a,prompt=b"), "--map: prompt is given twice; name one field for it");
  EXPECT_EQ(message_of_map("prompt=a,time=t:min"),
            "--map: \"min\" behind time is no unit of time; write s, ms, us or ns");
  EXPECT_EQ(message_of_map("prompt="), "--map: prompt names no field; write prompt=FIELD");
  EXPECT_NE(message_of_map("prompt").find("names no field; write KEY=FIELD"), std::string::npos);
  EXPECT_NE(message_of_map("completion=a").find("add prompt=FIELD"), std::string::npos);
  EXPECT_NE(message_of_map("").find("add prompt=FIELD"), std::string::npos);
  EXPECT_EQ(parse_field_map("prompt=a,time=t,end=e", "--map").end, "e") << "pauses come from both";
  EXPECT_EQ(parse_field_map("prompt=a,time=t,duration=d", "--map").duration, "d");
  EXPECT_NE(message_of_map("prompt=a,duration=d").find("add end=FIELD"), std::string::npos);
}

}  // namespace
}  // namespace loadline
