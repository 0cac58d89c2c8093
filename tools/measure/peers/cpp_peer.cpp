// Stores SKAdNetwork 4.0 postbacks with Boost.Beast, Boost.JSON, OpenSSL and SQLite, answered only after a durable
// commit.
//
//   cpp_peer PORT DATABASE PUBLIC_KEY     (the key is DER in base64)
//
// One writer commits what has come together.
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/json/src.hpp>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace json = boost::json;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::string_view path = "/.well-known/skadnetwork/report-attribution/";
constexpr std::size_t most_bytes = 64 << 10;
constexpr std::size_t most_at_once = 512;

constexpr const char* schema = R"(PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS postback(id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, network TEXT NOT NULL,
source TEXT NOT NULL, app INTEGER NOT NULL, identifier TEXT NOT NULL, window INTEGER NOT NULL, fine INTEGER,
coarse TEXT, body BLOB NOT NULL, UNIQUE(identifier, window)) STRICT)";

constexpr const char* insertion = R"(INSERT INTO postback(received_at, network, source, app, identifier, window, fine,
coarse, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING)";

std::optional<std::string> decoded(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int count = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                    reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (count < 0) return std::nullopt;
  // The function counts the bytes that padding stands for.
  const auto padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
  if (padding > 2) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(count) - padding);
  return bytes;
}

// Reading and checking ------------------------------------------------------------------------------------------------

struct Postback {
  std::string network, source, identifier;
  std::int64_t app = 0, window = 0;
  std::optional<std::int64_t> fine;
  std::optional<std::string> coarse;
  std::string message, signature, body;
};

/// A member, or nothing where it is absent or null.
const json::value* optional_member(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value && !value->is_null() ? value : nullptr;
}

/// The postback of a body; throws where a member is missing or of a wrong type.
Postback read(std::string body) {
  unsigned char room[8192];
  json::monotonic_resource memory(room, sizeof room);
  const json::value parsed = json::parse(body, &memory);
  const auto& object = parsed.as_object();
  const auto text = [&](std::string_view name) -> std::string_view { return object.at(name).as_string(); };
  const auto integer = [&](std::string_view name) { return object.at(name).as_int64(); };
  const auto truth = [&](std::string_view name) { return object.at(name).as_bool() ? "true" : "false"; };
  if (text("version") != "4.0") throw std::invalid_argument("another version");

  Postback p;
  p.network = text("ad-network-id");
  p.source = text("source-identifier");
  p.identifier = text("transaction-id");
  p.app = integer("app-id");
  p.window = integer("postback-sequence-index");
  if (const auto* fine = optional_member(object, "conversion-value")) p.fine = fine->as_int64();
  if (const auto* coarse = optional_member(object, "coarse-conversion-value")) p.coarse.emplace(coarse->as_string());

  constexpr std::string_view separator = "\u2063";
  p.message.reserve(256);
  p.message += "4.0";
  const auto add = [&](std::string_view part) { p.message.append(separator).append(part); };
  add(p.network);
  add(p.source);
  add(std::to_string(p.app));
  add(p.identifier);
  add(truth("redownload"));
  if (const auto* app = optional_member(object, "source-app-id")) add(std::to_string(app->as_int64()));
  else if (const auto* domain = optional_member(object, "source-domain")) add(domain->as_string());
  add(std::to_string(integer("fidelity-type")));
  add(truth("did-win"));
  add(std::to_string(p.window));

  auto signature = decoded(text("attribution-signature"));
  if (!signature) throw std::invalid_argument("no base64");
  p.signature = std::move(*signature);
  p.body = std::move(body);
  return p;
}

EVP_PKEY* public_key(std::string_view encoded) {
  const auto der = decoded(encoded);
  if (!der) throw std::invalid_argument("the key is no base64");
  const auto* at = reinterpret_cast<const unsigned char*>(der->data());
  auto* key = d2i_PUBKEY(nullptr, &at, static_cast<long>(der->size()));
  if (!key) throw std::invalid_argument("the key is no public key");
  return key;
}

bool is_signed(const Postback& p, EVP_PKEY* key) {
  // A context for each thread, so that no check waits for another or sets the key up again.
  thread_local const std::unique_ptr<EVP_PKEY_CTX, void (*)(EVP_PKEY_CTX*)> context = [key] {
    std::unique_ptr<EVP_PKEY_CTX, void (*)(EVP_PKEY_CTX*)> made(EVP_PKEY_CTX_new(key, nullptr), EVP_PKEY_CTX_free);
    if (!made || EVP_PKEY_verify_init(made.get()) != 1) throw std::runtime_error("the key cannot check");
    return made;
  }();
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(p.message.data()), p.message.size(), digest);
  return EVP_PKEY_verify(context.get(), reinterpret_cast<const unsigned char*>(p.signature.data()), p.signature.size(),
                         digest, sizeof digest) == 1;
}

