package oauth

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

const clientColumns = "id, client_id, kind, name, redirect_uris, auth_method, secret_hash, fresh_until"

func clientByID(ctx context.Context, r pg.Reader, id string) (Client, bool, error) {
	return pg.Find[Client](ctx, r, "select "+clientColumns+" from oauth_clients where client_id = $1", id)
}

func insertClient(ctx context.Context, tx *pg.Tx, c Client) error {
	_, err := tx.Exec(ctx, newClientRow, clientArgs(tx, c))
	return err
}

// upsertClient stores what a client's document says today, and returns the id of the client, which stays.
func upsertClient(ctx context.Context, tx *pg.Tx, c Client) (uuid.UUID, error) {
	return pg.One[uuid.UUID](ctx, tx, newClientRow+`
		on conflict (client_id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris,
			fresh_until = excluded.fresh_until
		returning id`, clientArgs(tx, c))
}

const newClientRow = `insert into oauth_clients (` + clientColumns + `, created_at)
		values (@id, @client_id, @kind, @name, to_jsonb(@redirect_uris::text[]), @auth_method, @secret_hash, @fresh_until,
			@now)`

func clientArgs(tx *pg.Tx, c Client) pg.Named {
	return pg.Named{
		"id": c.ID, "client_id": c.ClientID, "kind": c.Kind, "name": c.Name, "redirect_uris": c.RedirectURIs,
		"auth_method": c.AuthMethod, "secret_hash": c.SecretHash, "fresh_until": c.FreshUntil, "now": tx.Now(),
	}
}

// insertCode stores a code, and that its client is in use.
func insertCode(ctx context.Context, tx *pg.Tx, person uuid.UUID, code string, p Pending) error {
	_, err := tx.Exec(ctx, `with used as (
			update oauth_clients set used_at = @now where id = @client
		)
		insert into oauth_codes (business_id, id, client_id, person_id, code_hash, redirect_uri, challenge, created_at,
			expires_at)
		values (@business, @id, @client, @person, @hash, @redirect_uri, @challenge, @now, @until)`, pg.Named{
		"business": tx.Business(), "id": pg.NewID(), "client": p.Client.ID, "person": person, "hash": hashOf(code),
		"redirect_uri": p.RedirectURI, "challenge": p.Challenge, "now": tx.Now(), "until": tx.Now().Add(CodeLife),
	})
	return err
}

func codePerson(ctx context.Context, v *pg.View, hash []byte) (tenancy.Actor, bool, error) {
	return pg.Find[tenancy.Actor](ctx, v, `select p.id, p.name from oauth_codes c join persons p on p.id = c.person_id
		where c.business_id = $1 and c.code_hash = $2`, v.Business(), hash)
}

type codeRow struct {
	ID          uuid.UUID
	ClientID    uuid.UUID
	PersonID    uuid.UUID
	RedirectURI string
	Challenge   string
	ExpiresAt   time.Time
	FamilyID    *uuid.UUID
}

// lockCode reads a code for its exchange. A code that was deleted in between is the zero row, of no client.
func lockCode(ctx context.Context, tx *pg.Tx, hash []byte) (codeRow, error) {
	row, _, err := pg.Find[codeRow](ctx, tx,
		`select id, client_id, person_id, redirect_uri, challenge, expires_at, family_id
		from oauth_codes where business_id = $1 and code_hash = $2 for update`, tx.Business(), hash)
	return row, err
}

// insertFamily begins the connection of a code.
func insertFamily(ctx context.Context, tx *pg.Tx, family uuid.UUID, row codeRow, c Client) error {
	_, err := tx.Exec(ctx, `insert into oauth_families
			(business_id, id, client_id, person_id, client_name, redirect_host, created_at)
		values ($1, $2, $3, $4, $5, $6, $7)`,
		tx.Business(), family, c.ID, row.PersonID, c.Name, RedirectHost(row.RedirectURI), tx.Now())
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update oauth_codes set family_id = $3 where business_id = $1 and id = $2", tx.Business(),
		row.ID, family)
	return err
}

