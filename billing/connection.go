package billing

import (
	"context"
	"time"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Connection is a business's account at the processor, as it was when it was last read there. One account serves all
// locations.
type Connection struct {
	Env       Env    // empty when this installation has no processor
	AccountID string // acct_…; empty when not connected
	State     State
	Currency  money.Currency // the account's own; empty while it is not known
	Due       []string       // what the processor still asks for, in its own field names
	UpdatedAt time.Time      // zero when not connected
}

// Takes reports whether cards can be offered for amounts in this currency. An account with another currency would convert
// them, so it is not used.
func (c Connection) Takes(cur money.Currency) bool {
	return c.State.TakesCards() && (c.Currency == "" || c.Currency == cur)
}

// Connection returns the business's connection; StateNotConnected when there is none. It needs business.manage.
func (s *Service) Connection(ctx context.Context, sc tenancy.Scope) (Connection, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Connection{}, err
	}
	return s.connection(ctx, s.db.View(sc.Tenant))
}

func (s *Service) connection(ctx context.Context, r pg.Reader) (Connection, error) {
	if s.processor == nil {
		return Connection{State: StateNotConnected}, nil
	}
	return readConnection(ctx, r, s.Env())
}
