package httpsig

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// unwrap undoes the line folding of RFC 8792 in which the vectors are printed.
func unwrap(s string) string {
	lines := strings.Split(strings.TrimPrefix(s, "\n"), "\n")
	var b strings.Builder
	continued := false
	for _, line := range lines {
		if continued {
			line = strings.TrimLeft(line, " ")
		}
		cut, more := strings.CutSuffix(line, `\`)
		b.WriteString(cut)
		if !more {
			b.WriteByte('\n')
		}
		continued = more
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// wire is a message head as it travels.
func wire(s string) *bufio.Reader {
	head, body, _ := strings.Cut(unwrap(s), "\n\n")
	return bufio.NewReader(strings.NewReader(strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + body))
}

func readRequest(t testing.TB, s string) *Request {
	t.Helper()
	r, err := http.ReadRequest(wire(s))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return RequestOf(r, body)
}

func readResponse(t testing.TB, s string) *Response {
	t.Helper()
	r, err := http.ReadResponse(wire(s), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return &Response{Status: r.StatusCode, Header: r.Header, Body: body}
}

// The messages of RFC 9421 Appendix B.2 and section 2.4.
const (
	rfcRequest = `
POST /foo?param=Value&Pet=dog HTTP/1.1
Host: example.com
Date: Tue, 20 Apr 2021 02:07:55 GMT
Content-Type: application/json
Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\
  aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
Content-Length: 18

{"hello": "world"}`
	rfcResponse = `
HTTP/1.1 200 OK
Date: Tue, 20 Apr 2021 02:07:56 GMT
Content-Type: application/json
Content-Digest: sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ4\
  1QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:
Content-Length: 23

{"message": "good dog"}`
	rfcBusy = `
HTTP/1.1 503 Service Unavailable
Date: Tue, 20 Apr 2021 02:07:56 GMT
Content-Type: application/json
Content-Length: 62
Content-Digest: sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwn\
  HJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:

{"busy": true, "message": "Your call is very important to us"}`
	rfcProxied = `
POST /foo?param=Value&Pet=dog HTTP/1.1
Host: service.internal.example
Date: Tue, 20 Apr 2021 02:07:55 GMT
Content-Type: application/json
Content-Length: 18
Client-Cert: :MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKD\
  BJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQT\
  AeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFk\
  wEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmck\
  C8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDV\
  R0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf\
  8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV\
  4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6\
  bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:

{"hello": "world"}`
	rfcTransform = `
GET /demo?name1=Value1&Name2=value2 HTTP/1.1
Host: example.org
Date: Fri, 15 Jul 2022 14:24:55 GMT
Accept: application/json
Accept: */*

`
	transformInput     = `transform=("@method" "@path" "@authority" "accept");created=1618884473;keyid="test-key-ed25519"`
	transformSignature = `transform=:ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA==:`
)

// TestRFC9421Vectors builds the signature base of each published example and,
// where the algorithm is one of ours, verifies the published signature.
func TestRFC9421Vectors(t *testing.T) {
	ecc, ed := publicKeys(t)[0], publicKeys(t)[1]
	tests := []struct {
		name      string
		request   string
		response  string // when the target is a response
		input     string
		signature string // base64, for our algorithms
		key       Key
		base      string
	}{{
		name:    "B.2.1 minimal",
		request: rfcRequest,
		input:   `sig-b21=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"`,
		base: `
"@signature-params": ();created=1618884473;keyid="test-key-rsa-pss"\
  ;nonce="b3k2pp5k7z-50gnwp.yemd"`,
	}, {
		name:    "B.2.2 selective",
		request: rfcRequest,
		input:   `sig-b22=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"`,
		base: `
"@authority": example.com
"content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX\
  +TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
"@query-param";name="Pet": dog
"@signature-params": ("@authority" "content-digest" \
  "@query-param";name="Pet")\
  ;created=1618884473;keyid="test-key-rsa-pss"\
  ;tag="header-example"`,
	}, {
		name:    "B.2.3 full",
		request: rfcRequest,
		input:   `sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"`,
		base: `
"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@query": ?param=Value&Pet=dog
"@authority": example.com
"content-type": application/json
"content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX\
  +TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@query" \
  "@authority" "content-type" "content-digest" "content-length")\
  ;created=1618884473;keyid="test-key-rsa-pss"`,
	}, {
		name:      "B.2.4 response, ecdsa-p256-sha256",
		response:  rfcResponse,
		input:     `sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"`,
		signature: `sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:`,
		key:       ecc,
		base: `
"@status": 200
"content-type": application/json
"content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ4\
  1QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:
"content-length": 23
"@signature-params": ("@status" "content-type" "content-digest" \
  "content-length");created=1618884473;keyid="test-key-ecc-p256"`,
	}, {
		name:    "B.2.5 hmac-sha256",
		request: rfcRequest,
		input:   `sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"`,
		base: `
"date": Tue, 20 Apr 2021 02:07:55 GMT
"@authority": example.com
"content-type": application/json
"@signature-params": ("date" "@authority" "content-type")\
  ;created=1618884473;keyid="test-shared-secret"`,
	}, {
		name:      "B.2.6 ed25519",
		request:   rfcRequest,
		input:     `sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`,
		signature: `sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:`,
		key:       ed,
		base: `
"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" \
  "content-type" "content-length");created=1618884473\
  ;keyid="test-key-ed25519"`,
	}, {
		name:      "B.3 TLS-terminating proxy",
		request:   rfcProxied,
		input:     `ttrp=("@path" "@query" "@method" "@authority" "client-cert");created=1618884473;keyid="test-key-ecc-p256"`,
		signature: `ttrp=:xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw==:`,
		key:       ecc,
	}, {
		name:      "B.4 transform",
		request:   rfcTransform,
		input:     transformInput,
		signature: transformSignature,
		key:       ed,
		base: `
"@method": GET
"@path": /demo
"@authority": example.org
"accept": application/json, */*
"@signature-params": ("@method" "@path" "@authority" "accept")\
  ;created=1618884473;keyid="test-key-ed25519"`,
	}, {
		name:      "2.4 response to a request",
		request:   rfcRequest,
		response:  rfcBusy,
		input:     `reqres=("@status" "content-digest" "content-type" "@authority";req "@method";req "@path";req "content-digest";req);created=1618884479;keyid="test-key-ecc-p256"`,
		signature: `reqres=:dMT/A/76ehrdBTD/2Xx8QuKV6FoyzEP/I9hdzKN8LQJLNgzU4W767HK05rx1i8meNQQgQPgQp8wq2ive3tV5Ag==:`,
		key:       ecc,
		base: `
"@status": 503
"content-digest": sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObf\
  wnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:
"content-type": application/json
"@authority";req: example.com
"@method";req: POST
"@path";req: /foo
"content-digest";req: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A\
  2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
"@signature-params": ("@status" "content-digest" "content-type" \
  "@authority";req "@method";req "@path";req "content-digest";req)\
  ;created=1618884479;keyid="test-key-ecc-p256"`,
	}, {
		name:      "2.4 response to a signed request",
		request:   rfcRequest,
		response:  rfcBusy,
		input:     `reqres=("@status" "content-digest" "content-type" "@authority";req "@method";req "@path";req "@query";req "content-digest";req "content-type";req "content-length";req);created=1618884479;keyid="test-key-ecc-p256"`,
		signature: `reqres=:C73J41GVKc+TYXbSobvZf0CmNcptRiWN+NY1Or0A36ISg6ymdRN6ZgR2QfrtopFNzqAyv+CeWrMsNbcV2Ojsgg==:`,
		key:       ecc,
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var msg message
			if test.request != "" {
				msg.request = readRequest(t, test.request)
			}
			if test.response != "" {
				msg.response = readResponse(t, test.response)
			}
			signature := test.signature
			if signature == "" {
				label, _, _ := strings.Cut(test.input, "=")
				signature = label + "=:AAAA:"
			}
			c := parseOne(t, test.input, signature)
			base, err := signatureBase(msg, c.components, c.params)
			if err != nil {
				t.Fatal(err)
			}
			if test.base != "" {
				if diff := cmp.Diff(unwrap(test.base), string(base)); diff != "" {
					t.Errorf("signature base (-want +got):\n%s", diff)
				}
			}
			if test.signature != "" && !test.key.verify(base, c.signature) {
				t.Error("the published signature does not verify")
			}
		})
	}
}

// parseOne reads a message's only signature.
func parseOne(t testing.TB, input, signature string) candidate {
	t.Helper()
	candidates, err := parseSignatures(http.Header{"Signature-Input": {input}, "Signature": {signature}})
	if err != nil {
		t.Fatal(err)
	}
	if len(candidates) != 1 || candidates[0].fault != nil {
		t.Fatalf("got %+v, want one sound signature", candidates)
	}
	return candidates[0]
}

// TestRFC9421SignsExactly reproduces the one deterministic example, B.2.6.
func TestRFC9421SignsExactly(t *testing.T) {
	signer, err := NewSigner(edKey(t), "test-key-ed25519", func() time.Time { return time.Unix(1618884473, 0) })
	if err != nil {
		t.Fatal(err)
	}
	r := readRequest(t, rfcRequest)
	err = signer.SignRequest(r, RequestOptions{
		Label:      "sig-b26",
		Components: []string{"date", "@method", "@path", "@authority", "content-type", "content-length"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:`
	if got := r.Header.Get("Signature"); got != want {
		t.Errorf("Signature = %s, want %s", got, want)
	}
}

// TestRFC9421Transformations applies the changes of Appendix B.4 that a
// signature survives, and those that it does not.
func TestRFC9421Transformations(t *testing.T) {
	ed := publicKeys(t)[1]
	tests := []struct {
		name   string
		change func(*Request)
		valid  bool
	}{
		{"a field and a query parameter added", func(r *Request) {
			r.Header.Set("Accept-Language", "en-US,en;q=0.5")
			r.Target += "&param=added"
		}, true},
		{"Date removed, Accept collapsed", func(r *Request) {
			r.Header.Del("Date")
			r.Header["Accept"] = []string{"application/json, */*"}
		}, true},
		{"method and authority changed", func(r *Request) {
			r.Method = "POST"
			r.Authority = "example.com"
		}, false},
		{"Accept lines swapped", func(r *Request) {
			r.Header["Accept"] = []string{"*/*", "application/json"}
		}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := readRequest(t, rfcTransform)
			test.change(r)
			c := parseOne(t, transformInput, transformSignature)
			base, err := signatureBase(message{request: r}, c.components, c.params)
			if err != nil {
				t.Fatal(err)
			}
			if got := ed.verify(base, c.signature); got != test.valid {
				t.Errorf("verifies: %v, want %v", got, test.valid)
			}
		})
	}
}

// TestRFC6979 pins ES256 to the published vector for P-256, SHA-256, "sample"
// (RFC 6979 Appendix A.2.5).
func TestRFC6979(t *testing.T) {
	d, err := hex.DecodeString("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), d)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := signES256(key, []byte("sample"))
	if err != nil {
		t.Fatal(err)
	}
	want := "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716" +
		"F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
	if got := strings.ToUpper(hex.EncodeToString(raw[:])); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
