package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgeronline"
	"foyer/app/api/wire"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// AccountingConnection is the connection to the accounting provider. A99 to A105.
type AccountingConnection struct {
	ID                uuid.UUID                   `json:"id"`
	Provider          string                      `json:"provider" enum:"ledger_online" doc:"The accounting provider."`
	CompanyName       string                      `json:"companyName" doc:"Name of the connected company at the provider." example:"Bright Yoga LLC"`
	HomeCurrency      money.Currency              `json:"homeCurrency" doc:"Home currency of the company. Documents in other currencies are not posted."`
	ExternalCompanyID string                      `json:"externalCompanyId" doc:"The provider's id of the company."`
	Status            accounting.ConnectionStatus `json:"status" doc:"Status of the connection. needs_reauth: the owner must connect again; pending documents wait."`
	StartDate         string                      `json:"startDate" format:"date" doc:"First day that is posted."`
	StartDateFrozen   bool                        `json:"startDateFrozen" doc:"Whether the start date can no longer change, because a document was posted."`
	LastSyncAt        *time.Time                  `json:"lastSyncAt" doc:"When a document was last posted; null: not yet."`
	LastError         *string                     `json:"lastError" doc:"Reason of the last failure since then; null: none."`
	ConnectedAt       time.Time                   `json:"connectedAt" doc:"When the connection was made."`
}

type accountingConnectionOut struct {
	Connection op.Nullable[AccountingConnection] `json:"connection" doc:"The live connection; null if the business was never connected."`
}

type connectAccountingOut struct {
	AuthorizeURL string `json:"authorizeUrl" doc:"Address of the provider where the owner of the company agrees."`
}

type completeAccountingIn struct {
	AttemptID uuid.UUID `json:"attemptId" doc:"The attempt, from the query of the settings screen."`
}

type completeAccountingOut struct {
	Outcome accounting.Outcome `json:"outcome" doc:"error: the attempt is used, older than fifteen minutes or another person's, or the provider refused."`
}

type updateAccountingIn struct {
	StartDate string `json:"startDate" format:"date" doc:"First day that is posted. It cannot change after the first document." example:"2026-12-01"`
}

// AccountingAccount is an account of the provider's chart of accounts. A128.
type AccountingAccount struct {
	ID      string  `json:"id"`
	Name    string  `json:"name" example:"Class income"`
	Type    string  `json:"type" example:"Income"`
	SubType *string `json:"subType,omitempty" doc:"The provider's subtype; missing: none." example:"ServiceFeeIncome"`
}

// ConfirmedAccount is an account that a person confirmed for a row of the map.
type ConfirmedAccount struct {
	AccountingAccount
	ConfirmedAt time.Time `json:"confirmedAt"`
}

// AccountingMapRow is a row of the accounting map. A129 to A131.
type AccountingMapRow struct {
	Category            accounting.Category            `json:"category"`
	TaxRateID           *uuid.UUID                     `json:"taxRateId" doc:"The tax rate of a row of liability.sales_tax; else null."`
	RevenueCategoryID   *uuid.UUID                     `json:"revenueCategoryId" doc:"The revenue category of a row of income.revenue_category; else null."`
	RevenueCategoryName *string                        `json:"revenueCategoryName" doc:"Name of the revenue category; null for other rows."`
	TaxRateName         *string                        `json:"taxRateName" doc:"Name of the tax rate; null for other rows."`
	TaxRatePPM          *int64                         `json:"taxRatePpm" doc:"Rate in parts per million: 82500 is 8.25 %."`
	Label               string                         `json:"label" doc:"Name of the row."`
	Description         string                         `json:"description" doc:"What is posted to its account."`
	CreateName          string                         `json:"createName" doc:"Name of the account that createAccountingAccount creates by default."`
	Proposed            op.Nullable[AccountingAccount] `json:"proposed" doc:"The account that fits best; null if none does, or if several do. It is never used without confirmation."`
	Confirmed           op.Nullable[ConfirmedAccount]  `json:"confirmed" doc:"The confirmed account; null: none yet."`
}

// AccountingMap is the assignment of income, taxes, fees and cash to the provider's accounts. A126, A127.
type AccountingMap struct {
	Complete     bool                `json:"complete" doc:"Whether every row has a confirmed account."`
	MissingCount int                 `json:"missingCount" doc:"Number of rows without one."`
	Accounts     []AccountingAccount `json:"accounts" doc:"The provider's chart of accounts; empty unless the connection is connected."`
	Rows         []AccountingMapRow  `json:"rows"`
}

