package view_test

import (
	"crypto/sha512"
	"encoding/base64"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/invite"
	"foyer/app/hosted/kit"
	"foyer/app/hosted/my"
	"foyer/app/hosted/studio"
	"foyer/app/hosted/upload"
	"foyer/app/view"
)

// The gallery's studio: Harbour Yoga in Lisbon, on the morning of Friday 20 November 2026.
var (
	lisbon = time.FixedZone("Europe/Lisbon", 0)
	now    = at(20, 5, 50)
)

func at(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour, minute, 0, 0, lisbon)
}

func usd(minor int64) view.Price    { return view.Price{Minor: minor, Currency: "USD"} }
func price(minor int64) *view.Price { p := usd(minor); return &p }

func harbour() view.Shell {
	return view.Shell{
		Words: view.Words{Locale: "en", Zone: lisbon, Now: now},
		Studio: view.Studio{
			Name: "Harbour Yoga", Home: "/harbour", Address: "12 Quay Street, Lisbon",
		},
		Mine: "/my", CSRF: "csrf-token", Self: "https://book.example.com/harbour",
	}
}

// from is the same studio, reached from its own website.
func from(sh view.Shell) view.Shell {
	sh.Ref = "https://harbouryoga.com/timetable"
	sh.Back = &view.Back{Host: "harbouryoga.com", Href: "https://harbouryoga.com/timetable"}
	return sh
}

func framed(sh view.Shell) view.Shell { sh.Embed = true; return sh }

// carrying is the same shell with a ticket as long as that of a customer with three carts.
func carrying(sh view.Shell) view.Shell {
	sum := sha512.Sum512([]byte("ticket"))
	sh.Ticket = ticket(strings.Repeat(base64.RawURLEncoding.EncodeToString(sum[:]), 7))
	return sh
}

func house() view.Shell {
	return view.Shell{Words: view.Words{Locale: "en", Zone: time.UTC, Now: now}, CSRF: "csrf-token"}
}

func post(to string) view.Form { return view.Form{Action: to, Key: "key-of-" + to} }

func hold() *view.Hold {
	return &view.Hold{Until: now.Add(9*time.Minute + 41*time.Second), Extend: post("/cart/abc/extend")}
}

func day(n int) view.Day {
	row := func(h, m, minutes int, name, who, where string, cents int64, spots int, action view.Action) view.Row {
		return view.Row{Start: at(n, h, m), Minutes: minutes, Name: name, Who: who, Where: where, Price: price(cents),
			Spots: spots, Action: action, Href: "/harbour/" + name[:4] + "?time=1"}
	}
	return view.Day{Date: at(n, 0, 0), Rows: []view.Row{
		row(6, 30, 60, "Sunrise Vinyasa", "Ana Ruiz", "Studio A", 2200, 4, view.ActionBook),
		row(9, 0, 50, "Reformer Basics", "Jo Park", "Reformer room", 3400, 12, view.ActionBook),
		row(12, 15, 45, "Lunch Flow", "Sam Okafor", "Studio A", 1800, 9, view.ActionBook),
		row(17, 30, 60, "Slow Burn", "Ana Ruiz", "Studio B", 2200, 0, view.ActionWaitlist),
	}}
}

func schedule() view.Schedule {
	v := view.Schedule{Policy: "Tap a class to book. Free to cancel up to 12 hours before."}
	for i := range 14 {
		n := 20 + i
		v.Strip = append(v.Strip, view.StripDay{Date: at(n, 0, 0), Open: n != 22, Current: i == 0})
		if n != 22 {
			v.Days = append(v.Days, day(n))
		}
	}
	v.Days[1].Rows[3].Action, v.Days[2].Rows[3].Action = view.ActionDetails, view.ActionFull
	return v
}

// filled is the same shell for a customer with a cart.
func filled(sh view.Shell) view.Shell {
	sh.Bar = &view.CartBar{Label: "1 class", Total: usd(2200), Hold: hold(), Href: "/cart/abc"}
	return sh
}

