package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/patch"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// OfferingSettings are the part of an offering that decides its times.
type OfferingSettings struct {
	PolicyID            *uuid.UUID        `json:"policyId" doc:"Null: the location's policy."`
	BufferBeforeMinutes int               `json:"bufferBeforeMinutes" doc:"People and spaces are kept busy so long before."`
	BufferAfterMinutes  int               `json:"bufferAfterMinutes"`
	GridMinutes         *int              `json:"gridMinutes" doc:"Starts lie on this grid from opening. Null: one after the other."`
	LastStart           *string           `json:"lastStart" doc:"Latest start on the location's wall clock. Null: as long as it fits." example:"20:30"`
	Compact             bool              `json:"compact" doc:"Offer starts that touch another booking first."`
	Approval            bool              `json:"approval" doc:"The studio says yes or no to each booking."`
	Enrolment           catalog.Enrolment `json:"enrolment" doc:"Series: a course, one booking is for all its dates."`
	SoldAs              catalog.SoldAs    `json:"soldAs" doc:"Space: a rental of the whole space."`
	Durations           []wire.Duration   `json:"durations" doc:"Lengths to choose from, the first one is the default. None: the one length."`
	NeedsMember         bool              `json:"needsMember" doc:"A rental that somebody of the team attends."`
	Walkins             bool              `json:"walkins" doc:"A per-person rental that takes people at the door."`
}

// OfferingSettingsBody are the settings of a new offering.
type OfferingSettingsBody struct {
	PolicyID            op.Nullable[uuid.UUID] `json:"policyId,omitzero" doc:"Null or left out: the location's policy."`
	BufferBeforeMinutes int                    `json:"bufferBeforeMinutes,omitempty" minimum:"0" maximum:"240"`
	BufferAfterMinutes  int                    `json:"bufferAfterMinutes,omitempty" minimum:"0" maximum:"240"`
	GridMinutes         op.Nullable[int]       `json:"gridMinutes,omitzero" minimum:"5" maximum:"60" doc:"5, 10, 15, 30 or 60. Null or left out: one after the other."`
	LastStart           op.Nullable[string]    `json:"lastStart,omitzero" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" maxLength:"5" example:"20:30"`
	Compact             bool                   `json:"compact,omitempty"`
	Approval            bool                   `json:"approval,omitempty"`
	Enrolment           catalog.Enrolment      `json:"enrolment,omitempty" doc:"Date when left out."`
	SoldAs              catalog.SoldAs         `json:"soldAs,omitempty" doc:"Person when left out."`
	Durations           []wire.Duration        `json:"durations,omitempty" maxItems:"12" doc:"Ascending. The first one is the default; length and price of the offering follow it."`
	NeedsMember         bool                   `json:"needsMember,omitempty"`
	Walkins             bool                   `json:"walkins,omitempty"`
}

// OfferingSettingsPatch changes the settings that are sent.
type OfferingSettingsPatch struct {
	PolicyID            op.Nullable[uuid.UUID] `json:"policyId,omitzero" doc:"Null: the location's policy."`
	BufferBeforeMinutes *int                   `json:"bufferBeforeMinutes,omitempty" minimum:"0" maximum:"240"`
	BufferAfterMinutes  *int                   `json:"bufferAfterMinutes,omitempty" minimum:"0" maximum:"240"`
	GridMinutes         op.Nullable[int]       `json:"gridMinutes,omitzero" minimum:"5" maximum:"60" doc:"5, 10, 15, 30 or 60. Null: one after the other."`
	LastStart           op.Nullable[string]    `json:"lastStart,omitzero" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" maxLength:"5" doc:"Null: as long as it fits." example:"20:30"`
	Compact             *bool                  `json:"compact,omitempty"`
	Approval            *bool                  `json:"approval,omitempty"`
	Enrolment           *catalog.Enrolment     `json:"enrolment,omitempty"`
	SoldAs              *catalog.SoldAs        `json:"soldAs,omitempty"`
	Durations           *[]wire.Duration       `json:"durations,omitempty" maxItems:"12" doc:"All of them, ascending. Empty: the offering's length is the only one."`
	NeedsMember         *bool                  `json:"needsMember,omitempty"`
	Walkins             *bool                  `json:"walkins,omitempty"`
}

type replaceStaffIn struct {
	OfferingPath
	Body replaceStaffBody
}

