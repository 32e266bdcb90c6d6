package accounting

import (
	"context"
	"log/slog"
	"time"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/sealed"
)

// ProviderName is the only provider. A101.
const ProviderName = "ledger_online"

// Provider is the accounting program. Its errors are *ledgeronline.Error, or those of a context.
type Provider interface {
	AuthorizeURL(state string) string
	Exchange(ctx context.Context, code, company string) (ledgeronline.Tokens, error)
	Refresh(ctx context.Context, refresh sealed.Secret) (ledgeronline.Tokens, error)
	Revoke(ctx context.Context, refresh sealed.Secret) error
	CompanyInfo(ctx context.Context, c ledgeronline.Conn) (ledgeronline.Company, error)
	// ListAccounts returns the chart of accounts, up to ten minutes old; FreshAccounts reads it again.
	ListAccounts(ctx context.Context, c ledgeronline.Conn) ([]ledgeronline.Account, error)
	FreshAccounts(ctx context.Context, c ledgeronline.Conn) ([]ledgeronline.Account, error)
	CreateAccount(
		ctx context.Context, c ledgeronline.Conn, a ledgeronline.NewAccount, requestID string,
	) (ledgeronline.Account, error)
	PostJournal(
		ctx context.Context, c ledgeronline.Conn, j ledgeronline.Journal, requestID string,
	) (ledgeronline.Doc, error)
	PostDeposit(
		ctx context.Context, c ledgeronline.Conn, d ledgeronline.Deposit, requestID string,
	) (ledgeronline.Doc, error)
	FindDoc(
		ctx context.Context, c ledgeronline.Conn, kind ledgeronline.Kind, number string, date civil.Date,
	) (*ledgeronline.Doc, error)
	// Resting returns when the provider accepts requests of a company again; zero: now.
	Resting(company string) time.Time
}

// Options are the dependencies of a Service. All are required, except those marked optional.
type Options struct {
	DB       *pg.DB
	Provider Provider     // optional: without it nothing can be connected, and batches are made all the same
	Keys     *sealed.Keys // of tokens; optional without a Provider
	Log      *slog.Logger
}

// Service has the verbs of accounting. It is safe for concurrent use.
type Service struct {
	db       *pg.DB
	provider Provider
	keys     *sealed.Keys
	log      *slog.Logger

	refreshing chan struct{} // has an element for each refresh of tokens
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Log == nil || o.Provider != nil && o.Keys.Len() == 0 {
		panic("accounting: an option is missing")
	}
	return &Service{
		db: o.DB, provider: o.Provider, keys: o.Keys, log: o.Log, refreshing: make(chan struct{}, refreshesMost),
	}
}

// Configured reports whether this installation has an accounting provider.
func (s *Service) Configured() bool { return s.provider != nil }

// ErrNotConfigured is returned by verbs that need a provider where there is none.
var ErrNotConfigured = fault.New(fault.NotFound, "accounting_not_configured",
	"This installation has no accounting provider. The person who operates it can set one up.")

// The pace of the sweeps, in real time.
const (
	batchesEvery  = time.Minute
	postingsEvery = 5 * time.Second
	expiryEvery   = time.Hour
	attemptsEvery = time.Hour
)

// Register adds the sweeps of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "accounting.batches", batchesEvery, s.BatchDays)
	jobs.Sweep(r, "accounting.postings", postingsEvery, s.PostDue)
	jobs.Sweep(r, "accounting.expiry", expiryEvery, s.NoteExpiry)
	jobs.Sweep(r, "accounting.attempts", attemptsEvery, s.DeleteAttempts)
}
