package shop

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/picture"
)

// Name is the name of the shop as a person reads it.
const Name = "Kiln & Cloth Outfitters"

// What Options leave open.
const (
	defaultShipAfter    = 2 * time.Minute
	defaultDeliverAfter = 5 * time.Minute
	defaultBasketLife   = 7 * 24 * time.Hour
)

// Options say how the shop is run. The zero Options are a shop with the built-in
// catalogue in pounds, which forgets everything when it is closed.
type Options struct {
	// DataDir is where shop.db is kept; it must exist. Empty keeps all in memory.
	DataDir string
	// Catalogue are the rows of another catalogue, as the documentation of package
	// internal/goods has them. Nil is the built-in one.
	Catalogue io.Reader
	// Currency is that of the built-in catalogue, GBP by default. It must not be
	// set beside Catalogue, whose rows say their own.
	Currency money.Currency
	// BackOffice is the token of the back office. Without one there is none.
	BackOffice secret.String
	// Faults opens /api/faults, where a test makes the shop misbehave.
	Faults bool
	// Careless makes the shop order a basket as often as it is asked to, as some
	// real shops do. It is for tests of what calls the shop.
	Careless bool
	// AskPath is where something in front of the shop answers questions as it answers
	// an agent's (see the documentation of the package). With it, the front page has
	// a box to ask in.
	AskPath string
	// ShipAfter and DeliverAfter are how long after an order was placed its goods
	// leave and arrive, 2 and 5 minutes by default.
	ShipAfter    time.Duration
	DeliverAfter time.Duration
	// BasketLife is how long a basket is kept after it was made, a week by default.
	BasketLife time.Duration
	// Now is the clock, time.Now by default.
	Now func() time.Time
	// Log is told of failures of the shop itself, nothing by default.
	Log *slog.Logger
}

// Server is the shop. It is an [http.Handler] that is safe for concurrent use.
type Server struct {
	catalogue *goods.Catalogue
	ledger    *ledger.Ledger
	shelf     shelf
	album     picture.Album
	customers customers
	faults    *faults
	pages     *pages
	ask       *askBox
	handler   http.Handler

	backOffice   secret.String
	shipAfter    time.Duration
	deliverAfter time.Duration
	now          func() time.Time
	log          *slog.Logger

	// selling is held by whatever changes prices or stock, so that the shelf and
	// the ledger change together.
	selling sync.Mutex
}

// New opens the shop. The error wraps a *goods.RowError for a catalogue that cannot
// be read.
func New(o Options) (*Server, error) {
	catalogue, err := openCatalogue(o)
	if err != nil {
		return nil, err
	}
	s := &Server{
		catalogue:    catalogue,
		backOffice:   o.BackOffice,
		shipAfter:    cmp.Or(o.ShipAfter, defaultShipAfter),
		deliverAfter: cmp.Or(o.DeliverAfter, defaultDeliverAfter),
		now:          o.Now,
		log:          o.Log,
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.shipAfter < 0 || s.deliverAfter < s.shipAfter {
		return nil, errors.New("an order must leave before it arrives")
	}
	if s.pages, err = newPages(s); err != nil {
		return nil, err
	}
	if s.ask, err = newAskBox(o); err != nil {
		return nil, err
	}
	if s.ledger, err = ledger.Open(o.DataDir, cmp.Or(o.BasketLife, defaultBasketLife), s.now); err != nil {
		return nil, fmt.Errorf("opening the shop's records: %w", err)
	}
	s.ledger.Careless = o.Careless
	levels, err := s.ledger.Levels()
	if err != nil {
		return nil, errors.Join(err, s.ledger.Close())
	}
	s.shelf.fill(catalogue, levels)
	s.handler = s.routes()
	if o.Faults {
		s.faults = newFaults()
		s.handler = s.faults.wrap(s.handler)
	}
	return s, nil
}

func openCatalogue(o Options) (*goods.Catalogue, error) {
	if o.Catalogue == nil {
		return goods.BuiltIn(cmp.Or(o.Currency, goods.Home))
	}
	if o.Currency != "" {
		return nil, errors.New("a catalogue of its own has prices in its own currency")
	}
	return goods.Read(o.Catalogue)
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close closes the shop's records. No request may be under way.
func (s *Server) Close() error {
	if s.faults != nil {
		s.faults.clear()
	}
	return s.ledger.Close()
}

// routes joins the API, the pages and the back office.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	s.routeAPI(mux)
	s.routeBackOffice(mux)
	s.routePages(mux)
	return mux
}

// randomToken returns a name that nobody can guess, of 26 letters and digits.
func randomToken() string { return rand.Text() }
