#include "trace/numbers.h"

#include <gtest/gtest.h>

#include "trace/utc_time.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

TEST(Numbers, LengthsAreWholeAndInRange) {
  EXPECT_EQ(parse_length("0").value.value(), 0);
  EXPECT_EQ(parse_length(" 1843 ").value.value(), 1843);
  EXPECT_EQ(parse_length("1843.0").value.value(), 1843);
  EXPECT_EQ(parse_length("16777216").state, NumberState::ok);
  EXPECT_EQ(parse_length("16777217").state, NumberState::out_of_range);
  EXPECT_EQ(parse_length("-1").state, NumberState::out_of_range);
  EXPECT_EQ(parse_length("99999999999999999999999").state, NumberState::out_of_range);
  for (const char* text : {"", "-", "1.5", "1.", ".5", "12a", "0x10", "1 2", "\"7\"", "null", "1e3", "+4", "nan"}) {
    EXPECT_EQ(parse_length(text).state, NumberState::malformed) << text;
  }
}

TEST(Numbers, IdsKeepAll64Bits) {
  EXPECT_EQ(parse_id("18446744073709551615").value, 18446744073709551615u);
  EXPECT_EQ(parse_id("9223372036854775809").value, 9223372036854775809u);
  EXPECT_EQ(parse_id("-1").value, 18446744073709551615u);
  EXPECT_EQ(parse_id("18446744073709551616").state, NumberState::out_of_range);
  EXPECT_EQ(parse_id("-9223372036854775809").state, NumberState::out_of_range);
  EXPECT_EQ(parse_id("1.0").state, NumberState::malformed);
}

TEST(Numbers, SpansAreExactToTheNanosecond) {
  EXPECT_EQ(parse_span("412", 1ms).value, 412ms);
  EXPECT_EQ(parse_span("4314.579", 1ms).value, 4'314'579us);
  EXPECT_EQ(parse_span("0.000001", 1ms).value, 1ns);
  EXPECT_EQ(parse_span("0.0000019", 1ms).value, 1ns);
  EXPECT_EQ(parse_span("-2.5", 1s).value, -2500ms);
  EXPECT_EQ(parse_span("1.7e12", 1ms).value, Nanos(1'700'000'000'000'000'000));
  EXPECT_EQ(parse_span("12.25", 1s).decimals, 2);
  EXPECT_EQ(parse_span("1762074900123", 1ms).value, Nanos(1'762'074'900'123'000'000));
  EXPECT_EQ(parse_span("99999999999999", 1ms).state, NumberState::out_of_range);
  EXPECT_EQ(parse_span("1e300", 1ms).state, NumberState::out_of_range);
  for (const char* text : {"", ".", "1.", "x", "NaN", "1.2.3", "\"5\"", "null", "e", "1e"}) {
    EXPECT_EQ(parse_span(text, 1ms).state, NumberState::malformed) << text;
  }
}

TEST(UtcTime, ReadsTheFormsOfAllYears) {
  UtcTimeReader reader;
  // date -u -d 2023-11-16T18:15:46 +%s
  const auto with_seven_digits = reader.read("2023-11-16 18:15:46.6805900");
  ASSERT_TRUE(with_seven_digits);
  EXPECT_EQ(with_seven_digits->since_epoch, Nanos(1'700'158'546'680'590'000));
  EXPECT_EQ(with_seven_digits->fraction_digits, 7);
  EXPECT_EQ(reader.read("2023-11-16T18:15:46.680590+00:00")->since_epoch, Nanos(1'700'158'546'680'590'000));
  EXPECT_EQ(reader.read("2023-11-16 18:15:46+00:00")->since_epoch, Nanos(1'700'158'546'000'000'000));
  EXPECT_EQ(reader.read("2023-11-16 18:15:46")->since_epoch, Nanos(1'700'158'546'000'000'000));
  EXPECT_EQ(reader.read("2023-11-16 18:15:46Z")->fraction_digits, 0);
  EXPECT_EQ(reader.read("2023-11-16 20:15:46+02:00")->since_epoch, Nanos(1'700'158'546'000'000'000));
  EXPECT_EQ(reader.read("2023-11-16 12:45:46-0530")->since_epoch, Nanos(1'700'158'546'000'000'000));
  EXPECT_EQ(reader.read("2023-11-16 18:15:46.1234567899999")->since_epoch, Nanos(1'700'158'546'123'456'789));
  EXPECT_EQ(reader.read("2024-02-29 00:00:00")->since_epoch, Nanos(1'709'164'800'000'000'000));
}

TEST(UtcTime, RefusesWhatIsNoTime) {
  UtcTimeReader reader;
  for (const char* text :
       {"", "2023-11-16", "2023-11-16 24:00:00", "2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-11-16 18:60:00",
        "2023-11-16 18:15:46.", "2023-11-16 18:15:46 UTC", "2023-11-16 18:15:46+0", "1969-12-31 23:59:59",
        "2300-01-01 00:00:00", "16/11/2023 18:15:46", "1700158546.68", "2023-11-1x 18:15:46"}) {
    EXPECT_FALSE(reader.read(text)) << text;
  }
}

}  // namespace
}  // namespace loadline
