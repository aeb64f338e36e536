#include "base/lock_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/tools/cli/folder.h"

namespace ordeal {
namespace {

TEST(LockFile, HasOneHolderAtATime) {
  const e2e::Folder folder;
  const std::string path = folder.path() + "/lock";
  std::optional<LockFile> held;
  Result<LockFile> first = LockFile::take(path);
  ASSERT_TRUE(first.ok()) << first.error().message;
  held.emplace(std::move(*first));
  const Result<LockFile> second = LockFile::take(path);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find(path), std::string::npos);
  held.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(LockFile::take(path).ok());
}

TEST(LockFile, ThatWasLeftBehindIsTakenOver) {
  const e2e::Folder folder;
  const std::string path = folder.path() + "/lock";
  std::ofstream(path) << "";
  EXPECT_TRUE(LockFile::take(path).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(LockFile, InAFolderThatIsMissingIsAnError) {
  const e2e::Folder folder;
  const Result<LockFile> lock = LockFile::take(folder.path() + "/missing/lock");
  ASSERT_FALSE(lock.ok());
  EXPECT_NE(lock.error().message.find("missing"), std::string::npos);
}

}  // namespace
}  // namespace ordeal
