package plan

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// The members of a plan keep the price that they joined at until the studio sets a new one for them, from a day on. The
// day on which a billing period begins decides its price: rules.NewPrice. Members are those who have the plan when the
// new price is set, and no end of it. Each is mailed at once, as long before as the law of their location asks for if
// they pay more, and can cancel for the day on which they would first pay it.

// The errors of new prices.
var (
	// ErrPriceComing refuses a new price for the members of a plan that has one coming.
	ErrPriceComing = fault.New(fault.Conflict, "price_change_coming",
		"This plan has a new price for members already. Withdraw it first.")
	// ErrNoPrice refuses to withdraw the new price for the members of a plan that has none coming.
	ErrNoPrice = fault.New(fault.Conflict, "no_price_change", "This plan has no new price for members to withdraw.")
)

// PriceState is the state of a new price for members.
type PriceState string

// The states.
const (
	PriceComing    PriceState = "coming"
	PriceDone      PriceState = "done" // its day has come
	PriceWithdrawn PriceState = "void"
)

// All returns the states.
func (PriceState) All() []PriceState { return []PriceState{PriceComing, PriceDone, PriceWithdrawn} }

// Valid reports whether s is one of All.
func (s PriceState) Valid() bool { return s == PriceComing || s == PriceDone || s == PriceWithdrawn }

// PriceChange is a new price for the members of a plan.
type PriceChange struct {
	ID          uuid.UUID
	PlanID      uuid.UUID
	PriceAmount int64 // of a billing period
	StartsOn    civil.Date
	State       PriceState
	Members     int // active ones whose price it is or will be
	ActorName   string
	CreatedAt   time.Time
}

// PriceInput is a new price for the members of a plan.
type PriceInput struct {
	PlanID      uuid.UUID
	PriceAmount int64
	StartsOn    civil.Date // the first day; zero in a quote: the earliest
	ForSales    bool       // later sales of the plan have the price too, from now on
}

// PriceQuote is what a new price for members does.
type PriceQuote struct {
	PriceAmount int64
	StartsOn    civil.Date
	EarliestOn  civil.Date // the earliest first day: the law of a location asks for notice if somebody pays more
	Members     int        // that it is for; those who pay this price already are none
	Raised      int        // of them, who pay more
	Unmailed    int        // of them, who have no e-mail address
	// The lowest and the highest price that they have now.
	LeastAmount, MostAmount int64
}

// priceAhead is how far ahead a new price can be set, in days.
const priceAhead = 730

// QuotePrice returns what a new price for the members of a plan would do. It needs catalog.manage in the whole business.
// It returns a not found error, ErrNotRenewing, and a validation error on priceAmount and startsOn.
func (s *Service) QuotePrice(ctx context.Context, sc tenancy.Scope, in PriceInput) (Plan, PriceQuote, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Plan{}, PriceQuote{}, err
	}
	v := s.o.DB.View(sc.Tenant)
	p, err := find(ctx, v, in.PlanID)
	if err != nil {
		return p, PriceQuote{}, err
	}
	q, err := p.quotePrice(ctx, v, in)
	return p, q, err
}

// priced are members of a plan at a location whose price is another one than the new one.
type priced struct {
	Country, Region           string
	Today                     civil.Date
	Members, Raised, Unmailed int
	Least, Most               int64
}

func (p Plan) quotePrice(ctx context.Context, r pg.Reader, in PriceInput) (PriceQuote, error) {
	q := PriceQuote{PriceAmount: in.PriceAmount, StartsOn: in.StartsOn}
	if p.Kind != Renewing {
		return q, ErrNotRenewing
	}
	list, err := pricedAt(ctx, r, p.ID, in.PriceAmount)
	if err != nil {
		return q, err
	}
	for _, at := range list {
		first := at.Today.AddDays(1)
		if at.Raised > 0 {
			first = at.Today.AddDays(max(1, LawOf(at.Country, at.Region).PriceNoticeDays))
		}
		if q.EarliestOn.Before(first) {
			q.EarliestOn = first
		}
		if at.Members > 0 && (q.Members == 0 || at.Least < q.LeastAmount) {
			q.LeastAmount = at.Least
		}
		q.MostAmount = max(q.MostAmount, at.Most)
		q.Members, q.Raised, q.Unmailed = q.Members+at.Members, q.Raised+at.Raised, q.Unmailed+at.Unmailed
	}
	if q.StartsOn.IsZero() {
		q.StartsOn = q.EarliestOn
	}
	var c fault.Checks
	c.That(in.PriceAmount >= 0 && in.PriceAmount <= PriceMax, "priceAmount", "Use 0 to 99999999.")
	c.That(q.StartsOn.Valid() && !q.StartsOn.Before(q.EarliestOn), "startsOn", tooSoon(q.Raised))
	c.That(!q.StartsOn.After(q.EarliestOn.AddDays(priceAhead)), "startsOn", "Choose a day within two years.")
	return q, c.Err()
}

// tooSoon says why a first day is too early, if so many members would pay more.
func tooSoon(raised int) string {
	if raised > 0 {
		return "Choose a later day. The law asks for more notice of a higher price."
	}
	return "Choose a day in the future."
}

