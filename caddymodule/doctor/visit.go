package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

const (
	// callTime bounds one call of a site.
	callTime = 30 * time.Second
	// dialTime bounds connecting to one.
	dialTime = 5 * time.Second
	// tries is how often something is tried whose connection breaks: in the moment
	// of a reload Caddy lets new ones break.
	tries = 5
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 16 << 20
)

// visit is a site under examination, which could be connected to.
type visit struct {
	*patient
	site   Site
	origin string               // that agents reach it at
	state  *tls.ConnectionState // nil where Caddy speaks no TLS
	client *http.Client

	profile gjson.Result // does not exist if it could not be read
	keys    []httpsig.Key
	kids    []string

	// What was seen of the answers.
	date     time.Time // of the first, by Caddy's clock
	asked    time.Time // when it came, by ours
	created  time.Time // when its signature was made
	verified int
	signedBy string // a kid
	unsigned error  // of the first answer whose signature is wrong
}

// visit connects to a site. It returns nil if that fails.
func (p *patient) visit(ctx context.Context, site Site) *visit {
	v := &visit{patient: p, site: site}
	v.origin = originOf("https", site.Host, site.Port)
	if strings.Contains(site.Host, "*") {
		v.add("connection", Warning, "a name with a wildcard leads to no site that could be examined", "examine a site with a whole name")
		return nil
	}
	var err error
	for range tries {
		if v.state, err = v.connect(ctx); !brokeOff(err) {
			break
		}
	}
	var noTLS tls.RecordHeaderError
	plain := v.site.Plain || errors.As(err, &noTLS)
	switch {
	case err == nil || errors.As(err, &noTLS):
	case isDial(err):
		v.add("connection", Failure, fmt.Sprintf("nothing listens at %s: %v", site.Address, err),
			"see that Caddy runs on this machine with this configuration, and that no firewall is in the way")
		return nil
	case brokeOff(err):
		v.add("connection", Failure, fmt.Sprintf("connections to %s break: %v", site.Address, err), "see that it is Caddy which listens there, and its log")
		return nil
	default:
		v.add("tls", Failure, fmt.Sprintf("there is no certificate for %s: %v", site.Host, err),
			"see Caddy's log for why it could not get one: the name must lead here, with ports 80 and 443 open, or the site have tls with a dns challenge; tls internal lets the rest be examined meanwhile")
		v.names(ctx)
		return nil
	}
	if plain {
		v.origin = originOf("http", site.Host, site.Port)
		if site.Proxied {
			v.origin = originOf("https", site.Host, 0)
		}
	}
	v.client = v.newClient(v.dial)
	v.add("connection", OK, "Caddy answers at "+site.Address, "")
	v.encryption()
	v.readProfile(ctx)
	v.frontPage(ctx)
	v.names(ctx)
	v.log()
	return v
}

// add adds a finding about the site.
func (v *visit) add(check string, status Status, found, advice string) {
	v.report.add(Finding{Check: check, Shop: v.name, Site: v.origin, Status: status, Found: found, Advice: advice})
}

// Origin returns where the site is reached: by https, unless what listens there
// speaks no TLS.
func (s Site) Origin(ctx context.Context) string {
	var noTLS tls.RecordHeaderError
	if _, err := (&visit{site: s}).connect(ctx); s.Plain || errors.As(err, &noTLS) {
		return originOf("http", s.Host, s.Port)
	}
	return originOf("https", s.Host, s.Port)
}

// originOf returns an origin. Port 0 is the scheme's own.
func originOf(scheme, host string, port int) string {
	standard := map[string]int{"https": 443, "http": 80}[scheme]
	if port != 0 && port != standard {
		return scheme + "://" + net.JoinHostPort(strings.Trim(host, "[]"), strconv.Itoa(port))
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return scheme + "://" + host
}

// local reports whether the site is for this machine alone.
func (v *visit) local() bool {
	host := strings.ToLower(strings.Trim(v.site.Host, "[]"))
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

func (v *visit) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return (&net.Dialer{Timeout: dialTime}).DialContext(ctx, v.site.Network, v.site.Address)
}

// isDial reports whether there was no connection.
func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// brokeOff reports whether a connection broke.
func brokeOff(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// connect connects as a client does, and returns what TLS was agreed on, nil where
// there is none.
func (v *visit) connect(ctx context.Context) (*tls.ConnectionState, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	conn, err := v.dial(ctx, "", "")
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if v.site.Plain {
		return nil, nil
	}
	encrypted := tls.Client(conn, v.tls())
	if err := encrypted.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	state := encrypted.ConnectionState()
	return &state, nil
}

// tls is a configuration with which every certificate is taken: encryption
// verifies it, and a bad one keeps nothing else from being examined.
func (v *visit) tls() *tls.Config {
	return &tls.Config{ServerName: strings.Trim(v.site.Host, "[]"), InsecureSkipVerify: true}
}

// newClient returns a client that follows no redirects, as agents do not.
func (v *visit) newClient(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	return &http.Client{
		Transport: &http.Transport{DialContext: dial, TLSClientConfig: v.tls(), DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Timeout: callTime,
	}
}

// answer is what a site has answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// get reads a value of the answer's JSON, which does not exist if it is none.
func (a *answer) get(path string) gjson.Result {
	if !gjson.ValidBytes(a.body) {
		return gjson.Result{}
	}
	return gjson.GetBytes(a.body, path)
}

// refusal says in a line what was answered in place of what was wanted.
func (a *answer) refusal() string {
	text := fmt.Sprintf("HTTP %d", a.status)
	for _, path := range []string{"code", "content", "messages.0.code", "messages.0.content"} {
		if value := a.get(path); value.Type == gjson.String {
			text += ": " + value.Str
		}
	}
	return text
}

// call sends a request as an agent. The body is JSON, none if it is empty.
func (v *visit) call(ctx context.Context, key Key, method, path, body string) (*answer, error) {
	header := http.Header{}
	header.Set("UCP-Agent", `profile="`+key.Profile+`"`)
	header.Set("X-API-Key", key.Secret.Reveal())
	if body != "" {
		header.Set("Content-Type", "application/json")
	}
	answer, err := v.send(ctx, method, v.origin+path, header, body)
	if err == nil {
		v.verify(ctx, method, path, answer)
	}
	return answer, err
}

// send sends a request to the address that Caddy listens on.
func (v *visit) send(ctx context.Context, method, url string, header http.Header, body string) (*answer, error) {
	if v.site.Proxied && strings.HasPrefix(url, "https:") && !v.encrypted() {
		// As the proxy in front does, which Caddy trusts.
		url = "http:" + strings.TrimPrefix(url, "https:")
		header.Set("X-Forwarded-Proto", "https")
	}
	header.Set("User-Agent", "storeware-doctor")
	for try := 1; ; try++ {
		request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header = header
		got, err := fetch(v.client, request)
		// What has been posted may have been done.
		if !brokeOff(err) || method == http.MethodPost || try == tries {
			return got, err
		}
	}
}

// encrypted reports whether Caddy itself speaks TLS at the site.
func (v *visit) encrypted() bool { return v.state != nil }

// fetch sends a request and reads the answer.
func fetch(client *http.Client, request *http.Request) (*answer, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(io.LimitReader(response.Body, maxAnswer+1)); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if body.Len() > maxAnswer {
		return nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return &answer{response.StatusCode, response.Header, body.Bytes()}, nil
}
