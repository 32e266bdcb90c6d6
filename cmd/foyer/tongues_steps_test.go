package main

import (
	"context"
	"regexp"
	"strings"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
)

var (
	digits    = regexp.MustCompile(`[0-9]+`)
	sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)
)

const walker = "walker@example.com"

// walk goes through all of it, as a stranger, as a customer and as a new owner.
func (w *stroll) walk() {
	w.t.Helper()
	harbour, northside := w.guide.Businesses[0].Locations[0].Slug, w.guide.Businesses[1].Locations[0].Slug
	w.tab.Goto(w.url + "/" + harbour + "?lang=" + w.tongue.Base())
	w.open("/dev")
	w.wander()
	for _, nothing := range []string{
		"/" + harbour + "/nothing", "/no-such-studio", "/cart/nothing", "/receipt/nothing", "/invite/nothing", "/my", "/my/profile", "/my/waitlist/nothing",
	} {
		w.open(nothing)
	}
	w.opens()
	w.books(harbour)
	w.paysAgain(harbour)
	w.enrols(harbour)
	w.waits(harbour)
	w.asks(northside)
	w.open("/my")
	w.wander()
	w.compare()
	w.changes()
	w.studio(harbour)
	w.open("/my")
	w.wander()
	w.compare()
	w.profile()
	w.letters(walker, friend, w.guide.Businesses[0].People["instructor"].Email, newcomer)
}

// press clicks the button that continues, in spite of the browser's own validation.
func (w *stroll) press(sel string) {
	w.t.Helper()
	browser.Eval[bool](w.tab, "document.querySelectorAll('form').forEach(f => f.noValidate = true), true")
	w.tab.Click(sel)
}

// step presses, and looks at where that leads.
func (w *stroll) step(sel string) {
	w.t.Helper()
	w.press(sel)
	w.look(w.here())
	w.remember()
}

// at fails unless the browser is at an address like that.
func (w *stroll) at(part string) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(w.here(), part); time.Sleep(20 * time.Millisecond) { // real time: a browser's
		if time.Now().After(end) {
			w.t.Fatalf("%s: the browser is at %s, not at %s: %s", w.tongue.Tag(), w.here(), part, w.tab.Text("main"))
		}
	}
}

// code waits for the newest code that came to an address.
func (w *stroll) code(email string) string {
	w.t.Helper()
	w.rest(w.t)
	for _, m := range w.box.List(email) {
		if code := sixDigits.FindString(m.Text); code != "" && !strings.Contains(m.Text, "/receipt/") {
			return code
		}
	}
	w.t.Fatalf("no code came to %s", email)
	return ""
}

// signsIn uses the open sign-in, with a wrong address and a wrong code first.
func (w *stroll) signsIn(email string) {
	w.t.Helper()
	w.tab.Fill("#email", "nobody")
	w.step("main form button[type=submit]")
	w.tab.Fill("#email", email)
	w.step("main form button[type=submit]")
	code := w.code(email)
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	w.tab.Fill("#code", wrong)
	w.step("main form button[type=submit]")
	w.tab.Fill("#code", code)
	w.press("main form button[type=submit]")
}

// pays with a card.
func (w *stroll) pays(card string) {
	w.t.Helper()
	w.tab.Fill("#number", card)
	w.tab.Fill("#exp", "12/34")
	w.tab.Fill("#cvc", "123")
	w.press("form[action*='/pay/card'] button")
	w.at("/")
}

// choose opens the page of a class at the location that can be booked and costs something, that of the row or the
// next one, and puts it into the cart.
func (w *stroll) choose(location string, row int) {
	w.t.Helper()
	w.tab.Goto(w.url + "/" + location)
	rows := browser.Eval[[]string](w.tab, `[...document.querySelectorAll('main .row a.btn[href*="time="]')].map(a => a.href)`)
	costs := func(to string) bool {
		_, date, _ := strings.Cut(to, "time=")
		return w.text("select (f.price_amount > 0)::text from occurrences o join offerings f on f.id = o.offering_id where o.id::text = $1", date[:36]) == "true"
	}
	for row < len(rows) && !costs(rows[row]) {
		row++
	}
	if row >= len(rows) {
		w.t.Fatalf("%s: no class that costs something in %d rows", w.tongue.Tag(), len(rows))
	}
	w.tab.Goto(rows[row])
	w.look(w.here())
	w.press("#book button[type=submit]")
	w.at("/cart/")
}

// books takes a new customer through every step: the address, the code, the name, a card that is declined and one
// that is not.
func (w *stroll) books(location string) {
	w.t.Helper()
	w.choose(location, 1)
	w.look(w.here())
	w.signsIn(walker)
	w.at("/details")
	w.look(w.here())
	w.step("main form button[type=submit]")
	w.tab.Fill("#name", "Wanda Walker")
	w.step("main form button[type=submit]")
	w.at("/pay")
	w.pays(apptest.CardDeclined)
	w.look(w.here())
	w.choose(location, 14)
	w.look(w.here())
	cart, _, _ := strings.Cut(w.here(), "/pay")
	w.open(cart)
	w.press("main form[action='" + cart + "'] button[type=submit]")
	w.at("/pay")
	w.wander() // while the cart is held
	w.tab.Goto(w.url + cart + "/pay")
	w.pays(apptest.CardGood)
	w.at("/receipt/")
	w.look(w.here())
	w.remember()
}

