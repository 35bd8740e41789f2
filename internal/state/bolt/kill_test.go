package bolt

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// childFile names the file that a child process of the test writes to.
const childFile = "STOREWARE_TEST_BOLT_FILE"

// writeUntilKilled is the child: it says what it has been told is written.
func writeUntilKilled(path string) {
	store, err := Open(path, time.Now)
	if err != nil {
		fmt.Println("opening:", err)
		return
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%d/%d/%d", os.Getpid(), worker, i)
				if _, err := store.Put(context.Background(), key, []byte(key), time.Hour); err != nil {
					fmt.Println("writing:", err)
					return
				}
				fmt.Println("written", key)
			}
		})
	}
	wg.Wait()
}

// A process that is killed while it writes loses nothing of what it was told is
// written, and leaves a file that opens.
func TestKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := newPath(t)
	written := make(map[string]bool)
	for range 3 {
		child := exec.CommandContext(t.Context(), self)
		child.Env = append(os.Environ(), childFile+"="+path)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			key, ok := strings.CutPrefix(lines.Text(), "written ")
			if !ok {
				t.Fatal(lines.Text())
			}
			written[key] = true
			if seen++; seen == 200 {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = child.Wait() // it was killed, and says so
		if seen < 200 {
			t.Fatalf("the child wrote %d entries and ended", seen)
		}
	}
	store := openFile(t, path)
	for key := range written {
		if entry, err := store.Get(t.Context(), key); err != nil || string(entry.Value) != key {
			t.Errorf("%s: got %q, %v", key, entry.Value, err)
		}
	}
}
