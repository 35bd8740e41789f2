package safehttp

import "net/netip"

// special lists what the IANA special-purpose address registries (RFC 6890,
// updated by RFC 8190) and their neighbours keep from ordinary public hosts. In
// IPv6 only 2000::/3 is given out at all, so that what lies outside needs no entry.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network, RFC 791
	netip.MustParsePrefix("10.0.0.0/8"),      // private use, RFC 1918
	netip.MustParsePrefix("100.64.0.0/10"),   // carrier-grade NAT, RFC 6598
	netip.MustParsePrefix("127.0.0.0/8"),     // loopback, RFC 1122
	netip.MustParsePrefix("169.254.0.0/16"),  // link-local and cloud metadata, RFC 3927
	netip.MustParsePrefix("172.16.0.0/12"),   // private use, RFC 1918
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments, RFC 6890
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation, RFC 5737
	netip.MustParsePrefix("192.31.196.0/24"), // AS112, RFC 7535
	netip.MustParsePrefix("192.52.193.0/24"), // multicast tunnels, RFC 7450
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays, RFC 7526
	netip.MustParsePrefix("192.168.0.0/16"),  // private use, RFC 1918
	netip.MustParsePrefix("192.175.48.0/24"), // AS112, RFC 7534
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking, RFC 2544
	netip.MustParsePrefix("198.51.100.0/24"), // documentation, RFC 5737
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation, RFC 5737
	netip.MustParsePrefix("224.0.0.0/4"),     // multicast, RFC 1112
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved and broadcast, RFC 1112

	netip.MustParsePrefix("2001::/23"),         // protocol assignments, Teredo, RFC 2928
	netip.MustParsePrefix("2001:db8::/32"),     // documentation, RFC 3849
	netip.MustParsePrefix("2002::/16"),         // 6to4, RFC 3056
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112, RFC 7534
	netip.MustParsePrefix("3ffe::/16"),         // the former 6bone, RFC 3701
	netip.MustParsePrefix("3fff::/20"),         // documentation, RFC 9637
}

var (
	// globalUnicast is the part of IPv6 that is given out, RFC 4291.
	globalUnicast = netip.MustParsePrefix("2000::/3")

	// nat64 carries an IPv4 address in its last four bytes, RFC 6052. A resolver
	// in an IPv6-only network answers with it for every host that has IPv4 only.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// isPublic reports whether addr is one that an ordinary host on the Internet
// has. An IPv4 address inside an IPv6 one is judged as what it is.
func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap()
	if nat64.Contains(addr) {
		bytes := addr.As16()
		addr = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	// A prefix contains no address with a zone, so that none of those is public.
	if addr.Is6() && !globalUnicast.Contains(addr) {
		return false
	}
	for _, prefix := range special {
		if prefix.Contains(addr) {
			return false
		}
	}
	return addr.IsValid()
}
