#include "trace/open_requests.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

TEST(OpenRequests, ArePairedById) {
  OpenRequests<int> open;
  EXPECT_FALSE(open.open("a", 1));
  EXPECT_FALSE(open.open("b", 2));
  ASSERT_NE(open.find("b"), nullptr);
  *open.find("b") = 20;
  EXPECT_EQ(open.close("b"), 20);
  EXPECT_EQ(open.close("b"), std::nullopt);
  EXPECT_EQ(open.find("b"), nullptr);
  EXPECT_EQ(open.open("a", 3), 1);  // an id that is used again displaces
  EXPECT_EQ(open.close("a"), 3);
}

TEST(OpenRequests, TheOldestMakesRoom) {
  OpenRequests<int> open(2);
  open.open("a", 1);
  open.open("b", 2);
  open.open("a", 3);  // now the youngest
  EXPECT_EQ(open.open("c", 4), 2);
  std::vector<int> left;
  open.close_all([&](int beginning) { left.push_back(beginning); });
  EXPECT_EQ(left, (std::vector<int>{3, 4}));
  EXPECT_EQ(open.close("a"), std::nullopt);
}

}  // namespace
}  // namespace loadline
