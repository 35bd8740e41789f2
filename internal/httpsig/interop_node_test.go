package httpsig_test

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// nodeMessage is a message as http-message-signatures takes and gives it.
type nodeMessage struct {
	Method  string            `json:"method,omitempty"`
	URL     string            `json:"url,omitempty"`
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers"`
}

// nodeJob is what testdata/node/interop.cjs is asked to do.
type nodeJob struct {
	Do         string       `json:"do"` // "sign" or "verify"
	Algorithm  string       `json:"algorithm"`
	PrivateKey string       `json:"privateKey"`
	PublicKey  string       `json:"publicKey"`
	Fields     []string     `json:"fields"`
	Message    nodeMessage  `json:"message"`
	Request    *nodeMessage `json:"request,omitempty"`
}

type nodeAnswer struct {
	nodeMessage
	Verified bool   `json:"verified"`
	Error    string `json:"error"`
}

// node runs a job with npm's http-message-signatures@1.0.6. The environment
// variable STOREWARE_NODE_MODULES names a node_modules folder that has it:
//
//	npm install --prefix DIR http-message-signatures@1.0.6
//	STOREWARE_NODE_MODULES=DIR/node_modules go test ./internal/httpsig
func node(t *testing.T, key crypto.Signer, job nodeJob) nodeAnswer {
	t.Helper()
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	job.PrivateKey = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	job.PublicKey = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	input, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "node", "interop.cjs"))
	cmd.Stdin = bytes.NewReader(input)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answer nodeAnswer
	if err := json.Unmarshal(output, &answer); err != nil {
		t.Fatalf("%v in %s", err, output)
	}
	return answer
}

// needNode skips, loudly, where node or the package is missing.
func needNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: no node on PATH, so nothing was checked against npm's http-message-signatures")
	}
	modules := os.Getenv("STOREWARE_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, "http-message-signatures", "package.json")); modules == "" || err != nil {
		t.Skipf("SKIPPED: STOREWARE_NODE_MODULES=%q has no http-message-signatures, so nothing was checked against it", modules)
	}
}

// nodeHeaders has one line for each field, as node's clients do.
func nodeHeaders(header http.Header) map[string]string {
	out := make(map[string]string, len(header))
	for name, lines := range header {
		out[name] = strings.Join(lines, ", ")
	}
	return out
}

// goHeader takes node's headers back.
func goHeader(headers map[string]string) http.Header {
	out := http.Header{}
	for name, value := range headers {
		out.Set(name, value)
	}
	return out
}

func nodeRequest(r *http.Request) nodeMessage {
	return nodeMessage{Method: r.Method, URL: r.URL.String(), Headers: nodeHeaders(r.Header)}
}

func TestNodeVerifiesOurRequests(t *testing.T) {
	needNode(t)
	for algorithm, key := range freshKeys(t) {
		t.Run(algorithm, func(t *testing.T) {
			signer, err := httpsig.NewSigner(key, "kid", time.Now)
			if err != nil {
				t.Fatal(err)
			}
			r := newCheckout(t)
			if err := signer.SignRequest(httpsig.RequestOf(r, []byte(checkoutBody)), httpsig.RequestOptions{}); err != nil {
				t.Fatal(err)
			}
			job := nodeJob{Do: "verify", Algorithm: algorithm, Message: nodeRequest(r)}
			if answer := node(t, key, job); !answer.Verified {
				t.Errorf("node refuses it: %s\n%v", answer.Error, job.Message)
			}
			job.Message.Headers["Idempotency-Key"] = "another"
			if answer := node(t, key, job); answer.Verified {
				t.Error("node accepts a changed request, so this test shows nothing")
			}
		})
	}
}

