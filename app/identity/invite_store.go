package identity

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

func insertInvite(ctx context.Context, tx *pg.Tx, hash []byte, i Invite) error {
	return tx.Ent().Invite.Create().SetID(i.ID).SetTokenHash(hash).SetEmail(i.Email).SetBusinessName(i.BusinessName).
		SetCreatedAt(tx.Now()).SetExpiresAt(i.ExpiresAt).Exec(ctx)
}

func openInvite(ctx context.Context, r pg.Reader, hash []byte) (Invite, error) {
	return pg.Found(pg.One[Invite](ctx, r, `select id, email, business_name, expires_at from invites
		where token_hash = $1 and consumed_at is null and expires_at > $2`, hash, r.Now()))
}

// consumeInvite marks an open invite as used, if its address is the person's. The person's address is read here and
// not taken from the caller.
func consumeInvite(ctx context.Context, tx *pg.Tx, hash []byte, person, business uuid.UUID) (Person, error) {
	p, found, err := pg.Find[Person](ctx, tx, `update invites i set consumed_at = $2, consumed_by = p.id, opened_business = $4
		from persons p
		where i.token_hash = $1 and i.consumed_at is null and i.expires_at > $2
			and p.id = $3 and p.email = i.email and p.verified_at is not null
		returning p.id, p.email, p.name, p.phone, p.locale, p.zone, p.verified_at, p.version, p.created_at, p.updated_at`,
		hash, tx.Now(), person, business)
	return p, fault.When(!found, ErrInvite, err)
}

func dropInvites(ctx context.Context, tx *pg.Tx) (int64, error) {
	return tx.Exec(ctx, `delete from invites where id in (
		select id from invites where consumed_at is null and expires_at < $1 order by expires_at limit $2 for update skip locked)`,
		tx.Now().Add(-invitesKept), dropAtOnce)
}
