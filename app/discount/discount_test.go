package discount_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/policy"
)

func ten(code string) discount.CreateInput {
	return discount.CreateInput{Name: " Ten off ", Code: code, PPM: 100_000, Combines: true}
}

func fields(err error) string {
	var names []string
	if f := fault.From(err); f != nil {
		for _, wrong := range f.Fields {
			names = append(names, wrong.Field)
		}
	}
	return strings.Join(names, " ")
}

// An invisible name is none, and a code that was copied with invisible characters, or typed by a phone, is that code.
func TestTextOfDiscounts(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	h := discount.New(w.DB)
	for _, name := range []string{"\u200b", "\u202e", "\u2028", "\u3164", "\u2800", "\u115f"} {
		in := ten("welcome")
		in.Name = name
		if _, err := h.Create(t.Context(), s.Owner, in); fields(err) != "name" {
			t.Errorf("%+q is a name (%v)", name, err)
		}
	}
	for _, typed := range []string{"WELCOME-10", " welcome-10\u200b", "welcome–10", "welcome\u201110", "ｗｅｌｃｏｍｅ-10", "\u2060Welcome-10\u00a0"} {
		if got := discount.NormalizeCode(typed); got != "WELCOME-10" {
			t.Errorf("%+q is the code %+q", typed, got)
		}
	}
}