func listing() view.Listing {
	time := func(n, h, m, spots int, a view.Action) view.Time {
		return view.Time{Start: at(n, h, m), Spots: spots, Action: a, Href: "/harbour/sunrise-vinyasa?time=1"}
	}
	return view.Listing{
		About: view.About{Name: "Sunrise Vinyasa", Price: price(2200), Minutes: 60, Who: "Ana Ruiz", Where: "Studio A",
			Text: "A strong, breathing hour to start the day. We move from slow sun salutations to standing work and finish on the floor.\n\n" +
				"Mats and blocks are here. Bring water, and come ten minutes early the first time.",
			Policy: []string{"Cancel until 12 hours before the start and the price is refunded. After that there is no refund.", "Reschedule a booking until 12 hours before the start."}},
		First: true,
		Times: view.Times{Days: []view.TimesDay{
			{Date: at(20, 0, 0), Times: []view.Time{time(20, 6, 30, 4, view.ActionBook), time(20, 12, 15, 9, view.ActionBook), time(20, 18, 0, 1, view.ActionBook)}},
			{Date: at(21, 0, 0), Times: []view.Time{time(21, 6, 30, 12, view.ActionBook)}},
			{Date: at(23, 0, 0), Times: []view.Time{time(23, 6, 30, 0, view.ActionWaitlist), time(23, 12, 15, 12, view.ActionBook)}},
		},
			Later: "/harbour/sunrise-vinyasa?after=1",
			Jump:  &view.Jump{Action: "/harbour/sunrise-vinyasa", From: now, Min: now}},
	}
}

func chosen(action view.Action) view.Listing {
	v := listing()
	v.Chosen = &view.Chosen{Start: at(20, 6, 30), Minutes: 60, Spots: 4, Price: price(2200), Action: action, Form: post("/cart")}
	if action == view.ActionWaitlist {
		v.Chosen.Form, v.Chosen.Href, v.Chosen.Spots = view.Form{}, "/harbour/sunrise-vinyasa/waitlist/1", 0
	}
	if action == view.ActionDetails {
		v.Chosen.Form = view.Form{}
		v.Chosen.Note = "Booking for this class closed an hour before it starts."
	}
	return v
}

func bill() view.Bill {
	return view.Bill{Total: usd(2381), Lines: []view.BillLine{
		{Label: "1 class", Amount: usd(2200)},
		{Label: "Sales tax 8.25%", Amount: usd(181), Small: true},
	}}
}

func anOrder() *view.Order {
	return &view.Order{Hold: hold(), Bill: bill(), Lines: []view.Line{
		{Name: "Sunrise Vinyasa", Start: at(20, 6, 30), Minutes: 60, Where: "Studio A"},
	}}
}

func chosenCart() cart.Cart {
	line := func(id string, n int) cart.CartLine {
		return cart.CartLine{ID: id, Line: view.Line{Name: "Sunrise Vinyasa", Start: at(n, 6, 30), Minutes: 60, Where: "Studio A, with Ana Ruiz",
			Terms: []string{"Free cancellation until Thu 19 Nov, 18:30; after that you lose $23.82, and the $10.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."}},
			Price: usd(2200), Remove: post("/cart/abc/remove/" + id)}
	}
	return cart.Cart{
		Lines: []cart.CartLine{line("a", 20), line("b", 21)}, Hold: hold(), Form: post("/cart/abc"), More: "/harbour",
		Code: cart.CartCode{Apply: post("/cart/abc/code"), Remove: post("/cart/abc/code/remove")},
		Bill: view.Bill{Total: usd(4763), Lines: []view.BillLine{
			{Label: "2 classes", Amount: usd(4400)}, {Label: "Sales tax 8.25%", Amount: usd(363), Small: true}}},
	}
}

// withCode is a cart with a code that takes something off, or why it does not.
func withCode(problem string) cart.Cart {
	v := chosenCart()
	v.Code = cart.CartCode{Code: "SPRING20", Problem: problem, Remove: post("/cart/abc/code/remove")}
	if problem == "" {
		v.Bill.Lines = append(v.Bill.Lines[:1], view.BillLine{Label: "Spring offer (code SPRING20)", Amount: usd(-880)}, view.BillLine{Label: "Sales tax 8.25%", Amount: usd(290), Small: true})
		v.Bill.Total = usd(3810)
	}
	return v
}

