package accounting

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/sealed"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ConnectionStatus is the status of a connection. A105.
type ConnectionStatus string

// The statuses.
const (
	Connected    ConnectionStatus = "connected"
	NeedsReauth  ConnectionStatus = "needs_reauth" // the provider refused the refresh token. A124.
	Disconnected ConnectionStatus = "disconnected"
)

// All returns all statuses.
func (ConnectionStatus) All() []ConnectionStatus {
	return []ConnectionStatus{Connected, NeedsReauth, Disconnected}
}

// Connection is a business's connection to its company at the provider. The newest one is live, also while it is
// disconnected. A99, A125.
type Connection struct {
	ID                uuid.UUID
	ExternalCompanyID string
	CompanyName       string
	HomeCurrency      money.Currency
	Status            ConnectionStatus
	StartDate         civil.Date // batches of earlier days are not posted
	StartDateFrozen   bool       // one has been posted
	PersonID          uuid.UUID  // who connected it
	ConnectedAt       time.Time
	LastSyncAt        time.Time `db:",null"` // the last success; zero: none yet
	LastError         string    // in plain words; empty: none since the last success
}

// Live returns the live connection; nil if the business never had one. It needs business.manage. A118.
func (s *Service) Live(ctx context.Context, sc tenancy.Scope) (*Connection, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return nil, err
	}
	c, found, err := liveConnection(ctx, s.db.View(sc.Tenant))
	if err != nil || !found {
		return nil, err
	}
	return &c, nil
}

// ErrStartDateFrozen refuses a change of the start date after the first post. A120.
var ErrStartDateFrozen = fault.Invalid("startDate", "The start date cannot change after the first document was posted.")

// SetStartDate sets the first day that is posted. It needs business.manage. It returns a validation error on
// startDate, ErrStartDateFrozen, and not found without a connection. A119, A120.
func (s *Service) SetStartDate(ctx context.Context, sc tenancy.Scope, date string) (Connection, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Connection{}, err
	}
	day, err := civil.ParseDate(date)
	if err != nil {
		return Connection{}, fault.Invalid("startDate", "Enter a date like 2026-03-08.")
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Connection, error) {
		c, found, err := lockLive(ctx, tx)
		if err != nil {
			return Connection{}, err
		}
		if !found {
			return Connection{}, fault.Missing()
		}
		if c.StartDateFrozen {
			if c.StartDate == day {
				return c, nil
			}
			return Connection{}, ErrStartDateFrozen
		}
		c.StartDate = day
		if err := saveStartDate(ctx, tx, c); err != nil {
			return Connection{}, err
		}
		return c, assessTx(ctx, tx, c)
	})
}

// Disconnect disconnects the live connection: its tokens are revoked at the provider and deleted. Its postings keep
// their documents. A refusal of the provider changes nothing about that, and a second call does nothing. It needs
// business.manage. It returns not found without a connection. A121 to A123, A219.
func (s *Service) Disconnect(ctx context.Context, sc tenancy.Scope) error {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return err
	}
	refresh, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (sealedToken, error) {
		c, found, err := lockLive(ctx, tx)
		if err != nil || !found {
			return sealedToken{}, orMissing(err)
		}
		if c.Status == Disconnected {
			return sealedToken{}, nil
		}
		refresh, err := disconnect(ctx, tx, c)
		if err != nil {
			return sealedToken{}, err
		}
		c.Status = Disconnected
		return refresh, assessTx(ctx, tx, c)
	})
	if err != nil || len(refresh.Refresh) == 0 {
		return err
	}
	s.revoke(ctx, sc.Tenant, refresh)
	return nil
}

func orMissing(err error) error {
	if err != nil {
		return err
	}
	return fault.Missing()
}

// revoke revokes a token at the provider. The connection is closed already, so a failure is only logged.
func (s *Service) revoke(ctx context.Context, business uuid.UUID, t sealedToken) {
	if s.provider == nil {
		return
	}
	refresh, err := s.open(business, t.ConnectionID, "refresh", t.Refresh)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callMost)
		defer cancel()
		err = s.provider.Revoke(ctx, refresh)
	}
	if err != nil {
		s.log.Warn("could not revoke an accounting token", "business", business, "connection", t.ConnectionID, "error", err)
	}
}

// callMost is the longest that a call of the provider may take.
const callMost = 20 * time.Second

// sealedToken are the tokens of a connection as they are stored.
type sealedToken struct {
	ConnectionID    uuid.UUID
	Access, Refresh []byte
	AccessExpiresAt time.Time
}

// open opens a stored token.
func (s *Service) open(business, connection uuid.UUID, column string, stored []byte) (sealed.Secret, error) {
	plain, err := s.keys.Open(cell(business, connection, column), stored)
	return sealed.NewSecret(string(plain)), err
}

func (s *Service) seal(business, connection uuid.UUID, column string, token sealed.Secret) ([]byte, error) {
	return s.keys.Seal(cell(business, connection, column), []byte(token.Reveal()))
}

func cell(business, connection uuid.UUID, column string) sealed.Cell {
	return sealed.Cell{Business: business, Table: "accounting_tokens", Row: connection, Column: column}
}

// conn returns the provider's name of a connection, with a token.
func (c Connection) conn(access sealed.Secret) ledgeronline.Conn {
	return ledgeronline.Conn{Realm: c.ExternalCompanyID, AccessToken: access}
}
