// Package openai reads questions with a language model behind an
// OpenAI-compatible chat-completions endpoint.
//
// The model is asked for strict JSON (response_format json_schema), and what it
// claims is held against the shopper's words: a number that was not said, or a
// value that was neither said nor is one of the shop's own, makes the whole
// answer untrusted. The words, and nothing else of the question, are sent.
//
// A [Reader] fails fast: calls are bounded in time and size, and after several
// failures in a row the endpoint is left alone for a while. Every failure is an
// error; what is read instead is the caller's to decide.
package openai