// Storing -------------------------------------------------------------------------------------------------------------

/// Commits whatever waits, up to 512 postbacks at once, on a thread of its own.
class Writer {
 public:
  struct Job {
    Postback postback;
    std::function<void(bool)> done;
  };

  explicit Writer(const char* file) {
    if (sqlite3_open(file, &database_) != SQLITE_OK) fail();
    sqlite3_busy_timeout(database_, 30'000);
    run(schema);
    if (sqlite3_prepare_v2(database_, insertion, -1, &statement_, nullptr) != SQLITE_OK) fail();
    std::thread([this] { write(); }).detach();
  }

  void store(Job job) {
    {
      std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(job));
    }
    arrived_.notify_one();
  }

 private:
  void write() {
    std::vector<Job> batch;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !waiting_.empty(); });
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), most_at_once));
        batch.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
        waiting_.erase(waiting_.begin(), end);
      }
      bool stored = true;
      try {
        run("BEGIN IMMEDIATE");
        for (const auto& job : batch) insert(job.postback);
        run("COMMIT");
      } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        stored = false;
        if (!sqlite3_get_autocommit(database_)) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
      }
      for (const auto& job : batch) job.done(stored);
    }
  }

  void insert(const Postback& p) {
    using namespace std::chrono;
    const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    const auto text = [this](int at, const std::string& value) {
      sqlite3_bind_text(statement_, at, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
    };
    sqlite3_bind_int64(statement_, 1, now);
    text(2, p.network);
    text(3, p.source);
    sqlite3_bind_int64(statement_, 4, p.app);
    text(5, p.identifier);
    sqlite3_bind_int64(statement_, 6, p.window);
    if (p.fine) sqlite3_bind_int64(statement_, 7, *p.fine);
    else sqlite3_bind_null(statement_, 7);
    if (p.coarse) text(8, *p.coarse);
    else sqlite3_bind_null(statement_, 8);
    sqlite3_bind_blob(statement_, 9, p.body.data(), static_cast<int>(p.body.size()), SQLITE_STATIC);
    const bool done = sqlite3_step(statement_) == SQLITE_DONE;
    sqlite3_reset(statement_);
    if (!done) fail();
  }

  void run(const char* statements) {
    if (sqlite3_exec(database_, statements, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  [[noreturn]] void fail() { throw std::runtime_error(sqlite3_errmsg(database_)); }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Job> waiting_;
};

// Serving -------------------------------------------------------------------------------------------------------------

/// A connection: reads a request, answers it, reads the next one. What it waits for holds it alive.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, EVP_PKEY* key, Writer& writer) : socket_(std::move(socket)), key_(key), writer_(writer) {}

  void next() {
    parser_.emplace();
    parser_->body_limit(most_bytes);
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error == http::error::body_limit) self->answer(http::status::bad_request, false);
      else if (!error) self->receive();
    });
  }

 private:
  void receive() {
    auto& request = parser_->get();
    const bool stays = request.keep_alive();
    if (request.method() != http::verb::post || request.target() != path) return answer(http::status::not_found, stays);
    std::optional<Postback> postback;
    try {
      postback = read(std::move(request.body()));
    } catch (const std::exception&) {
    }
    if (!postback || !is_signed(*postback, key_)) return answer(http::status::bad_request, stays);
    writer_.store({std::move(*postback), [self = shared_from_this(), stays](bool stored) {
      const auto status = stored ? http::status::ok : http::status::service_unavailable;
      asio::post(self->socket_.get_executor(), [self, stays, status] { self->answer(status, stays); });
    }});
  }

  void answer(http::status status, bool stays) {
    response_ = {status, 11};
    response_.keep_alive(stays);
    response_.prepare_payload();
    http::async_write(socket_, response_, [self = shared_from_this(), stays](error_code error, std::size_t) {
      if (!error && stays) self->next();
    });
  }

  tcp::socket socket_;
  EVP_PKEY* key_;
  Writer& writer_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::empty_body> response_;
};

void accept(tcp::acceptor& acceptor, EVP_PKEY* key, Writer& writer) {
  acceptor.async_accept([&, key](error_code error, tcp::socket socket) {
    if (!error) {
      socket.set_option(tcp::no_delay(true), error);
      std::make_shared<Session>(std::move(socket), key, writer)->next();
    }
    accept(acceptor, key, writer);
  });
}

int main(int count, char** words) try {
  if (count != 4) throw std::invalid_argument("usage: cpp_peer PORT DATABASE PUBLIC_KEY");
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  asio::io_context context(threads);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), static_cast<unsigned short>(std::stoi(words[1]))});
  Writer writer(words[2]);
  accept(acceptor, public_key(words[3]), writer);
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back([&] { context.run(); });
  context.run();
} catch (const std::exception& error) {
  std::cerr << "cpp_peer: " << error.what() << '\n';
  return 1;
}
