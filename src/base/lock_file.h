// LockFile: a file that only one holder at a time can have, in this process and in others. It is
// empty. One that a killed process has left behind is nobody's, and is taken over.
#pragma once

#include <string>

#include "ordeal/result.h"

namespace ordeal {

class LockFile {
 public:
  // An Error: somebody else has it, or it cannot be made.
  static Result<LockFile> take(const std::string& path);

  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&& other) noexcept;
  // Lets go, and removes the file.
  ~LockFile();

 private:
  LockFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::string path_;
};

}  // namespace ordeal