// refusedCode is a cart after a code was refused.
func refusedCode() cart.Cart {
	v := chosenCart()
	v.Code = cart.CartCode{Open: true, Typed: "sprnig20", Apply: post("/cart/abc/code")}
	v.Trouble = wrong("code")
	return v
}

func pay(way cart.PayWay) cart.Pay {
	v := cart.Pay{Order: *anOrder(), Way: way, Form: post("/cart/abc/pay"), Code: cart.CartCode{Apply: post("/cart/abc/code")}}
	switch way {
	case cart.PayNothing:
		v.Order.Bill = view.Bill{Total: usd(0), Lines: []view.BillLine{{Label: "Sunrise Vinyasa", Amount: usd(2200)}, {Label: "Ten-class pack", Amount: usd(-2200)}}}
	case cart.PayLive:
		v.Card = &cart.LiveCard{Key: "pk_test_1", Account: "acct_1", Amount: 2381, Return: "https://book.example.com/cart/abc/paid"}
	case cart.PayTest:
		v.Tests = []cart.TestCard{{Number: "4242 4242 4242 4242", Does: "is accepted"}, {Number: "4000 0000 0000 0002", Does: "is declined"}}
	}
	return v
}

// request is the payment of something that the studio has the last word on.
func request(v cart.Pay) cart.Pay {
	v.Approval, v.Card.Held = "Harbour Yoga approves each booking. Your card is authorized now, and charged only when they approve. You hear from them by e-mail.", true
	return v
}

func there(v cart.Pay) cart.Pay {
	v.AtStudio = &cart.PayAtStudio{Form: post("/cart/abc/pay"), Total: usd(2381), Terms: []string{"Free cancellation until Thu 19 Nov, 18:30; after that you pay a late-cancellation fee of $10.00."}}
	return v
}

func tooLittle() cart.Pay {
	v, least := pay(cart.PayNotOffered), usd(50)
	v.Order.Bill.Total, v.Least = usd(30), &least
	return v
}

func declined() cart.Pay {
	v := pay(cart.PayTest)
	v.Trouble = view.CardTrouble(view.Words{Locale: "en"}, "insufficient_funds", true)
	return v
}

func receipt() view.Receipt {
	o := *anOrder()
	o.Hold = nil
	o.Lines[0].Terms = []string{"Free cancellation until Thu 19 Nov, 18:30; after that you lose $23.81 and pay a late-cancellation fee of $10.00."}
	return view.Receipt{
		Order: o, Number: "HY-20482", Made: now, PaidWith: "Visa ending 4242", Address: "12 Quay Street, 1100-148 Lisbon",
		Map: "https://maps.example.com/?q=12+Quay+Street", Calendar: view.Calendar{File: "/receipt/abc/booking.ics", Add: []view.CalendarEntry{
			{Name: "Sunrise Vinyasa", Start: at(20, 6, 30), Google: "https://calendar.google.com/x", Outlook: "https://outlook.live.com/x"}}},
	}
}

var savedCards = []cart.SavedCard{{ID: "1", Name: "Visa ending 4242", Expires: "12/34"}, {ID: "2", Name: "Mastercard ending 4444", Expires: "01/26", Over: true}}

// kept is a payment that a saved card can make.
func kept(v cart.Pay, n int) cart.Pay {
	v.SaveConsent = "Harbour Yoga keeps this card, so that you pay with one press next time."
	v.Saved = &cart.PaySaved{Form: post("/pay/kept"), Cards: savedCards[:n]}
	return v
}

func cards() cart.Cards {
	v := cart.Cards{Email: "ana@example.com", Back: "/my"}
	for _, c := range savedCards {
		v.Cards = append(v.Cards, cart.Card{SavedCard: c, Studio: "Harbour Yoga", Remove: post("/my/cards/" + c.ID + "/remove")})
	}
	return v
}