type accountingMapOut struct {
	Map AccountingMap `json:"map" doc:"The rows with their accounts."`
}

type confirmAccountingIn struct {
	Rows []confirmAccountingRow `json:"rows" minItems:"1" maxItems:"500"`
}

type confirmAccountingRow struct {
	Category          accounting.Category    `json:"category"`
	ExternalAccountID string                 `json:"externalAccountId" minLength:"1" maxLength:"64" doc:"The account, by its id in the chart."`
	TaxRateID         op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"The tax rate of a row of liability.sales_tax."`
	RevenueCategoryID op.Nullable[uuid.UUID] `json:"revenueCategoryId,omitzero" doc:"The revenue category of a row of income.revenue_category."`
}

type createAccountingIn struct {
	Category string `path:"category" doc:"The category of the row."`
	Body     createAccountingBody
}

type createAccountingBody struct {
	TaxRateID         op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"The tax rate of a row of liability.sales_tax."`
	RevenueCategoryID op.Nullable[uuid.UUID] `json:"revenueCategoryId,omitzero" doc:"The revenue category of a row of income.revenue_category."`
	Name              string                 `json:"name,omitempty" maxLength:"100" doc:"Name of the account. The default is the row's createName."`
}

// AccountingPosting is the transfer of a document to the accounting provider. A144 to A149.
type AccountingPosting struct {
	BatchID     uuid.UUID              `json:"batchId" doc:"Content of the document."`
	LocalDate   string                 `json:"localDate" format:"date" doc:"Day of the document at the location; of a payout, the day of its arrival."`
	Kind        accounting.Kind        `json:"kind"`
	Amount      int64                  `json:"amount" doc:"Total of the document, in minor units."`
	Currency    money.Currency         `json:"currency"`
	Status      accounting.Status      `json:"status" doc:"Status of the document."`
	SkipReason  *accounting.SkipReason `json:"skipReason" doc:"Why it is not posted; null unless skipped."`
	LastError   *string                `json:"lastError" doc:"Reason of the last failure; null: none."`
	ExternalURL *string                `json:"externalUrl" doc:"Address of the document at the provider; null unless posted."`
	PostedAt    *time.Time             `json:"postedAt" doc:"When the document was posted; null: not yet."`
}

type accountingPostingsIn struct {
	Cursor string `query:"cursor" doc:"nextCursor of the previous page."`
}

type accountingPostingsOut struct {
	Postings   []AccountingPosting `json:"postings" doc:"At most 30, newest first."`
	NextCursor *string             `json:"nextCursor" doc:"The cursor of the next page; null on the last one."`
}

type retryAccountingIn struct {
	BatchID uuid.UUID `path:"batchId" doc:"The batch."`
}

type retryAccountingOut struct {
	Queued bool `json:"queued" doc:"Always true. Only a failed document is posted again."`
}

type syncAccountingOut struct {
	DueCount int `json:"dueCount" doc:"Number of pending documents that are due now."`
}

