package doctor

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// logJSON is a log in a configuration of Caddy.
type logJSON struct {
	Include []string `json:"include"`
	Exclude []string `json:"exclude"`
	Writer  struct {
		Output string `json:"output"`
	} `json:"writer"`
	Encoder struct {
		Format string                     `json:"format"`
		Fields map[string]json.RawMessage `json:"fields"`
	} `json:"encoder"`
}

// serverLogsJSON says to which loggers a server writes its requests.
type serverLogsJSON struct {
	DefaultLoggerName string                     `json:"default_logger_name"`
	LoggerNames       map[string]json.RawMessage `json:"logger_names"`
	SkipHosts         []string                   `json:"skip_hosts"`
	SkipUnmappedHosts bool                       `json:"skip_unmapped_hosts"`
}

// accessLogger begins the names of the loggers of requests.
const accessLogger = "http.log.access"

// revealing returns the logs that would show the field X-API-Key of requests for a
// host, and whether such requests are logged at all.
func (s *serverJSON) revealing(host string, logs map[string]logJSON) (logged bool, revealing []string) {
	loggers := s.Logs.loggers(host)
	if _, ok := logs["default"]; !ok {
		// Caddy makes one, which takes everything.
		logs = maps.Clone(logs)
		if logs == nil {
			logs = map[string]logJSON{}
		}
		logs["default"] = logJSON{}
	}
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		log := logs[name]
		if log.Writer.Output == "discard" || !slices.ContainsFunc(loggers, log.takes) {
			continue
		}
		logged = true
		if !log.hidesKeys() {
			revealing = append(revealing, name)
		}
	}
	return logged, revealing
}

// loggers returns the loggers that requests for a host are written to, and those for
// hosts that the server does not know: an agent may have called the site by another
// name, or by its address.
func (l *serverLogsJSON) loggers(host string) []string {
	if l == nil {
		return nil
	}
	var names []string
	if raw, ok := l.LoggerNames[host]; ok && !slices.Contains(l.SkipHosts, host) {
		// One name or several; Caddy itself has read it already.
		var one string
		if json.Unmarshal(raw, &names) != nil && json.Unmarshal(raw, &one) == nil {
			names = []string{one}
		}
	}
	if !l.SkipUnmappedHosts {
		names = append(names, l.DefaultLoggerName)
	}
	var loggers []string
	for _, name := range names {
		if name == "" {
			loggers = append(loggers, accessLogger)
		} else {
			loggers = append(loggers, accessLogger+"."+name)
		}
	}
	return loggers
}

// takes reports whether a log takes what a logger writes.
func (l logJSON) takes(logger string) bool {
	return (len(l.Include) == 0 || within(logger, l.Include)) && !within(logger, l.Exclude)
}

// within reports whether a logger is one of those named, or below one.
func within(logger string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return logger == name || strings.HasPrefix(logger, name+".")
	})
}

// hidesKeys reports whether a log leaves the field X-API-Key out, or changes it.
func (l logJSON) hidesKeys() bool {
	if l.Encoder.Format != "filter" {
		return false
	}
	for _, field := range []string{"request>headers>X-Api-Key", "request>headers", "request"} {
		if _, ok := l.Encoder.Fields[field]; ok {
			return true
		}
	}
	return false
}
