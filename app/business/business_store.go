package business

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	entbusiness "foyer/ent/business"
	"foyer/policy"
)

const selectBusiness = `select business_id as id, name, slug, currency, zone, fee_mode, fee_ppm, split_ppm, class_word,
	appointment_word, rental_word, status, closed_at, version, created_at, updated_at from businesses where business_id = $1`

// BusinessOf reads the business of r. It returns fault.Missing when there is none.
func BusinessOf(ctx context.Context, r pg.Reader) (Business, error) {
	return pg.Found(pg.One[Business](ctx, r, selectBusiness, r.Business()))
}

func lockBusiness(ctx context.Context, tx *pg.Tx) (Business, error) {
	return pg.Found(pg.One[Business](ctx, tx, selectBusiness+" for no key update", tx.Business()))
}

// closing takes the strongest lock on the business: a booking or a check-in waits (OpenTx), and then finds it closed.
func closing(ctx context.Context, tx *pg.Tx) (Business, error) {
	return pg.Found(pg.One[Business](ctx, tx, selectBusiness+" for update", tx.Business()))
}

// OpenBusinessSQL is OpenTx as a table of a statement: it has a row unless the business is closed, and locks it.
const OpenBusinessSQL = `(select from businesses where status <> 'closed' for key share)`

// OpenTx returns ErrClosed when the business is closed. Otherwise the business stays open until the transaction ends.
func OpenTx(ctx context.Context, tx *pg.Tx) error {
	open, err := pg.One[bool](ctx, tx, `select exists (select from `+OpenBusinessSQL+` house)`)
	return fault.When(!open, ErrClosed, err)
}

// lockTeam serializes changes to the team.
func lockTeam(ctx context.Context, tx *pg.Tx) error {
	_, err := pg.One[uuid.UUID](ctx, tx, "select business_id from businesses where business_id = $1 for no key update", tx.Business())
	return err
}

// insertBusiness writes the row without its address, which takeSlug sets.
func insertBusiness(ctx context.Context, tx *pg.Tx, b Business) error {
	return tx.Ent().Business.Create().SetID(b.ID).SetName(b.Name).SetSlug("").SetCurrency(string(b.Currency)).
		SetZone(b.Zone).SetFeeMode(string(b.FeeMode)).SetFeePpm(int(b.FeePPM)).SetSplitPpm(int(b.SplitPPM)).SetClassWord(b.ClassWord).
		SetAppointmentWord(b.AppointmentWord).SetRentalWord(b.RentalWord).SetStatus(string(b.Status)).
		SetVersion(b.Version).SetCreatedAt(b.CreatedAt).SetUpdatedAt(b.UpdatedAt).Exec(ctx)
}

// saveBusiness writes every column but the address, which only slug_store.go writes.
func saveBusiness(ctx context.Context, tx *pg.Tx, b Business) (Business, error) {
	b.Version, b.UpdatedAt = b.Version+1, tx.Now()
	u := tx.Ent().Business.Update().Where(entbusiness.ID(b.ID))
	if b.ClosedAt == nil {
		u.ClearClosedAt()
	}
	return b, u.
		SetName(b.Name).SetCurrency(string(b.Currency)).SetZone(b.Zone).SetFeeMode(string(b.FeeMode)).
		SetFeePpm(int(b.FeePPM)).SetSplitPpm(int(b.SplitPPM)).
		SetClassWord(b.ClassWord).SetAppointmentWord(b.AppointmentWord).SetRentalWord(b.RentalWord).
		SetStatus(string(b.Status)).SetNillableClosedAt(b.ClosedAt).
		SetVersion(b.Version).SetUpdatedAt(b.UpdatedAt).Exec(ctx)
}

// currencyFree returns ErrCurrencyFrozen when there is a payment, also a pending one, at one location or anywhere.
// The caller holds the lock on the location, so a payment that is being written waits.
func currencyFree(ctx context.Context, tx *pg.Tx, location *uuid.UUID) error {
	paid, err := pg.One[bool](ctx, tx, `select exists (select from payments where business_id = $1
		and ($2::uuid is null or location_id = $2) and `+billing.ActiveSQL("payments")+`)`, tx.Business(), location)
	return fault.When(paid, ErrCurrencyFrozen, err)
}

// businessesOf finds the businesses with a person on the team, by a look-up across businesses.
func businessesOf(ctx context.Context, r pg.Reader, person uuid.UUID, in paging.In[uuid.UUID]) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select business_id from app.businesses_of($1)
		where business_id > $2 order by business_id limit $3`, person, in.From(), in.Size()+1)
}

// readMembership reads one business and the roles of an active member in it, in one trip.
func readMembership(ctx context.Context, v *pg.View, person uuid.UUID) (m Membership, found bool, err error) {
	b := v.Batch()
	pg.QueueOne(b, &m.Business, &found, selectBusiness, v.Business())
	pg.QueueAll(b, &m.Roles, `select r.role, r.location_id
		from members m join member_roles r on r.business_id = m.business_id and r.member_id = m.id
		where m.business_id = $1 and m.person_id = $2 and m.deactivated_at is null order by r.id`, v.Business(), person)
	return m, found, b.Send(ctx)
}

// theirRoles joins to a business b the roles of person p.id, an active member of it. Without roles there is one row
// with a null role.
const theirRoles = `
		left join members m on m.business_id = b.business_id and m.person_id = p.id and m.deactivated_at is null
		left join member_roles r on r.business_id = m.business_id and r.member_id = m.id`

// rolesOf reads a person's roles in a business, and whether the business exists, in one statement.
func rolesOf(ctx context.Context, v *pg.View, person uuid.UUID) (roles []RoleAt, exists bool, err error) {
	rows, err := pg.All[RoleAt](ctx, v, `select coalesce(r.role, '') as role, r.location_id
		from businesses b cross join (values ($2::uuid)) p (id)`+theirRoles+`
		where b.business_id = $1`, v.Business(), person)
	exists = len(rows) > 0
	return slices.DeleteFunc(rows, func(r RoleAt) bool { return r.Role == "" }), exists, err
}

// RolesOf returns the columns and joins that extend a statement with a person p by the person's roles in the business
// of a placeholder ("$6"): one row for each role, one row without any. Its rows embed RolesRow.
func RolesOf(business string) (columns, joins string) {
	return ", b.business_id is not null as exists, coalesce(r.role, '') as role, r.location_id",
		" left join businesses b on b.business_id = " + business + theirRoles
}

// RolesRow are the columns of RolesOf.
type RolesRow struct {
	RoleAt
	Exists bool
}

// CallerOf returns a principal with the grants of the rows of RolesOf, of which there is at least one.
func CallerOf(p tenancy.Principal, rows []RolesRow) Caller {
	c := Caller{Principal: p, Exists: rows[0].Exists, Member: rows[0].Role != ""}
	if !c.Member {
		return c
	}
	roles := make([]RoleAt, len(rows))
	for i, r := range rows {
		roles[i] = r.RoleAt
	}
	c.Grants = policy.GrantsFor(assignments(roles))
	return c
}

// selectCaller is identity's statement with the person's roles in business $6.
var selectCaller = identity.SelectSession(RolesOf("$6"))

type callerRow struct {
	identity.SessionRow
	RolesRow
}