// TestNodeVerifiesOurResponses shows sig2 to node. Like any strict verifier it
// refuses sig1, whose components a response does not have by itself.
func TestNodeVerifiesOurResponses(t *testing.T) {
	needNode(t)
	key := freshKeys(t)["ecdsa-p256-sha256"]
	signer, err := httpsig.NewSigner(key, "kid", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{"id":"chk_123"}`, ""} {
		r := newCheckout(t)
		resp := &httpsig.Response{
			Status:  201,
			Header:  http.Header{"Content-Type": {"application/json"}},
			Body:    []byte(body),
			Request: httpsig.RequestOf(r, nil),
		}
		if err := signer.SignResponse(resp); err != nil {
			t.Fatal(err)
		}
		request := nodeRequest(r)
		job := nodeJob{
			Do: "verify", Algorithm: "ecdsa-p256-sha256", Request: &request,
			Message: nodeMessage{Status: resp.Status, Headers: nodeHeaders(resp.Header)},
		}
		if answer := node(t, key, job); !answer.Verified {
			t.Errorf("body %q: node refuses both signatures: %s\n%v", body, answer.Error, job.Message)
		}
		only := func(label string) {
			for _, field := range []string{"Signature-Input", "Signature"} {
				first, second, _ := strings.Cut(resp.Header.Get(field), ", sig2=")
				job.Message.Headers[field] = map[string]string{"sig1": first, "sig2": "sig2=" + second}[label]
			}
		}
		only("sig2")
		if answer := node(t, key, job); !answer.Verified {
			t.Errorf("body %q: node refuses sig2: %s\n%v", body, answer.Error, job.Message)
		}
		job.Message.Status = 200
		if answer := node(t, key, job); answer.Verified {
			t.Error("node accepts a changed response, so this test shows nothing")
		}
		job.Message.Status = 201
		only("sig1")
		if answer := node(t, key, job); answer.Verified || !strings.Contains(answer.Error, "@authority") {
			t.Errorf("body %q: node says %+v to sig1, want a refusal of @authority", body, answer)
		}
	}
}

func TestWeVerifyNode(t *testing.T) {
	needNode(t)
	for algorithm, key := range freshKeys(t) {
		t.Run(algorithm, func(t *testing.T) {
			verifier := verifierFor(t, key)
			r := newCheckout(t)
			r.Header.Set("Content-Digest", httpsig.ContentDigest([]byte(checkoutBody)))
			r.Header.Set("Signature-Agent", `sig1="https://agent.example/.well-known/ucp";type=jwks_uri`)
			answer := node(t, key, nodeJob{
				Do: "sign", Algorithm: algorithm, Message: nodeRequest(r),
				Fields: []string{
					"@method", "@authority", "@path", "@query", "ucp-agent", "idempotency-key",
					`"signature-agent";key="sig1"`, "content-digest", "content-type", `"@query-param";name="dry"`, "@scheme", "@target-uri",
				},
			})
			if answer.Error != "" {
				t.Fatal(answer.Error)
			}
			r.Header = goHeader(answer.Headers)
			if _, err := verifier.VerifyRequest(t.Context(), httpsig.RequestOf(r, []byte(checkoutBody))); err != nil {
				t.Errorf("request: %v", err)
			}

			body := []byte(`{"id":"chk_123"}`)
			request := nodeRequest(r)
			answer = node(t, key, nodeJob{
				Do: "sign", Algorithm: algorithm, Request: &request,
				Message: nodeMessage{Status: 201, Headers: map[string]string{
					"Content-Type": "application/json", "Content-Digest": httpsig.ContentDigest(body),
				}},
				Fields: []string{"@status", "content-digest", "content-type", `"@authority";req`, `"@path";req`, `"@method";req`, `"content-digest";req`},
			})
			if answer.Error != "" {
				t.Fatal(answer.Error)
			}
			resp := &httpsig.Response{
				Status: 201, Header: goHeader(answer.Headers), Body: body,
				Request: httpsig.RequestOf(r, []byte(checkoutBody)),
			}
			if _, err := verifier.VerifyResponse(t.Context(), resp); err != nil {
				t.Errorf("response: %v", err)
			}
		})
	}
}