func payments() my.Payments {
	p := func(n int, what, means string, minor int64) my.Payment {
		return my.Payment{At: at(n, 9, 30), Label: what, Studio: "Harbour Yoga", Method: means, Amount: usd(minor), Receipt: "/receipt/abc"}
	}
	v := my.Payments{Email: "ana@example.com", More: "/my/payments?before=1",
		Credits: []my.Credit{{Studio: "Harbour Yoga", Amount: usd(1500)}},
		Payments: []my.Payment{p(20, "Sunrise Vinyasa", "Visa ending 4242", 2444), p(18, "Late-cancellation fee: Slow Burn", "Cash", 500),
			p(11, "Reformer Basics and 2 more", "Account credit", 6600)}}
	v.Payments[0].Refunded, v.Payments[0].Test = "Partially refunded: $10.00, or on its way to you", true
	return v
}

func mine() my.Bookings {
	b := func(n, h int, name string) my.Booking {
		return my.Booking{Line: view.Line{Name: name, Start: at(n, h, 30), Minutes: 60, Where: "Studio A"}, Receipt: "/receipt/abc"}
	}
	v := my.Bookings{Email: "ana@example.com", SignOut: post("/my/sign-out"), More: "/my?before=1",
		Upcoming: []my.Booking{b(20, 6, "Sunrise Vinyasa"), b(23, 17, "Slow Burn")},
		Past:     []my.Booking{b(13, 6, "Sunrise Vinyasa"), b(11, 9, "Reformer Basics")}}
	v.Upcoming[0].Href, v.Upcoming[0].Terms = "/my/bookings/1", []string{"Free cancellation until Thu 19 Nov, 18:30; after that you lose $23.81 and pay a late-cancellation fee of $10.00."}
	v.Upcoming[1].State, v.Upcoming[1].Href = "Requested", "/my/bookings/2"
	v.Past[1].State = "Cancelled late"
	v.Waiting = []my.Booking{
		{Line: view.Line{Name: "Lunch Flow", Start: at(21, 12, 15), Minutes: 45, Where: "Studio A", State: "A spot is held for you until 6:00"}, Offer: true, Href: "/my/waitlist/1"},
		{Line: view.Line{Name: "Slow Burn", Start: at(22, 17, 30), Minutes: 60, Where: "Studio B", State: "Number 2 in line"}, Href: "/my/waitlist/2"},
	}
	return v
}

func place() invite.Location {
	return invite.Location{Form: post("/setup/location"), Current: true, Zone: "Atlantic/Azores", Currency: "EUR",
		Address:    business.Address{Country: "PT", City: "Ponta Delgada"},
		Countries:  []view.Option{{Value: "ES", Text: "Spain"}, {Value: "PT", Text: "Portugal"}},
		Zones:      []view.Option{{Value: "Europe/Lisbon", Text: "Lisbon, 17:12 now"}, {Value: "Atlantic/Azores", Text: "Azores, 16:12 now"}},
		Currencies: []view.Option{{Value: "EUR", Text: "Euro (EUR)"}, {Value: "GBP", Text: "Pound sterling (GBP)"}, {Value: "USD", Text: "US dollar (USD)"}}}
}

// placeAbroad is the same without script: the zone is a select.
func placeAbroad() invite.Location {
	v := place()
	v.Current, v.Address = false, business.Address{Country: "US"}
	v.Trouble = &view.Trouble{Fields: []fault.Field{{Field: "location.zone", Message: "You changed the country. Check its time zone, currency, language and tax."}}}
	return v
}

// looks are the stylesheets linked by the gallery's pages, by slug.
var looks = map[string]view.Branding{
	"teal":  {Accent: "#0b7285", Background: "white", Corners: "pill"},
	"night": {Accent: "#ffd400", Background: "dark", Type: "system", Corners: "square"},
}

func wearing(slug string) view.Shell {
	sh := harbour()
	sh.Branding, sh.BrandingHref = looks[slug], looks[slug].Href(slug)
	return sh
}

