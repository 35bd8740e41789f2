package caddymodule

import (
	"slices"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/logging"
	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// accessLogName is the logger that the HTTP app writes access logs to, or the first
// part of its name.
const accessLogName = "http.log.access"

// loggedKey is the header of agents' keys as access logs spell it. Caddy leaves
// Authorization out of them by itself, and this one not.
const loggedKey = "X-Api-Key"

// accessLogsWithKeys returns the access loggers of the site whose handler is being
// provisioned with ctx that write agents' keys. A log is left out when it cannot be
// told what it writes.
func accessLogsWithKeys(ctx caddy.Context) []string {
	server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	if !ok || server.Logs == nil || foreignEncoders() {
		return nil
	}
	return slices.DeleteFunc(accessLoggers(server.Logs, siteHosts(ctx)), func(name string) bool {
		return !writesKey(ctx.Logger(loggerName(name)).Core())
	})
}

// accessLoggers returns the names of the loggers that requests for the hosts are
// logged with; no hosts are all hosts. The logger of requests for hosts that the
// server does not know is among them, since an agent may have called the site by
// another name, or by its address.
func accessLoggers(c *caddyhttp.ServerLogConfig, hosts []string) []string {
	var names []string
	add := func(last string) {
		name := accessLogName
		if last != "" {
			name += "." + last
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for pattern, loggers := range c.LoggerNames {
		if len(hosts) == 0 || slices.ContainsFunc(hosts, func(h string) bool { return certmagic.MatchWildcard(h, pattern) }) {
			for _, name := range loggers {
				add(name)
			}
		}
	}
	if !c.SkipUnmappedHosts {
		add(c.DefaultLoggerName)
	}
	slices.Sort(names)
	return names
}

// foreignEncoders reports whether Caddy was built with encoders of log entries that
// are not its own, of which nobody knows what they write.
func foreignEncoders() bool {
	for _, module := range caddy.GetModules("caddy.logging.encoders") {
		switch module.ID.Name() {
		case "append", "console", "filter", "journald", "json", "nop":
		default:
			return true
		}
	}
	return false
}

// loggerName stands for the module of a logger when its log is asked for.
type loggerName string

// CaddyModule returns the Caddy module information.
func (n loggerName) CaddyModule() caddy.ModuleInfo { return caddy.ModuleInfo{ID: caddy.ModuleID(n)} }

// writesKey reports whether a log would write the header of agents' keys. It adds a
// field to a copy of the log, as a request would be added, and sees how far the
// encoder gets; nothing is written.
func writesKey(log zapcore.Core) (written bool) {
	log.With([]zapcore.Field{zap.Object("request", zapcore.ObjectMarshalerFunc(func(request zapcore.ObjectEncoder) error {
		return request.AddObject("headers", zapcore.ObjectMarshalerFunc(func(headers zapcore.ObjectEncoder) error {
			if filter, ok := headers.(logging.FilterEncoder); ok && filter.Fields["request>headers>"+loggedKey] != nil {
				return nil // whatever it is made, it was thought of
			}
			return headers.AddArray(loggedKey, zapcore.ArrayMarshalerFunc(func(zapcore.ArrayEncoder) error {
				written = true
				return nil
			}))
		}))
	}))})
	return written
}

// warnOfKeysInLogs tells the operator of every access log that holds agents' keys,
// once.
func warnOfKeysInLogs(handlers []*Handler) {
	warned := map[string]bool{}
	for _, h := range handlers {
		for _, name := range h.keysInLogs {
			if warned[name] {
				continue
			}
			warned[name] = true
			which := "an access log of the site"
			if name == accessLogName {
				which = "Caddy's own log, where requests for hosts that it does not know are written too,"
			}
			h.logger.Warn(which+" holds agents' keys: give it format filter { request>headers>"+loggedKey+" delete }, as in Caddyfile.example",
				zap.String("access_logger", name))
		}
	}
}