// paysAgain lets a hold expire, holds it again, and returns from a bank's authentication.
func (w *stroll) paysAgain(location string) {
	w.t.Helper()
	w.choose(location, 16)
	cart, _, _ := strings.Cut(w.here(), "/pay")
	w.clock.Advance(25 * time.Minute)
	w.rest(w.t)
	w.open(cart + "/pay")
	w.step("main form[action$='/again'] button")
	w.tab.Goto(w.url + cart + "/pay")
	w.pays(apptest.CardChecked)
	w.step("button[value=fail]")
	w.pays(apptest.CardGood)
	w.at("/receipt/")
}

// enrols in the course.
func (w *stroll) enrols(location string) {
	w.t.Helper()
	slug := w.text("select slug from offerings where name like 'Handstands%'")
	w.open("/" + location + "/" + slug)
	w.press("main form[method=post] button[type=submit]")
	w.at("/pay")
	w.look(w.here())
	w.pays(apptest.CardGood)
	w.at("/receipt/")
	w.look(w.here())
	w.remember()
}

// waits for a class that is full, from the row of the timetable on.
func (w *stroll) waits(location string) {
	w.t.Helper()
	w.tab.Goto(w.url + "/" + location)
	w.step("main .row a[href*='/waitlist/']")
	w.press("main form[method=post] button[type=submit]")
	w.at("/my/waitlist/")
	w.look(w.here())
	w.remember()
}

// asks requests an appointment with approval, twice, and books a party with a deposit and an appointment without
// approval. It uses later days: on a slow machine a time of today may have begun before the studio decides.
func (w *stroll) asks(location string) {
	w.t.Helper()
	for range 2 {
		w.tab.Goto(w.url + "/" + location + "/coaching-hour?from=" + w.clock.Now().AddDate(0, 0, 3).Format(time.DateOnly))
		w.press("main button[name=start]")
		w.at("/pay")
		w.look(w.here())
		w.pays(apptest.CardGood)
		w.at("/receipt/")
		w.look(w.here())
	}
	w.tab.Goto(w.url + "/" + location + "/the-cave-for-parties?from=" + w.clock.Now().AddDate(0, 0, 3).Format(time.DateOnly)) // with a deposit, and a waiver
	w.press("main button[name=start]")
	w.at("/agreements")
	w.look(w.here())
	w.step("[data-agreed]") // and has not agreed
	w.tab.Click("input[name^='agree.']")
	w.press("[data-agreed]")
	w.at("/pay")
	w.look(w.here())
	w.pays(apptest.CardGood)
	w.at("/receipt/")
	w.look(w.here())
	w.tab.Goto(w.url + "/" + w.guide.Businesses[0].Locations[0].Slug + "/private-session")
	w.press("main button[name=start]")
	w.at("/pay")
	w.pays(apptest.CardGood)
	w.at("/receipt/")
	w.remember()
}

// changes moves a booking and cancels one, from their pages.
func (w *stroll) changes() {
	w.t.Helper()
	id := w.text(`select b.id::text from bookings b join customers c on c.id = b.customer_id join offerings f on f.id = b.offering_id
		where c.email = $1 and b.state = 'confirmed' and f.kind = 'class' and f.name not like 'Handstands%' order by b.starts_at desc limit 1`, walker)
	to := w.text(`select o.id::text from occurrences o join bookings b on b.offering_id = o.offering_id where b.id = $1 and o.state = 'scheduled'
		and o.taken < o.capacity and o.starts_at > $2 and not exists (select from bookings x where x.occurrence_id = o.id and x.customer_id = b.customer_id)
		order by o.starts_at limit 1`, id, w.clock.Now().Add(24*time.Hour))
	w.open("/my/bookings/" + id + "/move")
	w.step("main .free a[href*='to=" + to + "']")
	w.press("main form[method=post] button[type=submit]")
	w.at("/my")
	w.look(w.here())
	w.open("/my/bookings/" + id + "/cancel")
	w.step("main form[method=post] button[type=submit]")
	w.open("/my/bookings/" + id)
	w.open("/my/bookings/" + id + "/cancel") // there is nothing left to cancel
	w.rest(w.t)
}

// profile changes the customer's own data, with a number that is none.
func (w *stroll) profile() {
	w.t.Helper()
	w.open("/my/profile")
	w.tab.Fill("#phone", "x")
	w.step("main form[action='/my/profile'] button[type=submit]")
	w.tab.Fill("#phone", "+1 212 555 0123")
	w.step("main form[action='/my/profile'] button[type=submit]")
	w.step("main form[action$='/sign-out'] button[type=submit]")
}

// text is the first column of the first row.
func (w *stroll) text(sql string, args ...any) (out string) {
	w.t.Helper()
	if err := w.past.QueryRow(context.WithoutCancel(w.t.Context()), sql, args...).Scan(&out); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return out
}
