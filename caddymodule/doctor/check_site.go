package doctor

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/translate/ucp"
)

const (
	profilePath = "/.well-known/ucp"
	restPath    = "/api/ucp/v1"
	// dnsTime bounds looking at where a hostname leads.
	dnsTime = 5 * time.Second
	// fewDays is how many days of a certificate are few, for one that lives long.
	fewDays = 14
)

// encryption checks the certificate.
func (v *visit) encryption() {
	const check = "tls"
	switch {
	case v.encrypted():
		v.certificate()
	case v.local():
		v.add(check, OK, "plain http, which is fine on this machine alone", "")
	case v.site.Proxied:
		v.add(check, OK, "plain http from the trusted proxies, which are taken to speak TLS with agents", "")
	default:
		v.add(check, Failure, "plain http: keys and buyers' data can be read on the way, and agents want https",
			"leave http:// out of the site's address; if a proxy in front speaks TLS, name it with the option trusted_proxies")
	}
}

// certificate checks that agents trust the certificate, and how long it lives.
func (v *visit) certificate() {
	const check = "tls"
	now, chain := v.Now(), v.state.PeerCertificates
	leaf, others := chain[0], x509.NewCertPool()
	for _, certificate := range chain[1:] {
		others.AddCert(certificate)
	}
	day := leaf.NotAfter.UTC().Format(time.DateOnly)
	_, err := leaf.Verify(x509.VerifyOptions{
		DNSName: strings.Trim(v.site.Host, "[]"), Intermediates: others, Roots: v.Roots, CurrentTime: now,
	})
	left := leaf.NotAfter.Sub(now)
	var authority x509.UnknownAuthorityError
	switch {
	case now.After(leaf.NotAfter):
		v.add(check, Failure, "the certificate has expired on "+day, "see Caddy's log for why it was not renewed; replace it if it is a file of yours")
	case now.Before(leaf.NotBefore):
		v.add(check, Failure, "the certificate is not valid before "+leaf.NotBefore.UTC().Format(time.RFC3339), "see that this machine's clock is right")
	case errors.As(err, &authority) && v.local():
		v.add(check, Warning, "the certificate is of an authority that this machine does not trust", "storeware trust installs that of Caddy itself")
	case errors.As(err, &authority):
		v.add(check, Failure, "the certificate is of an authority that agents do not trust ("+leaf.Issuer.CommonName+")",
			"leave tls internal out of the site, so that Caddy gets a public certificate, or add the intermediate certificates to your file")
	case err != nil:
		v.add(check, Failure, fmt.Sprintf("the certificate is not good for %s: %v", v.site.Host, err), "use a certificate that names this host")
	case left < leaf.NotAfter.Sub(leaf.NotBefore)/6 && left < fewDays*24*time.Hour:
		v.add(check, Warning, fmt.Sprintf("the certificate ends on %s, in %s", day, lasting(left)), "see Caddy's log for why it was not renewed; renew it if it is a file of yours")
	default:
		v.add(check, OK, fmt.Sprintf("the certificate is good until %s, for %s", day, lasting(left)), "")
	}
}

// lasting writes a duration in days, or in hours if it is short.
func lasting(d time.Duration) string {
	if hours := int(d / time.Hour); hours < 48 {
		return count(hours, "hour", "hours")
	}
	return count(int(d/(24*time.Hour)), "day", "days")
}

// readProfile reads the profile and checks it.
func (v *visit) readProfile(ctx context.Context) {
	const check = "profile"
	got, err := v.send(ctx, http.MethodGet, v.origin+profilePath, http.Header{}, "")
	if err != nil {
		v.add(check, Failure, fmt.Sprintf("%s cannot be read: %v", profilePath, err), "see Caddy's log")
		return
	}
	if got.status != http.StatusOK {
		found := fmt.Sprintf("%s is answered with HTTP %d", profilePath, got.status)
		if to := got.header.Get("Location"); to != "" {
			found += " and leads to " + to
		}
		v.add(check, Failure, found, "see that no directive before storeware answers this path, and that nothing redirects it")
		return
	}
	v.playProxy(got)
	if wrong := v.judgeProfile(got); wrong != "" {
		v.add(check, Failure, wrong, "see that no directive before storeware answers or changes "+profilePath)
		return
	}
	v.profile = got.get("@this")
	v.readKeys(got)
	v.verify(ctx, http.MethodGet, profilePath, got)
	var names []string
	v.profile.Get("ucp.capabilities").ForEach(func(name, _ gjson.Result) bool {
		names = append(names, strings.TrimPrefix(name.Str, "dev.ucp.shopping."))
		return true
	})
	if len(names) == 0 {
		v.add(check, Failure, "it declares no capability, since the shop has never said what it can do", "see the check of the shop")
		return
	}
	v.add(check, OK, fmt.Sprintf("UCP %s, with %s", v.profile.Get("ucp.version").Str, list(names)), "")
}

// playProxy gives up playing the proxy in front, if Caddy does not take this
// machine for one.
func (v *visit) playProxy(profile *answer) {
	scheme, rest, _ := strings.Cut(v.origin, "://")
	if v.encrypted() || scheme != "https" || !strings.HasPrefix(endpointOf(profile), "http://"+rest+"/") {
		return
	}
	v.add("tls", Warning, "Caddy does not trust this machine as a proxy, so that agents' https could not be played",
		"add 127.0.0.1/32 to trusted_proxies to have it examined as agents see it")
	v.origin = "http://" + rest
}

// endpointOf returns the endpoint of UCP over REST in a profile.
func endpointOf(profile *answer) string {
	return profile.get(`ucp.services.dev\.ucp\.shopping.#(transport=="rest").endpoint`).Str
}

