package outbox

import (
	"context"
	"strings"
	"sync"
	"time"
)

// lookEvery is how often Run looks for events that have become due, or that other
// processes have sent.
const lookEvery = time.Second

// Run delivers events until ctx is over, and then returns once those that are
// being delivered are settled. One Outbox must run once at a time; several with
// the same store, in as many processes, share the work.
func (o *Outbox) Run(ctx context.Context) {
	var workers sync.WaitGroup
	defer workers.Wait()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	o.look(ctx, &workers)
	for {
		select {
		case <-ctx.Done():
			return
		case receiver := <-o.wake:
			o.start(ctx, &workers, receiver)
		case <-ticker.C:
			o.look(ctx, &workers)
		}
	}
}

// look starts a worker for every receiver that has something due.
func (o *Outbox) look(ctx context.Context, workers *sync.WaitGroup) {
	for info, err := range o.o.Store.Queues(ctx, o.o.Prefix) {
		if err != nil {
			o.broken(ctx, "", err)
			return
		}
		if info.Wait <= 0 {
			o.start(ctx, workers, strings.TrimPrefix(info.Name, o.o.Prefix))
		}
	}
}

// broken reports that the store failed, unless it is because ctx is over.
func (o *Outbox) broken(ctx context.Context, receiver string, err error) {
	if ctx.Err() == nil {
		o.o.Report(Report{Outcome: Broken, Receiver: receiver, Err: err})
	}
}

// lane is a receiver's part of the deliveries.
type lane struct {
	receiver string
	workers  int
	again    bool // start was called when there were workers enough
	failing  bool // the latest try failed
}

// start starts one more worker for a receiver if it may have one, or else makes
// those that it has look again before they leave.
func (o *Outbox) start(ctx context.Context, workers *sync.WaitGroup, receiver string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lanes[receiver]
	if l == nil {
		l = &lane{receiver: receiver}
		o.lanes[receiver] = l
	}
	if l.workers >= o.most(l) {
		l.again = true
		return
	}
	l.workers++
	workers.Go(func() { o.work(ctx, workers, l) })
}

// most is how many workers a lane may have.
func (o *Outbox) most(l *lane) int {
	if l.failing {
		return 1
	}
	return o.o.PerReceiver
}

// work delivers one event after another until none is due. Whoever finds one
// calls for a colleague, who may find the next.
func (o *Outbox) work(ctx context.Context, workers *sync.WaitGroup, l *lane) {
	for found := true; !o.leave(ctx, l, found); {
		select {
		case o.slots <- struct{}{}:
			found = o.next(ctx, l, func() { o.start(ctx, workers, l.receiver) })
			<-o.slots
		case <-ctx.Done():
		}
	}
}

// leave takes a worker off its lane and reports true if it is to end: because
// time is over, because there are others enough, or because nothing was found
// and nothing came since it began to look.
func (o *Outbox) leave(ctx context.Context, l *lane, found bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if ctx.Err() == nil && l.workers <= o.most(l) && (found || l.again) {
		l.again = false
		return false
	}
	if l.workers--; l.workers == 0 {
		delete(o.lanes, l.receiver)
	}
	return true
}

// next delivers the next event of a lane, and reports whether there was one. It
// calls more as soon as it knows.
func (o *Outbox) next(ctx context.Context, l *lane, more func()) (found bool) {
	tasks, err := o.queue(l.receiver).Take(ctx, 1, leaseTime)
	if err != nil {
		o.broken(ctx, l.receiver, err)
		return false
	}
	for _, task := range tasks {
		more()
		// What has begun is brought to its end, so that nobody has to wait for
		// the end of the lease.
		failed := o.deliver(context.WithoutCancel(ctx), l.receiver, task)
		o.mu.Lock()
		l.failing = failed
		o.mu.Unlock()
	}
	return len(tasks) > 0
}
