package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
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

// useSession finds a live session and moves its sliding end on when that was last done an hour ago. One statement does
// both: every authenticated request comes through here. It is a view's statement although it may write, because the
// slide belongs to no request's effect and must not count as one of its transactions (pg.Claim).
func useSession(ctx context.Context, v *pg.View, hash []byte) (tenancy.Principal, error) {
	now := v.Now()
	p, found, err := pg.Find[tenancy.Principal](ctx, v, `with found as (
			select s.id, s.person_id, s.seen_at, p.email, p.name
			from sessions s join persons p on p.id = s.person_id
			where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2
		), slid as (
			update sessions set seen_at = $2, expires_at = least($3, created_at + $4::interval)
			where id = (select id from found where seen_at <= $5) and seen_at <= $5 and revoked_at is null
		)
		select person_id as id, name, id as session, email from found`,
		hash, now, now.Add(SessionIdle), SessionLife, now.Add(-slideEvery))
	p.Kind = tenancy.ActorPerson
	return p, fault.When(!found, ErrSession, err)
}

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

// dropEnded deletes what ended before a moment.
func dropEnded(ctx context.Context, tx *pg.Tx, before time.Time, most int) error {
	for _, sql := range []string{
		`delete from challenges where id in (
			select id from challenges where created_at < $1 order by created_at limit $2 for update skip locked)`,
		`delete from sessions where id in (
			select id from sessions where expires_at < $1 or revoked_at < $1 limit $2 for update skip locked)`,
	} {
		if _, err := tx.Exec(ctx, sql, before, most); err != nil {
			return err
		}
	}
	return nil
}
