#include "core/secrets.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Secrets, AreHiddenWhereverTheyStand) {
  EXPECT_EQ(without_secrets("key sk-12345678, sk-12345678!", {"sk-12345678"}), "key ***, ***!");
  EXPECT_EQ(without_secrets("Bearer abcdefgh", {"abcdefgh", "Bearer abcdefgh"}), "***") << "the longer one first";
  EXPECT_EQ(without_secrets("1 of 1, true", {"1", "true", ""}), "1 of 1, true") << "too short for a secret";
  EXPECT_EQ(without_secrets("", {"sk-12345678"}), "");
}

TEST(Secrets, AreHiddenWhereTheTextWasCut) {
  EXPECT_EQ(without_secrets("bad key sk-1234", {"sk-12345678"}), "bad key ***");
  EXPECT_EQ(without_secrets("bad key sk-1", {"sk-12345678"}), "bad key sk-1") << "too little to tell";
}

}  // namespace
}  // namespace loadline
