package doctor

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRevealing(t *testing.T) {
	for name, test := range map[string]struct {
		server, logs string
		logged       bool
		revealing    []string
	}{
		"no log":                      {`{}`, `{}`, false, nil},
		"the log that always is":      {`{"logs": {}}`, `null`, true, []string{"default"}},
		"a named log, and no filter":  {`{"logs": {"default_logger_name": "a"}}`, `{"a": {"include": ["http.log.access.a"]}, "default": {"exclude": ["http.log.access.a"]}}`, true, []string{"a"}},
		"a log of all that is below":  {`{"logs": {"default_logger_name": "a"}}`, `{"all": {"include": ["http.log"]}, "default": {"include": ["admin"]}}`, true, []string{"all"}},
		"a name that only begins so":  {`{"logs": {"default_logger_name": "ab"}}`, `{"a": {"include": ["http.log.access.a"]}, "default": {"include": ["admin"]}}`, false, nil},
		"nothing is written":          {`{"logs": {}}`, `{"default": {"writer": {"output": "discard"}}}`, false, nil},
		"the field is hashed":         {`{"logs": {}}`, `{"default": {"encoder": {"format": "filter", "fields": {"request>headers>X-Api-Key": {"filter": "hash"}}}}}`, true, nil},
		"all fields are deleted":      {`{"logs": {}}`, `{"default": {"encoder": {"format": "filter", "fields": {"request>headers": {"filter": "delete"}}}}}`, true, nil},
		"another field is deleted":    {`{"logs": {}}`, `{"default": {"encoder": {"format": "filter", "fields": {"request>headers>Cookie": {"filter": "delete"}}}}}`, true, []string{"default"}},
		"this host is not logged":     {`{"logs": {"skip_hosts": ["shop.example"], "skip_unmapped_hosts": true}}`, `{}`, false, nil},
		"but unknown hosts are":       {`{"logs": {"skip_hosts": ["shop.example"]}}`, `{}`, true, []string{"default"}},
		"only other hosts are logged": {`{"logs": {"skip_unmapped_hosts": true, "logger_names": {"other.example": ["a"]}}}`, `{}`, false, nil},
		"this host's log is good, that of unknown hosts is not": {
			`{"logs": {"logger_names": {"shop.example": ["a"]}}}`,
			`{"a": {"include": ["http.log.access.a"], "encoder": {"format": "filter", "fields": {"request>headers>X-Api-Key": {"filter": "delete"}}}},
			  "default": {"exclude": ["http.log.access.a"]}}`, true,
			[]string{"default"},
		},
		"two logs, one of which is good": {
			`{"logs": {"logger_names": {"shop.example": ["a", "b"]}}}`,
			`{"a": {"include": ["http.log.access.a"], "encoder": {"format": "filter", "fields": {"request>headers>X-Api-Key": {"filter": "delete"}}}},
			  "b": {"include": ["http.log.access.b"]}, "default": {"exclude": ["http.log.access"]}}`, true,
			[]string{"b"},
		},
	} {
		var server serverJSON
		var logs map[string]logJSON
		if err := json.Unmarshal([]byte(test.server), &server); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(test.logs), &logs); err != nil {
			t.Fatal(err)
		}
		logged, revealing := server.revealing("shop.example", logs)
		if diff := cmp.Diff(test.revealing, revealing); logged != test.logged || diff != "" {
			t.Errorf("%s: logged is %v (-want +got):\n%s", name, logged, diff)
		}
	}
}
