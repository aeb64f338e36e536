// The compiler refuses slips that would make everything hold, and says what would be right.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace ordeal::verdicts {
namespace {

#ifdef __clang__  // stops after twenty errors otherwise
constexpr const char* kAllErrors = " -ferror-limit=0";
#else
constexpr const char* kAllErrors = "";
#endif

struct Compiled {
  bool accepted = false;
  std::string said;
};

Compiled compile(const std::string& file) {
  const std::string source = ORDEAL_SOURCE_DIR;
  const std::string command =
      std::string("LC_ALL=C '" ORDEAL_COMPILER "' -std=c++20 -fsyntax-only") + kAllErrors + " -I'" +
      source + "/include' '" + source + "/tests/oracle/verdicts/" + file + "' 2>&1";
  Compiled out;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char text[4096];
  while (const size_t size = fread(text, 1, sizeof text, pipe)) out.said.append(text, size);
  out.accepted = pclose(pipe) == 0;
  return out;
}

TEST(Refusals, EverySlipIsRefusedWithWhatWouldBeRight) {
  const Compiled slips = compile("near_misses.cc");
  ASSERT_FALSE(slips.accepted);
  std::ifstream file(ORDEAL_SOURCE_DIR "/tests/oracle/verdicts/near_misses.cc");
  const std::regex expected("template void (use|model)<(\\w+)>\\(\\);  // (.*)");
  std::string line;
  std::smatch found;
  int slips_seen = 0;
  std::map<std::string, int> expected_words;
  while (std::getline(file, line)) {
    if (!std::regex_match(line, found, expected)) continue;
    ++slips_seen;
    // gcc and clang name an instantiation differently.
    const size_t named = std::min(slips.said.find("T = " + found[2].str() + "]"),
                                  slips.said.find(found[1].str() + "<" + found[2].str() + ">"));
    EXPECT_NE(named, std::string::npos) << found[2] << " was accepted";
    ++expected_words[found[3]];
  }
  EXPECT_EQ(slips_seen, 25);
  for (const auto& [words, times] : expected_words) {
    int said = 0;
    for (size_t at = slips.said.find(words); at != std::string::npos;
         at = slips.said.find(words, at + 1)) {
      ++said;
    }
    EXPECT_GE(said, times) << words << "\n" << slips.said;
  }
}

TEST(Refusals, WhatOnlyLooksLikeASlipIsAccepted) {
  const Compiled fine = compile("near_hits.cc");
  EXPECT_TRUE(fine.accepted) << fine.said;
}

}  // namespace
}  // namespace ordeal::verdicts
