package main

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/agenda"
	"foyer/app/agreement"
	"foyer/app/audit"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/demo"
	"foyer/app/discount"
	"foyer/app/fees"
	"foyer/app/oauth"
	"foyer/app/paging"
	merch "foyer/app/product"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/till"
	"foyer/billing/balance"
)

// alive compares the demo with a studio in operation (issue 31, item 21), as its owner sees it through the product.
func (d demoMade) alive(t *testing.T, s demo.Business) {
	t.Helper()
	people := d.demo(d.moving, d.sim, func(string) {})
	owner, err := people.Actor(t.Context(), s.People["owner"].Email, uuid.MustParse(s.ID))
	if err != nil {
		t.Fatal(err)
	}
	d.filled(t, s, owner)
	d.attended(t, s, owner)
	d.assistants(t, s, owner)
	days := map[civil.Date]int{}
	states, methods := map[sales.State]int{}, map[sales.Method]int{}
	in := sales.ListInput{Page: paging.In[paging.Moment]{Limit: paging.Max}}
	for {
		page, err := d.product.Sales.List(t.Context(), owner, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Items {
			states[p.State]++
			methods[p.Method]++
			if p.PaidAt != nil {
				days[civil.LocalDate(*p.PaidAt, civil.ZoneOrUTC(p.Zone))]++
			}
		}
		if in.Page.After = page.Next; page.Next == nil {
			break
		}
	}
	most := 0
	for _, n := range days {
		most = max(most, n)
	}
	if total := methods[sales.ByCard] + methods[sales.Cash] + methods[sales.Other]; len(days) < 40 || most*5 > total {
		t.Errorf("%s: %d sales on %d days, %d of them on one", s.Slug, total, len(days), most)
	}
	for name, n := range map[string]int{
		"payment by card": methods[sales.ByCard], "in cash": methods[sales.Cash], "by terminal": methods[sales.Other],
		"refund": states[sales.Refunded], "part of one refunded": states[sales.PartlyRefunded],
		"no-show":           d.bookings(t, owner, booking.NoShow),
		"late cancellation": d.bookings(t, owner, booking.LateCancelled),
		"who was there":     d.bookings(t, owner, booking.Completed),
		"fee for a no-show": d.fees(t, owner, fees.ListInput{Kind: fees.NoShow, State: fees.Due}),
		"waived fee":        d.fees(t, owner, fees.ListInput{State: fees.Waived}),
		"counted drawer":    d.drawers(t, owner),
		"payout":            d.payouts(t, owner),
		"signed agreement":  d.signed(t, owner, s),
		"promo code":        d.codes(t, owner),
		"saved card":        d.cards(t, owner),
		"balance due":       d.due(t, owner),
		"product":           d.moves(t, owner, merch.Receive),
		"product sold":      d.moves(t, owner, merch.Sell),
		"count of stock":    d.moves(t, owner, merch.Count),
	} {
		if n == 0 {
			t.Errorf("%s has no %s", s.Slug, name)
		}
	}
	if customers, err := d.CRM.List(t.Context(), owner, crm.ListInput{}); err != nil || customers.Total < 30 {
		t.Errorf("%s: %d customers, %v", s.Slug, customers.Total, err)
	}
}

// moves counts the moves of a kind in the stock ledgers of the published products.
func (d demoMade) moves(t *testing.T, owner tenancy.Scope, kind merch.MoveKind) (n int) {
	t.Helper()
	products, err := d.product.Products.List(t.Context(), owner, merch.ListInput{State: merch.Published})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range products.Items {
		variants, err := d.product.Products.Variants(t.Context(), owner, merch.VariantsInput{ProductID: p.ID})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variants.Items {
			page, err := d.product.Products.Moves(t.Context(), owner, merch.MovesInput{ProductID: p.ID, VariantID: v.ID})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range page.Items {
				if m.Kind == kind {
					n++
				}
			}
		}
	}
	return n
}

// accounts compares the accounting of the demo with that of a studio in operation: the first studio is connected, the
// documents of its last days are posted, one day has a reason why it is not, and another start changes nothing.
func (d demoMade) accounts(t *testing.T) {
	t.Helper()
	before := len(d.books.Documents(ledgersim.RealmUSD))
	if again := d.open(t); !reflect.DeepEqual(again, d.studios) {
		t.Errorf("another start has other studios: %+v", again)
	}
	docs := d.books.Documents(ledgersim.RealmUSD)
	if len(docs) != before {
		t.Errorf("another start made %d documents", len(docs)-before)
	}
	people := d.demo(d.moving, d.sim, func(string) {})
	owners := make([]tenancy.Scope, len(d.studios))
	for i, s := range d.studios {
		var err error
		if owners[i], err = people.Actor(t.Context(), s.People["owner"].Email, uuid.MustParse(s.ID)); err != nil {
			t.Fatal(err)
		}
	}
	live, err := d.Accounting.Live(t.Context(), owners[0])
	if err != nil || live == nil || live.Status != accounting.Connected || live.CompanyName != "Demo USD" ||
		!live.StartDateFrozen || live.LastError != "" {
		t.Fatalf("%+v, %v", live, err)
	}
	if other, err := d.Accounting.Live(t.Context(), owners[1]); other != nil || err != nil {
		t.Errorf("the second studio: %+v, %v", other, err)
	}
	m, err := d.Accounting.Map(t.Context(), owners[0])
	if err != nil || m.Missing() > 0 || len(m.Rows) < 10 {
		t.Errorf("%d rows, %d missing, %v", len(m.Rows), m.Missing(), err)
	}
	page, err := d.Accounting.Postings(t.Context(), owners[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	states, reasons := map[accounting.Status]int{}, map[civil.Date]string{}
	for _, p := range page.Items {
		states[p.Status]++
		switch p.Status {
		case accounting.Posted:
			if p.ExternalURL == "" {
				t.Errorf("%s: no link", p.LocalDate)
			}
		case accounting.Failed:
			reasons[p.LocalDate] = p.LastError
		}
	}
	posted, open := states[accounting.Posted], states[accounting.Pending]+states[accounting.Skipped]
	if posted < 8 || posted != len(docs) || open > 0 {
		t.Errorf("%v of %d postings, %d documents", states, len(page.Items), len(docs))
	}
	if len(reasons) != 1 || !strings.Contains(slices.Collect(maps.Values(reasons))[0], "The books are closed") {
		t.Errorf("days that are not posted: %v", reasons)
	}
}

// filled reads from the calendar how full the classes of eight weeks and of the next one are, and their waitlists.
func (d demoMade) filled(t *testing.T, s demo.Business, owner tenancy.Scope) {
	t.Helper()
	now, waiting, full := d.moving.Now(), 0, 0
	today := map[bool]int{}
	for _, span := range [][2]int{{-55, -20}, {-20, 8}} {
		dates, err := d.Agenda.Dates(t.Context(), owner, agenda.DatesInput{From: now.AddDate(0, 0, span[0]), To: now.AddDate(0, 0, span[1])})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range dates {
			if o.Kind != catalog.Class || o.StartsAt.Before(now.AddDate(0, 0, span[0])) || o.StartsAt.After(now.AddDate(0, 0, 7)) {
				continue
			}
			waiting += o.Waiting
			if o.Taken == o.Capacity {
				full++
			}
			today[o.StartsAt.After(now)]++
			if o.Taken*5 < o.Capacity || o.Taken > o.Capacity {
				t.Errorf("%s: %s on %s: %d of %d", s.Slug, o.OfferingName, o.StartsAt.Format(time.DateTime), o.Taken, o.Capacity)
			}
		}
	}
	if full == 0 || waiting < 3 || today[true] < 8 || today[false] < 50 {
		t.Errorf("%s: %d classes are full, %d people wait; %d classes behind, %d ahead", s.Slug, full, waiting, today[false], today[true])
	}
}

// assistants checks the connected assistants: the owner's has changed something on several days, and that of the
// front desk was never used.
func (d demoMade) assistants(t *testing.T, s demo.Business, owner tenancy.Scope) {
	t.Helper()
	list, err := d.OAuth.Connections(t.Context(), owner, paging.In[uuid.UUID]{})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]oauth.Connection{}
	for _, c := range list.Items {
		of[c.Client] = c
	}
	claude, chat := of["Claude"], of["ChatGPT"]
	if len(list.Items) != 2 || claude.PersonEmail != s.People["owner"].Email || claude.RedirectHost != "claude.ai" ||
		claude.UsedAt == nil || !claude.UsedAt.After(claude.ConnectedAt.AddDate(0, 0, 7)) ||
		chat.PersonEmail != s.People["frontDesk"].Email || chat.RedirectHost != "chatgpt.com" || chat.UsedAt != nil {
		t.Errorf("%s: assistants %+v", s.Slug, list.Items)
	}
	done, err := d.Audit.List(t.Context(), owner, audit.ListInput{Assistant: claude.ID})
	if err != nil {
		t.Fatal(err)
	}
	records := map[string]int{}
	for _, e := range done.Items {
		records[e.Record]++
		if e.Actor.Via.Client != "Claude" || e.Actor.ID != owner.Actor.ID || e.Surface != tenancy.SurfaceAssistant {
			t.Errorf("%s: %s by %+v, %s", s.Slug, e.Record, e.Actor, e.Surface)
		}
	}
	for _, record := range []string{"discounts", "offerings", "customers"} {
		if records[record] == 0 {
			t.Errorf("%s: the assistant changed none of %s: %v", s.Slug, record, records)
		}
	}
}

func (d demoMade) bookings(t *testing.T, owner tenancy.Scope, state booking.State) int {
	t.Helper()
	list, err := d.Booking.List(t.Context(), owner, booking.ListInput{State: state})
	if err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}

func (d demoMade) fees(t *testing.T, owner tenancy.Scope, in fees.ListInput) int {
	t.Helper()
	list, err := d.Fees.List(t.Context(), owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}

// drawers counts the cash drawers that were counted.
func (d demoMade) drawers(t *testing.T, owner tenancy.Scope) (n int) {
	t.Helper()
	list, err := d.Till.List(t.Context(), owner, till.ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list.Items {
		if one.Count != nil {
			n++
		}
	}
	return n
}

// payouts counts the payouts, which are of different days.
func (d demoMade) payouts(t *testing.T, owner tenancy.Scope) int {
	t.Helper()
	list, err := d.Balance.Payouts(t.Context(), owner, balance.PayoutsInput{})
	if err != nil {
		t.Fatal(err)
	}
	days := map[civil.Date]bool{}
	for _, p := range list.Items {
		days[civil.DateOf(p.HappenedAt)] = true
	}
	return max(0, len(days)-3)
}

func (d demoMade) signed(t *testing.T, owner tenancy.Scope, s demo.Business) (n int) {
	t.Helper()
	here := uuid.MustParse(s.Locations[0].ID)
	list, err := d.Agreement.List(t.Context(), owner, here, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range list {
		people, err := d.Agreement.Count(t.Context(), owner, agreement.PeopleInput{LocationID: here, DocumentID: doc.ID})
		if err != nil {
			t.Fatal(err)
		}
		n += people.Signed
	}
	return n
}

// attended checks past classes: every booking is checked in or is a no-show.
func (d demoMade) attended(t *testing.T, s demo.Business, owner tenancy.Scope) {
	t.Helper()
	now := d.moving.Now()
	list, err := d.Booking.List(t.Context(), owner, booking.ListInput{
		State: booking.Confirmed, From: now.AddDate(0, 0, -3), To: now.Add(-90 * time.Minute), Page: paging.In[paging.Moment]{Limit: paging.Max},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list.Items {
		if b.Kind == catalog.Class && b.EndsAt.Before(now) {
			t.Errorf("%s: nobody says whether %s was at %s, %s", s.Slug, b.CustomerName, b.OfferingName, b.StartsAt.Format(time.DateTime))
		}
	}
}

// cards counts the saved cards.
func (d demoMade) cards(t *testing.T, owner tenancy.Scope) (n int) {
	t.Helper()
	list, err := d.CRM.List(t.Context(), owner, crm.ListInput{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Customers {
		saved, err := d.Billing.Cards(t.Context(), owner, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		n += len(saved)
	}
	return n
}

// codes counts the orders with a promo code.
func (d demoMade) codes(t *testing.T, owner tenancy.Scope) (n int) {
	t.Helper()
	list, err := d.Discount.List(t.Context(), owner, discount.ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Items {
		n += c.Uses
	}
	return n
}

// due counts the upcoming bookings with an amount due at the studio.
func (d demoMade) due(t *testing.T, owner tenancy.Scope) (n int) {
	t.Helper()
	list, err := d.Booking.List(t.Context(), owner, booking.ListInput{State: booking.Confirmed, Page: paging.In[paging.Moment]{Limit: paging.Max}})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list.Items[:min(40, len(list.Items))] {
		m, err := d.Orders.MoneyOf(t.Context(), owner.Tenant, b.Booking)
		if err != nil {
			t.Fatal(err)
		}
		if m.Due > 0 {
			n++
		}
	}
	return n
}
