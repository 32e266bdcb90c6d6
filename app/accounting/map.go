package accounting

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// MapRow is a row of the map: one that the business needs, with the account confirmed for it. A129 to A134.
type MapRow struct {
	Row
	TaxRateName         string // of a tax rate's row
	TaxRatePPM          int64
	RevenueCategoryName string // of a revenue category's row
	CreateName          string // the name of an account to create
	Proposed            *ledgeronline.Account
	Confirmed           *ConfirmedAccount
}

// Label returns what the row is called: "Class income", "Sales tax 8.875 %", "Workshops".
func (r MapRow) Label() string {
	switch r.Category {
	case LiabilitySalesTax:
		return r.TaxRateName + " " + percent(r.TaxRatePPM) + " %"
	case IncomeRevenueCategory:
		return r.RevenueCategoryName
	}
	return r.Category.Label()
}

// name is the name that an account of the row is found and created by.
func (r MapRow) name() string {
	if r.Category == LiabilitySalesTax {
		return r.TaxRateName
	}
	return r.RevenueCategoryName
}

// ConfirmedAccount is an account that a person confirmed.
type ConfirmedAccount struct {
	ID, Name, Type, SubType string
	ConfirmedAt             time.Time
}

// Map has a row for each category, tax rate and revenue category that the business needs. A126.
type Map struct {
	Accounts []ledgeronline.Account // the provider's chart; empty unless the connection is connected
	Rows     []MapRow
}

// Missing returns the number of rows without a confirmed account. A127.
func (m Map) Missing() int {
	n := 0
	for _, r := range m.Rows {
		if r.Confirmed == nil {
			n++
		}
	}
	return n
}

// Map returns the map of the live connection with proposals from the provider's chart. Proposals are shown and never
// used. It needs business.manage. It returns not found without a connection; a failure of the provider is an error.
// A126 to A134, A229.
func (s *Service) Map(ctx context.Context, sc tenancy.Scope) (Map, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Map{}, err
	}
	return s.readMap(ctx, sc.Tenant, false)
}

// Progress is the number of rows of the map, and of those with a confirmed account.
type Progress struct{ Confirmed, Rows int }

// Progress returns the progress of the map of the live connection, without a call of the provider; zero without a
// connection. It needs business.manage.
func (s *Service) Progress(ctx context.Context, sc tenancy.Scope) (Progress, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Progress{}, err
	}
	v := s.db.View(sc.Tenant)
	c, found, err := liveConnection(ctx, v)
	if err != nil || !found {
		return Progress{}, err
	}
	m, err := s.mapOf(ctx, v, c, nil)
	return Progress{len(m.Rows) - m.Missing(), len(m.Rows)}, err
}

func (s *Service) readMap(ctx context.Context, business uuid.UUID, fresh bool) (Map, error) {
	v := s.db.View(business)
	c, found, err := liveConnection(ctx, v)
	if err != nil || !found {
		return Map{}, orMissing(err)
	}
	chart, err := s.chart(ctx, business, c, fresh)
	if err != nil {
		return Map{}, err
	}
	return s.mapOf(ctx, v, c, chart)
}

// chart returns the chart of accounts of a connection; none unless it is connected.
func (s *Service) chart(
	ctx context.Context, business uuid.UUID, c Connection, fresh bool,
) (chart []ledgeronline.Account, err error) {
	if c.Status != Connected || s.provider == nil {
		return nil, nil
	}
	err = s.withToken(ctx, business, c, func(ctx context.Context, conn ledgeronline.Conn) (err error) {
		if fresh {
			chart, err = s.provider.FreshAccounts(ctx, conn)
		} else {
			chart, err = s.provider.ListAccounts(ctx, conn)
		}
		return err
	})
	if errors.Is(err, errReauth) { // the status says it from now on
		return nil, nil
	}
	return chart, err
}

