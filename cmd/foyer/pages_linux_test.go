package main

import (
	"os"
	"slices"
	"testing"
)

// Only pages mapped from the program that are read-only and unwritten are released.
func TestCleanMappings(t *testing.T) {
	const smaps = `00400000-01df5000 r-xp 00000000 fe:00 1234                               /usr/bin/foyer
Size:              26580 kB
Rss:               18260 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
01df5000-03806000 r--p 019f5000 fe:00 1234                               /usr/bin/foyer
Anonymous:             4 kB
03806000-03900000 r--p 03406000 fe:00 1234                               /usr/bin/foyer
Anonymous:             0 kB
03906000-03946000 rw-p 03406000 fe:00 1234                               /usr/bin/foyer
Anonymous:             0 kB
c000000000-c000800000 rw-p 00000000 00:00 0
Anonymous:             0 kB
7f0000000000-7f0000010000 r-xp 00000000 fe:00 99                         /usr/lib/libc.so.6
Anonymous:             0 kB
`
	want := []mapping{{0x400000, 0x1df5000}, {0x3806000, 0x3900000}}
	if got := cleanMappings(smaps, "/usr/bin/foyer"); !slices.Equal(got, want) {
		t.Errorf("%x, not %x", got, want)
	}
}

// The program goes on after its pages are released, and has some to release.
func TestDropPages(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	if len(cleanMappings(string(text), path)) == 0 {
		t.Error("nothing of the program is mapped and clean")
	}
	dropPages()
}
