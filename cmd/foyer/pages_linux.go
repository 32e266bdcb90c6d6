package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dropPages releases the pages of the program itself that only the start needs: half of it is read to declare the
// operations and to wire the packages, and never again. Pages that are needed later are mapped anew, from the file or
// from the kernel's copy of it. Trying costs nothing, so that unreadable or fixed pages stay as they are.
func dropPages() {
	path, err := os.Executable()
	if err != nil {
		return
	}
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range cleanMappings(string(text), path) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// cleanMappings are the parts of a file that a process has mapped, may not write and has not written either. A page
// that was written, by the loader or by a debugger, would be lost.
func cleanMappings(smaps, path string) (list []mapping) {
	var at mapping
	ours := false
	for line := range strings.Lines(smaps) {
		f := strings.Fields(line)
		switch {
		case len(f) >= 5 && !strings.HasSuffix(f[0], ":"): // addresses, rights, offset, device, inode and perhaps a path
			at, ours = mappingOf(f[0])
			ours = ours && len(f) == 6 && f[5] == path && !strings.Contains(f[1], "w")
		case ours && len(f) == 3 && f[0] == "Anonymous:" && f[1] == "0":
			list = append(list, at)
		}
	}
	return list
}

// mappingOf reads "00400000-01df5000".
func mappingOf(text string) (mapping, bool) {
	from, to, _ := strings.Cut(text, "-")
	start, err := strconv.ParseUint(from, 16, 64)
	if err != nil {
		return mapping{}, false
	}
	end, err := strconv.ParseUint(to, 16, 64)
	return mapping{uintptr(start), uintptr(end)}, err == nil
}
