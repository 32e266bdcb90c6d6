package agreement_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/tenancy"
)

// refused expects that a cart is refused for these documents.
func (s *shop) refused(t *testing.T, err, want error, documents ...agreement.Document) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%v, want %v", err, want)
	}
	got, _ := fault.From(err).Details["agreements"].([]agreement.Entry)
	if len(got) != len(documents) {
		t.Fatalf("%d documents, want %d: %+v", len(got), len(documents), got)
	}
	for i, d := range documents {
		if got[i].ID != d.ID || got[i].ContentID != d.Copy.ID || got[i].Path != agreement.Path(s.Business.ID, d.Copy.ID) || got[i].Name != d.Name {
			t.Errorf("%+v, want %s of %s", got[i], d.Copy.ID, d.ID)
		}
	}
}

// TestCartRequiresAgreements: A160, A172, A180, A181, A183: a cart is not booked with an outstanding agreement; one
// required once is signed once, the other one for each booking.
func TestCartRequiresAgreements(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	waiver, rules := s.asks(t), s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.Name, in.Position = "Rules", 1 })
	ada := s.Customer(t, "Ada")
	other := s.date(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = new(int64) }), 50*time.Hour)
	token := s.held(t, ada, s.at, other)
	for range 2 {
		_, err := s.Checkout.Confirm(ctx, ada, token)
		s.refused(t, err, agreement.ErrOutstanding, waiver, rules)
	}
	asks := s.agree(t, ada, token, waiver)
	if len(asks) != 2 || len(asks[0].Open) != 0 || asks[0].Agreed == nil || len(asks[1].Open) != 2 || len(asks[1].Subjects) != 2 {
		t.Fatalf("%+v", asks)
	}
	_, err := s.Checkout.Confirm(ctx, ada, token)
	s.refused(t, err, agreement.ErrOutstanding, rules)
	s.agree(t, ada, token, rules)
	if _, err := s.Checkout.Confirm(ctx, ada, token); err != nil {
		t.Fatal(err)
	}
	later := s.date(t, s.class, 72*time.Hour)
	again := s.held(t, ada, later)
	asks, err = s.Checkout.Agreements(ctx, ada, again)
	if err != nil || len(asks) != 2 || len(asks[0].Open) != 0 || len(asks[1].Open) != 1 || asks[1].Agreed != nil {
		t.Fatalf("%+v (%v)", asks, err)
	}
	_, err = s.Checkout.Confirm(ctx, ada, again)
	s.refused(t, err, agreement.ErrOutstanding, rules)
	if _, err := s.Checkout.Accept(ctx, ada, token, accept(waiver)); !errors.Is(err, checkout.ErrOrdered) {
		t.Errorf("in a cart that is booked: %v", err)
	}
}

func accept(documents ...agreement.Document) (in agreement.AcceptInput) {
	for _, d := range documents {
		in.Accept = append(in.Accept, agreement.Accepted{ContentID: d.Copy.ID, Shown: agreement.ShownCheckbox})
	}
	return in
}

// TestOtherWords: A184, A169, A158: an outdated copy is refused with the current one; an acceptance still counts
// after the text changes, and no longer in a new round.
func TestOtherWords(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := s.asks(t)
	ada := s.Customer(t, "Ada")
	token := s.held(t, ada, s.at)
	now := s.update(t, d, func(in *agreement.UpdateInput) { in.Body = new("Now it says this.") })
	_, err := s.Checkout.Accept(ctx, ada, token, accept(d))
	s.refused(t, err, agreement.ErrStale, now)
	if s.count(t) != 0 {
		t.Error("something was agreed to")
	}
	s.agree(t, ada, token, now)
	later := s.update(t, d, func(in *agreement.UpdateInput) { in.Body = new("And now this.") })
	if asks := s.agree(t, ada, token, now); len(agreement.Open(asks)) != 0 { // sent again, after the text has changed
		t.Errorf("%+v", asks)
	}
	asked := s.update(t, d, func(in *agreement.UpdateInput) { in.Reask = true })
	if asked.Copy.ID != later.Copy.ID {
		t.Error("asking again made a copy")
	}
	_, err = s.Checkout.Confirm(ctx, ada, token)
	s.refused(t, err, agreement.ErrOutstanding, asked)
	s.agree(t, ada, token, asked)
	if _, err := s.Checkout.Confirm(ctx, ada, token); err != nil {
		t.Fatal(err)
	}
	if n := s.count(t); n != 2 {
		t.Errorf("%d acceptances", n)
	}
}

