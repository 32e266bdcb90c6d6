package accounting

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// Kind is the kind of a batch and of its document. A145.
type Kind string

// The kinds.
const (
	JournalEntry Kind = "journal_entry"
	DepositKind  Kind = "deposit"
)

// All returns all kinds.
func (Kind) All() []Kind { return []Kind{JournalEntry, DepositKind} }

// Line is one line of a batch: the sum of the postings to one row of the map. Refunds have lines of their own.
type Line struct {
	Row
	Label  string // of the row, when the batch was made
	Refund bool
	Amount int64 // minor units; a debit is positive
}

// Batch is the content of one document. It never changes.
type Batch struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	LocalDate  civil.Date // the day in the books; of a payout, the day of its arrival. A151, A221.
	Currency   money.Currency
	Kind       Kind
	// DepositRef identifies the entry of a deposit; empty for the other entries of a day. A deposit that takes money
	// from the bank has one, too, and is a journal entry: providers accept no negative deposit.
	DepositRef string
	Amount     int64 // sum of its debits; of a deposit, the amount at the bank; 0 only without lines
	Lines      []Line
}

const (
	batchMost  = 200 // locations in one round
	batchDays  = 31  // days of a location in one transaction
	depositsIn = 500 // deposits in one statement of arrival dates
)

// BatchDays is the sweep accounting.batches: it puts the entries of closed days into batches, and decides for each
// whether it will be posted. Several processes share the work. One location's failure does not stop the others.
func (s *Service) BatchDays(ctx context.Context) error {
	return pg.Batches(batchMost, func() (int, error) {
		due, err := dueBatches(ctx, s.db)
		if err != nil {
			return 0, err
		}
		done := 0
		for _, d := range due {
			failed := s.batchLocation(ctx, d)
			if failed == nil {
				done++
				continue
			}
			err = errors.Join(err, failed)
			if ctx.Err() != nil { // the process ends, and the next round continues
				return 0, err
			}
			s.log.Warn("could not batch the closed days of a location",
				"business", d.BusinessID, "location", d.LocationID, "error", failed)
		}
		if done == 0 { // all of a full round failed: the next round tries them again
			return 0, err
		}
		return len(due), err
	})
}

