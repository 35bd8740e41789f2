package safehttp

import (
	"net/netip"
	"testing"
)

func TestIsPublic(t *testing.T) {
	for text, want := range map[string]bool{
		// One address from every block that is not public, and its two ends where
		// a neighbour is.
		"0.0.0.0":              false,
		"0.255.255.255":        false,
		"10.0.0.0":             false,
		"10.255.255.255":       false,
		"100.64.0.0":           false,
		"100.127.255.255":      false,
		"127.0.0.1":            false,
		"127.255.255.255":      false,
		"169.254.169.254":      false,
		"172.16.0.0":           false,
		"172.31.255.255":       false,
		"192.0.0.1":            false,
		"192.0.0.170":          false,
		"192.0.2.1":            false,
		"192.31.196.1":         false,
		"192.52.193.1":         false,
		"192.88.99.1":          false,
		"192.168.0.0":          false,
		"192.168.255.255":      false,
		"192.175.48.1":         false,
		"198.18.0.0":           false,
		"198.19.255.255":       false,
		"198.51.100.1":         false,
		"203.0.113.1":          false,
		"224.0.0.1":            false,
		"239.255.255.255":      false,
		"240.0.0.1":            false,
		"255.255.255.255":      false,
		"::":                   false,
		"::1":                  false,
		"::8.8.8.8":            false,
		"::ffff:127.0.0.1":     false,
		"::ffff:10.0.0.1":      false,
		"::ffff:0:8.8.8.8":     false,
		"64:ff9b::127.0.0.1":   false,
		"64:ff9b::10.0.0.1":    false,
		"64:ff9b::a9fe:a9fe":   false,
		"64:ff9b:1::8.8.8.8":   false,
		"100::1":               false,
		"100:0:0:1::1":         false,
		"2001::1":              false,
		"2001:2::1":            false,
		"2001:10::1":           false,
		"2001:1ff:ffff::1":     false,
		"2001:db8::1":          false,
		"2002:7f00:1::1":       false,
		"2002:808:808::1":      false,
		"2620:4f:8000::1":      false,
		"3ffe::1":              false,
		"3fff::1":              false,
		"4000::1":              false,
		"5f00::1":              false,
		"fc00::1":              false,
		"fd00:ec2::254":        false,
		"fe80::1":              false,
		"fec0::1":              false,
		"ff02::1":              false,
		"2606:4700::1111%eth0": false,

		"1.1.1.1":            true,
		"8.8.8.8":            true,
		"9.255.255.255":      true,
		"11.0.0.0":           true,
		"100.63.255.255":     true,
		"100.128.0.0":        true,
		"126.255.255.255":    true,
		"128.0.0.0":          true,
		"169.253.255.255":    true,
		"172.15.255.255":     true,
		"172.32.0.0":         true,
		"192.167.255.255":    true,
		"192.169.0.0":        true,
		"198.17.255.255":     true,
		"198.20.0.0":         true,
		"223.255.255.255":    true,
		"::ffff:8.8.8.8":     true,
		"64:ff9b::8.8.8.8":   true,
		"2001:200::1":        true,
		"2001:4860:4860::88": true,
		"2606:4700::1111":    true,
		"2a00:1450::1":       true,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("isPublic(%s) = %v, want %v", text, got, want)
		}
	}
	if isPublic(netip.Addr{}) {
		t.Error("no address at all is public")
	}
}