func insertTokens(ctx context.Context, tx *pg.Tx, family uuid.UUID, t Tokens) error {
	_, err := tx.Exec(ctx, `insert into oauth_tokens (business_id, id, family_id, kind, token_hash, created_at, expires_at)
		values (@business, @access_id, @family, 'access', @access, @now, @access_until),
			(@business, @refresh_id, @family, 'refresh', @refresh, @now, @refresh_until)`, pg.Named{
		"business": tx.Business(), "family": family, "now": tx.Now(),
		"access_id": pg.NewID(), "access": hashOf(t.Access), "access_until": tx.Now().Add(AccessLife),
		"refresh_id": pg.NewID(), "refresh": hashOf(t.Refresh), "refresh_until": tx.Now().Add(RefreshLife),
	})
	return err
}

// familyRow is the connection of a token.
type familyRow struct {
	FamilyID   uuid.UUID
	ClientID   uuid.UUID
	ClientName string
	PersonID   uuid.UUID
	PersonName string
}

func (r familyRow) Actor() tenancy.Actor { return tenancy.Actor{ID: r.PersonID, Name: r.PersonName} }

func familyOf(ctx context.Context, v *pg.View, hash []byte) (familyRow, bool, error) {
	return pg.Find[familyRow](ctx, v,
		`select f.id as family_id, f.client_id, f.client_name, f.person_id, p.name as person_name
		from oauth_tokens t join oauth_families f on f.business_id = t.business_id and f.id = t.family_id
		join persons p on p.id = f.person_id
		where t.business_id = $1 and t.token_hash = $2`, v.Business(), hash)
}

// useRefresh uses up a refresh token that is good. Of many at once, one is told that it did.
func useRefresh(ctx context.Context, tx *pg.Tx, hash []byte, client uuid.UUID) (bool, error) {
	n, err := tx.Exec(ctx, `update oauth_tokens t set used_at = $3 from oauth_families f
		where t.business_id = $1 and t.token_hash = $2 and t.kind = 'refresh' and t.used_at is null and t.expires_at > $3
			and f.business_id = $1 and f.id = t.family_id and f.ended_at is null and f.client_id = $4`,
		tx.Business(), hash, tx.Now(), client)
	return n == 1, err
}

// again is what to do with a refresh token that could not be used: Same: its answer again; Reused: it was used by
// somebody else; neither: it has expired, or the connection has ended.
type again struct{ Same, Reused bool }

func refreshAgain(ctx context.Context, tx *pg.Tx, hash, next []byte) (again, error) {
	a, _, err := pg.Find[again](ctx, tx, `select
			t.used_at > $4 and n.id is not null and n.used_at is null as same, true as reused
		from oauth_tokens t join oauth_families f on f.business_id = t.business_id and f.id = t.family_id
		left join oauth_tokens n on n.business_id = t.business_id and n.token_hash = $3
		where t.business_id = $1 and t.token_hash = $2 and t.used_at is not null and f.ended_at is null`,
		tx.Business(), hash, next, tx.Now().Add(-grace))
	return a, err
}

// endFamily ends a connection with all its tokens; one that has ended stays as it is.
func endFamily(ctx context.Context, tx *pg.Tx, family uuid.UUID, by why) error {
	_, err := tx.Exec(ctx, `update oauth_families set ended_at = $3, ended_by = $4
		where business_id = $1 and id = $2 and ended_at is null`, tx.Business(), family, tx.Now(), by)
	return err
}

func expireToken(ctx context.Context, tx *pg.Tx, hash []byte) error {
	_, err := tx.Exec(ctx,
		`update oauth_tokens set expires_at = $3 where business_id = $1 and token_hash = $2 and expires_at > $3`,
		tx.Business(), hash, tx.Now())
	return err
}

const connections = `select f.id, f.client_name as client, f.redirect_host, f.person_id, p.name as person_name,
		p.email as person_email, f.created_at as connected_at, f.used_at
	from oauth_families f join persons p on p.id = f.person_id
	where f.business_id = $1 and f.ended_at is null and ($2::uuid is null or f.person_id = $2)`

func listConnections(ctx context.Context, v *pg.View, whose *uuid.UUID, in paging.In[uuid.UUID]) ([]Connection, error) {
	return pg.All[Connection](ctx, v, connections+` and ($3::uuid is null or f.id < $3) order by f.id desc limit $4`,
		v.Business(), whose, in.After, in.Size()+1)
}

func readConnection(ctx context.Context, v *pg.View, whose *uuid.UUID, id uuid.UUID) (Connection, bool, error) {
	return pg.Find[Connection](ctx, v, connections+` and f.id = $3`, v.Business(), whose, id)
}

