package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/chromedp/cdproto/input"
)

// budget is how long a press may take until the next paint, in ms, with so many events in the week, on a processor so many times slower.
const (
	budget = 200
	events = 300
	slower = 4
)

// watch keeps the longest time from an event to the paint after it, as the browser measures it (Event Timing).
const watch = `(() => {
	window.presses = [];
	new PerformanceObserver((list) => {
		for (const e of list.getEntries()) if (e.interactionId) window.presses.push(e.duration);
	}).observe({ type: "event", durationThreshold: 16, buffered: true });
})()`

// press is something that somebody does in the calendar, and what is so when it has been done. Each is done often, and begins at the
// calendar.
type press struct {
	what string
	do   func(w *window) error
	done string
}

var presses = []press{
	{"open a date in the side sheet", func(w *window) error { return w.click(".ev") }, `document.querySelector("dialog.sheet[open]")`},
	{"drag a date by an hour", func(w *window) error { return w.drag(".ev[data-drag]", 0, 60) }, `document.querySelector("dialog.sheet[open]")`},
	{"move with the key m", func(w *window) error {
		if _, err := eval[bool](w, `(document.querySelector(".ev[data-move]").focus({ preventScroll: true }), true)`); err != nil {
			return err
		}
		return w.keys("m")
	}, `document.querySelector("dialog.sheet[open]")`},
	{"open the search with /", func(w *window) error { return w.keys("/") }, `document.querySelector("dialog.palette[open]")`},
	{"open the menu New", func(w *window) error { return w.click(".menu.new summary") }, `document.querySelector(".menu.new[open]")`},
	{"go to the next week", func(w *window) error { return w.click("[data-key='ArrowRight']") }, `!document.querySelector(".ev")`},
}

// rounds is how often each is done.
const rounds = 5

// speed prints a table: for each press the median and the worst of its rounds.
func speed(d demo, w *window) error {
	path, err := fullWeek(d)
	if err != nil {
		return err
	}
	if err := w.resize(1280, 800); err != nil {
		return err
	}
	if err := w.before(watch); err != nil {
		return err
	}
	if err := w.open(d.page(path)); err != nil {
		return err
	}
	n, err := eval[int](w, `document.querySelectorAll(".ev").length`)
	if err == nil && n < events {
		err = fmt.Errorf("the week has %d events, not %d", n, events)
	}
	if err != nil {
		return err
	}
	fmt.Printf("| from a press to the next paint, %d events, processor %d times slower | median ms | worst ms | budget |\n|---|---:|---:|---:|\n", n, slower)
	for _, p := range presses {
		took, err := p.measure(d.page(path), w)
		if err != nil {
			return fmt.Errorf("%s: %w", p.what, err)
		}
		slices.Sort(took)
		fmt.Printf("| %s | %.0f | %.0f | %d |\n", p.what, took[len(took)/2], took[len(took)-1], budget)
	}
	load, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		fmt.Printf("\nload average %s", load)
	}
	return nil
}

// measure does it in so many rounds. A press that was painted within 16 ms is not told by the browser, and counts as 16.
func (p press) measure(address string, w *window) (took []float64, err error) {
	for range rounds {
		if err := w.slow(1); err != nil {
			return nil, err
		}
		if err := w.open(address); err != nil {
			return nil, err
		}
		if err := w.slow(slower); err != nil {
			return nil, err
		}
		if _, err := eval[bool](w, "(window.presses = [], true)"); err != nil {
			return nil, err
		}
		if err := p.do(w); err != nil {
			return nil, err
		}
		// the observer is told after the paint, when the page has a moment
		ms, err := eval[float64](w, fmt.Sprintf(`new Promise((done, fail) => {
			const late = performance.now() + 20000;
			const look = () => {
				if (%s) setTimeout(() => done(Math.max(16, ...window.presses)), 300);
				else if (performance.now() > late) fail("it does not happen");
				else setTimeout(look, 50);
			};
			look();
		})`, p.done))
		if err != nil {
			return nil, err
		}
		took = append(took, ms)
	}
	return took, w.slow(1)
}

// fullWeek gives the studio a hall whose coming week has 300 events, fifty a day but on Sunday, and returns where its calendar is.
func fullWeek(d demo) (path string, err error) {
	b := d.Businesses[0]
	hall, err := d.post("/businesses/"+b.ID+"/locations", map[string]any{"name": "The Hall", "slug": "the-hall-of-speed"})
	if err != nil {
		return "", err
	}
	class, err := d.post("/locations/"+hall+"/offerings", map[string]any{"kind": "class", "name": "Class in the hall", "capacity": 20, "durationMinutes": 45, "price": 0})
	if err != nil {
		return "", err
	}
	monday := time.Now().AddDate(0, 0, 7) // real time: the demo's clock begins with it
	for monday.Weekday() != time.Monday {
		monday = monday.AddDate(0, 0, -1)
	}
	const aDay = events / 6
	for i := range aDay {
		minute := 7*60 + i*15
		_, err := d.post("/offerings/"+class+"/series", map[string]any{
			"freq": "weekly", "weekdays": []int{1, 2, 3, 4, 5, 6}, "start": monday.Format(time.DateOnly),
			"until": monday.AddDate(0, 0, 6).Format(time.DateOnly), "at": fmt.Sprintf("%02d:%02d", minute/60, minute%60), "minutes": 45,
		})
		if err != nil {
			return "", err
		}
	}
	return "/calendar?view=week&at=the-hall-of-speed&day=" + monday.Format(time.DateOnly), nil
}

// click presses the first match that can be seen.
func (w *window) click(sel string) error {
	x, y, err := w.middle(sel)
	if err != nil {
		return err
	}
	if err := w.mouse(input.DispatchMouseEventTypeMousePressed, x, y); err != nil {
		return err
	}
	return w.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
}

// drag takes the first match and drops it elsewhere.
func (w *window) drag(sel string, dx, dy float64) error {
	x, y, err := w.middle(sel)
	if err != nil {
		return err
	}
	if err := w.mouse(input.DispatchMouseEventTypeMousePressed, x, y); err != nil {
		return err
	}
	const steps = 10
	for i := range steps {
		part := float64(i+1) / steps
		if err := w.mouse(input.DispatchMouseEventTypeMouseMoved, x+part*dx, y+part*dy); err != nil {
			return err
		}
	}
	return w.mouse(input.DispatchMouseEventTypeMouseReleased, x+dx, y+dy)
}

// middle is where the first match is, to which the page is scrolled.
func (w *window) middle(sel string) (x, y float64, err error) {
	at, err := eval[[]float64](w, fmt.Sprintf(`((e) => { e.scrollIntoView({ block: "center", behavior: "instant" }); const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + Math.min(r.height / 2, 8)]; })(document.querySelector(%q))`, sel))
	if err == nil && len(at) != 2 {
		err = fmt.Errorf("there is no %s", sel)
	}
	if err != nil {
		return 0, 0, err
	}
	return at[0], at[1], nil
}
