package caddymodule

import (
	"testing"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/google/go-cmp/cmp"
)

func TestAccessLoggers(t *testing.T) {
	names := map[string]caddyhttp.StringArray{"shop.example": {"shop"}, "*.example": {"all", "audit"}}
	for name, test := range map[string]struct {
		config caddyhttp.ServerLogConfig
		hosts  []string
		want   []string
	}{
		"any host":               {caddyhttp.ServerLogConfig{}, nil, []string{"http.log.access"}},
		"a default of its own":   {caddyhttp.ServerLogConfig{DefaultLoggerName: "log0"}, nil, []string{"http.log.access.log0"}},
		"one host":               {caddyhttp.ServerLogConfig{}, []string{"shop.example"}, []string{"http.log.access"}},
		"a host that is mapped":  {caddyhttp.ServerLogConfig{LoggerNames: names, SkipUnmappedHosts: true}, []string{"b.example"}, []string{"http.log.access.all", "http.log.access.audit"}},
		"and hosts that are not": {caddyhttp.ServerLogConfig{LoggerNames: names}, []string{"b.example"}, []string{"http.log.access", "http.log.access.all", "http.log.access.audit"}},
		"not mapped":             {caddyhttp.ServerLogConfig{LoggerNames: names, SkipUnmappedHosts: true}, []string{"shop.test"}, nil},
		"any host of a map":      {caddyhttp.ServerLogConfig{LoggerNames: names, SkipUnmappedHosts: true}, nil, []string{"http.log.access.all", "http.log.access.audit", "http.log.access.shop"}},
	} {
		if diff := cmp.Diff(test.want, accessLoggers(&test.config, test.hosts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
