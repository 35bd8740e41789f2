package woocommerce

// WooCommerce wants a town, a region and a post code of every address, but for
// the countries named here. A plug-in can want more or less; then the shop says
// so when it is sent the order.

func wantsCity(country string) bool { return country != "SG" }

func wantsRegion(country string) bool {
	switch country {
	case "AE", "AF", "AT", "AX", "BA", "BE", "BH", "BI", "CH", "CW", "CZ", "DE", "DK", "EE", "FI", "FR", "GB", "GF", "GP", "GR",
		"IL", "IM", "IS", "KR", "KW", "LB", "LI", "LK", "LU", "LV", "MQ", "MT", "NL", "NO", "NZ", "PL", "PR", "PT", "RE", "RS",
		"SE", "SG", "SI", "SK", "VN", "YT":
		return false
	}
	return true
}

func wantsPostcode(country string) bool {
	switch country {
	case "AE", "AO", "BD", "BH", "BO", "BS", "CL", "CO", "CW", "GH", "GT", "HK", "IE", "JM", "MZ", "NG", "NP", "SR", "ST", "UG",
		"VN", "WS", "ZW":
		return false
	}
	return true
}
