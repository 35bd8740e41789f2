package statetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func scanTests() []test {
	return []test{
		{"order, prefix and after", testScanRanges},
		{"many entries", testScanMany},
		{"large entries", testScanLarge},
		{"values and versions", testScanValues},
		{"stops and goes on", testScanStops},
		{"writes inside", testScanWrites},
	}
}

func testScanRanges(t *testing.T, s Subject) {
	store := s.New(t)
	all := []string{"\x00", "a", "a\x00", "a/1", "a/2", "a/2\xff", "a/\xff", "a/\xff\xff", "b", "ä", "\xfe", "\xff", "\xff\xff", "\xff\xffz"}
	for i := range all {
		put(t, store, all[len(all)-1-i], "v", 0)
	}
	add(t, store, "a/counter", 1, 0, 1)
	for _, test := range []struct {
		prefix, after string
		want          []string
	}{
		{"", "", all},
		{"", "a/2", all[5:]},
		{"a/", "", all[3:8]},
		{"a/", "a", all[3:8]},
		{"a/", "a/1", all[4:8]},
		{"a/", "a/1zzz", all[4:8]},
		{"a/", "a/\xff\xff", nil},
		{"a/", "b", nil},
		{"a/\xff", "", all[6:8]},
		{"\xfe", "", all[10:11]},
		{"\xff", "", all[11:]},
		{"\xff\xff", "", all[12:]},
		{"a/2", "", all[4:6]},
		{"c", "", nil},
	} {
		if diff := cmp.Diff(test.want, keys(t, store, test.prefix, test.after)); diff != "" {
			t.Errorf("prefix %q, after %q: %s", test.prefix, test.after, diff)
		}
	}
}

func testScanMany(t *testing.T, s Subject) {
	store := s.New(t)
	values := make(map[string]string)
	for i := range 700 {
		values[fmt.Sprintf("many/%04d", i)] = "v"
	}
	putAll(t, store, values, forEver)
	want := slices.Sorted(maps.Keys(values))
	if diff := cmp.Diff(want, keys(t, store, "many/", "")); diff != "" {
		t.Error(diff)
	}
}

func testScanLarge(t *testing.T, s Subject) {
	store := s.New(t)
	value := strings.Repeat("v", 400<<10)
	var want []string
	for i := range 12 {
		key := fmt.Sprintf("large/%02d", i)
		put(t, store, key, value, 0)
		want = append(want, key)
	}
	if diff := cmp.Diff(want, keys(t, store, "large/", "")); diff != "" {
		t.Error(diff)
	}
}

func testScanValues(t *testing.T, s Subject) {
	store := s.New(t)
	for _, key := range []string{"a", "b"} {
		put(t, store, key, "value of "+key, 0)
	}
	for item, err := range store.Scan(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		wantEntry(t, store, item.Key, string(item.Value), item.Version)
		item.Value[0] = 'X'
		wantEntry(t, store, item.Key, "value of "+item.Key, item.Version)
	}
}

func testScanStops(t *testing.T, s Subject) {
	store := s.New(t)
	want := []string{"a", "b", "c", "d", "e"}
	for _, key := range want {
		put(t, store, key, "v", 0)
	}
	var got []string
	after := ""
	for range want {
		for item, err := range store.Scan(t.Context(), "", after) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, item.Key)
			after = item.Key
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func testScanWrites(t *testing.T, s Subject) {
	store := s.New(t)
	values := make(map[string]string)
	for i := range 300 {
		values[fmt.Sprintf("old/%03d", i)] = "v"
	}
	putAll(t, store, values, forEver)
	seen := 0
	for item, err := range store.Scan(t.Context(), "old/", "") {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if seen%10 != 0 {
			continue // a few will do
		}
		put(t, store, "new/"+item.Key, "v", 0)
		if err := store.Delete(t.Context(), item.Key); err != nil {
			t.Fatal(err)
		}
	}
	if seen != 300 || len(keys(t, store, "old/", "")) != 270 || len(keys(t, store, "new/", "")) != 30 {
		t.Errorf("%d entries were seen while some were moved", seen)
	}
}