// A discount is created, read, changed, archived and restored; a code is there once among the active ones.
func TestTheLifeOfADiscount(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	h := discount.New(w.DB)
	d, err := h.Create(t.Context(), s.Owner, ten(" welcome-10 "))
	if err != nil || d.Name != "Ten off" || d.Code != "WELCOME-10" || d.Currency != s.Business.Currency ||
		d.Version != 1 || d.Automatic() || d.AppliesTo != discount.Bookings {
		t.Fatalf("%+v (%v)", d, err)
	}
	if got, err := h.Get(t.Context(), s.Owner, d.ID); err != nil || got.Code != d.Code || got.PPM != 100_000 || got.Weekdays == nil || got.Uses != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
	if _, err := h.Create(t.Context(), s.Owner, ten("Welcome-10")); !errors.Is(err, discount.ErrCodeTaken) {
		t.Errorf("the same code: %v", err)
	}
	for range 2 { // any number may be automatic
		if d, err := h.Create(t.Context(), s.Owner, ten("")); err != nil || !d.Automatic() {
			t.Errorf("automatic: %+v (%v)", d, err)
		}
	}
	day, amount := civil.NewDate(2026, time.July, 1), int64(500)
	goods := discount.Goods
	changed, err := h.Update(t.Context(), s.Owner, discount.UpdateInput{
		ID: d.ID, Version: 1, AppliesTo: &goods, Amount: &amount, LastDay: patch.Some(day),
		OfferingIDs: &[]uuid.UUID{s.AddOffering(t).ID},
	})
	if err != nil || changed.PPM != 0 || changed.Amount != 500 || *changed.LastDay != day ||
		changed.Version != 2 || changed.AppliesTo != goods || len(changed.OfferingIDs) != 1 {
		t.Errorf("%+v (%v)", changed, err)
	}
	if _, err := h.Update(t.Context(), s.Owner, discount.UpdateInput{ID: d.ID, Version: 1}); !errors.Is(err, fault.ErrStale) {
		t.Errorf("stale: %v", err)
	}
	for range 2 {
		if got, err := h.Archive(t.Context(), s.Owner, d.ID); err != nil || got.ArchivedAt == nil || got.Version != 3 {
			t.Errorf("archived: %+v (%v)", got, err)
		}
	}
	if _, err := h.Update(t.Context(), s.Owner, discount.UpdateInput{ID: d.ID, Version: 3}); !errors.Is(err, discount.ErrArchived) {
		t.Errorf("changing what is archived: %v", err)
	}
	other, err := h.Create(t.Context(), s.Owner, ten("WELCOME-10"))
	if err != nil {
		t.Fatalf("the code of what was put away: %v", err)
	}
	if _, err := h.Restore(t.Context(), s.Owner, d.ID); !errors.Is(err, discount.ErrCodeTaken) {
		t.Errorf("restored beside its code: %v", err)
	}
	if _, err := h.Archive(t.Context(), s.Owner, other.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Restore(t.Context(), s.Owner, d.ID); err != nil || got.ArchivedAt != nil {
		t.Errorf("restored: %+v (%v)", got, err)
	}
	for archived, want := range map[bool]int{false: 3, true: 1} {
		got := 0
		in := discount.ListInput{In: paging.In[uuid.UUID]{Limit: 2}, Archived: archived}
		for {
			page, err := h.List(t.Context(), s.Owner, in)
			if err != nil {
				t.Fatal(err)
			}
			got += len(page.Items)
			if in.After = page.Next; page.Next == nil {
				break
			}
		}
		if got != want {
			t.Errorf("archived %t: %d, want %d", archived, got, want)
		}
	}
}

// Every invalid field is named, and another business's records are not found.
func TestWhatADiscountCannotBe(t *testing.T) {
	w := apptest.Open(t)
	s, other := w.Studio(t), w.Studio(t)
	h := discount.New(w.DB)
	first, last := civil.NewDate(2026, time.July, 2), civil.NewDate(2026, time.July, 1)
	for want, in := range map[string]discount.CreateInput{
		"name ppm":    {},
		"ppm":         {Name: "x", PPM: 100_000, Amount: 100},
		"code":        {Name: "x", PPM: 100_000, Code: "no space"},
		"amount":      {Name: "x", Amount: 100_000_000},
		"currency":    {Name: "x", PPM: 1, Currency: "ABC"},
		"lastDay":     {Name: "x", PPM: 1, FirstDay: &first, LastDay: &last},
		"weekdays":    {Name: "x", PPM: 1, Weekdays: []time.Weekday{7}},
		"usesMax":     {Name: "x", PPM: 1, UsesMax: -1},
		"leastAmount": {Name: "x", PPM: 1, LeastAmount: -1},
		"position":    {Name: "x", PPM: 1, Position: -1},
	} {
		if _, err := h.Create(t.Context(), s.Owner, in); fields(err) != want {
			t.Errorf("%s: %v has %q", want, err, fields(err))
		}
	}
	in := ten("FIRST10")
	in.LocationIDs = []uuid.UUID{other.Location.ID}
	_, place := h.Create(t.Context(), s.Owner, in)
	in.LocationIDs, in.OfferingIDs = nil, []uuid.UUID{other.AddOffering(t).ID}
	_, offering := h.Create(t.Context(), s.Owner, in)
	foreign, err := h.Create(t.Context(), other.Owner, ten("FIRST10"))
	if err != nil {
		t.Fatal(err)
	}
	_, get := h.Get(t.Context(), s.Owner, foreign.ID)
	_, update := h.Update(t.Context(), s.Owner, discount.UpdateInput{ID: foreign.ID, Version: 1})
	_, archive := h.Archive(t.Context(), s.Owner, foreign.ID)
	_, restore := h.Restore(t.Context(), s.Owner, uuid.New())
	for what, err := range map[string]error{"place": place, "offering": offering, "get": get, "update": update, "archive": archive, "restore": restore} {
		if err == nil || err.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Discounts are shared: a member with one location's offerings reads them and changes none.
func TestWhoManagesDiscounts(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	h := discount.New(w.DB)
	desk := s.Join(t, "desk@example.com", apptest.Everywhere(policy.FrontDesk))
	local := s.Join(t, "local@example.com", apptest.At(policy.Manager, s.Location.ID))
	if _, err := h.List(t.Context(), desk, discount.ListInput{}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("the desk lists: %v", err)
	}
	if _, err := h.List(t.Context(), local, discount.ListInput{}); err != nil {
		t.Errorf("a manager of one place lists: %v", err)
	}
	if _, err := h.Create(t.Context(), local, ten("FIRST10")); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("and makes one: %v", err)
	}
}

// The edges of the conditions: both days count, the last use is one, and the price of the lines is as listed.
func TestWhenADiscountHolds(t *testing.T) {
	first, last := civil.NewDate(2026, time.July, 1), civil.NewDate(2026, time.July, 31)
	yoga, place := uuid.New(), uuid.New()
	cart := discount.Cart{LocationID: place, Currency: "USD", Today: first, Lines: []discount.Line{
		{Seat: true, OfferingID: yoga, Day: time.Monday, Amount: 2200},
		{Seat: true, OfferingID: uuid.New(), Day: time.Tuesday, Amount: 900},
		{Day: time.Monday, Amount: 99900}, // something without a seat has no discount, and counts for none
	}}
	gold := discount.Discount{PlanIDs: []uuid.UUID{uuid.New()}}
	on := func(day civil.Date) discount.Cart { c := cart; c.Today = day; return c }
	in := func(cur money.Currency) discount.Cart { c := cart; c.Currency = cur; return c }
	for name, c := range map[string]struct {
		d    discount.Candidate
		cart discount.Cart
		want *fault.Error
		n    int // eligible lines
	}{
		"everything":          {discount.Candidate{}, cart, nil, 2},
		"the first day":       {discount.Candidate{Discount: discount.Discount{FirstDay: &first, LastDay: &last}}, cart, nil, 2},
		"the last day":        {discount.Candidate{Discount: discount.Discount{FirstDay: &first, LastDay: &last}}, on(last), nil, 2},
		"the day before":      {discount.Candidate{Discount: discount.Discount{FirstDay: &first}}, on(first.AddDays(-1)), discount.ErrNotYet, 0},
		"the day after":       {discount.Candidate{Discount: discount.Discount{LastDay: &last}}, on(last.AddDays(1)), discount.ErrExpired, 0},
		"the last use":        {discount.Candidate{Discount: discount.Discount{UsesMax: 3}, Used: 2}, cart, nil, 2},
		"after the last use":  {discount.Candidate{Discount: discount.Discount{UsesMax: 3}, Used: 3}, cart, discount.ErrUsedUp, 0},
		"once more":           {discount.Candidate{Discount: discount.Discount{CustomerUsesMax: 1}, CustomerUsed: 1}, cart, discount.ErrUsed, 0},
		"a first booking":     {discount.Candidate{Discount: discount.Discount{FirstTime: true}}, cart, nil, 2},
		"a second booking":    {discount.Candidate{Discount: discount.Discount{FirstTime: true}, Known: true}, cart, discount.ErrNotFirst, 0},
		"a member":            {discount.Candidate{Discount: gold, Member: true}, cart, nil, 2},
		"no member":           {discount.Candidate{Discount: gold}, cart, discount.ErrMembers, 0},
		"here":                {discount.Candidate{Discount: discount.Discount{LocationIDs: []uuid.UUID{place}}}, cart, nil, 2},
		"elsewhere":           {discount.Candidate{Discount: discount.Discount{LocationIDs: []uuid.UUID{yoga}}}, cart, discount.ErrNotThis, 0},
		"one offering":        {discount.Candidate{Discount: discount.Discount{OfferingIDs: []uuid.UUID{yoga}}}, cart, nil, 1},
		"another":             {discount.Candidate{Discount: discount.Discount{OfferingIDs: []uuid.UUID{place}}}, cart, discount.ErrNotThis, 0},
		"on Tuesdays":         {discount.Candidate{Discount: discount.Discount{Weekdays: []time.Weekday{time.Tuesday}}}, cart, nil, 1},
		"exactly enough":      {discount.Candidate{Discount: discount.Discount{LeastAmount: 3100, Currency: "USD"}}, cart, nil, 2},
		"a cent too little":   {discount.Candidate{Discount: discount.Discount{LeastAmount: 3101, Currency: "USD"}}, cart, discount.ErrTooLittle, 0},
		"an amount abroad":    {discount.Candidate{Discount: discount.Discount{Amount: 500, Currency: "USD"}}, in("EUR"), discount.ErrNotThis, 0},
		"a percentage abroad": {discount.Candidate{Discount: discount.Discount{PPM: 500, Currency: "USD"}}, in("EUR"), nil, 2},
		"an empty cart":       {discount.Candidate{}, discount.Cart{}, discount.ErrNotThis, 0},
	} {
		lines, why := c.d.For(c.cart)
		n := 0
		for _, eligible := range lines {
			if eligible {
				n++
			}
		}
		if n != c.n || (why == nil) != (c.want == nil) || c.want != nil && !errors.Is(why, c.want) {
			t.Errorf("%s: %d lines, %v", name, n, why)
		}
	}
}
