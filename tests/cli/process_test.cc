#include "tests/cli/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace ordeal::e2e {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void redirect(const std::string& path, int flags, int to) {
  const int fd = open(path.c_str(), flags, 0666);
  if (fd < 0 || dup2(fd, to) < 0) _exit(125);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::string& input,
                 const std::string& out) {
  folder_ = (std::filesystem::temp_directory_path() / "ordeal_cli_XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) std::abort();
  std::ofstream(folder_ + "/in", std::ios::binary) << input;
  std::vector<std::string> words = {ORDEAL_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ != 0) return;
  redirect(folder_ + "/in", O_RDONLY, STDIN_FILENO);
  redirect(out.empty() ? folder_ + "/out" : out, O_WRONLY | O_CREAT, STDOUT_FILENO);
  redirect(folder_ + "/err", O_WRONLY | O_CREAT, STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(126);
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::filesystem::remove_all(folder_);
}

void Process::send(int signal) const { kill(pid_, signal); }

bool Process::wait_for_error_output(const std::string& text) const {
  for (int i = 0; i < 1200; ++i) {
    if (read(folder_ + "/err").find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

Finished Process::finish() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder_ + "/out"),
          read(folder_ + "/err")};
}

Finished ordeal(const std::vector<std::string>& arguments, const std::string& input) {
  return Process(arguments, input).finish();
}

TEST(Process, TellsExitCodeAndOutput) {
  const Finished version = ordeal({"version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_EQ(version.out.find("ordeal "), 0U);
  EXPECT_EQ(version.err, "");
}

}  // namespace ordeal::e2e
