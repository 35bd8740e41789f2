package safehttp

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxHosts bounds how many hosts a budget remembers. A forgotten host starts
// with a full budget again, but the one for all hosts holds it all the same.
const maxHosts = 4096

// budget limits how often something is done, all in all and per host.
type budget struct {
	all       *rate.Limiter
	hostRate  rate.Limit
	hostBurst int

	mu    sync.Mutex
	hosts *lru[string, *rate.Limiter]
}

func newBudget(perSecond, hostPerSecond float64, burst, hostBurst int) *budget {
	return &budget{
		all:       rate.NewLimiter(rate.Limit(perSecond), burst),
		hostRate:  rate.Limit(hostPerSecond),
		hostBurst: hostBurst,
		hosts:     newLRU[string, *rate.Limiter](maxHosts, maxHosts),
	}
}

// spend takes one from both budgets and reports whether both had one.
func (b *budget) spend(host string, now time.Time) bool {
	return b.host(host).AllowN(now, 1) && b.all.AllowN(now, 1)
}

func (b *budget) host(name string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	limiter, ok := b.hosts.get(name)
	if !ok {
		limiter = rate.NewLimiter(b.hostRate, b.hostBurst)
		b.hosts.put(name, limiter, 1)
	}
	return limiter
}
