#include "trace/text_blocks.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "trace/characters.h"

namespace loadline {

TextKey::TextKey() {
  check(RAND_bytes(bytes_.data(), static_cast<int>(bytes_.size())) == 1, "the system gives random bytes");
}

struct TextBlocks::Mac {
  explicit Mac(const TextKey& import_key) : key(import_key) {
    EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, "SIPHASH", nullptr);
    check(algorithm != nullptr, "OpenSSL has SipHash");
    context = EVP_MAC_CTX_new(algorithm);
    EVP_MAC_free(algorithm);
    check(context != nullptr, "OpenSSL starts SipHash");
  }
  ~Mac() { EVP_MAC_CTX_free(context); }
  Mac(const Mac&) = delete;
  Mac& operator=(const Mac&) = delete;

  TextKey key;
  EVP_MAC_CTX* context = nullptr;
};

TextBlocks::TextBlocks(const TextKey& key) : mac_(std::make_unique<Mac>(key)) {}
TextBlocks::~TextBlocks() = default;
TextBlocks::TextBlocks(TextBlocks&&) noexcept = default;
TextBlocks& TextBlocks::operator=(TextBlocks&&) noexcept = default;

void TextBlocks::clear() {
  held_size_ = 0;
  chain_ = 0;
  characters_ = bytes_ = 0;
}

void TextBlocks::add(std::string_view piece, std::vector<std::uint64_t>& ids) {
  bytes_ += static_cast<std::int64_t>(piece.size());
  characters_ += count_characters(piece);
  while (!piece.empty()) {
    const std::size_t count = std::min(piece.size(), block_bytes - held_size_);
    std::memcpy(held_.data() + held_size_, piece.data(), count);
    held_size_ += count;
    piece.remove_prefix(count);
    if (held_size_ < block_bytes) return;
    chain_ = hash_block({held_.data(), block_bytes});
    ids.push_back(chain_);
    held_size_ = 0;
  }
}

std::uint64_t TextBlocks::hash_block(std::string_view block) {
  std::size_t size = sizeof(std::uint64_t);
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
  std::uint64_t hash = 0;
  std::size_t written = 0;
  const bool done =
      EVP_MAC_init(mac_->context, mac_->key.bytes().data(), mac_->key.bytes().size(), parameters) == 1 &&
      EVP_MAC_update(mac_->context, reinterpret_cast<const unsigned char*>(&chain_), sizeof chain_) == 1 &&
      EVP_MAC_update(mac_->context, reinterpret_cast<const unsigned char*>(block.data()), block.size()) == 1 &&
      EVP_MAC_final(mac_->context, reinterpret_cast<unsigned char*>(&hash), &written, sizeof hash) == 1;
  check(done && written == sizeof hash, "SipHash of a block is made");
  return hash;
}

}  // namespace loadline
