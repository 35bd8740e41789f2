package caddymodule

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/translate/ucp"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// metrics are the counters of this process. They live as long as it does, so that
// a reload of the configuration does not set them back; each configuration's
// registry shows them. No label has a value that a stranger can choose.
var metrics = newCollectors()

type collectors struct {
	requests   *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	replays    *prometheus.CounterVec
	signatures *prometheus.CounterVec
	upstream   *prometheus.HistogramVec
	fetches    *prometheus.HistogramVec
	products   *prometheus.GaugeVec
	readings   *prometheus.CounterVec
	up         shopsUp
}

func newCollectors() *collectors {
	const namespace = "storeware"
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: name, Help: help,
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, labels)
	}
	return &collectors{
		requests: counter("requests_total",
			"Requests on protocol paths, by what was asked and what came of it.", "shop", "protocol", "operation", "outcome"),
		durations: histogram("request_duration_seconds",
			"How long answers took.", "shop", "protocol", "operation"),
		replays: counter("replays_total",
			"Answers that were given again to the same idempotency key.", "shop", "protocol"),
		signatures: counter("signatures_total",
			"Signatures made on answers (kind answer), and found on requests (kind request) by what came of checking them.", "shop", "kind", "outcome"),
		upstream: histogram("upstream_duration_seconds",
			"How long calls of the shops' own APIs took.", "shop", "system", "operation", "outcome"),
		fetches: histogram("profile_fetch_duration_seconds",
			"How long it took to fetch platform profiles.", "outcome"),
		products: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "catalogue_products", Help: "Products of the shop's catalogue that are known.",
		}, []string{"shop"}),
		readings: counter("readings_total",
			"Questions that were put to a reader other than the rules, by what came of it.", "shop", "reader", "outcome"),
		up: shopsUp{prometheus.NewDesc(prometheus.BuildFQName(namespace, "", "shop_up"),
			"Whether the shop answered when it was last looked at.", []string{"shop"}, nil)},
	}
}

// register shows the collectors in a configuration's registry. One that has them
// already is fine.
func (m *collectors) register(registry prometheus.Registerer) error {
	for _, c := range []prometheus.Collector{
		m.requests, m.durations, m.replays, m.signatures, m.upstream, m.fetches, m.products, m.readings, m.up,
	} {
		var already prometheus.AlreadyRegisteredError
		if err := registry.Register(c); err != nil && (!errors.As(err, &already) || already.ExistingCollector != c) {
			return err
		}
	}
	return nil
}

// request counts a request that was answered.
func (m *collectors) request(shop, protocol string, e ucp.Event) {
	m.requests.WithLabelValues(shop, protocol, e.Operation, e.Outcome).Inc()
	m.durations.WithLabelValues(shop, protocol, e.Operation).Observe(e.Duration.Seconds())
	if e.Replayed {
		m.replays.WithLabelValues(shop, protocol).Inc()
	}
	if e.Signature != "" {
		m.signatures.WithLabelValues(shop, "request", e.Signature).Inc()
	}
}

// signed counts an answer that was signed.
func (m *collectors) signed(shop string) {
	m.signatures.WithLabelValues(shop, "answer", "signed").Inc()
}

// upstreamCall returns what counts the calls of a shop's API.
func (m *collectors) upstreamCall(shop, system string) func(shopclient.Call) {
	return func(c shopclient.Call) {
		outcome := "ok"
		if c.Err != nil {
			outcome = string(upstream.CodeOf(c.Err))
		}
		m.upstream.WithLabelValues(shop, system, c.Op, outcome).Observe(c.Duration.Seconds())
	}
}

// catalogue tells how many products are known.
func (m *collectors) catalogue(shop string, p crawl.Progress) {
	m.products.WithLabelValues(shop).Set(float64(p.Documents))
}

// reading returns what counts the questions that a reader read, or failed at.
func (m *collectors) reading(shop, reader string) func(error) {
	return func(err error) {
		outcome := "ok"
		if err != nil {
			outcome = "failed"
		}
		m.readings.WithLabelValues(shop, reader, outcome).Inc()
	}
}

// profileFetch counts a fetch of a platform's profile.
func (m *collectors) profileFetch(err error, took time.Duration) {
	m.fetches.WithLabelValues(fetchOutcome(err)).Observe(took.Seconds())
}

func fetchOutcome(err error) string {
	for _, kind := range []struct {
		err  error
		name string
	}{
		{safehttp.ErrBudget, "budget"},
		{safehttp.ErrForbiddenAddress, "forbidden_address"},
		{safehttp.ErrRedirect, "redirect"},
		{safehttp.ErrTooLarge, "too_large"},
		{safehttp.ErrStatus, "status"},
		{safehttp.ErrUnreachable, "unreachable"},
	} {
		if errors.Is(err, kind.err) {
			return kind.name
		}
	}
	if err != nil {
		return "other"
	}
	return "ok"
}

// shopsUp says of each shop in use whether it answered when it was last looked
// at.
type shopsUp struct{ desc *prometheus.Desc }

// Describe implements prometheus.Collector.
func (c shopsUp) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

// Collect implements prometheus.Collector.
func (c shopsUp) Collect(values chan<- prometheus.Metric) {
	up := map[string]float64{}
	shops.Range(func(_, value any) bool {
		// During a reload that changes its upstream, a shop may be there twice.
		if s := value.(*pooledShop); s.up.Load() {
			up[s.name] = 1
		} else {
			up[s.name] += 0
		}
		return true
	})
	for shop, value := range up {
		values <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, value, shop)
	}
}
