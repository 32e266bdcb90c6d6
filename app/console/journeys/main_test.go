// Package journeys_test uses the console as people do, in Chromium: by the visible text and buttons of the screens,
// from one end of a job to the other. No address is typed except where a person would.
//
// # How a click is counted
//
// Every press of a link, a button, a box or a menu counts, and so does a drag, whatever it leads to; so does Enter in
// a field that sends its form. Typing, putting the focus into a field, choosing from a list and reading count
// nothing. A count begins where the job is at hand: on Today, or on the list that has the row (bookings, the
// calendar, keys). The limit of each job is the design's, and is in docs/console.md with its count.
package journeys_test

import (
	"fmt"
	"os"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/console/consoletest"
)

func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }

// way is a kind of browser and device.
type way struct {
	Width     int
	NoScript  bool
	Clipboard bool   // the shell of Chromium has none
	Camera    string // file of the pictures of a camera; empty: there is none
}

const phone, desktop = 390, 1280

// narrow is the width of the smallest phone: 360 by 800.
const narrow = 360

// height returns the height of the window.
func (w way) height() int {
	if w.Width == narrow {
		return 800
	}
	return 844
}

func (w way) String() string {
	if w.NoScript {
		return fmt.Sprintf("%d px without script", w.Width)
	}
	return fmt.Sprintf("%d px with script", w.Width)
}

// inEveryWay makes a journey in each way, at a studio of its own. A short run makes it with script on a desktop and
// without script on a phone, the two that have least in common, side by side.
func inEveryWay(t *testing.T, journey func(t *testing.T, s *consoletest.Studio, w way)) {
	ways := []way{{Width: desktop, NoScript: false}, {Width: phone, NoScript: true}}
	if walks.Long() {
		ways = append(ways, way{Width: phone, NoScript: false}, way{Width: desktop, NoScript: true})
	}
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			journey(t, consoletest.Open(t), w)
		})
	}
}

// onTheSmallestPhone makes a journey at 360 px with script and without, at a studio of its own.
func onTheSmallestPhone(t *testing.T, journey func(t *testing.T, s *consoletest.Studio, w way)) {
	for _, w := range []way{{Width: narrow}, {Width: narrow, NoScript: true}} {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			journey(t, consoletest.Open(t), w)
		})
	}
}