// mapOf puts the required rows, the confirmed accounts and the proposals together.
func (s *Service) mapOf(ctx context.Context, r pg.Reader, c Connection, chart []ledgeronline.Account) (Map, error) {
	facts, err := readFacts(ctx, r)
	if err != nil {
		return Map{}, err
	}
	confirmed, err := readConfirmed(ctx, r, c.ID)
	if err != nil {
		return Map{}, err
	}
	out := Map{Accounts: chart, Rows: requiredRows(facts, confirmed)}
	taken := map[string]string{}
	byKey := map[string]confirmedRow{}
	for _, x := range confirmed {
		taken[x.RowKey], byKey[x.RowKey] = x.ExternalAccountID, x
	}
	ranked := NewChart(chart, c.HomeCurrency)
	for i := range out.Rows {
		row := &out.Rows[i]
		row.CreateName = CreateName(row.Category, row.name())
		if x, ok := byKey[row.Key()]; ok {
			row.Confirmed = &ConfirmedAccount{x.ExternalAccountID, x.AccountName, x.AccountType, x.AccountSubType, x.ConfirmedAt}
		}
		row.Proposed = ranked.Propose(row.Row, row.name(), row.TaxRatePPM, taken)
	}
	return out, nil
}

// Choice confirms an account for a row of the map.
type Choice struct {
	Row
	AccountID string
}

// rowsMost bounds the rows of one confirmation: more than any map has.
const rowsMost = 500

// Confirm confirms accounts for rows of the map: those only, and all or none. The same account may be chosen for
// several rows. It needs business.manage. It returns not found without a connection, and a validation error on a row
// that the map does not have or that comes twice, on an account that the chart does not have, and on accounts
// receivable and payable, since each line of those needs a customer or a vendor. A135 to A139.
func (s *Service) Confirm(ctx context.Context, sc tenancy.Scope, choices []Choice) (Map, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Map{}, err
	}
	if len(choices) == 0 || len(choices) > rowsMost {
		return Map{}, fault.Invalid("rows", fmt.Sprintf("Send 1 to %d rows.", rowsMost))
	}
	now, err := s.readMap(ctx, sc.Tenant, true)
	if err != nil {
		return Map{}, err
	}
	if err := now.check(choices); err != nil {
		return Map{}, err
	}
	return s.save(ctx, sc, choices, now.Accounts)
}

// check reports all choices that cannot be confirmed.
func (m Map) check(choices []Choice) error {
	var c fault.Checks
	seen := map[string]bool{}
	for i, x := range choices {
		field := func(name string) string { return fmt.Sprintf("rows.%d.%s", i, name) }
		switch {
		case !x.Category.Valid():
			c.That(false, field("category"), "Choose one of the categories of the map.")
		case (x.TaxRateID != uuid.Nil) != (x.Category == LiabilitySalesTax):
			c.That(false, field("taxRateId"), "A row of sales tax has a tax rate, and no other row has one.")
		case (x.RevenueCategoryID != uuid.Nil) != (x.Category == IncomeRevenueCategory):
			c.That(false, field("revenueCategoryId"), "A row of a revenue category has its id, and no other row has one.")
		case !slices.ContainsFunc(m.Rows, func(r MapRow) bool { return r.Row == x.Row }):
			c.That(false, field("category"), "The map has no such row.")
		case seen[x.Row.Key()]:
			c.That(false, field("category"), "This row is in the list twice.")
		}
		seen[x.Row.Key()] = true
		at := slices.IndexFunc(m.Accounts, func(a ledgeronline.Account) bool { return a.ID == x.AccountID && a.Active })
		if at < 0 {
			c.That(false, field("externalAccountId"), "The chart of accounts has no such account.")
			continue
		}
		c.That(!subledger(m.Accounts[at]), field("externalAccountId"),
			"Accounts receivable and payable need a customer or a vendor in each line. Choose another account.")
	}
	return c.Err()
}

// subledger reports whether the provider needs a customer or a vendor in each line of an account.
func subledger(a ledgeronline.Account) bool {
	return a.Type == "Accounts Receivable" || a.Type == "Accounts Payable"
}

// save stores choices of accounts of a chart, and continues with what waited for them.
func (s *Service) save(
	ctx context.Context, sc tenancy.Scope, choices []Choice, chart []ledgeronline.Account,
) (Map, error) {
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Map, error) {
		c, found, err := lockLive(ctx, tx)
		if err != nil || !found {
			return Map{}, orMissing(err)
		}
		b := tx.Batch()
		for _, x := range choices {
			i := slices.IndexFunc(chart, func(a ledgeronline.Account) bool { return a.ID == x.AccountID })
			confirmIn(b, tx, c.ID, x.Row, chart[i])
		}
		if err := b.Send(ctx); err != nil {
			return Map{}, err
		}
		if err := assessTx(ctx, tx, c); err != nil {
			return Map{}, err
		}
		return s.mapOf(ctx, tx, c, chart)
	})
}

