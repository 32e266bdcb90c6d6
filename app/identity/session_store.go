package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/ent/session"
)

// insertSession opens a session and returns its expiry.
func insertSession(ctx context.Context, tx *pg.Tx, person uuid.UUID, hash []byte, agent string) (time.Time, error) {
	until := tx.Now().Add(SessionIdle)
	return until, tx.Ent().Session.Create().SetID(pg.NewID()).SetPersonID(person).SetTokenHash(hash).SetAgent(agent).
		SetCreatedAt(tx.Now()).SetSeenAt(tx.Now()).SetExpiresAt(until).Exec(ctx)
}

// SessionRow is a row of SelectSession. A reader of more columns embeds it.
type SessionRow struct {
	tenancy.Principal
	Slid *bool
}

// Who returns the principal of the session.
func (r SessionRow) Who() tenancy.Principal {
	r.Kind = tenancy.ActorPerson
	return r.Principal
}

// SelectSession returns the statement that finds the person of a live session. SessionArgs are its arguments. columns
// and joins, each with its separator, extend the statement, by the session s and its person p; their arguments
// follow.
//
// Every authenticated request runs it, so it is one statement. The expiry is extended in a function that runs once an
// hour: a statement that could write by itself costs half as much again, each time. A view may run it although it may
// write, because the extension is no effect of the request and must not count as one of its transactions (pg.Claim).
func SelectSession(columns, joins string) string {
	return `select s.person_id as id, p.name, s.id as session, p.email,
			case when s.seen_at <= $3 then app.slide_session(s.id, $3, $2, least($4, s.created_at + $5::interval)) end as slid` + columns + `
		from sessions s join persons p on p.id = s.person_id` + joins + `
		where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2`
}

// SessionArgs returns the arguments of SelectSession: the hash of the session's token, and the time.
func SessionArgs(hash []byte, now time.Time) []any {
	return []any{hash, now, now.Add(-slideEvery), now.Add(SessionIdle), SessionLife}
}

var selectSession = pg.Hot(SelectSession("", ""))

func liveSessions(ctx context.Context, r pg.Reader, person uuid.UUID) ([]Session, error) {
	return pg.All[Session](ctx, r, `select id, agent, created_at, seen_at, expires_at from sessions
		where person_id = $1 and revoked_at is null and expires_at > $2
		order by created_at desc, id desc limit $3`, person, r.Now(), MaxSessions)
}

// endSession revokes a live session of that person and returns the number revoked.
func endSession(ctx context.Context, tx *pg.Tx, person, id uuid.UUID) (int, error) {
	return tx.Ent().Session.Update().
		Where(session.ID(id), session.PersonID(person), session.RevokedAtIsNil(), session.ExpiresAtGT(tx.Now())).
		SetRevokedAt(tx.Now()).Save(ctx)
}

func endSessions(ctx context.Context, tx *pg.Tx, person uuid.UUID) (int, error) {
	return tx.Ent().Session.Update().
		Where(session.PersonID(person), session.RevokedAtIsNil(), session.ExpiresAtGT(tx.Now())).
		SetRevokedAt(tx.Now()).Save(ctx)
}

func dropSessions(ctx context.Context, tx *pg.Tx) (int64, error) {
	return tx.Exec(ctx, `delete from sessions where id in (
		select id from sessions where expires_at < $1 order by expires_at limit $2 for update skip locked)`,
		tx.Now().Add(-sessionsKept), dropAtOnce)
}
