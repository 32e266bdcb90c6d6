package accounting

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/sealed"
	"foyer/app/tenancy"
	"foyer/policy"
)

// attemptLasts is how long an attempt to connect is valid. A88, A114.
const attemptLasts = 15 * time.Minute

// attemptsKept is how long attempts are stored.
const attemptsKept = 30 * 24 * time.Hour

// Begin records an attempt to connect, and returns the provider's address where its owner agrees to it. Only a session
// of the caller, or of the person who created the calling key, can complete it. It needs business.manage. It returns
// ErrNotConfigured. A107, A108, A220.
func (s *Service) Begin(ctx context.Context, sc tenancy.Scope) (authorizeURL string, err error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return "", err
	}
	if s.provider == nil {
		return "", ErrNotConfigured
	}
	secret := make([]byte, 24)
	_, _ = rand.Read(secret) // it never fails
	id, err := pg.InTx(pg.WithoutClaim(ctx), s.db, sc.Tenant, func(tx *pg.Tx) (uuid.UUID, error) {
		person := sc.Person()
		if person == uuid.Nil {
			var err error
			if person, err = keyOwner(ctx, tx, sc.Actor.ID); err != nil {
				return uuid.Nil, err
			}
		}
		id := pg.NewID()
		return id, insertAttempt(ctx, tx, id, person, hashOf(secret))
	})
	if err != nil {
		return "", err
	}
	return s.provider.AuthorizeURL(stateOf(sc.Tenant, id, secret)), nil
}

// stateOf is the state of an attempt at the provider: business, attempt and secret.
func stateOf(business, attempt uuid.UUID, secret []byte) string {
	raw := append(append(append([]byte{}, business[:]...), attempt[:]...), secret...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashOf(secret []byte) []byte {
	sum := sha256.Sum256(secret)
	return sum[:]
}

func parseState(state string) (business, attempt uuid.UUID, secret []byte, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil || len(raw) != 16+16+24 {
		return uuid.Nil, uuid.Nil, nil, false
	}
	return uuid.UUID(raw[:16]), uuid.UUID(raw[16:32]), raw[32:], true
}

// Return is the provider's redirect after its owner agreed or refused.
type Return struct {
	State   string
	Code    string // empty: refused
	Company string // the provider's id of the company
}

// Finish is where a redirect of the provider leads: the settings of a business, with the attempt to complete.
type Finish struct {
	Slug    string // of the business
	Attempt uuid.UUID
}

// Returned stores the provider's code with its attempt, once and within fifteen minutes. It connects nothing: Complete
// does, and explains an attempt that is used or too old. It returns ErrAttempt for a state that Begin did not make.
// A109.
func (s *Service) Returned(ctx context.Context, in Return) (Finish, error) {
	business, attempt, secret, ok := parseState(in.State)
	if !ok || len(in.Code) > codeMost || len(in.Company) > companyMost {
		return Finish{}, ErrAttempt
	}
	var code []byte
	if in.Code != "" {
		var err error
		if code, err = s.keys.Seal(attemptCell(business, attempt), []byte(in.Code)); err != nil {
			return Finish{}, err
		}
	}
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (Finish, error) {
		slug, found, err := storeReturn(ctx, tx, attempt, hashOf(secret), code, in.Company, tx.Now().Add(-attemptLasts))
		if err == nil && !found {
			err = ErrAttempt
		}
		return Finish{slug, attempt}, err
	})
}

// The longest code and id of a company that a provider sends.
const (
	codeMost    = 2000
	companyMost = 64
)

// ErrAttempt refuses a redirect without a valid attempt.
var ErrAttempt = fault.New(fault.NotFound, "attempt_unknown",
	"This attempt to connect is unknown, used or too old. Connect again.")

func attemptCell(business, attempt uuid.UUID) sealed.Cell {
	return sealed.Cell{Business: business, Table: "accounting_attempts", Row: attempt, Column: "code"}
}

// Outcome is the outcome of an attempt. A110.
type Outcome string

// The outcomes.
const (
	OutcomeConnected Outcome = "connected"
	OutcomeError     Outcome = "error"
)

// All returns all outcomes.
func (Outcome) All() []Outcome { return []Outcome{OutcomeConnected, OutcomeError} }

// errSession refuses a key. A52, A111.
var errSession = fault.New(fault.Forbidden, "",
	"An API key cannot complete a connection. Sign in as the person who began it.")

// Complete completes an attempt: it exchanges the provider's code and writes the connection. It uses the attempt up in
// one statement, so that of two calls at once one is connected. OutcomeError means that the attempt is used, is older
// than fifteen minutes, is another person's, or that the provider refused; an existing connection is untouched then. It
// needs business.manage and a session: a key is refused. It returns not found for an unknown attempt. A110 to A117,
// A220.
func (s *Service) Complete(ctx context.Context, sc tenancy.Scope, attempt uuid.UUID) (Outcome, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return "", err
	}
	if sc.Person() == uuid.Nil {
		return "", errSession
	}
	if s.provider == nil {
		return "", fault.Missing()
	}
	type consumed struct {
		attempt attemptRow
		valid   bool
	}
	a, err := pg.InTx(pg.WithoutClaim(ctx), s.db, sc.Tenant, func(tx *pg.Tx) (consumed, error) {
		row, valid, known, err := consumeAttempt(ctx, tx, attempt, sc.Person(), tx.Now().Add(-attemptLasts))
		if err == nil && !known {
			err = fault.Missing()
		}
		return consumed{row, valid}, err
	})
	if err != nil {
		return "", err
	}
	if !a.valid || len(a.attempt.Code) == 0 {
		return OutcomeError, nil
	}
	if err := s.connect(ctx, sc, attempt, a.attempt); err != nil {
		if ctx.Err() != nil || classOf(err) == "" && !errors.Is(err, sealed.ErrUnsealable) {
			return "", err
		}
		s.log.Warn("could not connect the accounting provider", "business", sc.Tenant, "error", err)
		return OutcomeError, nil
	}
	return OutcomeConnected, nil
}

