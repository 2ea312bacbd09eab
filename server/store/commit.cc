// Committing records: what is new, what is there already, what overlaps; main.db before the day.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "server/store/sqlite_run_store.h"

namespace tacho {

struct SqliteRunStore::Plan {
  std::vector<Outcome> outcomes;
  std::map<StreamId, SeqRanges> after;  // what will be committed of each touched stream
  std::vector<std::size_t> to_main;     // indexes of arrivals
  std::map<std::size_t, std::vector<SeqRange>> gaps;  // of arrivals that are gaps: what is missing
  std::map<Day, std::vector<std::size_t>> to_day;
  std::set<DictionaryHash> dictionaries;  // that this commit brings
};

namespace {

Outcome Stored() {
  return {Outcome::What::kStored, {}};
}

Outcome Overlap(SeqRange seqs) {
  return {Outcome::What::kRefused,
          Status(Code::kExists, fmt::format("records {} to {} are stored in part: send only those"
                                            " that are missing",
                                            Number(seqs.first), Number(seqs.end()) - 1))};
}

}  // namespace

// Fills the plan without touching a file.
void SqliteRunStore::Decide(std::span<const Arrival> arrivals, Plan& plan) {
  const auto ranges = [&](const StreamId& stream) -> SeqRanges& {
    const auto [at, is_new] = plan.after.try_emplace(stream);
    if (is_new) at->second = book_.Of(stream);
    return at->second;
  };
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const Arrival& arrival = arrivals[i];
    SeqRanges& committed = ranges(arrival.stream());
    if (committed.Contains(arrival.record.seqs)) {
      plan.outcomes.push_back({Outcome::What::kAlreadyThere, {}});
      continue;
    }
    if (committed.Overlaps(arrival.record.seqs)) {
      plan.outcomes.push_back(Overlap(arrival.record.seqs));
      continue;
    }
    if (std::holds_alternative<SummaryFacts>(arrival.meaning)) {
      const DictionaryHash hash = arrival.record.dictionary;
      if (!plan.dictionaries.contains(hash) && !FindDictionary(hash).ok()) {
        plan.outcomes.push_back(
            {Outcome::What::kRefused, Status(Code::kNotFound, "dictionary unknown")});
        continue;
      }
      plan.to_day[DayOf(arrival.received)].push_back(i);
    } else {
      plan.to_main.push_back(i);
    }
    committed.Add(arrival.record.seqs);
    if (const auto* facts = std::get_if<DictionaryFacts>(&arrival.meaning)) {
      plan.dictionaries.insert(facts->hash);
    }
    if (const auto* gap = std::get_if<Gap>(&arrival.meaning)) {
      SeqRanges& evicted = ranges({arrival.robot, gap->stream});
      plan.gaps[i] = evicted.MissingIn(gap->seqs);
      evicted.Add(gap->seqs);
    }
    plan.outcomes.push_back(Stored());
  }
}

Result<std::vector<Outcome>> SqliteRunStore::Commit(std::span<const Arrival> arrivals) {
  Plan plan;
  Decide(arrivals, plan);
  if (!plan.to_main.empty()) TACHO_TRY(WriteMain(arrivals, plan));
  for (const auto& [day, indexes] : plan.to_day)
    TACHO_TRY(WriteDay(arrivals, plan, day));
  return std::move(plan.outcomes);
}

Status SqliteRunStore::WriteMain(std::span<const Arrival> arrivals, const Plan& plan) {
  Status written = RunInMain("store events", [&](MainFile& main) -> Status {
    for (const std::size_t i : plan.to_main) {
      const Arrival& arrival = arrivals[i];
      const auto gap = plan.gaps.find(i);
      TACHO_TRY(main.Add(arrival, gap == plan.gaps.end() ? std::vector<SeqRange>() : gap->second));
      TACHO_TRY(main.AddMark(arrival.stream(), arrival.record.seqs, arrival.received));
    }
    return {};
  });
  TACHO_TRY(std::move(written));
  for (const std::size_t i : plan.to_main) {
    book_.AddStored(arrivals[i].stream(), arrivals[i].record.seqs);
    const auto* gap = std::get_if<Gap>(&arrivals[i].meaning);
    if (gap == nullptr) continue;
    for (const SeqRange& range : plan.gaps.at(i)) {
      book_.AddGap({arrivals[i].robot, gap->stream}, range);
    }
  }
  return {};
}

Status SqliteRunStore::WriteDay(std::span<const Arrival> arrivals, const Plan& plan, Day day) {
  const auto& indexes = plan.to_day.at(day);
  const auto file = FileOf(day, arrivals[indexes.front()].received);
  if (!file.ok()) return *file.error();
  DayFile& into = **file;
  const auto write = [&]() -> Status {
    Transaction transaction(into.database());
    TACHO_TRY(transaction.Begin());
    for (const std::size_t i : indexes) {
      const Arrival& arrival = arrivals[i];
      TACHO_TRY(
          into.AddBatch(arrival.stream(), arrival.record, std::get<SummaryFacts>(arrival.meaning)));
      TACHO_TRY(into.AddMark(arrival.stream(), arrival.record.seqs));
    }
    return transaction.Commit();
  };
  if (Status failed = write(); !failed.ok()) {
    into.Forget();
    return std::move(failed).Under("store batches");
  }
  for (const std::size_t i : indexes) {
    const auto& facts = std::get<SummaryFacts>(arrivals[i].meaning);
    book_.AddStored(arrivals[i].stream(), arrivals[i].record.seqs);
    uncompacted_[day][arrivals[i].stream()] += facts.rows;
    if (facts.rows > 0) book_.See(arrivals[i].stream().boot(), facts.first, facts.last);
  }
  return {};
}

Status SqliteRunStore::RunInMain(std::string_view doing,
                                 const std::function<Status(MainFile&)>& write) {
  const auto run = [&]() -> Status {
    Transaction transaction(main_.database());
    TACHO_TRY(transaction.Begin());
    TACHO_TRY(write(main_));
    return transaction.Commit();
  };
  Status done = run();
  if (!done.ok()) main_.Forget();
  return std::move(done).Under(doing);
}

}  // namespace tacho
