package accounting

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// confirmedRow is the account confirmed for a row of the map.
type confirmedRow struct {
	RowKey            string
	ExternalAccountID string
	AccountName       string
	AccountType       string
	AccountSubType    string
	ConfirmedAt       time.Time
}

func readConfirmed(ctx context.Context, r pg.Reader, connection uuid.UUID) ([]confirmedRow, error) {
	return pg.All[confirmedRow](ctx, r, `select row_key, external_account_id, account_name, account_type, account_sub_type,
			confirmed_at
		from accounting_map_rows where business_id = $1 and connection_id = $2 order by row_key`, r.Business(), connection)
}

// confirmIn queues that an account is confirmed for a row. The same account again keeps its time.
func confirmIn(b *pg.Batch, tx *pg.Tx, connection uuid.UUID, row Row, a ledgeronline.Account) {
	pg.QueueExec(b, `insert into accounting_map_rows as m (id, business_id, connection_id, row_key, category, tax_rate_id,
			revenue_category_id, external_account_id, account_name, account_type, account_sub_type, confirmed_at,
			created_at, updated_at)
		values (@id, @business, @connection, @key, @category, @rate, @revenue, @account, @name, @type, @sub, @now, @now, @now)
		on conflict on constraint accounting_map_rows_key do update set external_account_id = excluded.external_account_id,
			account_name = excluded.account_name, account_type = excluded.account_type,
			account_sub_type = excluded.account_sub_type,
			confirmed_at = case when m.external_account_id = excluded.external_account_id then m.confirmed_at
				else excluded.confirmed_at end,
			updated_at = excluded.updated_at`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "connection": connection, "key": row.Key(),
		"category": string(row.Category), "rate": ptrID(row.TaxRateID), "revenue": ptrID(row.RevenueCategoryID),
		"account": a.ID, "name": a.Name, "type": a.Type, "sub": a.SubType, "now": tx.Now(),
	})
}

// facts are what the required rows of a business depend on.
type facts struct {
	codes      []ledger.Account // accounts with postings
	kinds      []string         // of offerings that are not archived
	cards      bool             // the business accepts cards, or did
	fees       bool             // a service fee is added to prices
	rates      []rateFact
	categories []categoryFact
}

type rateFact struct {
	ID       uuid.UUID
	Name     string
	PPM      int64 `db:"ppm"`
	Archived bool
}

type categoryFact struct {
	ID       uuid.UUID
	Name     string
	Archived bool
}

func readFacts(ctx context.Context, r pg.Reader) (f facts, err error) {
	b := r.Batch()
	pg.QueueAll(b, &f.codes, `select distinct code from ledger_accounts where business_id = $1 order by code`,
		r.Business())
	pg.QueueAll(b, &f.kinds, `select kind from offerings
		where business_id = $1 and state <> 'archived' and revenue_category_id is null
		union select 'product' from products
		where business_id = $1 and state <> 'archived' and revenue_category_id is null order by kind`, r.Business())
	var found bool
	pg.QueueOne(b, &f.cards, &found, `select exists (select from processor_accounts where business_id = $1
		and state not in ('not_connected', 'onboarding'))`, r.Business())
	pg.QueueOne(b, &f.fees, &found, `select fee_mode <> 'absorb' from businesses where business_id = $1`, r.Business())
	pg.QueueAll(b, &f.rates, `select id, name, ppm::bigint as ppm, archived_at is not null as archived from tax_rates
		where business_id = $1 order by created_at, id`, r.Business())
	pg.QueueAll(b, &f.categories, `select id, name, archived_at is not null as archived from revenue_categories
		where business_id = $1 order by created_at, id`, r.Business())
	return f, b.Send(ctx)
}

// incomeOfKind are the categories of income of offerings and products.
var incomeOfKind = map[string]Category{
	"class": IncomeClass, "appointment": IncomeSession, "rental": IncomeSpace, "product": IncomeProduct,
}

// ofCards are the categories that any business with card payments needs.
var ofCards = []Category{
	ClearingProcessor, ExpenseProcessorFees, ExpenseBookingFees, ExpenseDisputes, ExpenseDisputeFees,
	ExpenseProcessorOther, IncomeUncategorized, AssetBank,
}

// requiredRows returns the rows of the map in the order of categories, tax rates and revenue categories: what can be
// posted now, what was posted to, and what is confirmed. A row never disappears once an entry used it.
func requiredRows(f facts, confirmed []confirmedRow) []MapRow {
	need := map[string]bool{}
	for _, code := range f.codes {
		if row, ok := Fold(code); ok {
			need[row.Key()] = true
		}
	}
	for _, x := range confirmed {
		need[x.RowKey] = true
	}
	for _, kind := range f.kinds {
		need[string(incomeOfKind[kind])] = true
	}
	if f.cards {
		for _, c := range ofCards {
			need[string(c)] = true
		}
	}
	if f.fees && f.cards {
		need[string(IncomeBookingFee)] = true
	}
	for _, c := range []Category{AssetCashOnHand, AssetBank} { // the desk accepts cash, and takes it to the bank
		need[string(c)] = true
	}
	var out []MapRow
	for _, c := range Categories {
		switch c {
		case LiabilitySalesTax:
			for _, x := range f.rates {
				row := Row{Category: c, TaxRateID: x.ID}
				if !x.Archived || need[row.Key()] {
					out = append(out, MapRow{Row: row, TaxRateName: x.Name, TaxRatePPM: x.PPM})
				}
			}
		case IncomeRevenueCategory:
			for _, x := range f.categories {
				row := Row{Category: c, RevenueCategoryID: x.ID}
				if !x.Archived || need[row.Key()] {
					out = append(out, MapRow{Row: row, RevenueCategoryName: x.Name})
				}
			}
		default:
			if need[string(c)] {
				out = append(out, MapRow{Row: Row{Category: c}})
			}
		}
	}
	return slices.Clip(out)
}
