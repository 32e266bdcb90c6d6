package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/policy"
)

// Member is a person on the team.
type Member struct {
	ID        uuid.UUID                 `json:"id"`
	Name      string                    `json:"name" doc:"Name used by the studio."`
	Bookable  bool                      `json:"bookable" doc:"Whether the member can be an instructor or be booked."`
	Active    bool                      `json:"active"`
	DailyCap  *int                      `json:"dailyCap" doc:"Maximum number of appointments a day; null for no limit."`
	WeeklyCap *int                      `json:"weeklyCap" doc:"Maximum number of appointments a week, Monday to Sunday; null for no limit."`
	Access    op.Nullable[MemberAccess] `json:"access" doc:"Email address and roles. Null for a caller without permission to manage the team, except on the caller's own record."`
	Version   int64                     `json:"version"`
	CreatedAt time.Time                 `json:"createdAt"`
	UpdatedAt time.Time                 `json:"updatedAt"`
}

// MemberAccess is the part of a member that is visible to managers of the team and to the member.
type MemberAccess struct {
	Email         string           `json:"email"`
	Roles         []RoleAssignment `json:"roles" doc:"Roles. Empty for a member listed on the team's page only."`
	DeactivatedAt *time.Time       `json:"deactivatedAt"`
}

// RoleAssignment is a role, at one location or in the whole business.
type RoleAssignment struct {
	Role       policy.Role `json:"role"`
	LocationID *uuid.UUID  `json:"locationId" doc:"The location; null for the whole business. Owners and admins always have the whole business."`
}

type roleBody struct {
	Role       policy.Role            `json:"role"`
	LocationID op.Nullable[uuid.UUID] `json:"locationId,omitzero" doc:"The location. The default is null, the whole business."`
}

type addMemberBody struct {
	Email    string     `json:"email" maxLength:"254" example:"kim@example.com"`
	Name     string     `json:"name,omitempty" maxLength:"120" doc:"Name used by the studio. The default is the person's own name."`
	Bookable bool       `json:"bookable,omitempty"`
	Roles    []roleBody `json:"roles,omitempty" maxItems:"50" doc:"Roles. The default is none: the member is listed on the team's page only, without access."`
}

// MemberPath is the path of a member.
type MemberPath struct {
	MemberID uuid.UUID `path:"memberId" doc:"The member."`
}

func (p *MemberPath) id() uuid.UUID { return p.MemberID }

type updateMemberIn struct {
	MemberPath
	Body updateMemberBody
}

type updateMemberBody struct {
	Version   int64            `json:"version" minimum:"1" doc:"Version of the member that was read."`
	Name      *string          `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Bookable  *bool            `json:"bookable,omitempty"`
	DailyCap  op.Nullable[int] `json:"dailyCap,omitzero" minimum:"1" maximum:"1000" doc:"Maximum number of appointments a day; null for no limit."`
	WeeklyCap op.Nullable[int] `json:"weeklyCap,omitzero" minimum:"1" maximum:"1000" doc:"Maximum number of appointments a week, Monday to Sunday; null for no limit."`
	Roles     *[]roleBody      `json:"roles,omitempty" maxItems:"50" doc:"Roles. Replaces the whole list."`
}

func (a *surface) team() {
	declare(a, op.Spec{
		ID: "listTeam", Method: "GET", Path: "/businesses/{businessId}/team", Tag: "team", Feature: "location.view",
		Summary: "List team members", Description: "Returns all members, including deactivated ones.",
	}, wire.Lists(a.Cursors, "team", a.Business.Members, showMember))
	declare(a, op.Spec{
		ID: "addTeamMember", Method: "POST", Path: "/businesses/{businessId}/team", Tag: "team", Feature: "team.manage", Success: 201,
		Summary: "Add a team member",
		Description: "The member is notified by email and signs in with that address. A caller can assign only roles whose " +
			"features the caller has; only an owner can add owners.",
	}, a.addMember)
	declare(a, op.Spec{
		ID: "getTeamMember", Method: "GET", Path: "/businesses/{businessId}/team/{memberId}", Tag: "team", Feature: "location.view",
		Summary: "Get a member", Description: "Returns a team member.",
	}, wire.ByName(a.Business.Member, (*MemberPath).id, showMember))
	declare(a, op.Spec{
		ID: "updateTeamMember", Method: "PATCH", Path: "/businesses/{businessId}/team/{memberId}", Tag: "team", Feature: "team.manage", Versioned: true,
		Summary: "Update a member",
		Description: "Changes the members present. A removed role is ineffective from the next call on. The last owner " +
			"cannot be removed.",
	}, a.updateMember)
	declare(a, op.Spec{
		ID: "deactivateTeamMember", Method: "POST", Path: "/businesses/{businessId}/team/{memberId}/deactivate", Tag: "team", Feature: "team.manage",
		Summary: "Deactivate a member", Description: "Removes the member's access. The roles are kept for a reactivation.",
	}, wire.ByName(a.Business.Deactivate, (*MemberPath).id, showMember))
	declare(a, op.Spec{
		ID: "reactivateTeamMember", Method: "POST", Path: "/businesses/{businessId}/team/{memberId}/reactivate", Tag: "team", Feature: "team.manage",
		Summary: "Reactivate a member", Description: "Restores the roles of a deactivated member.",
	}, wire.ByName(a.Business.Reactivate, (*MemberPath).id, showMember))
}

func (a *surface) addMember(ctx context.Context, sc tenancy.Scope, in *wire.Body[addMemberBody]) (Member, error) {
	m, err := a.Business.AddMember(ctx, sc, business.AddMemberInput{
		Email: in.Body.Email, Name: in.Body.Name, Bookable: in.Body.Bookable, Roles: rolesIn(in.Body.Roles),
	})
	return showMember(m), err
}

func rolesIn(list []roleBody) []business.RoleAt { return wire.Show(list, roleBody.role) }

func (a *surface) updateMember(ctx context.Context, sc tenancy.Scope, in *updateMemberIn) (Member, error) {
	m, err := a.Business.UpdateMember(ctx, sc, business.UpdateMemberInput{
		MemberID: in.MemberID, Version: in.Body.Version, Name: in.Body.Name, Bookable: in.Body.Bookable,
		DailyCap: in.Body.DailyCap.Field, WeeklyCap: in.Body.WeeklyCap.Field,
		Roles: wire.OrNil(in.Body.Roles, rolesIn),
	})
	return showMember(m), err
}

func (r roleBody) role() business.RoleAt {
	return business.RoleAt{Role: r.Role, LocationID: r.LocationID.Value}
}

func showMember(m business.Member) Member {
	return Member{
		ID: m.ID, Name: m.Name, Bookable: m.Bookable, Active: m.Active, DailyCap: m.DailyCap, WeeklyCap: m.WeeklyCap,
		Access: wire.ShowOrNull(m.Access, showAccess), Version: m.Version, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
	}
}

func showAccess(a business.Access) MemberAccess {
	return MemberAccess{Email: a.Email, Roles: wire.Show(a.Roles, showRole), DeactivatedAt: a.DeactivatedAt}
}

func showRole(r business.RoleAt) RoleAssignment { return RoleAssignment(r) }
