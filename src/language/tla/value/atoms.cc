// Strings and model values as numbers. Texts are looked up far more often than made, so reading
// takes no lock: they lie in chunks that never move.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "language/tla/value/inner.h"
#include "language/tla/value/mutant.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {
namespace {

constexpr unsigned kFirstChunkBits = 8;
constexpr unsigned kAtomChunks = 32 - kFirstChunkBits;

struct TextHash {
  size_t operator()(std::string_view text) const {
    detail::Hasher hasher;
    hasher.bytes(text.data(), text.size());
    hasher.word(text.size());
    return hasher.finish();
  }
};

// Chunk i has 256 << i texts.
struct AtomPlace {
  unsigned chunk;
  size_t offset;
};

AtomPlace place_of(uint32_t atom) {
  const uint64_t shifted = uint64_t{atom} + (uint64_t{1} << kFirstChunkBits);
  const unsigned chunk = static_cast<unsigned>(std::bit_width(shifted)) - 1 - kFirstChunkBits;
  return {chunk, static_cast<size_t>(shifted - (uint64_t{1} << (chunk + kFirstChunkBits)))};
}

class AtomTable {
 public:
  uint32_t number(std::string_view text) {
    {
      const std::shared_lock lock(mutex_);
      const auto found = numbers_.find(text);
      if (found != numbers_.end()) return found->second;
    }
    const std::unique_lock lock(mutex_);
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    if (count_ == UINT32_MAX) fail("there are more than 4294967295 different strings");
    const uint32_t atom = count_;
    const AtomPlace place = place_of(atom);
    AtomInfo* chunk = chunks_[place.chunk].load(std::memory_order_relaxed);
    if (chunk == nullptr) {
      owned_[place.chunk].reset(new AtomInfo[size_t{1} << (kFirstChunkBits + place.chunk)]);
      chunk = owned_[place.chunk].get();
    }
    fill(chunk[place.offset], text);
    chunks_[place.chunk].store(chunk, std::memory_order_release);
    numbers_.emplace(chunk[place.offset].text, atom);
    ++count_;
    return atom;
  }

  const AtomInfo& info(uint32_t atom) const {
    const AtomPlace place = place_of(atom);
    return chunks_[place.chunk].load(std::memory_order_acquire)[place.offset];
  }

 private:
  static void fill(AtomInfo& info, std::string_view text) {
    info.text = text;
    for (size_t i = 0; i < 8; ++i) {
      info.prefix = (info.prefix << 8) |
                    (i < text.size() ? static_cast<unsigned char>(text[i]) : uint64_t{0});
    }
    info.hash = TextHash()(text);
    detail::Hasher second(detail::kSecondSeed);
    second.bytes(text.data(), text.size());
    second.word(text.size());
    info.second = second.finish();
    const bool letter = text.size() > 2 &&
                        ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
    info.type = letter && text[1] == '_' ? text[0] : '\0';
  }

  std::shared_mutex mutex_;
  std::unordered_map<std::string_view, uint32_t, TextHash> numbers_;
  uint32_t count_ = 0;
  std::array<std::atomic<AtomInfo*>, kAtomChunks + 1> chunks_{};
  std::array<std::unique_ptr<AtomInfo[]>, kAtomChunks + 1> owned_;
};

AtomTable& atoms() {
  // Never destroyed: threads that are still running may ask for texts.
  static AtomTable* const table = new AtomTable;
  return *table;
}

}  // namespace

const AtomInfo& atom_info(uint32_t atom) { return atoms().info(atom); }

uint32_t atom(std::string_view text) { return atoms().number(text); }
const std::string& atom_text(uint32_t atom) { return atoms().info(atom).text; }
uint64_t atom_hash(uint32_t atom) { return atoms().info(atom).hash; }
Value string_value(std::string_view text) { return Value::string(atom(text)); }
Value model_value(std::string_view name) { return Value::model(atom(name)); }

int compare_atoms(uint32_t a, uint32_t b) {
  if (a == b) return 0;
  if (mutant(TlaMutant::kTextsByNumber)) return a < b ? -1 : 1;
  const AtomInfo& one = atom_info(a);
  const AtomInfo& other = atom_info(b);
  if (one.prefix != other.prefix) return one.prefix < other.prefix ? -1 : 1;
  return one.text.compare(other.text) < 0 ? -1 : 1;
}

}  // namespace ordeal::tla
