package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// maxBody bounds the bytes of an answer.
const maxBody = 64 << 10

// request leaves the temperature out: some models take no other than their own.
type request struct {
	Model          string         `json:"model"`
	Messages       []message      `json:"messages"`
	ResponseFormat responseFormat `json:"response_format"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type   string     `json:"type"`
	Schema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type response struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
}

// complete asks the model and returns what it wrote.
func (r *Reader) complete(ctx context.Context, words string) ([]byte, error) {
	body, err := json.Marshal(request{
		Model:    r.config.Model,
		Messages: []message{{Role: "system", Content: instructions}, {Role: "user", Content: words}},
		ResponseFormat: responseFormat{
			Type: "json_schema", Schema: jsonSchema{Name: "reading", Strict: true, Schema: json.RawMessage(schema)},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if !r.config.Key.IsZero() {
		req.Header.Set("Authorization", "Bearer "+r.config.Key.Reveal())
	}
	res, err := r.config.HTTP.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", ErrUnavailable, res.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if len(answer) > maxBody {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrAnswer, maxBody)
	}
	var decoded response
	if err := json.Unmarshal(answer, &decoded); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if len(decoded.Choices) == 0 {
		return nil, fmt.Errorf("%w: no choices", ErrAnswer)
	}
	choice := decoded.Choices[0]
	if choice.Message.Refusal != "" || choice.FinishReason != "" && choice.FinishReason != "stop" {
		return nil, fmt.Errorf("%w: refused or cut off", ErrAnswer)
	}
	return []byte(choice.Message.Content), nil
}
