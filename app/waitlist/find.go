package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// CustomerEntry is an entry of a waitlist as its customer sees it, wherever it is.
type CustomerEntry struct {
	Entry
	BusinessID   uuid.UUID
	BusinessName string
	LocationName string
	LocationSlug string
	Zone         string // IANA: the wall clock of the times
	Country      string // ISO code, or empty
	Currency     money.Currency
	OfferingName string
	OfferingSlug string
	Instructor   string // empty: nobody is named
	Space        string // empty: none is named
	StartsAt     time.Time
	EndsAt       time.Time
	Cancelled    bool  // the date does not take place, or the offering was put away
	PriceAmount  int64 // of the whole party, as listed, in minor units of Currency
	Mode         catalog.WaitlistMode
	Position     *int      // 1 is first; nil when it is not shown or nobody waits any more
	AsksUntil    time.Time // from then on nobody is asked
	Acceptable   bool      // there is something to accept now
	Recipient    Recipient
	GraceUntil   *time.Time    // of what it became: leaving is free until then
	BookingState booking.State // of what it became; empty
}

// Pending tells whether it may still become something.
func (w CustomerEntry) Pending(now time.Time) bool {
	return w.State.OnList() && !w.Cancelled && now.Before(w.StartsAt)
}

// Others tells whether it is known to be another person's.
func (w CustomerEntry) Others(person uuid.UUID) bool {
	return w.PersonID != nil && *w.PersonID != person
}

// Recipient is whom the mails about something go to.
type Recipient struct {
	Email  string // may be empty
	Name   string // may be empty
	Phone  string
	Locale string // BCP 47
}

// wait puts a row together with the rules of its offering.
func (r waitRow) wait(business uuid.UUID, rules catalog.Rules, now time.Time) CustomerEntry {
	w := CustomerEntry{
		Entry: r.Entry.utc(), BusinessID: business, BusinessName: r.BusinessName, LocationName: r.LocationName,
		LocationSlug: r.LocationSlug, Zone: r.Zone, Country: r.Country, Currency: money.Currency(r.Currency),
		OfferingName: r.OfferingName, OfferingSlug: r.OfferingSlug, Instructor: r.Instructor, Space: r.Space,
		StartsAt: r.StartsAt, EndsAt: r.EndsAt, Cancelled: r.DateState == schedule.Cancelled || r.OfferingState == catalog.Archived,
		Mode: rules.Waitlist.Mode, AsksUntil: rules.AsksUntil(r.StartsAt), GraceUntil: booking.Utc(r.GraceUntil),
		Recipient: Recipient{Email: r.CustomerEmail, Name: r.CustomerName, Phone: r.CustomerPhone, Locale: r.Locale},
	}
	if r.PriceAmount != nil {
		w.PriceAmount = *r.PriceAmount * int64(r.Party)
	}
	if r.BookingState != nil {
		w.BookingState = booking.State(*r.BookingState)
	}
	if (w.State == Waiting || w.State == Offered) && ShowsPosition(w.Mode) {
		place := r.Ahead + 1
		w.Position = &place
	}
	r.Facts.State = r.DateState
	w.Acceptable = r.acceptable(r.Facts, rules, now) == nil
	return w
}

// waits reads entries of one business, in the order of ids. Unknown ones are left out.
func waits(ctx context.Context, r pg.Reader, ids []uuid.UUID) ([]CustomerEntry, error) {
	rows, err := waitsOf(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	offerings := make([]uuid.UUID, len(rows))
	byID := map[uuid.UUID]waitRow{}
	for i, x := range rows {
		offerings[i], byID[x.ID] = x.OfferingID, x
	}
	rules, err := catalog.RulesOf(ctx, r, offerings)
	if err != nil {
		return nil, err
	}
	out := make([]CustomerEntry, 0, len(rows))
	for _, id := range ids {
		if x, known := byID[id]; known {
			out = append(out, x.wait(r.Business(), rules[x.OfferingID], r.Now()))
		}
	}
	return out, nil
}

func (s *Service) waitOf(ctx context.Context, business, id uuid.UUID) (CustomerEntry, error) {
	list, err := waits(ctx, s.db.View(business), []uuid.UUID{id})
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return CustomerEntry{}, err
	}
	return list[0], nil
}

// Find returns an entry by its token, in whatever state it is. The token is the right to it. Not found for an
// unknown token.
func (s *Service) Find(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	at, found, err := s.waiterBy(ctx, token)
	if err != nil || !found || at.BusinessID != sc.Tenant {
		return CustomerEntry{}, orElse(err, fault.Missing())
	}
	return s.waitOf(ctx, sc.Tenant, at.ID)
}

// MineInput chooses a part of a person's own entries.
type MineInput struct {
	After *booking.Key // nil: from the beginning
	Limit int          // 0: PageDefault
}

// Page is a part of a person's own entries.
type Page struct {
	Items []CustomerEntry
	Next  *booking.Key
}

// Mine returns the waitlist entries of the signed-in person in all businesses, in every state, the latest first. It
// takes one round trip, and two more for each business on the page. Errors: identity.ErrSignIn, ErrKeyRefused; Validation
// on query.limit.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal, in MineInput) (Page, error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return Page{}, err
	}
	size, ok := booking.PageSize(in.Limit)
	if !ok {
		return Page{}, fault.Invalid("limit", "Ask for 1 to 200.")
	}
	found, err := myWaits(ctx, s.db, person, in.After, size+1)
	if err != nil {
		return Page{}, err
	}
	keys, next := booking.Cut(found, size, func(k waitKey) booking.Key { return booking.Key{At: k.CreatedAt, ID: k.ID} })
	ids := map[uuid.UUID][]uuid.UUID{}
	for _, k := range keys {
		ids[k.BusinessID] = append(ids[k.BusinessID], k.ID)
	}
	byID := map[uuid.UUID]CustomerEntry{}
	for business, some := range ids {
		list, err := waits(ctx, s.db.View(business), some)
		if err != nil {
			return Page{}, err
		}
		for _, w := range list {
			byID[w.ID] = w
		}
	}
	page := Page{Items: []CustomerEntry{}, Next: next}
	for _, k := range keys {
		if w, still := byID[k.ID]; still {
			page.Items = append(page.Items, w)
		}
	}
	return page, nil
}