// TestWhoseAgreements: A179: every customer sees their own; a cart's customer only agrees for themselves.
func TestWhoseAgreements(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := s.asks(t, func(in *agreement.CreateInput) { in.Show = agreement.ShowFull })
	ada, bo := s.Customer(t, "Ada"), s.Customer(t, "Bo")
	token := s.held(t, ada, s.at)
	_, err := s.Checkout.Accept(ctx, ada, token, accept(d))
	wrong(t, err, "accept") // it was not scrolled to its end
	s.agree(t, ada, token, d)
	for _, c := range []struct {
		sc   tenancy.Scope
		open int
	}{{ada, 0}, {bo, 1}} {
		if asks, err := s.Checkout.Agreements(ctx, c.sc, token); err != nil || len(agreement.Open(asks)) != c.open || *asks[0].Copy.Body != "I take care of myself." {
			t.Errorf("%s: %+v (%v)", c.sc.Email, asks, err)
		}
	}
	if _, err := s.Checkout.Accept(ctx, bo, token, accept(d)); !errors.Is(err, checkout.ErrOther) {
		t.Errorf("in somebody else's cart: %v", err)
	}
	for _, c := range []struct {
		name string
		id   uuid.UUID
	}{{"no copy", uuid.New()}, {"of another business", func() uuid.UUID {
		o := s.w.Studio(t)
		d, err := s.a.Create(ctx, o.Owner, agreement.CreateInput{LocationID: o.Location.ID, Name: "x", EveryListing: true, Content: agreement.Content{Body: new("x")}})
		if err != nil {
			t.Fatal(err)
		}
		return d.Copy.ID
	}()}, {"of a document that is not asked", s.asks(t, func(in *agreement.CreateInput) { in.EveryListing = false }).Copy.ID}} {
		in := agreement.AcceptInput{Accept: []agreement.Accepted{{ContentID: c.id, Shown: agreement.ShownFull}}}
		if _, err := s.Checkout.Accept(ctx, ada, token, in); err == nil || err.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	_, key := s.Key(t)
	for _, sc := range []tenancy.Scope{s.Visitor(), key} {
		_, read := s.Checkout.Agreements(ctx, sc, token)
		_, write := s.Checkout.Accept(ctx, sc, token, accept(d))
		for _, err := range []error{read, write} {
			if !errors.Is(err, identity.ErrSignIn) && !errors.Is(err, identity.ErrKeyRefused) {
				t.Errorf("%s: %v", sc.Actor.Kind, err)
			}
		}
	}
}

// TestListingsAsk: A161, A166: a document is required by every listing, also future ones, or by the listed ones; an
// archived one by none.
func TestListingsAsk(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := s.asks(t, func(in *agreement.CreateInput) { in.EveryListing = false })
	ada := s.Customer(t, "Ada")
	asked := func(want int, dates ...apptest.OccurrenceRow) {
		t.Helper()
		if asks, err := s.Checkout.Agreements(ctx, ada, s.Fill(t, dates...)); err != nil || len(asks) != want {
			t.Errorf("%d asked, want %d (%v)", len(asks), want, err)
		}
	}
	asked(0, s.at)
	set := func(documents ...uuid.UUID) ([]agreement.Document, error) {
		sc := s.Owner
		sc.Location = s.Location.ID
		return s.a.SetOfDocuments(ctx, sc, s.class.ID, documents)
	}
	if got, err := set(d.ID); err != nil || len(got) != 1 || got[0].ID != d.ID {
		t.Fatalf("%+v (%v)", got, err)
	}
	asked(1, s.at)
	if _, err := set(uuid.New()); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown document: %v", err)
	}
	later := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = new(int64) })
	at := s.date(t, later, 60*time.Hour)
	asked(0, at)
	s.update(t, d, func(in *agreement.UpdateInput) { in.OfferingIDs = &[]uuid.UUID{later.ID} })
	asked(1, at)
	asked(0, s.at)
	bo := s.Customer(t, "Bo")
	s.book(t, bo, s.at)
	if got := s.statuses(t, bo); len(got) != 0 {
		t.Errorf("who has booked what does not ask for it is expected to agree: %+v", got)
	}
	s.update(t, d, func(in *agreement.UpdateInput) { in.EveryListing = new(true) })
	newest := s.date(t, s.AddOffering(t), 60*time.Hour)
	asked(1, s.at)
	asked(1, newest)
	asked(1, s.at, at, newest)
	if got := s.statuses(t, bo); len(got) != 1 || got[0].State != agreement.NotAgreed {
		t.Errorf("what they have booked asks for it now: %+v", got)
	}
	if _, err := s.a.Archive(ctx, s.Owner, s.Location.ID, d.ID); err != nil {
		t.Fatal(err)
	}
	asked(0, s.at, at, newest)
	if got, err := set(); err != nil || len(got) != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
}