// judgeProfile says what is wrong with a profile, nothing if it is fine.
func (v *visit) judgeProfile(got *answer) string {
	if !gjson.ValidBytes(got.body) {
		return "it is no JSON"
	}
	// A shop's profile is like a platform's but for its payment handlers, which
	// need say less.
	common, err := sjson.SetRawBytes(got.body, "ucp.payment_handlers", []byte("{}"))
	if err == nil {
		_, err = ucp.ParsePlatform(common)
	}
	if err != nil {
		return "it is not as UCP wants it: " + err.Error()
	}
	for name, handlers := range got.get("ucp.payment_handlers").Map() {
		for _, handler := range handlers.Array() {
			if handler.Get("id").Str == "" || handler.Get("version").Str == "" {
				return "its payment handler " + name + " lacks an id or a version"
			}
		}
	}
	if release := got.get("ucp.version").Str; release != ucp.Release {
		return fmt.Sprintf("it is of UCP %s, want %s", release, ucp.Release)
	}
	want := v.origin + restPath
	if endpoint := endpointOf(got); endpoint != want {
		return fmt.Sprintf("its endpoint is %q, want %s", endpoint, want)
	}
	if control := got.header.Get("Cache-Control"); !strings.Contains(control, "public") || !strings.Contains(control, "max-age=") {
		return fmt.Sprintf("its Cache-Control is %q, want public and a max-age", control)
	}
	return ""
}

// readKeys reads the published keys, and compares them with those that Caddy has.
func (v *visit) readKeys(profile *answer) {
	const check = "keys"
	list := profile.get("keys")
	for _, key := range list.Array() {
		v.kids = append(v.kids, key.Get("kid").Str)
	}
	var err error
	if v.keys, err = httpsig.ParseKeys([]byte(list.Raw)); !list.Exists() || err != nil || len(v.keys) == 0 {
		v.add(check, Failure, "the profile has no key that can be used", "see that no directive before storeware answers or changes "+profilePath)
		return
	}
	if v.inside == nil {
		v.add(check, OK, count(len(v.kids), "key is", "keys are")+" published", "")
		return
	}
	for _, kid := range v.inside.Keys {
		if !slices.Contains(v.kids, kid) {
			v.add(check, Failure, fmt.Sprintf("the profile does not publish the key %s, with which the shop may sign", kid),
				"an old profile is served: empty the cache in front of "+profilePath+", or remove what answers in its place")
			return
		}
	}
	v.add(check, OK, "the profile publishes "+count(len(v.kids), "key", "keys")+", as they are in Caddy's storage", "")
}

// names checks that the hostname leads here. If it does not, everything else was
// still examined.
func (v *visit) names(ctx context.Context) {
	const check, later = "dns", "point the name here when the shop is to be reached; agents cannot find it before"
	if v.local() || net.ParseIP(strings.Trim(v.site.Host, "[]")) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, dnsTime)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, v.site.Host)
	if err != nil {
		v.add(check, Warning, fmt.Sprintf("%s leads nowhere: %v", v.site.Host, err), later)
		return
	}
	found := fmt.Sprintf("%s leads to %s", v.site.Host, strings.Join(addresses, ", "))
	// Whether that is here, behind whatever proxies, shows what answers there.
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, v.origin+profilePath, nil)
	if err != nil {
		v.add(check, Warning, found+", where the profile cannot be asked for: "+err.Error(), later)
		return
	}
	got, err := fetch(v.newClient(nil), request)
	switch {
	case err != nil:
		v.add(check, Warning, fmt.Sprintf("%s, where this machine reaches nothing: %v", found, err), later)
	case len(v.kids) == 0:
		v.add(check, OK, found+"; whether that is here could not be told", "")
	case !slices.ContainsFunc(got.get("keys.#.kid").Array(), func(kid gjson.Result) bool { return slices.Contains(v.kids, kid.Str) }):
		v.add(check, Warning, found+", where something else answers", later)
	default:
		v.add(check, OK, found+", which is here", "")
	}
}

// headless reports whether shops of a system have their pages elsewhere, if any.
func headless(system string) bool {
	return system == "vendure" || system == "medusa" || system == "shopify"
}

// frontPage checks that somebody serves the shop's own pages: where nobody does, Caddy
// answers with nothing at all.
func (v *visit) frontPage(ctx context.Context) {
	const check = "front page"
	got, err := v.send(ctx, http.MethodGet, v.origin+"/", http.Header{}, "")
	switch {
	case err != nil:
		v.add(check, Warning, fmt.Sprintf("cannot be read: %v", err), "see Caddy's log")
	case !isBlank(got.status, got.header, int64(len(got.body))):
		v.add(check, OK, fmt.Sprintf("is answered with HTTP %d", got.status), "")
	case v.inside != nil && headless(v.inside.System):
		v.add(check, OK, "is empty, as fits a shop whose pages are elsewhere; if they belong to this site, add reverse_proxy with their address to it", "")
	default:
		v.add(check, Warning, "is empty: nothing serves the shop's own pages", "add reverse_proxy with the address of the shop to the site, below storeware")
	}
}

// log checks that the access log hides agents' keys.
func (v *visit) log() {
	const check = "access log"
	switch {
	case len(v.site.Revealing) > 0:
		v.add(check, Warning, "agents' keys in X-API-Key would be written to the log "+list(v.site.Revealing),
			"add to its format filter: request>headers>X-Api-Key delete; Caddyfile.example has such a log")
	case v.site.Logged:
		v.add(check, OK, "hides agents' keys", "")
	default:
		v.add(check, OK, "there is none", "")
	}
}
