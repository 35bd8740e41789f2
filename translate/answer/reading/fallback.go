package reading

import "context"

// Fallback reads with one reader, and what that one fails at by other means.
type Fallback struct {
	Reader Reader
	// Instead reads what Reader fails at. Without it such a question is degraded.
	Instead Reader
	// Observe hears of every question what became of it with Reader: nil, or why it
	// failed. It may be nil.
	Observe func(error)
}

var _ Reader = Fallback{}

// Read implements Reader. The error is that of a context that has ended, or of
// Instead.
func (f Fallback) Read(ctx context.Context, question Question) (Reading, error) {
	read, err := f.Reader.Read(ctx, question)
	if err != nil && ctx.Err() != nil {
		return Reading{}, ctx.Err()
	}
	if f.Observe != nil {
		f.Observe(err)
	}
	switch {
	case err == nil:
		return read, nil
	case f.Instead == nil:
		return Degrade(question, Unreadable), nil
	}
	return f.Instead.Read(ctx, question)
}