type replaceStaffBody struct {
	MemberIDs []uuid.UUID `json:"memberIds" maxItems:"200" doc:"All of them, the first choice first."`
	Version   int64       `json:"version,omitempty" minimum:"1" doc:"Of the offering that was read; left out: whatever it is."`
}

type replaceOfferingSpacesIn struct {
	OfferingPath
	Body replaceOfferingSpacesBody
}

type replaceOfferingSpacesBody struct {
	SpaceIDs []uuid.UUID `json:"spaceIds" maxItems:"200" doc:"All of them, the first choice first."`
	Version  int64       `json:"version,omitempty" minimum:"1" doc:"Of the offering that was read; left out: whatever it is."`
}

// offeringLinks declares who gives an offering and where it can be, and how to make another one like it.
func (a *surface) offeringLinks() {
	declare(a, op.Spec{
		ID: "replaceOfferingStaff", Method: "PUT", Path: "/offerings/{id}/staff", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Say who gives an offering", Description: "Replaces the people of an appointment, or of a rental that somebody attends. They must be active and bookable.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceStaffIn) (Offering, error) {
		o, err := a.Catalog.PutStaff(ctx, sc, catalog.PutLinksInput{ID: in.ID, Links: in.Body.MemberIDs, Version: in.Body.Version})
		return showOffering(o), err
	})
	declare(a, op.Spec{
		ID: "replaceOfferingSpaces", Method: "PUT", Path: "/offerings/{id}/spaces", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Say where an offering can be", Description: "Replaces the spaces of a rental or an appointment. An appointment without spaces needs none.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceOfferingSpacesIn) (Offering, error) {
		o, err := a.Catalog.PutSpaces(ctx, sc, catalog.PutLinksInput{ID: in.ID, Links: in.Body.SpaceIDs, Version: in.Body.Version})
		return showOffering(o), err
	})
	declare(a, op.Spec{
		ID: "duplicateOffering", Method: "POST", Path: "/offerings/{id}/duplicate", Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Copy an offering", Description: "Makes a draft with the same settings, people and spaces under an address of its own. Dates stay with the original.",
	}, wire.ByName(a.Catalog.Duplicate, (*OfferingPath).id, showOffering))
}

func (b OfferingSettingsBody) settings() catalog.Settings {
	return catalog.Settings{
		PolicyID: b.PolicyID.Value, BufferBeforeMinutes: b.BufferBeforeMinutes, BufferAfterMinutes: b.BufferAfterMinutes,
		GridMinutes: b.GridMinutes.Value, LastStartMinute: wire.OrNil(b.LastStart.Value, wire.WallMinutes), Compact: b.Compact, Approval: b.Approval,
		Enrolment: b.Enrolment, SoldAs: b.SoldAs, Durations: lengths(b.Durations),
		NeedsMember: b.NeedsMember, Walkins: b.Walkins,
	}
}

// patch adds the settings to a change of an offering.
func (b OfferingSettingsPatch) patch(in *catalog.UpdateInput) {
	in.PolicyID = b.PolicyID.Field
	in.BufferBeforeMinutes, in.BufferAfterMinutes = b.BufferBeforeMinutes, b.BufferAfterMinutes
	in.GridMinutes = b.GridMinutes.Field
	in.LastStartMinute = patch.Field[int]{Set: b.LastStart.Set, Value: wire.OrNil(b.LastStart.Value, wire.WallMinutes)}
	in.Compact, in.Approval, in.NeedsMember, in.Walkins = b.Compact, b.Approval, b.NeedsMember, b.Walkins
	in.Enrolment, in.SoldAs = b.Enrolment, b.SoldAs
	in.Durations = wire.OrNil(b.Durations, lengths)
}

func lengths(list []wire.Duration) []catalog.Duration { return wire.Show(list, wire.Duration.Duration) }

func showSettings(s catalog.Settings) OfferingSettings {
	return OfferingSettings{
		PolicyID: s.PolicyID, BufferBeforeMinutes: s.BufferBeforeMinutes, BufferAfterMinutes: s.BufferAfterMinutes,
		GridMinutes: s.GridMinutes, Compact: s.Compact, Approval: s.Approval, Enrolment: s.Enrolment,
		SoldAs: s.SoldAs, Durations: wire.Show(s.Durations, wire.ShowDuration), NeedsMember: s.NeedsMember, Walkins: s.Walkins,
		LastStart: wire.OrNil(s.LastStartMinute, wire.WallTime),
	}
}