// connect exchanges a code and writes the connection.
func (s *Service) connect(ctx context.Context, sc tenancy.Scope, attempt uuid.UUID, a attemptRow) error {
	code, err := s.keys.Open(attemptCell(sc.Tenant, attempt), a.Code)
	if err != nil {
		return err
	}
	calling, cancel := context.WithTimeout(ctx, callMost)
	defer cancel()
	tokens, err := s.provider.Exchange(calling, string(code), a.ExternalCompanyID)
	if err != nil {
		return err
	}
	company, err := s.provider.CompanyInfo(calling, ledgeronline.Conn{
		Realm: a.ExternalCompanyID, AccessToken: tokens.Access,
	})
	if err != nil {
		return err
	}
	replaced, err := pg.InTx(pg.WithoutClaim(ctx), s.db, sc.Tenant, func(tx *pg.Tx) (sealedToken, error) {
		return s.connectTx(ctx, tx, sc.Person(), a.ExternalCompanyID, company, tokens)
	})
	if err == nil && len(replaced.Refresh) > 0 {
		s.revoke(ctx, sc.Tenant, replaced)
	}
	return err
}

// connectTx writes a connection to a company. The live connection to the same company is renewed; one to another
// company is replaced and disconnected: its tokens are returned. A company that was connected before continues with its
// start date and its map, since its documents and accounts are still there.
func (s *Service) connectTx(
	ctx context.Context, tx *pg.Tx, person uuid.UUID, company string,
	info ledgeronline.Company, tokens ledgeronline.Tokens,
) (replaced sealedToken, err error) {
	c, live, err := lockLive(ctx, tx)
	if err != nil {
		return replaced, err
	}
	same := live && c.Status != Disconnected && c.ExternalCompanyID == company
	if live && !same && c.Status != Disconnected {
		if replaced, err = disconnect(ctx, tx, c); err != nil {
			return replaced, err
		}
	}
	earlier := c
	if !same {
		var known bool
		if earlier, known, err = lastOfCompany(ctx, tx, company); err != nil {
			return replaced, err
		}
		today, err := localDate(ctx, tx)
		if err != nil {
			return replaced, err
		}
		c = Connection{ID: pg.NewID(), ExternalCompanyID: company, StartDate: today}
		if known {
			c.StartDate, c.StartDateFrozen = earlier.StartDate, earlier.StartDateFrozen
		}
	}
	c.Status, c.CompanyName, c.HomeCurrency, c.PersonID, c.ConnectedAt =
		Connected, info.Name, info.HomeCurrency, person, tx.Now()
	sealedTokens, err := s.sealTokens(tx.Business(), c.ID, tokens)
	if err != nil {
		return replaced, err
	}
	b := tx.Batch()
	if same {
		renewConnectionIn(b, tx, c)
	} else {
		insertConnectionIn(b, tx, c)
		if earlier.ID != uuid.Nil {
			copyMapIn(b, tx, earlier.ID, c.ID)
		}
	}
	saveTokensIn(b, tx, sealedTokens, tokens.RefreshExpires)
	if err := b.Send(ctx); err != nil {
		return replaced, err
	}
	return replaced, assessTx(ctx, tx, c)
}

// DeleteAttempts is the sweep accounting.attempts: it deletes old attempts.
func (s *Service) DeleteAttempts(ctx context.Context) error { return deleteAttempts(ctx, s.db) }
