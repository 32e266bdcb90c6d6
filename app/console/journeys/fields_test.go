package journeys_test

import (
	"fmt"
	"strings"

	"foyer/app/apptest/browser"
)

// field marks the input with that label, as finder does for buttons, and returns its type.
const field = `((what) => {
	for (const e of document.querySelectorAll("[data-found]")) e.removeAttribute("data-found");
	const clean = (s) => (s ?? "").trim().replace(/\s+/g, " ");
	const root = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
	const words = (l) => { const copy = l.cloneNode(true); copy.querySelectorAll("small").forEach((s) => s.remove()); return clean(copy.textContent); };
	const said = (e) => [clean(e.getAttribute("aria-label")), ...[...(e.labels ?? [])].map(words)];
	const all = [...root.querySelectorAll("input:not([type=hidden]), select, textarea")].filter((e) => e.checkVisibility({ visibilityProperty: true }));
	const found = all.find((e) => said(e).includes(what));
	if (!found) return "";
	found.setAttribute("data-found", "");
	return found.localName === "input" ? found.type : found.localName;
})`

// find waits for an input by its label and returns its type.
func (p *person) find(label string) (kind string) {
	p.t.Helper()
	p.until(fmt.Sprintf("there is a field %q", label), func() bool {
		kind = asks[string](p, fmt.Sprintf("%s(%s)", field, quoted(label)))
		return kind != ""
	})
	return kind
}

// fill writes into the field of that label: text as it is, a time as 15:04, a day as 2006-01-02.
func (p *person) fill(label, value string) {
	p.t.Helper()
	p.inputs++
	kind := p.find(label)
	picked := kind == "date" || kind == "time" || kind == "datetime-local" || kind == "color"
	if !p.keys {
		if picked {
			p.Choose("[data-found]", value)
		} else {
			p.Fill("[data-found]", value)
		}
	} else {
		p.tabTo("[data-found]")
		if picked {
			value = typed(kind, value)
		}
		p.Type(value)
	}
	p.rests()
}

// typed returns the keystrokes for a field of that kind, in American English.
func typed(kind, value string) string {
	switch kind {
	case "time":
		var h, m int
		_, _ = fmt.Sscanf(value, "%d:%d", &h, &m)
		half := "AM"
		if h >= 12 {
			half = "PM"
		}
		return fmt.Sprintf("%02d%02d%s", (h+11)%12+1, m, half)
	case "date":
		parts := strings.Split(value, "-")
		return parts[1] + parts[2] + parts[0]
	}
	return value
}

// choose selects the option with that text from the list with that label.
func (p *person) choose(label, option string) {
	p.t.Helper()
	p.inputs++
	p.find(label)
	if p.keys {
		p.tabTo("[data-found]")
		p.Type(option)
	} else {
		value := browser.Eval[string](p.Page, fmt.Sprintf(
			"[...document.querySelector('[data-found]').options].find((o) => o.text.trim().startsWith(%s))?.value ?? ''", quoted(option)))
		p.Choose("[data-found]", value)
	}
	p.rests()
}

// tick sets the box, or the choice, with that label, in one click.
func (p *person) tick(label string) {
	p.t.Helper()
	p.inputs++
	kind := p.find(label)
	if p.keys && kind == "radio" {
		p.arrowTo()
		return
	}
	p.clicks++
	p.turn = p.now()
	if p.keys {
		p.tabTo("[data-found]")
		p.Press(" ")
	} else {
		p.Click("[data-found]")
	}
	p.rests()
}

// tickIn ticks a box of a group, if other groups have boxes of the same label.
func (p *person) tickIn(group, label string) {
	p.t.Helper()
	p.inputs++
	p.clicks++
	p.until(fmt.Sprintf("there is a box %q under %q", label, group), func() bool {
		return asks[bool](p, fmt.Sprintf(`((group, label) => {
			for (const e of document.querySelectorAll("[data-found]")) e.removeAttribute("data-found");
			const box = [...document.querySelectorAll("fieldset")].find((f) => f.querySelector("legend")?.textContent.trim() === group);
			const found = [...(box?.querySelectorAll("input") ?? [])].find((e) => [...e.labels].some((l) => l.textContent.trim() === label));
			found?.setAttribute("data-found", "");
			return !!found;
		})(%s, %s)`, quoted(group), quoted(label)))
	})
	p.Click("[data-found]")
	p.rests()
}

// arrowTo goes through the choices of a group, entered by Tab once.
func (p *person) arrowTo() {
	p.t.Helper()
	p.tabTo("[name=\"" + browser.Eval[string](p.Page, "document.querySelector('[data-found]').name") + "\"]")
	for range 10 {
		if browser.Eval[bool](p.Page, "document.activeElement.matches('[data-found]')") {
			return
		}
		p.Type(browser.ArrowDown)
	}
	p.t.Fatalf("%s: the arrows do not lead to the choice on %s", p.way, p.URL())
}

// tabTo presses Tab until an element has the focus.
func (p *person) tabTo(sel string) {
	p.t.Helper()
	for range 250 {
		if browser.Eval[bool](p.Page, "document.activeElement?.matches("+quoted(sel)+") ?? false") {
			return
		}
		p.Type("\t")
	}
	p.t.Fatalf("%s: Tab does not reach %s on %s", p.way, browser.Eval[string](p.Page, "document.querySelector("+quoted(sel)+")?.outerHTML ?? 'what is gone'"), p.URL())
}

// drag drags the first match by its centre over that distance.
func (p *person) drag(sel string, dx, dy float64) {
	p.t.Helper()
	p.clicks++
	p.turn = p.now()
	p.Drag(sel, dx, dy)
	p.settles(true)
}
