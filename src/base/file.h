// Files, read whole and written whole. Every Error names the path and says what the system said.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ordeal/result.h"

namespace ordeal {

inline constexpr uint64_t kMaxFileBytes = uint64_t{256} << 20;

// An Error for files longer than `max_bytes`: nobody wants to wait for a wrong file.
Result<std::string> read_file(const std::string& path, uint64_t max_bytes = kMaxFileBytes);

// Writes beside the file, syncs and renames: afterwards the file is there whole, or as it was.
// What is not a regular file (a device, a pipe) is written to directly. Links are followed.
Result<void> write_file_atomically(const std::string& path, std::string_view content);

// Whether write_file_atomically could work, found out before hours of work: the folder exists and
// can be written to, and the path is no folder. Leaves nothing behind.
Result<void> check_writable(const std::string& path);

// Removes the file that write_file_atomically has begun and not renamed yet, if any.
// Async-signal-safe: for a handler that ends the process at once.
void discard_unfinished_file();

}  // namespace ordeal