// SchedulePrice sets a new price for the members of a plan, and mails them. It needs catalog.manage in the whole
// business. A second call with the same price and day changes nothing. It returns the errors of QuotePrice, ErrArchived
// if later sales are to have the price too, and ErrPriceComing.
func (s *Service) SchedulePrice(ctx context.Context, sc tenancy.Scope, in PriceInput) (PriceChange, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return PriceChange{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (PriceChange, error) {
		p, err := lock(ctx, tx, in.PlanID)
		if err != nil {
			return PriceChange{}, err
		}
		last, found, err := comingPrice(ctx, tx, p.ID)
		switch {
		case err != nil:
			return last, err
		case found && last.PriceAmount == in.PriceAmount && last.StartsOn == in.StartsOn:
			return last, nil
		case found:
			return last, ErrPriceComing
		}
		q, err := p.quotePrice(ctx, tx, in)
		switch {
		case err != nil:
			return last, err
		case in.StartsOn.IsZero():
			return last, fault.Invalid("startsOn", "Enter a date.")
		case q.Members == 0:
			return last, fault.Invalid("priceAmount", "No member has another price.")
		}
		if in.ForSales && p.PriceAmount != in.PriceAmount {
			if p.State == Archived {
				return last, ErrArchived
			}
			p.PriceAmount = in.PriceAmount
			if err := save(ctx, tx, &p); err != nil {
				return last, err
			}
		}
		id, err := insertPrice(ctx, tx, sc.Actor, in)
		if err != nil {
			return last, err
		}
		if err := jobs.EnqueueTx(ctx, tx, PriceJob{tx.Business(), id}); err != nil {
			return last, err
		}
		return priceOf(ctx, tx, p.ID, id)
	})
}

// WithdrawPrice withdraws the new price for the members of a plan before its day, and mails them. It needs
// catalog.manage in the whole business. It returns a not found error and ErrNoPrice.
func (s *Service) WithdrawPrice(ctx context.Context, sc tenancy.Scope, plan uuid.UUID) (PriceChange, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return PriceChange{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (PriceChange, error) {
		if _, err := lock(ctx, tx, plan); err != nil {
			return PriceChange{}, err
		}
		c, found, err := comingPrice(ctx, tx, plan)
		if err = fault.When(!found, ErrNoPrice, err); err != nil {
			return c, err
		}
		if err := setPriceState(ctx, tx, c.ID, PriceWithdrawn); err != nil {
			return c, err
		}
		c.State = PriceWithdrawn
		return c, jobs.EnqueueTx(ctx, tx, PriceJob{tx.Business(), c.ID})
	})
}

// Prices lists the new prices for the members of a plan, the latest first: at most 200. It needs location.view. It
// returns a not found error.
func (s *Service) Prices(ctx context.Context, sc tenancy.Scope, plan uuid.UUID) ([]PriceChange, error) {
	p, err := s.Get(ctx, sc, plan)
	if err != nil {
		return nil, err
	}
	return pricesOf(ctx, s.o.DB.View(sc.Tenant), p.ID)
}

// PriceOn returns the price of a billing period that begins on a day, without the introductory price.
func (m Membership) PriceOn(day civil.Date) int64 { return rules.PriceOn(m.SoldAmount, m.Prices, day) }

// NewPrice returns the price of later billing periods, if it is another one than that of the present period; nil if it
// is not, or the membership ends before them.
func (m Membership) NewPrice() *rules.NewPrice {
	n := len(m.Prices)
	if n == 0 || m.Prices[n-1].Amount == m.PriceAmount || m.Next == nil {
		return nil
	}
	p := &m.Prices[n-1]
	if m.EndsOn != nil && !m.NewPriceOn(*p).Before(*m.EndsOn) {
		return nil
	}
	return p
}

// PeriodAmount returns the price of a whole billing period by its number, from the next one on.
func (m Membership) PeriodAmount(number int) int64 { return m.amount(number) }

// NewPriceOn returns the first day of the first billing period with a new price, which can be later than its day:
// periods begin on their days, and the first ones can have an introductory price.
func (m Membership) NewPriceOn(p rules.NewPrice) civil.Date {
	for k := m.Next.Number; ; k++ {
		if start := m.periodEnd(k - 1); !start.Before(p.On) && m.Whole(k) > m.Renewal.IntroPeriods {
			return start
		}
	}
}

// orBeforePrice returns what a cancellation does on a day: that of its terms, or an earlier one, for the day on which
// the customer would first pay a higher price. That needs no notice and no least number of periods.
func (m Membership) orBeforePrice(e Ending, today civil.Date) Ending {
	p := m.NewPrice()
	if p == nil || p.Amount <= m.PriceAmount {
		return e
	}
	first := m.NewPriceOn(*p)
	if !today.Before(first) || !first.Before(e.EndsOn) {
		return e
	}
	e = Ending{EndsOn: first}
	for k := m.Next.Number; m.periodEnd(k - 1).Before(first); k++ {
		e.Periods, e.Amount = e.Periods+1, e.Amount+m.amount(k)
	}
	return e
}

// nextAmountOn returns the amount of the next payment if its billing period begins on a day.
func (m Membership) nextAmountOn(day civil.Date) int64 {
	fixed := m.Next.Due || m.Change != nil && !m.Change.Due || m.Whole(m.Next.Number) <= m.Renewal.IntroPeriods
	if fixed || len(m.Prices) == 0 {
		return m.Next.Amount
	}
	return m.PriceOn(day)
}

// heldPrice returns the price of the present plan for the whole of a running period.
func (m Membership) heldPrice(run paidPeriod) int64 {
	if run.Number > 1 && len(run.Held) == 0 {
		return run.Price // also if it was paid before a freeze postponed it past the day of a new price
	}
	return m.Renewal.amount(m.Whole(run.Number), m.PriceOn(run.StartsOn))
}
