// Labelling: which renaming takes a state to the one that stands for its class.
//
// Every point gets a colour that does not depend on its own name or on those of points like it, so
// that renamed states have renamed colours. Points go to places in the order of their colours.
// Among points of one colour every order is tried, except where exchanging two of them changes
// nothing; the image with the least fingerprint stands for the class. That is canonical: two states
// have the same image if and only if they are of one class (up to collisions of hashes, which split
// a class and never join two).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail {

class Labelling {
 public:
  // What only matters where colours do not tell all points apart.
  class Source {
   public:
    virtual ~Source() = default;
    // How `a` and `b` occur together: a hash that does not depend on the names of points.
    virtual uint64_t relation(uint8_t a, uint8_t b) = 0;
    // Whether exchanging the two changes nothing.
    virtual bool exchangeable(uint8_t a, uint8_t b) = 0;
    // The fingerprint of the renamed state.
    virtual uint64_t image(const std::vector<uint8_t>& to) = 0;
  };

  // REQUIRES: the classes hold every point once, each class in ascending order.
  explicit Labelling(std::vector<std::vector<uint8_t>> classes);

  // Sets `to`, by point. `colours`: by point.
  void find(const std::vector<uint64_t>& colours, Source& source, std::vector<uint8_t>& to);

 private:
  // The points of each class by colour, into `order_`; true: no two have the same.
  bool sort(const std::vector<uint64_t>& colours);
  void assign(std::vector<uint8_t>& to) const;
  // The first points of equal colour that are not all exchangeable: [begin, end) of order_.
  bool find_tie(const std::vector<uint64_t>& colours, Source& source, size_t& begin, size_t& end);
  bool exchangeable(uint8_t a, uint8_t b, Source& source);
  void refine(std::vector<uint64_t>& colours);
  void search(std::vector<uint64_t> colours, Source& source, std::vector<uint8_t>& best);

  std::vector<std::vector<uint8_t>> classes_;
  size_t points_ = 0;
  std::vector<uint8_t> places_;  // the classes one after the other
  std::vector<size_t> ends_;     // of each class, in places_
  std::vector<uint8_t> order_;   // as places_, but by colour
  std::vector<uint8_t> known_;   // exchangeable(a, b): 0 unknown, 1 no, 2 yes
  std::vector<uint64_t> relations_;
  std::vector<uint8_t> trial_;
  bool found_ = false;
  uint64_t least_ = 0;
};

}  // namespace ordeal::detail
