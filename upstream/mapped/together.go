package mapped

import "sync"

// maxTogether is how many requests of one call are under way at once.
const maxTogether = 4

// together calls do for each number below n, some at the same time, and returns
// the error of the lowest number that had one.
func together(n int, do func(i int) error) error {
	failed := make([]error, n)
	places := make(chan struct{}, maxTogether)
	var group sync.WaitGroup
	for i := range n {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			failed[i] = do(i)
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}
