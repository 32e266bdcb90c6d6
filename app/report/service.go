package report

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/policy"
)

// Service makes reports. It is safe for concurrent use.
type Service struct {
	db    *pg.DB
	cards processor.Env // of the payouts
	// sums bounds the sums of postings in a report. One more is read, so that a report is complete or refused.
	sums int
}

// New returns a Service. cards is the environment of the accounts that accept cards; empty: none does.
func New(db *pg.DB, cards processor.Env) *Service {
	return &Service{db: db, cards: cards, sums: 10 * mostRows}
}

// Unit is the unit of a report's rows.
type Unit string

// The units.
const (
	ByDay     Unit = "day"
	ByMonth   Unit = "month"
	ByPayment Unit = "payment" // of fees and payouts only
)

// All returns all units.
func (Unit) All() []Unit { return []Unit{ByDay, ByMonth, ByPayment} }

// longest is the maximum number of days in a report, by the unit of its rows.
var longest = map[Unit]int{ByDay: 93, ByMonth: 2 * 366, ByPayment: 31}

// mostRows bounds a report.
const mostRows = 5000

// Range selects a part of the books.
type Range struct {
	From, To   civil.Date // the first day and the last; zero: the first of this month, and today
	LocationID uuid.UUID  // uuid.Nil: all of the caller's
	Currency   money.Currency
	By         Unit // empty: ByMonth
}

// begin checks the caller's permission and a report's range, and completes it.
func (s *Service) begin(sc tenancy.Scope, in *Range, units ...Unit) (*pg.View, ledger.Span, error) {
	if err := policy.RequireAny(sc, policy.ReportFinance); err != nil {
		return nil, ledger.Span{}, err
	}
	v := s.db.View(sc.Tenant)
	if err := in.check(v.Now(), units...); err != nil {
		return nil, ledger.Span{}, err
	}
	span, err := in.span(sc)
	return v, span, err
}

// check completes the range and checks it for a report with rows of these units. The error names every invalid field.
func (in *Range) check(now time.Time, units ...Unit) error {
	if in.By == "" {
		in.By = ByMonth
	}
	if in.To.IsZero() {
		in.To = dateOf(now)
	}
	if in.From.IsZero() {
		in.From = in.To.AddDays(1 - in.To.Day)
	}
	var c fault.Checks
	c.That(in.From.Valid(), "from", "Enter a date such as 2026-05-31.")
	c.That(in.To.Valid(), "to", "Enter a date such as 2026-05-31.")
	c.That(!in.To.Before(in.From), "to", "The last day is before the first.")
	c.That(slices.Contains(units, in.By), "by", "The report has no such rows.")
	if c.Err() == nil && in.From.DaysUntil(in.To) >= longest[in.By] {
		c.That(false, "to", "Choose a shorter time: 93 days by day, two years by month, 31 days by payment.")
	}
	return c.Err()
}

// span returns the range at the caller's locations with report.finance.
func (in Range) span(sc tenancy.Scope) (ledger.Span, error) {
	cover, err := policy.Where(sc, policy.ReportFinance)
	if err != nil {
		return ledger.Span{}, err
	}
	out := ledger.Span{
		From: in.From, To: in.To, Everyone: cover.Everywhere, Locations: cover.Locations, Currency: in.Currency, Monthly: in.By == ByMonth,
	}
	if in.LocationID != uuid.Nil {
		if err := policy.RequireAt(sc, policy.ReportFinance, in.LocationID); err != nil {
			return ledger.Span{}, err
		}
		out.Everyone, out.Locations = false, []uuid.UUID{in.LocationID}
	}
	return out, nil
}

// bounded refuses a report with too many rows.
func bounded(found, most int) error {
	if found > most {
		return fault.Invalid("to", "This is more than a report can hold. Choose a shorter time, one location, or months.")
	}
	return nil
}

func dateOf(t time.Time) civil.Date { return civil.DateOf(t.UTC()) }
