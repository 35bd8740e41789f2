package caddymodule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/safehttp"
	answers "github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/translate/answer/facts"
	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/photo"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/translate/answer/relevance"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// The ways to find products.
const (
	searchIndex    = "index"
	searchUpstream = "upstream"
)

// How many products may be read for a search.
const (
	leastCandidates = 10
	mostCandidates  = 1000
)

// defaultAnswerSchema is the origin that owns the extension's name.
const defaultAnswerSchema = "https://storeware.ai"

// How often what is known of a shop's words is drawn up anew while products come in.
const knowledgeEvery = 10 * time.Second

// words is what is known of a shop's catalogue: an index of it, and its words. It
// grows while the catalogue is walked, and lives as long as the shop is in use.
type words struct {
	language string
	index    *index.Index
	crawl    *crawl.Crawl // nil for a shop that cannot be walked
	facts    *facts.Book
	gaps     *facts.Gaps
	gallery  *photo.Gallery
	now      atomic.Pointer[answers.Knowledge]
	ready    atomic.Bool

	mu      sync.Mutex
	builder *vocabulary.Builder
	kinds   *relevance.Learner
	drawn   time.Time
	fresh   bool // something came in since then

	end        context.CancelFunc
	background sync.WaitGroup
}

// factsEvery is how often facts that were recorded at another node are read, and
// what agents asked for is written down.
const factsEvery = 15 * time.Second

// newWords begins to learn the words of a shop. What it learns is kept in the state
// of the configuration that opens it.
func newWords(shop *pooledShop, language string) *words {
	w := &words{
		language: language, index: index.New(index.Options{Language: language}),
		builder: new(vocabulary.Builder), kinds: relevance.NewLearner(language),
	}
	store := shop.host.Load().store
	w.facts, w.gaps = facts.NewBook(store, shop.name), facts.NewGaps(store, shop.name)
	w.gallery = photo.NewGallery(store, shop.name, fetchPicture(shop.host.Load().local))
	w.keepFacts(shop)
	w.now.Store(&answers.Knowledge{Lexicon: verdict.NewLexicon(language), Kinds: relevance.NewKinds(language)})
	walker, ok := shop.Shop.(upstream.Walker)
	if !ok {
		return w
	}
	w.crawl = crawl.New(crawl.Options{
		Shop: shop.name, Walker: walker, Store: store, Sinks: []crawl.Sink{w},
		Changed: func(p crawl.Progress) { w.changed(shop, p) },
	})
	w.crawl.Start()
	return w
}

// close ends the walk.
func (w *words) close() {
	if w == nil {
		return
	}
	if w.crawl != nil {
		w.crawl.Close()
	}
	w.end()
	w.background.Wait()
}

// keepFacts keeps up what is recorded beside the shop.
func (w *words) keepFacts(shop *pooledShop) {
	ctx, cancel := context.WithCancel(context.Background())
	w.end = cancel
	w.background.Go(func() {
		w.gallery.Run(ctx, func(err error) { shop.host.Load().logger.Warn("looking at photographs", zap.Error(err)) })
	})
	w.background.Go(func() {
		ticker := time.NewTicker(factsEvery)
		defer ticker.Stop()
		for {
			if err := errors.Join(w.facts.Load(ctx), w.gaps.Save(ctx)); err != nil && ctx.Err() == nil {
				shop.host.Load().logger.Warn("keeping what is recorded of products", zap.Error(err))
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
}

// pictureTime bounds how long fetching a picture may take.
const pictureTime = 10 * time.Second

// fetchPicture returns what fetches pictures: over https from public addresses, and
// in development from this machine too.
func fetchPicture(local bool) func(ctx context.Context, address string) ([]byte, error) {
	client := safehttp.NewClient(safehttp.Options{Timeout: pictureTime, MaxBody: photo.MaxBytes, AllowLoopback: local})
	return func(ctx context.Context, address string) ([]byte, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		response, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		if response.Status != http.StatusOK {
			return nil, fmt.Errorf("status %d", response.Status)
		}
		return response.Body, nil
	}
}

// Put implements crawl.Sink.
func (w *words) Put(p upstream.Product) {
	w.facts.Enrich(&p)
	w.index.Put(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.builder.Add(&p)
	w.kinds.Add(&p)
	w.fresh = true
}

// Remove implements crawl.Sink. Words are not forgotten: the shop may have what
// they name again.
func (w *words) Remove(id string) { w.index.Remove(id) }

// changed hears how the walk stands.
func (w *words) changed(shop *pooledShop, p crawl.Progress) {
	logger := shop.host.Load().logger
	if !p.Whole.IsZero() && p.Documents > 0 {
		if !w.ready.Swap(true) {
			logger.Info("the shop's catalogue is known", zap.Int("products", p.Documents))
		}
	}
	if p.Err != nil && p.Failed.Equal(p.At) {
		logger.Warn("reading the shop's catalogue", zap.Error(p.Err))
	}
	w.draw(!p.Walking)
	metrics.catalogue(shop.name, p)
}

// draw draws up what is known, if it is time to.
func (w *words) draw(done bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.fresh || !done && time.Since(w.drawn) < knowledgeEvery {
		return
	}
	w.fresh, w.drawn = false, time.Now()
	w.now.Store(&answers.Knowledge{
		Vocabulary: w.builder.Snapshot(), Lexicon: w.now.Load().Lexicon, Kinds: w.kinds.Kinds(),
	})
}

// finder finds in the index, or by the shop's own search.
func (w *words) finder(shop upstream.Catalogue, own bool) answers.Finder {
	if own || w.crawl == nil {
		return answers.ShopFinder{Shop: shop}
	}
	return answers.IndexFinder{Shop: shop, Index: w.index, Ready: w.ready.Load}
}

// answers returns what answers searches, nil before the shop has said what it is.
func (h *Handler) answers() *answers.Service {
	words := h.shop.value.learned()
	if words == nil {
		return nil
	}
	return &answers.Service{
		Finder:      words.finder(h.shop.value, h.Search == searchUpstream),
		Description: h.shop.value.description,
		Reader:      h.reader,
		Knowledge:   words.now.Load,
		Enrich:      words.facts.Enrich,
		Note:        words.gaps.Note,
		Photo:       words.gallery.Colours,
		Memory:      &answers.Memory{Store: h.app.sealed, Now: time.Now},
		Candidates:  h.Candidates,
		Now:         time.Now,
	}
}

// learned returns the words of the shop, once it has said which language they are
// in.
func (s *pooledShop) learned() *words {
	s.wordsMu.Lock()
	defer s.wordsMu.Unlock()
	if s.words == nil && !s.ended {
		said := s.description()
		if said == nil {
			return nil
		}
		s.words = newWords(s, cmp.Or(said.Language, "en"))
	}
	return s.words
}

// forget ends what learned began.
func (s *pooledShop) forget() {
	s.wordsMu.Lock()
	words := s.words
	s.ended = true
	s.wordsMu.Unlock()
	words.close()
}
