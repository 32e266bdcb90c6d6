package growth

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

const (
	// doubling is how much the CPU time may grow when the input is twice as long. Three doublings are measured as one,
	// because one alone is within the noise of a busy machine.
	doubling  = 2.6
	doublings = 8
	mostTimes = doubling * doubling * doubling
	// noise is the CPU time below the resolution of the measurement.
	noise = 200 * time.Microsecond
	tries = 4
)

// Row is one reader and one input that is hard for it.
type Row struct {
	Name string
	// Most is the size of the longest input in bytes: the largest that gets so far, or one that is large enough to
	// show how the time grows.
	Most int
	// Read makes an input of about that size and returns the function that reads it.
	Read func(size int) func()
	// Within bounds the CPU time of the longest input; zero: only its growth is bounded.
	Within time.Duration
}

// Check fails for each row with CPU time that grows faster than its input: by more than 2.6 for each doubling, from
// an eighth of the longest input to the longest.
func Check(t *testing.T, rows ...Row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.Name, func(t *testing.T) {
			small, large := r.Read(r.Most/doublings), r.Read(r.Most)
			least, most := time.Hour, time.Hour
			for range tries {
				if most = min(most, CPU(large)); r.fits(least, most) {
					return
				}
				least = min(least, CPU(small))
				if r.fits(least, most) {
					return
				}
			}
			t.Errorf("%d bytes took %v of CPU, and eight times as many %v (at most %v)", r.Most/doublings, least, most, r.Within)
		})
	}
}

// fits reports whether the times of the short and of the long input are in proportion. While the short one was not
// measured it counts as nothing.
func (r Row) fits(least, most time.Duration) bool {
	if least == time.Hour {
		least = 0
	}
	return float64(most) <= mostTimes*float64(max(least, noise)) && (r.Within == 0 || most <= r.Within)
}

// CPU returns the CPU time of a call on its own thread. The garbage collector runs before it and not during it.
func CPU(call func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would have this thread help it
	runtime.GC()
	from := used()
	call()
	return used() - from
}

// used returns the CPU time of this thread so far. The values of getrusage have a coarse resolution.
func used() time.Duration {
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID
	var at syscall.Timespec
	if _, _, no := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&at)), 0); no != 0 {
		panic(no)
	}
	return time.Duration(at.Nano())
}

// Repeated is a piece again and again, to about a size.
func Repeated(piece string, size int) string {
	out := make([]byte, 0, size+len(piece))
	for len(out) < size {
		out = append(out, piece...)
	}
	return string(out)
}
