// Whether this recorder is the only one of its spool: what lies beside the spool is written by one.
#pragma once

#include <filesystem>

namespace tacho {

// Loop thread. The spool has a lock of its own, which the spool thread takes when the disk lets it;
// this one is known at once, before the run file and the flight ring are touched.
class SoleRecorder {
 public:
  explicit SoleRecorder(std::filesystem::path folder);
  ~SoleRecorder();
  SoleRecorder(const SoleRecorder&) = delete;
  SoleRecorder& operator=(const SoleRecorder&) = delete;

  // False while another process is the recorder of the folder; asked again, it may have ended.
  // A folder that is not there is nobody's: it is no reason to write nothing.
  bool Claim();
  const std::filesystem::path& folder() const { return folder_; }

 private:
  const std::filesystem::path folder_;
  int lock_ = -1;  // held while open
};

}  // namespace tacho