// batchLocation batches all closed days of a location.
func (s *Service) batchLocation(ctx context.Context, d dueBatch) error {
	for more := true; more; {
		var err error
		more, err = pg.InTx(ctx, s.db, d.BusinessID, func(tx *pg.Tx) (bool, error) {
			return s.batchLocationTx(ctx, tx, d.LocationID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// batchLocationTx batches the next closed days of a location, batchDays at most. more means that others are left.
func (s *Service) batchLocationTx(ctx context.Context, tx *pg.Tx, location uuid.UUID) (more bool, err error) {
	span, found, err := lockProgress(ctx, tx, location)
	if err != nil || !found || !span.From.Before(span.To) {
		return false, err
	}
	if last := span.From.AddDays(batchDays); last.Before(span.To) {
		span.To, more = last, true
	}
	return more, s.batchSpanTx(ctx, tx, location, span)
}

// batchSpanTx batches a span of days of a location.
func (s *Service) batchSpanTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, span span) error {
	sums, err := readSums(ctx, tx, location, span)
	if err != nil {
		return err
	}
	arrivals, err := readArrivals(ctx, tx, sums)
	if err != nil {
		return err
	}
	labels, err := readLabels(ctx, tx)
	if err != nil {
		return err
	}
	batches, err := fold(sums, arrivals, labels)
	if err != nil {
		return err
	}
	for i := range batches {
		batches[i].ID, batches[i].LocationID = pg.NewID(), location
	}
	b := tx.Batch()
	if err := insertBatchesIn(b, tx, batches, span); err != nil {
		return err
	}
	saveProgressIn(b, tx, location, span.To)
	if err := b.Send(ctx); err != nil {
		return err
	}
	if len(batches) == 0 {
		return nil
	}
	c, found, err := liveConnection(ctx, tx)
	if err != nil || !found {
		return err
	}
	return assessTx(ctx, tx, c)
}

// span is a range of days of a location: those after From, up to and including To.
type span struct{ From, To civil.Date }

// sum is the sum of the postings of a day to an account. Deposits are summed by entry.
type sum struct {
	Date       civil.Date
	Currency   money.Currency
	Code       ledger.Account
	Refund     bool
	EntryID    uuid.UUID `db:",null"` // of a deposit; uuid.Nil: of all other entries of the day
	SourceKind string
	SourceID   string
	Amount     int64
}

// arrival is the day on which a payout arrives at the bank, by its balance transaction.
type arrival struct {
	TransactionID string
	ArrivesOn     civil.Date
}

// draft is a batch with the entry of its deposit.
type draft struct {
	Batch
	day   civil.Date // of its entries in the books
	entry uuid.UUID  // of a deposit; uuid.Nil: all other entries of the day
}

// fold makes batches of sums. Each balances, because its sums do and every account folds to one row. A batch of which
// no line is left has an amount of zero: it is never posted, and its entries are in it.
func fold(sums []sum, arrivals map[string]civil.Date, labels labels) ([]draft, error) {
	type key struct {
		day      civil.Date
		currency money.Currency
		entry    uuid.UUID
	}
	byKey := map[key]*draft{}
	var order []key
	for _, x := range sums {
		row, ok := Fold(x.Code)
		if !ok {
			return nil, errors.New("accounting: account without a category: " + string(x.Code))
		}
		k := key{x.Date, x.Currency, x.EntryID}
		d := byKey[k]
		if d == nil {
			d = &draft{day: x.Date, entry: x.EntryID, Batch: Batch{LocalDate: x.Date, Currency: x.Currency, Kind: JournalEntry}}
			if x.EntryID != uuid.Nil {
				d.DepositRef = x.SourceKind + ":" + x.SourceID
				if on, known := arrivals[x.SourceID]; known {
					d.LocalDate = on
				}
			}
			byKey[k], order = d, append(order, k)
		}
		d.add(row, labels.of(row), x.Refund, x.Amount)
	}
	out := make([]draft, len(order))
	for i, k := range order {
		d := byKey[k]
		d.finish()
		out[i] = *d
	}
	return out, nil
}

func (d *draft) add(row Row, label string, refund bool, amount int64) {
	for i := range d.Lines {
		if l := &d.Lines[i]; l.Row == row && l.Refund == refund {
			l.Amount += amount
			return
		}
	}
	d.Lines = append(d.Lines, Line{Row: row, Label: label, Refund: refund, Amount: amount})
}

// finish drops lines of zero, sorts the others and sets the amount and the kind.
func (d *draft) finish() {
	d.Lines = slices.DeleteFunc(d.Lines, func(l Line) bool { return l.Amount == 0 })
	slices.SortFunc(d.Lines, func(a, b Line) int {
		return cmp.Or(
			cmp.Compare(sign(b.Amount), sign(a.Amount)),
			compareRows(a.Row, b.Row),
			compareBools(a.Refund, b.Refund),
		)
	})
	var bank int64
	for _, l := range d.Lines {
		d.Amount += max(l.Amount, 0)
		if l.Category == AssetBank {
			bank += l.Amount
		}
	}
	if d.entry != uuid.Nil && bank > 0 {
		d.Kind, d.Amount = DepositKind, bank
	}
}

func sign(n int64) int { return cmp.Compare(n, 0) }

func compareRows(a, b Row) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Categories, a.Category), slices.Index(Categories, b.Category)),
		cmp.Compare(a.Key(), b.Key()),
	)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// labels are the names of the tax rates and revenue categories of a business.
type labels struct {
	rates      map[uuid.UUID]rateName
	categories map[uuid.UUID]string
}

type rateName struct {
	Name string
	PPM  int64
}

// of returns the label of a row: "Class income", "Sales tax 8.875 %", "Workshops".
func (l labels) of(r Row) string {
	switch r.Category {
	case LiabilitySalesTax:
		rate := l.rates[r.TaxRateID]
		return rate.Name + " " + percent(rate.PPM) + " %"
	case IncomeRevenueCategory:
		return l.categories[r.RevenueCategoryID]
	}
	return r.Category.Label()
}
