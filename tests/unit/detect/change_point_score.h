// How well change points agree with those of human annotators: the two measures of the Turing
// Change Point Dataset (van den Burg and Williams, arXiv:2003.06222, section 4).
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace tacho::detect {

using Places = std::set<std::size_t>;
inline constexpr std::size_t kMargin = 5;

// How many of `truth` have a place of their own in `found` within the margin, nearest first.
inline std::size_t Matched(const Places& truth, Places found) {
  std::size_t matched = 0;
  for (const std::size_t place : truth) {
    auto nearest = found.end();
    std::size_t least = kMargin + 1;
    for (auto it = found.begin(); it != found.end(); ++it) {
      const std::size_t away = *it > place ? *it - place : place - *it;
      if (away < least) {
        least = away;
        nearest = it;
      }
    }
    if (nearest == found.end()) continue;
    found.erase(nearest);
    ++matched;
  }
  return matched;
}

// Precision against the union of all annotators, recall averaged over them; index 0 counts as found
// by everyone.
inline double FMeasure(const std::vector<Places>& annotators, Places found) {
  found.insert(0);
  Places all{0};
  double recall = 0;
  for (Places truth : annotators) {
    truth.insert(0);
    all.insert(truth.begin(), truth.end());
    recall += static_cast<double>(Matched(truth, found)) / static_cast<double>(truth.size()) /
              static_cast<double>(annotators.size());
  }
  const double precision =
      static_cast<double>(Matched(all, found)) / static_cast<double>(found.size());
  return 2 * precision * recall / (precision + recall);
}

inline std::vector<std::size_t> Cuts(const Places& places, std::size_t nights) {
  std::vector<std::size_t> cuts{0};
  for (const std::size_t place : places) {
    if (place > 0 && place < nights) cuts.push_back(place);
  }
  cuts.push_back(nights);
  return cuts;
}

// The best overlap (Jaccard) of each annotated segment, weighted by its length, averaged.
inline double Covering(const std::vector<Places>& annotators, const Places& found,
                       std::size_t nights) {
  const std::vector<std::size_t> ours = Cuts(found, nights);
  double total = 0;
  for (const Places& truth : annotators) {
    const std::vector<std::size_t> theirs = Cuts(truth, nights);
    for (std::size_t i = 0; i + 1 < theirs.size(); ++i) {
      double best = 0;
      for (std::size_t j = 0; j + 1 < ours.size(); ++j) {
        const std::size_t from = std::max(theirs[i], ours[j]);
        const std::size_t to = std::min(theirs[i + 1], ours[j + 1]);
        if (from >= to) continue;
        const std::size_t either =
            std::max(theirs[i + 1], ours[j + 1]) - std::min(theirs[i], ours[j]);
        best = std::max(best, static_cast<double>(to - from) / static_cast<double>(either));
      }
      total += best * static_cast<double>(theirs[i + 1] - theirs[i]) / static_cast<double>(nights);
    }
  }
  return total / static_cast<double>(annotators.size());
}

}  // namespace tacho::detect