// accounting declares the connection, the map and the postings.
func (a *surface) accounting() {
	const root = "/businesses/{businessId}/accounting"
	frozen := []int{400, 401, 403, 404}
	spec := func(id, method, path string, summary, description string) op.Spec {
		errors := frozen
		if method == "GET" || method == "DELETE" || id == "retryAccountingPosting" {
			errors = frozen[1:]
		}
		return op.Spec{
			ID: id, Method: method, Path: root + path, Tag: "commerce", Feature: "business.manage", Frozen: true, Errors: errors,
			Summary: summary, Description: description, NoReplay: method == "POST" || method == "DELETE",
		}
	}
	declare(a, spec("connectAccounting", "GET", "/connect", "Begin to connect accounting",
		"Records an attempt of the caller and returns the provider's address where the company's owner agrees. "+
			"The attempt is valid for fifteen minutes."),
		func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (connectAccountingOut, error) {
			url, err := a.Accounting.Begin(ctx, sc)
			return connectAccountingOut{url}, err
		})
	complete := spec("completeAccounting", "POST", "/connect/complete", "Complete an accounting connection",
		"Exchanges the provider's code and writes the connection. It uses the attempt up. "+
			"Requires a session of the person who began the attempt.")
	complete.Access = op.OperatorSession
	complete.Several = "the attempt is used up before the provider's code is exchanged, " +
		"and the connection is written after that"
	declare(a, complete, func(
		ctx context.Context, sc tenancy.Scope, in *wire.Body[completeAccountingIn],
	) (completeAccountingOut, error) {
		outcome, err := a.Accounting.Complete(ctx, sc, in.Body.AttemptID)
		return completeAccountingOut{outcome}, err
	})
	declare(a, spec("getAccountingConnection", "GET", "/connection", "Get the accounting connection",
		"Returns the live connection, which is the newest one."),
		func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (accountingConnectionOut, error) {
			c, err := a.Accounting.Live(ctx, sc)
			return accountingConnectionOut{op.NullableOf(wire.OrNil(c, showAccountingConnection))}, err
		})
	declare(a, spec("updateAccountingConnection", "PATCH", "/connection", "Set the start date of accounting",
		"Documents of earlier days are not posted."),
		func(ctx context.Context, sc tenancy.Scope, in *wire.Body[updateAccountingIn]) (accountingConnectionOut, error) {
			c, err := a.Accounting.SetStartDate(ctx, sc, in.Body.StartDate)
			shown := showAccountingConnection(c)
			return accountingConnectionOut{op.Some(shown)}, err
		})
	disconnect := spec("disconnectAccounting", "DELETE", "/connection", "Disconnect accounting",
		"Revokes access at the provider and deletes the tokens. Posted documents stay. Repeating the call changes nothing.")
	declare(a, disconnect, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (op.NoContent, error) {
		return op.NoContent{}, a.Accounting.Disconnect(ctx, sc)
	})
	declare(a, spec("getAccountingMap", "GET", "/map", "Get the accounting map",
		"Returns the required rows with proposals from the provider's chart of accounts."),
		func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (accountingMapOut, error) {
			m, err := a.Accounting.Map(ctx, sc)
			return accountingMapOut{showAccountingMap(m)}, err
		})
	confirm := spec("confirmAccountingMap", "PUT", "/map", "Confirm accounts of the accounting map",
		"Confirms the accounts of these rows, all or none. Other rows stay as they are.")
	confirm.Several = "an expired token is renewed and stored before the provider's chart of accounts is read"
	declare(a, confirm, a.confirmAccounting)
	create := spec("createAccountingAccount", "POST", "/map/{category}/create", "Create an account for the accounting map",
		"Creates the account at the provider and confirms it for the row. Repeating the call uses the same account.")
	create.Several = "the account is created at the provider before it is confirmed"
	declare(a, create, a.createAccounting)
	declare(a, spec("listAccountingPostings", "GET", "/postings", "List accounting postings",
		"Returns the documents of the live connection, newest first, 30 on a page."), a.accountingPostings)
	declare(a, spec("retryAccountingPosting", "POST", "/postings/{batchId}/retry", "Retry an accounting posting",
		"Queues a failed document again. A document is never posted twice."),
		func(ctx context.Context, sc tenancy.Scope, in *retryAccountingIn) (retryAccountingOut, error) {
			return retryAccountingOut{true}, a.Accounting.Retry(ctx, sc, in.BatchID)
		})
	declare(a, op.Spec{
		ID: "syncAccounting", Method: "POST", Path: root + "/sync", Tag: "commerce", Feature: "business.manage",
		NoReplay: true, Summary: "Post pending documents now",
		Description: "Makes all pending documents due now, also those that wait for their next attempt.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (syncAccountingOut, error) {
		n, err := a.Accounting.Sync(ctx, sc)
		return syncAccountingOut{n}, err
	})
}

func (a *surface) confirmAccounting(
	ctx context.Context, sc tenancy.Scope, in *wire.Body[confirmAccountingIn],
) (accountingMapOut, error) {
	choices := make([]accounting.Choice, len(in.Body.Rows))
	for i, r := range in.Body.Rows {
		choices[i] = accounting.Choice{
			Row: rowOf(r.Category, r.TaxRateID, r.RevenueCategoryID), AccountID: r.ExternalAccountID,
		}
	}
	m, err := a.Accounting.Confirm(ctx, sc, choices)
	return accountingMapOut{showAccountingMap(m)}, err
}

