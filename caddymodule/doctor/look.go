package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

const (
	// lookTime bounds looking at one page or picture.
	lookTime = 10 * time.Second
	// maxLooks bounds how many products are looked at, and of each the page and a
	// picture.
	maxLooks = 3
	// maxLook is how much of a page is read, in bytes: that it begins is enough.
	maxLook = 1 << 10
)

// words say where an operator sets the addresses that a shop's system gives out.
type words struct{ product, checkout, picture string }

// wordsOf returns the words of a system, which may not be known.
func wordsOf(inside *InsideShop) words {
	system := ""
	if inside != nil {
		system = inside.System
	}
	switch system {
	case "demo":
		const own = "set public_url in the upstream block to the address that people reach the shop's pages at"
		return words{own, own, own}
	case "woocommerce":
		return words{
			product:  "see Site Address in WordPress (Settings, General), and public_url in the upstream block",
			checkout: "set checkout_path in the upstream block to the path of the shop's checkout page",
			picture:  "see Site Address in WordPress (Settings, General): its media library's addresses begin with it",
		}
	case "vendure":
		return words{
			product:  "set product_url in the upstream block to the page of a product in your storefront",
			checkout: "set checkout_url in the upstream block to a page of your storefront",
			picture:  "set assetUrlPrefix of Vendure's AssetServerPlugin to an address that the world can reach",
		}
	case "medusa":
		return words{
			product:  "set product_url in the upstream block to the page of a product in your storefront",
			checkout: "set checkout_url in the upstream block to a page of your storefront",
			picture:  "set backend_url of Medusa's file module (file-local) to an address that the world can reach",
		}
	case "mapped":
		return words{
			product:  "correct url of a product in the mapping",
			checkout: "correct hand_off in the mapping",
			picture:  "correct image of a product in the mapping",
		}
	}
	return words{
		product:  "correct product_url in the upstream block, if the shop's system has it, or the address in the shop",
		checkout: "correct checkout_url in the upstream block, if the shop's system has it, or the address in the shop",
		picture:  "see where the shop keeps its pictures",
	}
}

// productPages opens pages of some products, and pictures of theirs.
func (p *patient) productPages(ctx context.Context, v *visit, products []gjson.Result) {
	v.lookAtSome(ctx, "product pages", addressesOf(products, "url"), wordsOf(p.inside).product, Finding{
		Status: Warning, Found: "products have no page that a person could be shown",
		Advice: "set product_url in the upstream block, if the shop's system has it",
	}, "open, and every product that was found has one")
	v.lookAtSome(ctx, "pictures", addressesOf(products, `media.#(type=="image").url`), wordsOf(p.inside).picture, Finding{
		Status: OK, Found: "can be seen, where products have any",
	}, "of products can be seen")
}

// addressesOf returns what products have at a path, empty where they have nothing.
func addressesOf(products []gjson.Result, path string) []string {
	addresses := make([]string, 0, len(products))
	for _, product := range products {
		addresses = append(addresses, product.Get(path).Str)
	}
	return addresses
}

// lookAtSome opens some of the addresses that products have and adds what it found,
// which is lacking if all went well and a product has none.
func (v *visit) lookAtSome(ctx context.Context, check string, addresses []string, advice string, lacking Finding, fine string) {
	opened := 0
	for _, address := range addresses {
		if address == "" || opened == maxLooks {
			continue
		}
		opened++
		if seen := v.look(ctx, address); seen.status != OK {
			v.patient.add(check, seen.status, address+" "+seen.found, cmp.Or(seen.advice, advice))
			return
		}
	}
	if slices.Contains(addresses, "") {
		v.patient.add(check, lacking.Status, lacking.Found, lacking.Advice)
		return
	}
	v.patient.add(check, OK, fine, "")
}

