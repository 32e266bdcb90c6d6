package markdown_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"foyer/app/markdown"
)

// TestCostGrowsAsTheText renders texts of twice the length, three times over. What is made of one piece many times over is made of as many
// pieces as make a paragraph, too: those are rendered, and the others refused. The three doublings are measured as one, because one alone is
// within the noise of a busy machine.
func TestCostGrowsAsTheText(t *testing.T) {
	const aDoubling, smallest, times = 2.6, 12_500, 4
	const most = aDoubling * aDoubling * aDoubling
	for _, piece := range []string{
		"**a_", "*a_ ", "*a ", "_a", "a* ", "***a ", "[a](", "[", "![", "[a]", "[a][", "](", "[a]: b\n", "[a]: b (c\n", "`a``b", "` ",
		"<a ", "<a b='", "<!--", "<?", "<x@", "<http:", "> ", ">", "1) ", "- ", "* a\n", "- a\n", "> a\n", "  - a\n", "\t", "    a\n", "a  \n", "\\",
		"&amp;", "# a\n", "a\n=\n", "=\n", "---\n", "```\n", "<div>\n", "- - \n", "a ", "\n",
	} {
		for name, unit := range map[string]string{"": piece, " in paragraphs": strings.Repeat(piece, 20) + "\n\n"} {
			one := leastCPU(times, strings.Repeat(unit, smallest/len(unit)))
			eight := leastCPU(times, strings.Repeat(unit, 8*smallest/len(unit)))
			// a time of less than this says nothing
			if one = max(one, 200*time.Microsecond); float64(eight) > most*float64(one) {
				t.Errorf("%q%s: eight times the text took %v of CPU, and the text %v", piece, name, eight, one)
			}
		}
	}
}

func TestCostOfTheIssue(t *testing.T) {
	for _, piece := range []string{"**a_", "*a_ ", "[a](", "> ", "1) "} {
		text := strings.Repeat(piece, 100_000/len(piece))
		if took := leastCPU(3, text); took > 50*time.Millisecond {
			t.Errorf("%q to the allowed size took %v of CPU", piece, took)
		}
		if _, err := markdown.HTML(text); !errors.Is(err, markdown.ErrTooComplex) {
			t.Errorf("%q to the allowed size: %v", piece, err)
		}
	}
}

// leastCPU is the least CPU time of this thread that rendering a text took in some runs.
func leastCPU(times int, text string) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would have this thread help it
	used := func() time.Duration {
		const thread = 3 // CLOCK_THREAD_CPUTIME_ID; what getrusage says of a thread ticks
		var at syscall.Timespec
		if _, _, no := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&at)), 0); no != 0 {
			panic(no)
		}
		return time.Duration(at.Nano())
	}
	least := time.Hour
	for range times {
		runtime.GC()
		from := used()
		_, _ = markdown.HTML(text)
		least = min(least, used()-from)
	}
	return least
}
