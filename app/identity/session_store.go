package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/ent/session"
)

// insertSession opens a session and returns its sliding end.
func insertSession(ctx context.Context, tx *pg.Tx, person uuid.UUID, hash []byte, agent string) (time.Time, error) {
	until := tx.Now().Add(SessionIdle)
	return until, tx.Ent().Session.Create().SetID(pg.NewID()).SetPersonID(person).SetTokenHash(hash).SetAgent(agent).
		SetCreatedAt(tx.Now()).SetSeenAt(tx.Now()).SetExpiresAt(until).Exec(ctx)
}

// SessionRow is a row of SelectSession. Who reads more than a person embeds it.
type SessionRow struct {
	tenancy.Principal
	Slid *bool
}

// Who is the person behind the session.
func (r SessionRow) Who() tenancy.Principal {
	r.Kind = tenancy.ActorPerson
	return r.Principal
}

// SelectSession is the statement that finds the person behind a live session, if there is one. SessionArgs are its
// arguments. columns and joins, each with what parts it from its neighbour, are what the same statement is to find besides,
// by the session s and its person p; their arguments follow.
//
// Every authenticated request comes through here, so it is one statement. The sliding end is moved on in a function that
// runs when that was last done an hour ago: a statement that could write by itself costs half as much again, each time.
// It is a view's statement although it may write, because the slide belongs to no request's effect and must not count as
// one of its transactions (pg.Claim).
func SelectSession(columns, joins string) string {
	return `select s.person_id as id, p.name, s.id as session, p.email,
			case when s.seen_at <= $3 then app.slide_session(s.id, $3, $2, least($4, s.created_at + $5::interval)) end as slid` + columns + `
		from sessions s join persons p on p.id = s.person_id` + joins + `
		where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2`
}

// SessionArgs are the arguments of SelectSession: the session by the hash of its token, now.
func SessionArgs(hash []byte, now time.Time) []any {
	return []any{hash, now, now.Add(-slideEvery), now.Add(SessionIdle), SessionLife}
}

var selectSession = pg.Hot(SelectSession("", ""))

func liveSessions(ctx context.Context, r pg.Reader, person uuid.UUID) ([]Session, error) {
	return pg.All[Session](ctx, r, `select id, agent, created_at, seen_at, expires_at from sessions
		where person_id = $1 and revoked_at is null and expires_at > $2
		order by created_at desc, id desc limit $3`, person, r.Now(), MaxSessions)
}

// endSession revokes a live session of that person and says how many there were.
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
