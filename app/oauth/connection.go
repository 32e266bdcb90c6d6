package oauth

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Connection is a connected assistant: a client that a person allowed to act for them in a business.
type Connection struct {
	ID           uuid.UUID
	Client       string // its name, as the person saw it
	RedirectHost string // where its tokens went
	PersonID     uuid.UUID
	PersonName   string
	PersonEmail  string
	ConnectedAt  time.Time
	UsedAt       *time.Time // last call, to the minute; nil before the first
}

// Connections lists the connections of a business that have not ended, newest first: all of them for those who may
// manage the team, otherwise the caller's own. An API key has none. Errors: Validation on limit.
func (s *Service) Connections(
	ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID],
) (page paging.Page[Connection, uuid.UUID], err error) {
	if err := in.Validate(); err != nil {
		return page, err
	}
	list, err := listConnections(ctx, s.db.View(sc.Tenant), reach(sc), in)
	return paging.Of(list, in.Size(), func(c Connection) uuid.UUID { return c.ID }), err
}

// Connection returns a connection that Connections lists; fault.Missing for any other.
func (s *Service) Connection(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Connection, error) {
	c, found, err := readConnection(ctx, s.db.View(sc.Tenant), reach(sc), id)
	return c, fault.When(err == nil && !found, fault.Missing(), err)
}

// Disconnect ends a connection that Connections lists: the next call of the assistant is refused. fault.Missing for
// any other, also for one that has ended.
func (s *Service) Disconnect(ctx context.Context, sc tenancy.Scope, id uuid.UUID) error {
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		ended, err := disconnect(ctx, tx, reach(sc), id)
		return fault.When(err == nil && !ended, fault.Missing(), err)
	})
}

// reach returns the person whose connections the caller sees; nil: everybody's. A key is nobody's.
func reach(sc tenancy.Scope) *uuid.UUID {
	if sc.Grants.At(policy.TeamManage, uuid.Nil) {
		return nil
	}
	person := sc.Person()
	return &person
}

// QueueCaller queues in a batch of v, the view of an access token's business, the read of the token's person with
// their grants there. After the batch was sent, the returned function returns the caller. Its only error is
// identity.ErrSession: unknown, expired and ended ones are not distinguished.
func QueueCaller(b *pg.Batch, v *pg.View, hash []byte) (who func() (business.Caller, error)) {
	var rows []callerRow
	minute := v.Now().Truncate(time.Minute)
	pg.QueueAll(b, &rows, selectCaller, v.Business(), hash, v.Now(), minute)
	return func() (business.Caller, error) {
		if len(rows) == 0 {
			return business.Caller{}, identity.ErrSession
		}
		p := rows[0].Principal
		p.Kind, p.Business = tenancy.ActorPerson, v.Business()
		p.Via = tenancy.Assistant{ID: rows[0].FamilyID, Client: rows[0].ClientName}
		roles := make([]business.RolesRow, len(rows))
		for i, r := range rows {
			roles[i] = r.RolesRow
		}
		return business.CallerOf(p, roles), nil
	}
}
