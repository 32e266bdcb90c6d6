package embedtest_test

import (
	"fmt"
	"strings"
)

// Fragments as the contract has them, with {base} for the service.

const timetable = `<div data-pf="schedule" data-pf-v="1"><div data-pf="day"><h3 data-pf="day-name"><time datetime="2026-06-10">Today</time></h3>
<ul data-pf="items"><li data-pf="item"><time data-pf="time" datetime="2026-06-10T13:00:00Z">9:00 am</time>
<a data-pf="link" href="{base}/harbour/sunrise">Sunrise Vinyasa</a><span data-pf="duration">1 h</span><span data-pf="instructor">Jo</span>
<span data-pf="price">$22.00</span><span data-pf="spots">3 spots left</span>
<a data-pf="book" href="{base}/harbour/sunrise?time=2026-06-10T13:00:00Z"><span data-pf="label">Book</span></a></li></ul></div></div>`

func list(kind, name string) string {
	return fmt.Sprintf(`<div data-pf="list" data-pf-v="1" data-pf-kind="%s"><ul data-pf="items"><li data-pf="item"><h3 data-pf="name">`+
		`<a data-pf="link" href="{base}/harbour/%s">%[2]s</a></h3><p data-pf="meta"><span data-pf="price">$22.00</span></p></li></ul></div>`, kind, name)
}

// times is a page of times that begins on a day of June; after is where the next one begins, or nothing.
func times(day int, after string) string {
	pages := ""
	if after != "" {
		pages = fmt.Sprintf(`<p data-pf="pages"><a data-pf="page" rel="next" href="{base}/harbour/sunrise?after=%s">Later times</a></p>`, after)
	}
	rows := strings.Repeat(fmt.Sprintf(`<li data-pf="item"><a data-pf="book" href="{base}/harbour/sunrise?time=2026-06-%02dT13:00:00Z">`+
		`<time data-pf="time" datetime="2026-06-%02[1]dT13:00:00Z">9:00 am</time><span data-pf="spots">3 spots left</span></a></li>`, day), 24)
	return fmt.Sprintf(`<div data-pf="times" data-pf-v="1">%s<div data-pf="day"><h3 data-pf="day-name"><time datetime="2026-06-%02d">June %[2]d</time></h3>`+
		`<ul data-pf="items">%s</ul></div>%s</div>`, timesHead, day, rows, pages)
}

const timesHead = `<div data-pf="head"><h3 data-pf="name">Sunrise Vinyasa</h3><p data-pf="meta"><span data-pf="price">$22.00</span><span data-pf="duration">1 h</span></p></div>
<form data-pf="jump" method="get" action="{base}/harbour/sunrise"><input type="date" name="from" min="2026-06-10" aria-label="From"><button type="submit"><span data-pf="label">Go</span></button></form>`

const noTimes = `<div data-pf="times" data-pf-v="1">` + timesHead + `<p data-pf="empty">Nothing on these days.</p></div>`

// walkins is the bar in a state; a level of "" is left out, as when it is closed.
func walkins(state, level string, spots int, label string) string {
	if level != "" {
		level = ` data-pf-level="` + level + `"`
	}
	return fmt.Sprintf(`<div data-pf="walkins" data-pf-v="1"><span data-pf="status" data-pf-state="%s"%s data-pf-spots="%d" aria-live="polite">`+
		`<span data-pf="label">%s</span> <span data-pf="detail">Until 8:00 pm</span></span> <a data-pf="book" href="{base}/harbour"><span data-pf="label">Book</span></a></div>`,
		state, level, spots, label)
}

var (
	openNow   = walkins("open", "plenty", 7, "7 spots open")
	busyNow   = walkins("busy", "nearly_full", 1, "1 spot open")
	fullNow   = walkins("full", "full", 0, "Full")
	closedNow = walkins("closed", "", 0, "Closed")
)

// usual is an origin where every fragment of Harbour Yoga answers.
func (o *origin) usual() *origin {
	o.say(v1("harbour/schedule"), html(timetable))
	for kind, name := range map[string]string{"classes": "sunrise", "appointments": "massage", "rentals": "sauna", "listings": "mixed"} {
		o.say(v1("harbour/"+kind), html(list(strings.TrimSuffix(kind, "s"), name)))
	}
	o.say(v1("harbour/times/sunrise"), html(times(10, "2026-06-11T04:00:00Z")))
	o.say(v1("harbour/times/sunrise?after=2026-06-11T04%3A00%3A00Z"), html(times(11, "")))
	o.say(v1("harbour/times/sunrise?from=2026-06-20"), html(times(20, "2026-06-21T04:00:00Z")))
	o.say(v1("harbour/times/sunrise?from=2026-07-20"), html(noTimes))
	return o.say(v1("harbour/walkins"), html(openNow).with("X-Svc-Until", "2026-06-11T00:00:00Z"))
}