// wrong is a form that came back with these fields named.
func wrong(fields ...string) *view.Trouble {
	t := &view.Trouble{}
	for _, f := range fields {
		t.Fields = append(t.Fields, fault.Field{Field: f, Message: "Enter your " + f + "."})
	}
	return t
}

// gallery is every page in every distinct state, by name.
var gallery = sync.OnceValue(func() map[string]templ.Component {
	sh := harbour()
	noon := sh
	noon.Locale = "en-US"
	ended, gone := chosenCart(), chosenCart()
	here := sh
	here.Location = &view.Location{Name: "Harbour", Address: "12 Quay Street, Lisbon"}
	here.Locations = []view.Location{{Name: "Hill", Address: "3 Castle Road, Lisbon", Href: "/hill"}, {Name: "Riverside", Href: "/riverside"}}
	added := sh
	added.Said = "Added: Sunrise Vinyasa, Fri 20 Nov, 6:30, for 2 people."
	ended.Ended, ended.Again, gone.Ended = true, post("/cart/abc/hold"), true
	all := map[string]templ.Component{
		"look-teal":       view.SchedulePage(filled(wearing("teal")), schedule()),
		"look-teal-pay":   cart.PayPage(wearing("teal"), declined()),
		"look-night":      view.SchedulePage(filled(wearing("night")), schedule()),
		"look-night-pay":  cart.PayPage(wearing("night"), pay(cart.PayTest)),
		"schedule":        view.SchedulePage(filled(sh), schedule()),
		"schedule-us":     view.SchedulePage(from(noon), schedule()),
		"schedule-empty":  view.SchedulePage(sh, view.Schedule{Policy: "Tap a class to book.", Strip: schedule().Strip, Later: "/harbour?day=2026-12-07"}),
		"schedule-framed": view.SchedulePage(filled(carrying(framed(sh))), schedule()),
		"listing-framed":  view.ListingPage(carrying(framed(sh)), chosen(view.ActionBook)),
		"bar-framed": studio.LivePage(sh, &view.EmbedWalkins{State: "busy", Level: "nearly_full", Spots: 2, Label: "Nearly full",
			Detail: "2 spots free, open until 21:00", Book: "/harbour"}, "/harbour?embed=live"),
		"places": studio.LocationsPage(sh, []view.Location{
			{Name: "Harbour", Address: "12 Quay Street, Lisbon", Href: "/harbour"}, {Name: "Hill", Address: "3 Castle Road, Lisbon", Href: "/hill"}}),
		"listing":           view.ListingPage(from(sh), listing()),
		"listing-chosen":    view.ListingPage(sh, chosen(view.ActionBook)),
		"listing-full":      view.ListingPage(sh, chosen(view.ActionWaitlist)),
		"listing-closed":    view.ListingPage(sh, chosen(view.ActionDetails)),
		"cart":              cart.CartPage(from(sh), chosenCart()),
		"cart-ended":        cart.CartPage(sh, ended),
		"cart-gone":         cart.CartPage(sh, gone),
		"schedule-of-three": view.SchedulePage(here, narrowed()),
		"listing-of-three":  view.ListingPage(here, listing()),
		"listing-people":    view.ListingPage(sh, asking(0)),
		"listing-more":      view.ListingPage(sh, asking(2)),
		"cart-aside":        cart.CartPage(sh, aside()),
		"cart-people":       cart.CartPage(added, people()),
		"pay-people":        cart.PayPage(added, payingFor(people())),
		"cart-code":         cart.CartPage(sh, withCode("")),
		"cart-code-over":    cart.CartPage(sh, withCode("This code has expired.")),
		"cart-code-refused": cart.CartPage(sh, refusedCode()),
		"cart-empty":        cart.CartPage(sh, cart.Cart{More: "/harbour"}),
		"sign-in":           kit.SignInPage(sh, kit.SignIn{Form: post("/cart/abc/sign-in"), Order: anOrder()}),
		"sign-in-framed":    kit.SignInPage(framed(sh), kit.SignIn{Form: post("/cart/abc/sign-in"), Email: "ana@", Trouble: wrong("email")}),
		"code":              kit.CodePage(sh, kit.Code{Form: post("/code"), Email: "ana@example.com", Resend: post("/resend"), Wait: 30, Change: "/sign-in", Order: anOrder()}),
		"details":           kit.DetailsPage(sh, kit.Details{Form: post("/details"), Order: anOrder(), Trouble: wrong("name", "phone")}),
		"pay-test":          cart.PayPage(from(sh), pay(cart.PayTest)),
		"pay-kept":          cart.PayPage(sh, kept(pay(cart.PayTest), 1)),
		"pay-kept-several":  cart.PayPage(sh, kept(pay(cart.PayTest), 2)),
		"my-cards":          cart.CardsPage(sh, cards()),
		"my-cards-empty":    cart.CardsPage(sh, cart.Cards{Email: "ana@example.com", Back: "/my"}),
		"pay-declined":      cart.PayPage(sh, declined()),
		"pay-live":          cart.PayPage(sh, pay(cart.PayLive)),
		"pay-live-request":  cart.PayPage(sh, request(pay(cart.PayLive))),
		"pay-nothing":       cart.PayPage(sh, pay(cart.PayNothing)),
		"pay-not-offered":   cart.PayPage(sh, pay(cart.PayNotOffered)),
		"pay-or-there":      cart.PayPage(sh, there(pay(cart.PayTest))),
		"pay-there":         cart.PayPage(sh, there(pay(cart.PayNotOffered))),
		"pay-too-little":    cart.PayPage(sh, tooLittle()),
		"pay-code-refused":  cart.PayPage(sh, refusedAtPayment()),
		"my-friends":        my.BookingsPage(sh, friends()),
		"receipt":           cart.ReceiptPage(from(sh), receipt()),
		"receipt-framed":    cart.ReceiptPage(framed(from(sh)), receipt()),
		"my-bookings":       my.BookingsPage(sh, mine()),
		"my-payments":       my.PaymentsPage(sh, payments()),
		"my-payments-empty": my.PaymentsPage(sh, my.Payments{Email: "ana@example.com"}),
		"my-bookings-empty": my.BookingsPage(sh, my.Bookings{Email: "ana@example.com", SignOut: post("/my/sign-out")}),
		"invite":            invite.StartPage(house(), kit.SignIn{Form: post("/setup"), Email: "jo@example.com"}),
		"invite-studio":     invite.StudioPage(house(), invite.Studio{Form: post("/setup/studio"), Trouble: wrong("business")}),
		"invite-location":   invite.LocationPage(house(), place()),
		"invite-abroad":     invite.LocationPage(house(), placeAbroad()),
		"upload": upload.FormPage(sh, upload.Form{
			Action: "/upload/abc", Business: "Harbour Yoga", Photo: true, Types: []string{"image/jpeg", "image/png"}, MB: 15,
			Until: sh.Now.Add(10 * time.Minute),
		}),
		"upload-refused": upload.FormPage(sh, upload.Form{
			Action: "/upload/abc", Business: "Harbour Yoga", Types: []string{"application/pdf"}, MB: 20,
			Until: sh.Now.Add(10 * time.Minute), Trouble: wrong("file"),
		}),
		"upload-done": upload.DonePage(sh, upload.Done{Business: "Harbour Yoga", Photo: true}),
		"not-found": kit.ProblemPage(sh, kit.Problem{Title: "Page not found", Text: "The address may be wrong, or this page no longer exists.",
			Links: []view.Link{{Text: "See what’s on", Href: "/harbour"}, {Text: "My bookings", Href: "/my"}}}),
	}
	maps.Copy(all, engine())
	maps.Copy(all, courses())
	maps.Copy(all, pictured(sh))
	maps.Copy(all, withCredit(sh))
	maps.Copy(all, giftCards(sh))
	maps.Copy(all, plans(sh))
	maps.Copy(all, agreements(sh))
	maps.Copy(all, assistants())
	return all
})
