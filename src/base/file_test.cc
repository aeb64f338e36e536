#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ordeal {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ordeal_file_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(FileTest, WhatIsWrittenIsReadBackAndNothingElseIsLeft) {
  const std::string content("a\0b\n", 4);
  ASSERT_TRUE(write_file_atomically(path("x"), content));
  EXPECT_EQ(*read_file(path("x")), content);
  ASSERT_TRUE(write_file_atomically(path("x"), "new"));
  EXPECT_EQ(*read_file(path("x")), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, ErrorsNameThePathAndTheReason) {
  EXPECT_EQ(read_file(path("none")).error().message,
            "cannot read " + path("none") + ": No such file or directory");
  const auto in_missing = write_file_atomically(path("no/x"), "");
  EXPECT_EQ(in_missing.error().message,
            "cannot write " + path("no/x") + ": there is no folder " + path("no"));
  const auto folder = write_file_atomically(folder_.string(), "");
  EXPECT_EQ(folder.error().message, "cannot write " + folder_.string() + ": it is a folder");
  std::ofstream(path("file")) << "x";
  const auto below_file = write_file_atomically(path("file/x"), "");
  EXPECT_EQ(below_file.error().message, "cannot write " + path("file/x") + ": Not a directory");
  EXPECT_FALSE(check_writable(path("file/x")));
  EXPECT_FALSE(write_file_atomically("", "x"));
}

TEST_F(FileTest, AFullDiskIsNoticedAndTheDeviceSurvives) {
  const auto full = write_file_atomically("/dev/full", "x");
  EXPECT_EQ(full.error().message, "cannot write /dev/full: No space left on device");
  struct stat info {};
  ASSERT_EQ(stat("/dev/full", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST_F(FileTest, CheckingLeavesNothingBehind) {
  EXPECT_TRUE(check_writable(path("x")));
  EXPECT_EQ(files(), 0U);
  std::ofstream(path("y")) << "kept";
  EXPECT_TRUE(check_writable(path("y")));
  EXPECT_EQ(*read_file(path("y")), "kept");
}

TEST_F(FileTest, LinksAreFollowedAndPermissionsKept) {
  std::ofstream(path("real")) << "old";
  ASSERT_EQ(chmod(path("real").c_str(), 0640), 0);
  fs::create_symlink(path("real"), path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(*read_file(path("real")), "new");
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms(0640));
}

TEST_F(FileTest, AFileThatIsTooLongIsRefused) {
  std::ofstream(path("x")) << "12345";
  EXPECT_TRUE(read_file(path("x"), 5));
  EXPECT_FALSE(read_file(path("x"), 4));
}

}  // namespace
}  // namespace ordeal
