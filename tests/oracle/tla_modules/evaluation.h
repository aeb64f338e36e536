// Expressions evaluated among the names of modules of the library.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "language/tla/model/specification.h"

namespace ordeal::tla {

// A directory of its own, gone with the object.
class Folder {
 public:
  Folder() {
    static int count = 0;
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("tla_modules_") + test->name() + std::to_string(++count));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write_module(const std::string& name, const std::string& modules,
                    const std::string& body = "") const {
    write(name + ".tla", "---- MODULE " + name + " ----\n" +
                             (modules.empty() ? "" : "EXTENDS " + modules + "\n") + body +
                             "\n====\n");
  }

 private:
  std::filesystem::path path_;
};

// A module that extends others, and expressions among its names.
class Evaluation {
 public:
  explicit Evaluation(const std::string& modules, const std::string& body = "",
                      bool write_files = false) {
    folder_.write_module("Table", modules, body);
    load(write_files);
  }
  // Of files that the test has written, Table.tla among them.
  explicit Evaluation(const Folder& folder, bool write_files = false) : beside_(&folder) {
    load(write_files);
  }

  const Folder& folder() const { return beside_ != nullptr ? *beside_ : folder_; }

  // The value as TLC would print it, or "! " and why there is none.
  std::string operator()(const std::string& expression) {
    if (!specification_) return "! " + trouble_;
    const auto compiled = specification_->expression(expression);
    if (!compiled) return "! " + words_of(compiled.error().message);
    const Compiler::Closed& closed = (*compiled)->closed;
    Machine machine(specification_->variables().size(), specification_->compiler().constants(),
                    specification_->host());
    specification_->prepare(machine);
    try {
      const Value value = closed.node->eval(machine, machine.frame(nullptr, closed.layout->slots));
      return to_text(is_set(value) && !is_enumerable(value) ? value
                                                            : deep_normal(machine.heap(), value));
    } catch (const EvalError& error) {
      return "! " + error.message;
    }
  }

 private:
  void load(bool write_files) {
    LoadOptions options;
    options.path = folder().path("Table.tla");
    options.write_files = write_files;
    auto loaded = Specification::load(options);
    if (loaded) {
      specification_ = *std::move(loaded);
    } else {
      trouble_ = loaded.error().message;
    }
  }
  // Without the place in front and the line behind.
  static std::string words_of(const std::string& message) {
    const size_t at = message.find(": ");
    const std::string words = at == std::string::npos ? message : message.substr(at + 2);
    return words.substr(0, words.find('\n'));
  }

  Folder folder_;
  const Folder* beside_ = nullptr;
  std::shared_ptr<Specification> specification_;
  std::string trouble_;
};

}  // namespace ordeal::tla
