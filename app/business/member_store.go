package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/ent"
	entmember "foyer/ent/member"
	"foyer/policy"
)

// memberRow is a member with their full access.
type memberRow struct {
	Member
	Access
}

// selectMembers reads members with their roles in one statement; a condition follows it.
const selectMembers = `select m.id, m.person_id, m.email, m.name, m.bookable, m.daily_cap, m.weekly_cap, m.deactivated_at,
		m.deactivated_at is null as active, m.version, m.created_at,
		m.updated_at, coalesce((
			select json_agg(json_build_object('role', r.role, 'location_id', r.location_id) order by r.id)
			from member_roles r where r.business_id = m.business_id and r.member_id = m.id
		), '[]') as roles
	from members m where m.business_id = $1 and `

func (r memberRow) member() Member {
	r.Member.Access = &r.Access
	return r.Member
}

// MemberOf reads a member, active or not, of the business of r. It returns fault.Missing when there is none.
func MemberOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Member, error) {
	row, err := pg.Found(pg.One[memberRow](ctx, r, selectMembers+"m.id = $2", r.Business(), id))
	return row.member(), err
}

func listMembers(ctx context.Context, r pg.Reader, in paging.In[uuid.UUID]) ([]Member, error) {
	rows, err := pg.All[memberRow](ctx, r, selectMembers+"m.id > $2 order by m.id limit $3",
		r.Business(), in.From(), in.Size()+1)
	list := make([]Member, len(rows))
	for i, row := range rows {
		list[i] = row.member()
	}
	return list, err
}

// memberOfPerson finds a member by their person, active or not; fault.Missing when they are not on the team.
func memberOfPerson(ctx context.Context, r pg.Reader, person uuid.UUID) (uuid.UUID, error) {
	return pg.Found(r.Ent().Member.Query().Where(entmember.BusinessID(r.Business()), entmember.PersonID(person)).OnlyID(ctx))
}

func insertMember(ctx context.Context, tx *pg.Tx, m Member) error {
	err := tx.Ent().Member.Create().SetID(m.ID).SetBusinessID(tx.Business()).SetPersonID(m.PersonID).
		SetEmail(m.Access.Email).SetName(m.Name).SetBookable(m.Bookable).SetVersion(m.Version).
		SetCreatedAt(m.CreatedAt).SetUpdatedAt(m.UpdatedAt).Exec(ctx)
	if err != nil {
		return pg.Map(err, map[string]error{"members_person_key": ErrMemberExists})
	}
	return insertRoles(ctx, tx, m.ID, m.Access.Roles)
}

func saveMember(ctx context.Context, tx *pg.Tx, m Member) (Member, error) {
	m.Version, m.UpdatedAt = m.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update members set name = @name, bookable = @bookable, deactivated_at = @deactivated_at, daily_cap = @daily_cap,
	weekly_cap = @weekly_cap,
			version = @version, updated_at = @updated_at
		where business_id = @business and id = @id`, pg.Named{
		"business": tx.Business(), "id": m.ID, "name": m.Name, "bookable": m.Bookable, "deactivated_at": m.Access.DeactivatedAt,
		"daily_cap": m.DailyCap, "weekly_cap": m.WeeklyCap, "version": m.Version, "updated_at": m.UpdatedAt,
	})
	return m, err
}

func insertRoles(ctx context.Context, tx *pg.Tx, member uuid.UUID, roles []RoleAt) error {
	rows := make([]*ent.MemberRoleCreate, len(roles))
	for i, r := range roles {
		rows[i] = tx.Ent().MemberRole.Create().SetID(pg.NewID()).SetBusinessID(tx.Business()).SetMemberID(member).
			SetRole(string(r.Role)).SetNillableLocationID(r.LocationID).SetCreatedAt(tx.Now())
	}
	return tx.Ent().MemberRole.CreateBulk(rows...).Exec(ctx)
}

func changeRoles(ctx context.Context, tx *pg.Tx, member uuid.UUID, added, removed []RoleAt) error {
	for _, r := range removed {
		_, err := tx.Exec(ctx, `delete from member_roles where business_id = $1 and member_id = $2 and role = $3
			and location_id is not distinct from $4`, tx.Business(), member, r.Role, r.LocationID)
		if err != nil {
			return err
		}
	}
	return insertRoles(ctx, tx, member, added)
}

// keepOwner returns ErrLastOwner when the last active owner would be lost. The caller holds the team's lock.
func keepOwner(ctx context.Context, tx *pg.Tx, leaving Member) error {
	others, err := pg.One[int](ctx, tx, `select count(*)
		from members m join member_roles r on r.business_id = m.business_id and r.member_id = m.id
		where m.business_id = $1 and m.id <> $2 and m.deactivated_at is null and r.role = $3`,
		tx.Business(), leaving.ID, policy.Owner)
	return fault.When(others == 0, ErrLastOwner, err)
}

// readTeamInvite reads the content of the mail to an active member.
func readTeamInvite(ctx context.Context, r pg.Reader, member uuid.UUID) (m TeamInvite, found bool, err error) {
	return pg.Find[TeamInvite](ctx, r, `select m.email as "to", m.name, b.name as business, b.slug,
			coalesce(nullif(p.locale, ''), (select l.language from locations l where l.business_id = b.business_id order by l.id limit 1), '') as locale,
			exists (select from member_roles r where r.business_id = m.business_id and r.member_id = m.id) as access
		from members m join businesses b on b.business_id = m.business_id join persons p on p.id = m.person_id
		where m.business_id = $1 and m.id = $2 and m.deactivated_at is null`, r.Business(), member)
}
