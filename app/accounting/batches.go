package accounting

import (
	"bytes"
	"context"
	"encoding/csv"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/policy"
)

// BatchKey is the key of a list of batches: day and id.
type BatchKey struct {
	Date civil.Date
	ID   uuid.UUID
}

// ListedBatch is a batch with its posting, if there is one.
type ListedBatch struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	LocalDate    civil.Date
	Currency     money.Currency
	Kind         Kind
	DepositRef   string
	Amount       int64
	Status       Status // empty: there is no posting
	SkipReason   SkipReason
	LastError    string
	ExternalURL  string
	PostedAt     time.Time `db:",null"`
}

// BatchFilter selects batches.
type BatchFilter struct {
	From, To civil.Date // zero: without a bound
	Page     paging.In[BatchKey]
}

// Batches lists the batches with an amount, the latest day first. It needs business.manage.
func (s *Service) Batches(
	ctx context.Context, sc tenancy.Scope, in BatchFilter,
) (page paging.Page[ListedBatch, BatchKey], err error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return page, err
	}
	if err := in.Page.Validate(); err != nil {
		return page, err
	}
	rows, err := listBatches(ctx, s.db.View(sc.Tenant), in)
	return paging.Of(rows, in.Page.Size(), func(b ListedBatch) BatchKey { return BatchKey{b.LocalDate, b.ID} }), err
}

// OpenBatch is a batch with its lines.
type OpenBatch struct {
	ListedBatch
	Lines []Line
}

// BatchOf returns a batch with its lines. It needs business.manage. It returns not found.
func (s *Service) BatchOf(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (OpenBatch, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return OpenBatch{}, err
	}
	return readBatch(ctx, s.db.View(sc.Tenant), id)
}

// BatchEntry is the part of an entry of a batch in one row of the map, with what it is for.
type BatchEntry struct {
	EntryID    uuid.UUID
	SourceKind ledger.SourceKind
	SourceID   string
	Event      ledger.Event
	OccurredAt time.Time
	Amount     int64     // in the line, a debit positive; of all lines: the sum of its debits
	PaymentID  uuid.UUID `db:",null"` // the payment of a sale, a refund or a fee
	OrderID    uuid.UUID `db:",null"` // the order of that payment or manual payment
	Customer   string    // of the order; may be empty
	Label      string    // first item of the order; may be empty
}

// AllLines is Entries of a whole batch.
const AllLines = -1

// Entries lists the entries behind a line of a batch by its index, in the order of time, or those of AllLines. It needs
// business.manage. It returns not found for an unknown batch or line.
func (s *Service) Entries(
	ctx context.Context, sc tenancy.Scope, batch uuid.UUID, line int, page paging.In[paging.Moment],
) (paging.Page[BatchEntry, paging.Moment], error) {
	var none paging.Page[BatchEntry, paging.Moment]
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return none, err
	}
	if err := page.Validate(); err != nil {
		return none, err
	}
	v := s.db.View(sc.Tenant)
	b, err := readBatch(ctx, v, batch)
	if err != nil {
		return none, err
	}
	if line < AllLines || line >= len(b.Lines) {
		return none, fault.Missing()
	}
	of := lineFilter{}
	if line != AllLines {
		of = lineFilter{codesOf(b.Lines[line].Row), b.Lines[line].Refund}
	}
	rows, err := listEntries(ctx, v, batch, of, page)
	return paging.Of(rows, page.Size(), func(e BatchEntry) paging.Moment {
		return paging.Moment{At: e.OccurredAt, ID: e.EntryID}
	}), err
}

// lineFilter selects the postings of a line: to these accounts, by refunds or by other entries; none: all postings.
type lineFilter struct {
	codes  []string
	refund bool
}

// codesOf returns the accounts that fold to a row. Tax rates and revenue categories have one each.
func codesOf(r Row) []string {
	switch r.Category {
	case LiabilitySalesTax:
		return []string{string(ledger.Tax(r.TaxRateID))}
	case IncomeRevenueCategory:
		return []string{"income.rc:" + r.RevenueCategoryID.String()}
	case IncomeOther:
		return []string{string(ledger.IncomeOther), string(ledger.Credit), string(ledger.GiftCards)}
	case IncomePack:
		return []string{string(ledger.IncomePack), string(ledger.DeferredPack)}
	case IncomeMembership:
		return []string{string(ledger.IncomeMembership), string(ledger.DeferredMembership)}
	}
	return []string{string(r.Category)}
}

// csvMost bounds the lines of a table.
const csvMost = 20_000

// CSV returns the lines of the batches of a range of days as a table with a line of headings, for an accountant without
// a connection: amounts in major units, with a point. It needs business.manage. It returns a validation error for a
// range with more than csvMost lines.
func (s *Service) CSV(ctx context.Context, sc tenancy.Scope, from, to civil.Date) ([]byte, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return nil, err
	}
	if to.Before(from) {
		return nil, fault.Invalid("to", "The last day is before the first one.")
	}
	rows, err := exportLines(ctx, s.db.View(sc.Tenant), from, to, csvMost+1)
	if err != nil {
		return nil, err
	}
	if len(rows) > csvMost {
		return nil, fault.Invalid("to", "This range has too many lines. Choose a shorter one.")
	}
	out := [][]string{{
		"date", "location", "document", "kind", "category", "line", "currency", "debit", "credit", "posted_to",
	}}
	for _, r := range rows {
		debit, credit := decimal(max(r.Amount, 0), r.Currency), decimal(max(-r.Amount, 0), r.Currency)
		text := Line{Label: r.Label, Refund: r.Refund}.text()
		out = append(out, []string{
			r.LocalDate.String(), plain(r.LocationName), docNumber(r.BatchID), string(r.Kind), string(r.Category), plain(text),
			string(r.Currency), debit, credit, r.ExternalURL,
		})
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.WriteAll(out) // a buffer takes everything
	return b.Bytes(), nil
}

// decimal returns an amount in major units; empty for zero.
func decimal(minor int64, cur money.Currency) string {
	info, ok := money.Lookup(cur)
	if minor == 0 || !ok {
		return ""
	}
	return info.Decimal(minor)
}

// plain keeps entered text from being a formula of the program that opens the table.
func plain(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
