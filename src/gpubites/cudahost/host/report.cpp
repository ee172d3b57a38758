// Findings, as JSON lines in the file that $CUDAHOST_REPORT names. Code addresses stay numbers: Python looks up the lines.
#include <unistd.h>

#include "host.h"

namespace cudahost {

bool undefined_used = false;

namespace {

FILE* file() {
  static FILE* it = [] {
    const char* path = getenv("CUDAHOST_REPORT");
    return path ? fopen(path, "a") : stderr;
  }();
  return it;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c < 32) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += char(c);
    }
  }
  return out + '"';
}

std::unordered_set<std::string> said;
constexpr size_t MOST = 60;

}  // namespace

const char* name_of(Space space) {
  switch (space) {
    case Space::none: return "";
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::constant: return "constant";
    case Space::managed: return "managed";
    case Space::pinned: return "pinned";
    case Space::local: return "local";
    case Space::host: return "host";
  }
  return "";
}

Finding::Finding(const char* kind) : fields_("\"event\":\"problem\",\"kind\":" + quoted(kind)), key_(kind) {}

Finding& Finding::space(Space space) { return text("space", name_of(space)); }

Finding& Finding::at(Site site) {
  key_ += '@' + std::to_string(site);
  return number("pc", site);
}

Finding& Finding::other(Site site) {
  key_ += '/' + std::to_string(site);
  return number("other_pc", site);
}

Finding& Finding::thread(const char* role, const Operation& operation, unsigned block, unsigned thread) {
  const dim3 &g = operation.grid, &b = operation.block;
  std::string at = "[" + std::to_string(block % g.x) + "," + std::to_string(block / g.x % g.y) + "," + std::to_string(block / g.x / g.y) + "," +
                   std::to_string(thread % b.x) + "," + std::to_string(thread / b.x % b.y) + "," + std::to_string(thread / b.x / b.y) + "]";
  fields_ += std::string(",\"") + role + "\":" + at + ",\"" + role + "_kernel\":" + quoted(operation.kernel);
  return *this;
}

Finding& Finding::thread(const Thread& t) { return thread("thread", *t.block->operation, t.block->index, t.index); }

Finding& Finding::text(const char* key, const std::string& value) {
  fields_ += std::string(",\"") + key + "\":" + quoted(value);
  return *this;
}

Finding& Finding::number(const char* key, long long value) {
  fields_ += std::string(",\"") + key + "\":" + std::to_string(value);
  return *this;
}

Finding& Finding::object(const Allocation& it, Address a) {
  text("object", it.name).number("object_bytes", (long long)it.size()).number("object_pc", it.site);
  if (it.freed) number("freed_pc", it.freed_at);
  return number("offset", (long long)(a - it.begin));
}

std::string Finding::line() const { return key_ + '\n' + fields_; }

void Finding::report() const { report(line()); }

void Finding::report(const std::string& line) {
  size_t split = line.find('\n');
  if (said.size() < MOST && said.insert(line.substr(0, split)).second) report_line("{" + line.substr(split + 1) + "}");
}

void note(const char* kind, Site site, const std::string& detail, Site other) {
  if (!said.insert("note " + std::string(kind) + std::to_string(site) + "/" + std::to_string(other)).second) return;
  report_line("{\"event\":\"note\",\"kind\":" + quoted(kind) + ",\"pc\":" + std::to_string(site) + ",\"other_pc\":" + std::to_string(other) +
              ",\"detail\":" + quoted(detail) + "}");
}

void not_covered(Site site, const char* what) {
  Finding("not-covered").space(Space::none).at(site).text("detail", what).report();
  stop(2);
}

void report_line(const std::string& line) {
  fprintf(file(), "%s\n", line.c_str());
  fflush(file());
}

void stop(int status) {
  fflush(stdout);
  fflush(stderr);
  _exit(status);
}

}  // namespace cudahost
