package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of the times in /proc on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// cpuOf is the processor time that processes have used since they began; Postgres counts with all its backends, those
// that have ended included, and so does any other parent of workers. 0 where there is no /proc.
type cpuOf struct {
	postmaster int // 0: none
	others     []int
}

func (c cpuOf) and(pid int) cpuOf {
	return cpuOf{c.postmaster, append(c.others[:len(c.others):len(c.others)], pid)}
}

func (c cpuOf) now() time.Duration {
	var sum time.Duration
	for _, pid := range c.others {
		s, _ := statOf(pid)
		sum += s.own
	}
	if c.postmaster == 0 {
		return sum
	}
	s, ok := statOf(c.postmaster)
	if !ok {
		return 0
	}
	sum += s.own + s.ended
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		if s, ok := readStat(path); ok && s.parent == c.postmaster {
			sum += s.own
		}
	}
	return sum
}

// procStat is what /proc/<pid>/stat says of a process.
type procStat struct {
	parent     int
	own, ended time.Duration // its own time, and that of children it has waited for
}

func statOf(pid int) (procStat, bool) { return readStat(fmt.Sprintf("/proc/%d/stat", pid)) }

func readStat(path string) (procStat, bool) {
	body, err := os.ReadFile(path) //nolint:gosec // paths under /proc
	if err != nil {
		return procStat{}, false
	}
	// The name stands in parentheses and may hold anything; the fields after it are numbers, from the third on.
	end := bytes.LastIndexByte(body, ')')
	f := strings.Fields(string(body[end+1:]))
	if end < 0 || len(f) < 15 {
		return procStat{}, false
	}
	ticks := func(i int) time.Duration {
		n, _ := strconv.ParseInt(f[i], 10, 64)
		return time.Duration(n) * clockTick
	}
	parent, err := strconv.Atoi(f[1])
	return procStat{parent: parent, own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14)}, err == nil
}

// residentMB is the memory of a process that is in RAM, in MB of 10^6 bytes; 0 where there is no /proc.
func residentMB(pid int) float64 {
	body, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // no file, no line
	for line := range strings.Lines(string(body)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb * 1024 / 1e6
		}
	}
	return 0
}

// processor is the processor's name, or its kind.
func processor(kind string) string {
	body, _ := os.ReadFile("/proc/cpuinfo") // no file, no line
	for line := range strings.Lines(string(body)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return kind
}

// loadAverage is how many processes wanted to run in the last minute.
func loadAverage() string {
	body, _ := os.ReadFile("/proc/loadavg") // no file, no line
	first, _, _ := strings.Cut(string(body), " ")
	return first
}