func disconnect(ctx context.Context, tx *pg.Tx, whose *uuid.UUID, id uuid.UUID) (bool, error) {
	n, err := tx.Exec(ctx, `update oauth_families set ended_at = $4, ended_by = $5
		where business_id = $1 and id = $2 and ended_at is null and ($3::uuid is null or person_id = $3)`,
		tx.Business(), id, whose, tx.Now(), endDisconnected)
	return n == 1, err
}

// callerRow is the person of an access token, with a role.
type callerRow struct {
	tenancy.Principal
	business.RolesRow
	FamilyID   uuid.UUID
	ClientName string
	Noted      *bool
}

// selectCaller finds the person of an access token, and notes the minute of its use, at most once a minute: in a
// function, like the renewal of a session (identity.SelectSession), so that a view may run the statement.
var selectCaller = func() string {
	columns, joins := business.RolesOf("$1")
	return pg.Hot(`select p.id, p.name, p.email, f.id as family_id, f.client_name,
			case when f.used_at is null or f.used_at < $4 then app.note_connection(f.business_id, f.id,
				$4) end as noted` + columns + `
		from oauth_tokens t join oauth_families f on f.business_id = t.business_id and f.id = t.family_id
		join persons p on p.id = f.person_id` + joins + `
		where t.business_id = $1 and t.token_hash = $2 and t.kind = 'access' and t.expires_at > $3 and f.ended_at is null`)
}()

// Retention: codes from their creation, tokens from their expiry, clients that nobody has connected from their
// registration.
const (
	codesKept   = 24 * time.Hour
	tokensKept  = 24 * time.Hour
	clientsKept = 30 * 24 * time.Hour
)

// tidiedAtOnce is the number of businesses, or of clients, that a round of Tidy has.
const tidiedAtOnce = 200

func (s *Service) tidyCodes(ctx context.Context) error {
	return s.inEach(ctx, "select business_id from app.old_oauth_codes($1, $2)", codesKept, func(tx *pg.Tx,
		before time.Time) error {
		_, err := tx.Exec(ctx, "delete from oauth_codes where business_id = $1 and created_at < $2", tx.Business(), before)
		return err
	})
}

// tidyTokens deletes expired tokens, and ends the connections that have none left.
func (s *Service) tidyTokens(ctx context.Context) error {
	return s.inEach(ctx, "select business_id from app.old_oauth_tokens($1, $2)", tokensKept, func(tx *pg.Tx,
		before time.Time) error {
		if _, err := tx.Exec(ctx, "delete from oauth_tokens where business_id = $1 and expires_at < $2", tx.Business(),
			before); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `update oauth_families f set ended_at = $2, ended_by = $3
			where business_id = $1 and ended_at is null and not exists (
				select from oauth_tokens t where t.business_id = $1 and t.family_id = f.id)`, tx.Business(), tx.Now(), endExpired)
		return err
	})
}

// inEach runs do in a transaction of each business that a look-up finds with rows older than age.
func (s *Service) inEach(ctx context.Context, lookup string, age time.Duration, do func(tx *pg.Tx,
	before time.Time) error) error {
	none := s.db.View(uuid.Nil)
	return pg.Batches(tidiedAtOnce, func() (int, error) {
		before := none.Now().Add(-age)
		due, err := pg.All[uuid.UUID](ctx, none, lookup, before, tidiedAtOnce)
		for _, id := range due {
			err = errors.Join(err, pg.Do(ctx, s.db, id, func(tx *pg.Tx) error { return do(tx, before) }))
		}
		if err != nil {
			return 0, err
		}
		return len(due), nil
	})
}

// tidyClients deletes clients that nobody has connected.
func (s *Service) tidyClients(ctx context.Context) error {
	return pg.Batches(tidiedAtOnce, func() (int, error) {
		n, err := pg.InTx(ctx, s.db, uuid.Nil, func(tx *pg.Tx) (int64, error) {
			return tx.Exec(ctx, `delete from oauth_clients where id in (
				select id from oauth_clients where used_at is null and created_at < $1 order by created_at limit $2
				for update skip locked)`, tx.Now().Add(-clientsKept), tidiedAtOnce)
		})
		return int(n), err
	})
}