func (a *surface) createAccounting(
	ctx context.Context, sc tenancy.Scope, in *createAccountingIn,
) (accountingMapOut, error) {
	m, err := a.Accounting.Create(ctx, sc, accounting.CreateInput{
		Row: rowOf(accounting.Category(in.Category), in.Body.TaxRateID, in.Body.RevenueCategoryID), Name: in.Body.Name,
	})
	return accountingMapOut{showAccountingMap(m)}, err
}

func rowOf(c accounting.Category, rate, revenue op.Nullable[uuid.UUID]) accounting.Row {
	row := accounting.Row{Category: c}
	if rate.Value != nil {
		row.TaxRateID = *rate.Value
	}
	if revenue.Value != nil {
		row.RevenueCategoryID = *revenue.Value
	}
	return row
}

// accountingPostings lists postings. A cursor of another list is a page that does not exist. A96.
func (a *surface) accountingPostings(
	ctx context.Context, sc tenancy.Scope, in *accountingPostingsIn,
) (accountingPostingsOut, error) {
	const list = "accounting-postings"
	after, err := wire.After[paging.Moment](a.Cursors, sc, list, in.Cursor)
	if err != nil {
		return accountingPostingsOut{}, fault.Missing()
	}
	page, err := a.Accounting.Postings(ctx, sc, after)
	shown := wire.List(a.Cursors, sc, list, page, showAccountingPosting)
	return accountingPostingsOut{shown.Items, shown.NextCursor}, err
}

func showAccountingConnection(c accounting.Connection) AccountingConnection {
	return AccountingConnection{
		ID: c.ID, Provider: accounting.ProviderName, CompanyName: c.CompanyName, HomeCurrency: c.HomeCurrency,
		ExternalCompanyID: c.ExternalCompanyID, Status: c.Status, StartDate: c.StartDate.String(),
		StartDateFrozen: c.StartDateFrozen, LastSyncAt: wire.TimeOrNull(c.LastSyncAt),
		LastError: textOrNull(c.LastError), ConnectedAt: c.ConnectedAt,
	}
}

func textOrNull[S ~string](s S) *S {
	if s == "" {
		return nil
	}
	return &s
}

func showAccountingMap(m accounting.Map) AccountingMap {
	missing := m.Missing()
	return AccountingMap{
		Complete: missing == 0, MissingCount: missing, Accounts: wire.Show(m.Accounts, showAccountingAccount),
		Rows: wire.Show(m.Rows, showAccountingMapRow),
	}
}

func showAccountingAccount(a ledgeronline.Account) AccountingAccount {
	return AccountingAccount{ID: a.ID, Name: a.Name, Type: a.Type, SubType: textOrNull(a.SubType)}
}

func showAccountingMapRow(r accounting.MapRow) AccountingMapRow {
	out := AccountingMapRow{
		Category: r.Category, Label: r.Label(), Description: r.Category.Description(), CreateName: r.CreateName,
		Proposed:  op.NullableOf(wire.OrNil(r.Proposed, showAccountingAccount)),
		Confirmed: op.Null[ConfirmedAccount](),
	}
	switch r.Category {
	case accounting.LiabilitySalesTax:
		out.TaxRateID, out.TaxRateName, out.TaxRatePPM = &r.TaxRateID, &r.TaxRateName, &r.TaxRatePPM
	case accounting.IncomeRevenueCategory:
		out.RevenueCategoryID, out.RevenueCategoryName = &r.RevenueCategoryID, &r.RevenueCategoryName
	}
	if c := r.Confirmed; c != nil {
		out.Confirmed = op.Some(ConfirmedAccount{
			AccountingAccount{c.ID, c.Name, c.Type, textOrNull(c.SubType)}, c.ConfirmedAt,
		})
	}
	return out
}

func showAccountingPosting(p accounting.Posting) AccountingPosting {
	return AccountingPosting{
		BatchID: p.BatchID, LocalDate: p.LocalDate.String(), Kind: p.Kind, Amount: p.Amount, Currency: p.Currency,
		Status: p.Status, SkipReason: textOrNull(p.SkipReason), LastError: textOrNull(p.LastError),
		ExternalURL: textOrNull(p.ExternalURL), PostedAt: wire.TimeOrNull(p.PostedAt),
	}
}
