package kb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestStoreSmallDisk fills the disk of a store from many callers. Exactly the acknowledged changes are stored. When
// there is room again, the store continues.
func TestStoreSmallDisk(t *testing.T) {
	s := &shop{T: t, dir: t.TempDir()}
	disk := filepath.Join(s.dir, "store")
	require.NoError(t, os.Mkdir(disk, 0o700))
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=256k"); err != nil {
		deep.Missing(t, "stores on a full disk", "no file system can be mounted: "+err.Error())
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, 0)) })
	save(t, filepath.Join(s.dir, "shop.pl"), ":- persistent(order/2).\n")
	s.open()
	t.Cleanup(func() { s.store.Close() })
	filler := strings.Repeat("x", 1500)
	stored := make([]bool, 400)
	var all sync.WaitGroup
	for caller := range 8 {
		all.Go(func() {
			for i := caller; i < len(stored); i += 8 {
				err := s.transact(fmt.Sprintf("assertz(order(%d, %s))", i, filler))
				if stored[i] = err == nil; !stored[i] {
					require.ErrorIs(t, err, host.ErrNotStored)
				}
			}
		})
	}
	all.Wait()
	want := func() string {
		var list []string
		for i, ok := range stored {
			if ok {
				list = append(list, fmt.Sprint(i))
			}
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	require.Contains(t, stored, false)
	const orders = "findall(N, order(N, _), L), sort(L, S), member(X, S)"
	require.Equal(t, want(), s.all(orders))
	s.reopen()
	require.Equal(t, want(), s.all(orders))
	require.NoError(t, syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=1m"))
	stored = append(stored, true)
	require.NoError(t, s.transact(fmt.Sprintf("assertz(order(%d, %s))", len(stored)-1, filler)))
	s.reopen()
	require.Equal(t, want(), s.all(orders))
}