// TestNothingIsTakenBeforeAgreeing: A160: neither a card payment nor a booking to pay at the studio begins with an
// outstanding agreement; a document added during a payment does not block it.
func TestNothingIsTakenBeforeAgreeing(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := s.asks(t)
	dear := s.date(t, s.AddOffering(t), 48*time.Hour)
	ada := s.Customer(t, "Ada")
	token := s.held(t, ada, dear)
	cart, err := s.Checkout.Cart(ctx, ada, token)
	if err != nil {
		t.Fatal(err)
	}
	pay := func() (checkout.Payment, error) {
		return s.Checkout.Pay(ctx, ada, token, checkout.PayInput{QuotedAmount: cart.Totals.TotalAmount})
	}
	_, err = pay()
	s.refused(t, err, agreement.ErrOutstanding, d)
	_, err = s.Checkout.Confirm(ctx, ada, token)
	s.refused(t, err, agreement.ErrOutstanding, d)
	s.agree(t, ada, token, d)
	p, err := pay()
	if err != nil {
		t.Fatal(err)
	}
	s.asks(t, func(in *agreement.CreateInput) { in.Name = "Written while she pays" })
	if _, err := pay(); err != nil {
		t.Errorf("the same payment again: %v", err)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if _, err := s.Checkout.Confirm(ctx, ada, token); err != nil {
		t.Errorf("paid: %v", err)
	}
}

// TestAcceptingTwiceIsOnce: repeated, and in parallel, it is one acceptance.
func TestAcceptingTwiceIsOnce(t *testing.T) {
	s := open(t)
	for range 10 {
		s.asks(t, everyBooking)
		d := s.asks(t)
		ada := s.Customer(t, "Ada")
		token := s.held(t, ada, s.at)
		before := s.count(t)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if _, err := s.Checkout.Accept(t.Context(), ada, token, accept(d)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := s.count(t) - before; n != 1 {
			t.Fatalf("%d acceptances", n)
		}
	}
}

// TestWhatAVisitorHasAgreedTo: A185: the documents that an offering requires once, with the caller's current
// acceptances.
func TestWhatAVisitorHasAgreedTo(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d, every := s.asks(t), s.asks(t, everyBooking)
	ada := s.Customer(t, "Ada")
	of := func(offering uuid.UUID) []agreement.Requirement {
		t.Helper()
		sc := ada
		sc.Location = s.Location.ID
		got, err := s.a.Of(ctx, sc, offering)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := of(s.class.ID); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	s.agree(t, ada, s.Fill(t, s.at), d, every)
	if got := of(s.class.ID); len(got) != 1 || got[0].ID != d.ID || !got[0].Agreed.CreatedAt.Equal(s.w.Clock.Now()) {
		t.Errorf("%+v", got)
	}
	s.update(t, d, func(in *agreement.UpdateInput) { in.Reask = true })
	if got := of(s.class.ID); len(got) != 0 {
		t.Errorf("asked again: %+v", got)
	}
}
