#pragma once
// The shapes in which servers send what they generate. Which requests make which shape is target's to know.

#include <cstddef>
#include <cstdint>

namespace loadline {

enum class StreamFormat : std::uint8_t {
  openai,      ///< chat completions and completions: SSE, ends with [DONE]
  responses,   ///< OpenAI responses: SSE with typed events, ends with response.completed
  anthropic,   ///< Anthropic messages: SSE with typed events, ends with message_stop
  tgi,         ///< TGI /generate_stream: SSE of tokens, the last one with generated_text
  sglang,      ///< SGLang /generate: SSE of the whole text so far, counts in meta_info
  llamacpp,    ///< llama-server /completion: SSE of content, the last one with stop and timings
  ollama,      ///< Ollama /api/chat and /api/generate: lines of JSON, the last one with done
  embeddings,  ///< one JSON body, no token stream
};
inline constexpr std::size_t stream_format_count = 8;

}  // namespace loadline
