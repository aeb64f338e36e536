// Signatures, for protocols among nodes of which some may lie.
//
//   struct Prevote {
//     int round = 0;
//     int value = 0;
//     Signature signature = {};
//   };
//   ctx.broadcast(sign(key, Prevote{1, 7}));    // `key` is this node's own
//   if (!verify(prevote)) return;               // changed on its way, or signed by somebody else
//   voters.insert(prevote.signature.by);        // whose vote it is, whoever handed it on
//
// A signature is a field of the message and not a wrapper around it: with Signed<Prevote> every
// message would show as "Signed" in traces, and conditions would have to look inside.
//
// A signature is a keyed digest of the message's type and content, without the signature itself.
// Signed messages inside a message (a certificate) are content like any other, and can be verified
// on their own, by anybody, wherever they got to.
//
// Who holds a Key can sign as its owner. A subject issues every node its own; verify() needs none.
// So correct nodes cannot sign for others, and Byzantine nodes can only sign for those Byzantine
// nodes whose keys they were given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ordeal/filter.h"
#include "ordeal/node_id.h"
#include "ordeal/value.h"

namespace ordeal::protocols {

// 32 bits: nobody searches for collisions here, and traces stay readable.
struct Signature {
  NodeId by = 0;  // 0: not signed
  uint32_t digest = 0;

  bool operator==(const Signature&) const = default;
};

template <class M>
concept Signable = Value<M> && requires(M message) {
  { message.signature } -> std::same_as<Signature&>;
};

class Key {
 public:
  Key() = default;  // nobody's: what it signs is not valid
  NodeId owner() const { return owner_; }

 private:
  friend Key issue_key(NodeId owner);
  template <Signable M>
  friend M sign(const Key& key, M message);
  template <Signable M>
  friend bool verify(const M& message);

  explicit Key(NodeId owner)
      : owner_(owner), secret_(value::hash(std::pair(uint64_t{0x5157a7u}, owner.value))) {}

  template <Signable M>
  uint32_t digest(M message) const {
    message.signature = {};
    const std::string type(value::type_name<M>());
    return static_cast<uint32_t>(
        value::hash(std::pair(secret_, std::pair(value::hash(type), value::hash(message)))));
  }

  NodeId owner_ = 0;
  uint64_t secret_ = 0;
};

// For subjects, which give each node its own, and for scenarios that speak for a Byzantine node.
inline Key issue_key(NodeId owner) { return Key(owner); }

// The message with the signature of the key's owner; a signature that it had is replaced.
template <Signable M>
M sign(const Key& key, M message) {
  message.signature = {key.owner(), key.digest(message)};
  return message;
}

// Whether it is as its signer signed it. Who that is, is in `signature.by`.
template <Signable M>
bool verify(const M& message) {
  return message.signature.by != NodeId(0) &&
         Key(message.signature.by).digest(message) == message.signature.digest;
}
template <Signable M>
bool verify(const M& message, NodeId signer) {
  return message.signature.by == signer && verify(message);
}

// For filters: the message arrives changed and signed anew, as a Byzantine node does that owns the
// key. (Changed with mutate<M> alone it keeps the old signature, which is then wrong.)
template <Signable M, class F>
Reaction mutate_signed(Key key, F change, Where where = Where::current()) {
  return mutate<M>(
      [key, change = std::move(change)](M& message) {
        change(message);
        message = sign(key, std::move(message));
      },
      where);
}

// A message that its signer's protocol would not have sent, from the key's owner.
template <Signable M>
Reaction inject_signed(Key key, const Who& to, M message, Where where = Where::current()) {
  return inject(key.owner(), to, sign(key, std::move(message)), where);
}

}  // namespace ordeal::protocols