// CreateInput creates an account at the provider for a row of the map.
type CreateInput struct {
	Row
	Name string // empty: the row's CreateName
}

// Create creates an account at the provider and confirms it for a row. A repeated call uses the account of the first
// one. It needs business.manage. It returns not found without a connection or without the row, and a validation error
// on the category, on a missing id, and on a name that another account has: details.accountId is that account. A140,
// A141.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Map, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Map{}, err
	}
	if err := in.validate(); err != nil {
		return Map{}, err
	}
	now, err := s.readMap(ctx, sc.Tenant, true)
	if err != nil {
		return Map{}, err
	}
	at := slices.IndexFunc(now.Rows, func(r MapRow) bool { return r.Row == in.Row })
	if at < 0 {
		return Map{}, fault.Missing()
	}
	row := now.Rows[at]
	if in.Name == "" {
		in.Name = row.CreateName
	}
	c, found, err := liveConnection(ctx, s.db.View(sc.Tenant))
	if err != nil || !found {
		return Map{}, orMissing(err)
	}
	if c.Status != Connected {
		return Map{}, ErrReconnect
	}
	account, err := s.createAccount(ctx, sc.Tenant, c, row, in.Name)
	if err != nil {
		return Map{}, err
	}
	chart := now.Accounts
	if !slices.ContainsFunc(chart, func(a ledgeronline.Account) bool { return a.ID == account.ID }) {
		chart = append(slices.Clone(chart), account)
	}
	return s.save(ctx, sc, []Choice{{row.Row, account.ID}}, chart)
}

// ErrReconnect refuses a call of the provider while the connection is not connected.
var ErrReconnect = fault.New(fault.NotFound, "accounting_not_connected", "Connect the accounting provider again first.")

func (in *CreateInput) validate() error {
	var c fault.Checks
	in.Name = strings.TrimSpace(in.Name)
	c.That(in.Category.Valid(), "category", "Choose one of the categories of the map.")
	c.That(in.Category != LiabilitySalesTax || in.TaxRateID != uuid.Nil, "taxRateId", "Name the tax rate.")
	c.That(in.Category != IncomeRevenueCategory || in.RevenueCategoryID != uuid.Nil, "revenueCategoryId",
		"Name the revenue category.")
	c.That(utf8.RuneCountInString(in.Name) <= ledgeronline.MaxAccountName && !strings.ContainsAny(in.Name, ":\""), "name",
		"Use at most 100 characters, without : and quotation marks.")
	return c.Err()
}

// createAccount creates the account of a row, or returns the one that an earlier request for the row made: the
// description marks it, for a provider that has forgotten the request.
func (s *Service) createAccount(
	ctx context.Context, business uuid.UUID, c Connection, row MapRow, name string,
) (made ledgeronline.Account, err error) {
	as := row.Category.Spec()
	sum := sha256.Sum256([]byte("create:" + c.ID.String() + ":" + row.Key() + ":" + name))
	id := hex.EncodeToString(sum[:16])
	mark := "Bookings: " + row.Label() + " [" + id[:8] + "]"
	if r := []rune(mark); len(r) > ledgeronline.MaxAccountDescription {
		mark = "Bookings [" + id[:8] + "]"
	}
	err = s.withToken(ctx, business, c, func(ctx context.Context, conn ledgeronline.Conn) error {
		var err error
		made, err = s.provider.CreateAccount(ctx, conn, ledgeronline.NewAccount{
			Name: name, Type: as.Type, SubType: as.SubType, Description: mark,
		}, id)
		if classOf(err) != ledgeronline.DuplicateName {
			return err
		}
		chart, reading := s.provider.FreshAccounts(ctx, conn)
		if reading != nil {
			return reading
		}
		at := slices.IndexFunc(chart, func(a ledgeronline.Account) bool { return strings.EqualFold(a.Name, name) })
		if at >= 0 && chart[at].Description == mark {
			made = chart[at]
			return nil
		}
		existing := ""
		if at >= 0 {
			existing = chart[at].ID
		}
		return fault.Invalid("name", "An account of this name exists at the accounting provider. "+
			"Choose it in the list, or use another name.").
			With("accountId", existing)
	})
	if errors.Is(err, errReauth) {
		err = ErrReconnect
	}
	if classOf(err) == ledgeronline.Invalid {
		err = fault.Invalid("name", problemOf(err, c.HomeCurrency))
	}
	return made, err
}
