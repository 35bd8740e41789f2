package reading_test

import (
	"context"
	"errors"
	"testing"

	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// reader is what a test makes of a question.
type reader func(context.Context, reading.Question) (reading.Reading, error)

func (r reader) Read(ctx context.Context, q reading.Question) (reading.Reading, error) {
	return r(ctx, q)
}

func TestFallback(t *testing.T) {
	away := errors.New("the model is away")
	fails := reader(func(context.Context, reading.Question) (reading.Reading, error) { return reading.Reading{}, away })
	reads := reader(func(_ context.Context, q reading.Question) (reading.Reading, error) {
		return reading.Complete(q, []reading.Pass{{Noun: "model's"}}, nil, "en"), nil
	})
	rules := reading.NewRules()
	for _, test := range []struct {
		name     string
		fallback reading.Fallback
		want     string
		observed error
	}{
		{"read", reading.Fallback{Reader: reads, Instead: rules}, "model's", nil},
		{"read instead", reading.Fallback{Reader: fails, Instead: rules}, "boot <=15000", away},
		{"degraded", reading.Fallback{Reader: fails}, "degraded unreadable", away},
	} {
		t.Run(test.name, func(t *testing.T) {
			heard := 0
			test.fallback.Observe = func(err error) {
				heard++
				if !errors.Is(err, test.observed) {
					t.Errorf("heard of %v, want %v", err, test.observed)
				}
			}
			got, err := test.fallback.Read(t.Context(), reading.Question{Words: "boots under 150", Language: "en"})
			if err != nil || summary(got) != test.want || heard != 1 {
				t.Errorf("read as %q, %v, and %d were heard of; want %q", summary(got), err, heard, test.want)
			}
		})
	}
}

// Who gives up is not answered, and the reader has not failed.
func TestFallbackGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ends := reader(func(context.Context, reading.Question) (reading.Reading, error) {
		cancel()
		return reading.Reading{}, errors.New("cut off")
	})
	f := reading.Fallback{Reader: ends, Observe: func(err error) { t.Errorf("heard of %v", err) }}
	if _, err := f.Read(ctx, reading.Question{Words: "boots"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