// handOff says whether the page opens that a person goes on with a basket at. Its
// address is a secret of who has the basket.
func (v *visit) handOff(page string, seen sight) {
	const check = "checkout page"
	if seen.status == OK {
		v.patient.add(check, OK, "opens: a person can go on with a basket at the shop", "")
		return
	}
	where := "it"
	if u, err := url.Parse(page); err == nil && u.Host != "" {
		where = "the one at " + u.Scheme + "://" + u.Host
	}
	v.patient.add(check, seen.status, where+" "+seen.found, cmp.Or(seen.advice, wordsOf(v.inside).checkout))
}

// sight is what was seen at an address.
type sight struct {
	status Status
	found  string // follows the address
	advice string // empty where it depends on what it is
}

// look opens an address as a person outside would. It follows no redirect.
func (v *visit) look(ctx context.Context, address string) sight {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return sight{status: Failure, found: "is no address of the web"}
	}
	if !v.local() && enclosed(ctx, u.Hostname(), v.site.Host) {
		return sight{status: Warning, found: "is on this machine or in a network of its own: nobody outside can open it"}
	}
	status, blank, err := v.open(ctx, u)
	switch {
	case err != nil:
		return sight{status: Warning, found: "could not be opened: " + withoutAddress(err).Error()}
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusTooManyRequests:
		return sight{
			status: Warning, found: fmt.Sprintf("is answered with HTTP %d", status),
			advice: "open it in a browser: the shop may only keep programs like this one out",
		}
	case status >= http.StatusBadRequest:
		return sight{status: Failure, found: fmt.Sprintf("is answered with HTTP %d", status)}
	case blank:
		return sight{
			status: Failure, found: "is answered with nothing at all",
			advice: "see that something serves that page: if it belongs to this site, a reverse_proxy may have been forgotten",
		}
	case u.Scheme == "http" && strings.HasPrefix(v.origin, "https:"):
		return sight{status: Warning, found: "is plain http, which a page of a shop with https does not show"}
	}
	return sight{status: OK}
}

// open returns the status that an address is answered with, and whether the answer is
// nothing at all. What is on the site's own host is asked for where Caddy listens.
func (v *visit) open(ctx context.Context, u *url.URL) (status int, blank bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0, false, err
	}
	request.Header.Set("User-Agent", "storeware-doctor")
	var client *http.Client
	if strings.EqualFold(u.Hostname(), strings.Trim(v.site.Host, "[]")) {
		client = v.client
		if v.site.Proxied && u.Scheme == "https" && !v.encrypted() {
			request.URL.Scheme = "http"
			request.Header.Set("X-Forwarded-Proto", "https")
		}
	} else {
		client = v.newClient((&net.Dialer{Timeout: dialTime}).DialContext)
		client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: v.Roots}
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, false, err
	}
	defer response.Body.Close()
	n, err := io.CopyN(io.Discard, response.Body, maxLook)
	if err != nil && err != io.EOF {
		return 0, false, err
	}
	return response.StatusCode, isBlank(response.StatusCode, response.Header, n), nil
}

// isBlank reports whether an answer, with a body of n bytes, is what Caddy gives where
// nothing serves a page.
func isBlank(status int, header http.Header, n int64) bool {
	return status == http.StatusOK && n == 0 && header.Get("Content-Type") == ""
}

// withoutAddress returns an error of a client without the address, which may be a
// secret.
func withoutAddress(err error) error {
	if failed, ok := err.(*url.Error); ok {
		return failed.Err
	}
	return err
}

// enclosed reports whether a host, which is not the site's own, is on this machine or
// in a network that the world does not reach.
func enclosed(ctx context.Context, host, own string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if strings.EqualFold(host, strings.Trim(own, "[]")) {
		return false // where that name leads, the check of the dns says
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return isWithin(addr)
	}
	if !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, dnsTime)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return false // opening it will tell
	}
	for _, addr := range addrs {
		if !isWithin(addr) {
			return false
		}
	}
	return true
}

func isWithin(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsUnspecified() || addr.IsLinkLocalUnicast()
}
