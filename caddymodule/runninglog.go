package caddymodule

import (
	"context"
	"log/slog"
	"slices"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// runningLog is where a shop logs to: the log of the configuration that runs by
// then, since a shop outlives the one that opened it.
type runningLog struct {
	name   string
	fields []zap.Field
}

// Enabled implements slog.Handler.
func (l runningLog) Enabled(_ context.Context, level slog.Level) bool {
	return caddy.Log().Core().Enabled(zapLevel(level))
}

// Handle implements slog.Handler.
func (l runningLog) Handle(_ context.Context, r slog.Record) error {
	fields := slices.Clone(l.fields)
	r.Attrs(func(a slog.Attr) bool {
		fields = append(fields, zap.Any(a.Key, a.Value.Resolve().Any()))
		return true
	})
	caddy.Log().Named(l.name).Log(zapLevel(r.Level), r.Message, fields...)
	return nil
}

// WithAttrs implements slog.Handler.
func (l runningLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.fields = slices.Clone(l.fields)
	for _, a := range attrs {
		l.fields = append(l.fields, zap.Any(a.Key, a.Value.Resolve().Any()))
	}
	return l
}

// WithGroup implements slog.Handler.
func (l runningLog) WithGroup(name string) slog.Handler {
	l.fields = append(slices.Clone(l.fields), zap.Namespace(name))
	return l
}

func zapLevel(level slog.Level) zapcore.Level {
	switch {
	case level >= slog.LevelError:
		return zapcore.ErrorLevel
	case level >= slog.LevelWarn:
		return zapcore.WarnLevel
	case level >= slog.LevelInfo:
		return zapcore.InfoLevel
	}
	return zapcore.DebugLevel
}
