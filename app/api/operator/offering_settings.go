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

// OfferingSettings are the settings of an offering that determine its times.
type OfferingSettings struct {
	PolicyID            *uuid.UUID        `json:"policyId" doc:"The policy; null for the location's policy."`
	BufferBeforeMinutes int               `json:"bufferBeforeMinutes" doc:"Minutes before the start for which members and spaces are busy."`
	BufferAfterMinutes  int               `json:"bufferAfterMinutes"`
	GridMinutes         *int              `json:"gridMinutes" doc:"Grid of the starts in minutes, from opening time; null for starts one directly after another."`
	LastStart           *string           `json:"lastStart" doc:"Latest start on the location's wall clock. If null, any start that ends within the opening hours." example:"20:30"`
	Compact             bool              `json:"compact" doc:"Whether starts adjacent to another booking are offered first."`
	Approval            bool              `json:"approval" doc:"Whether the studio approves or declines each booking request."`
	Enrolment           catalog.Enrolment `json:"enrolment" doc:"Enrolment. series: a course; one booking covers all of its dates."`
	SoldAs              catalog.SoldAs    `json:"soldAs" doc:"Sales unit. space: a rental of the whole space."`
	Durations           []wire.Duration   `json:"durations" doc:"Lengths to choose from; the first one is the default. Empty if there is one length only."`
	NeedsMember         bool              `json:"needsMember" doc:"Whether a staff member attends the rental."`
	Walkins             bool              `json:"walkins" doc:"Whether a per-person rental accepts walk-ins."`
}

// OfferingSettingsBody are the settings of a new offering.
type OfferingSettingsBody struct {
	PolicyID            op.Nullable[uuid.UUID] `json:"policyId,omitzero" doc:"The policy. The default is null, the location's policy."`
	BufferBeforeMinutes int                    `json:"bufferBeforeMinutes,omitempty" minimum:"0" maximum:"240"`
	BufferAfterMinutes  int                    `json:"bufferAfterMinutes,omitempty" minimum:"0" maximum:"240"`
	GridMinutes         op.Nullable[int]       `json:"gridMinutes,omitzero" minimum:"5" maximum:"60" doc:"Grid of the starts: 5, 10, 15, 30 or 60 minutes. The default is null, starts one directly after another."`
	LastStart           op.Nullable[string]    `json:"lastStart,omitzero" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" maxLength:"5" example:"20:30"`
	Compact             bool                   `json:"compact,omitempty"`
	Approval            bool                   `json:"approval,omitempty"`
	Enrolment           catalog.Enrolment      `json:"enrolment,omitempty" doc:"Enrolment. The default is date."`
	SoldAs              catalog.SoldAs         `json:"soldAs,omitempty" doc:"Sales unit. The default is person."`
	Durations           []wire.Duration        `json:"durations,omitempty" maxItems:"12" doc:"Lengths, ascending. The first one is the default and sets the length and price of the offering."`
	NeedsMember         bool                   `json:"needsMember,omitempty"`
	Walkins             bool                   `json:"walkins,omitempty"`
}

// OfferingSettingsPatch changes the settings present.
type OfferingSettingsPatch struct {
	PolicyID            op.Nullable[uuid.UUID] `json:"policyId,omitzero" doc:"The policy; null for the location's policy."`
	BufferBeforeMinutes *int                   `json:"bufferBeforeMinutes,omitempty" minimum:"0" maximum:"240"`
	BufferAfterMinutes  *int                   `json:"bufferAfterMinutes,omitempty" minimum:"0" maximum:"240"`
	GridMinutes         op.Nullable[int]       `json:"gridMinutes,omitzero" minimum:"5" maximum:"60" doc:"Grid of the starts: 5, 10, 15, 30 or 60 minutes; null for starts one directly after another."`
	LastStart           op.Nullable[string]    `json:"lastStart,omitzero" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" maxLength:"5" doc:"Latest start; null for any start that ends within the opening hours." example:"20:30"`
	Compact             *bool                  `json:"compact,omitempty"`
	Approval            *bool                  `json:"approval,omitempty"`
	Enrolment           *catalog.Enrolment     `json:"enrolment,omitempty"`
	SoldAs              *catalog.SoldAs        `json:"soldAs,omitempty"`
	Durations           *[]wire.Duration       `json:"durations,omitempty" maxItems:"12" doc:"Lengths, ascending. Replaces the whole list; if empty, the offering's length is the only one."`
	NeedsMember         *bool                  `json:"needsMember,omitempty"`
	Walkins             *bool                  `json:"walkins,omitempty"`
}

type replaceStaffIn struct {
	OfferingPath
	Body replaceStaffBody
}

type replaceStaffBody struct {
	MemberIDs []uuid.UUID `json:"memberIds" maxItems:"200" doc:"The instructors, first choice first. Replaces the whole list."`
	Version   int64       `json:"version,omitempty" minimum:"1" doc:"Version of the offering that was read. Without it there is no version check."`
}

type replaceOfferingSpacesIn struct {
	OfferingPath
	Body replaceOfferingSpacesBody
}

type replaceOfferingSpacesBody struct {
	SpaceIDs []uuid.UUID `json:"spaceIds" maxItems:"200" doc:"The spaces, first choice first. Replaces the whole list."`
	Version  int64       `json:"version,omitempty" minimum:"1" doc:"Version of the offering that was read. Without it there is no version check."`
}

// offeringLinks declares the instructors and spaces of an offering, and its duplication.
func (a *surface) offeringLinks() {
	declare(a, op.Spec{
		ID: "replaceOfferingStaff", Method: "PUT", Path: "/offerings/{id}/staff", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Replace the staff of an offering",
		Description: "Replaces the instructors of an appointment, or the staff of an attended rental. They must be active " +
			"and bookable.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceStaffIn) (Offering, error) {
		o, err := a.Catalog.PutStaff(ctx, sc, catalog.PutLinksInput{ID: in.ID, Links: in.Body.MemberIDs, Version: in.Body.Version})
		return showOffering(o), err
	})
	declare(a, op.Spec{
		ID: "replaceOfferingSpaces", Method: "PUT", Path: "/offerings/{id}/spaces", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Replace the spaces of an offering",
		Description: "Replaces the spaces of a rental or an appointment. An appointment without spaces needs none.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceOfferingSpacesIn) (Offering, error) {
		o, err := a.Catalog.PutSpaces(ctx, sc, catalog.PutLinksInput{ID: in.ID, Links: in.Body.SpaceIDs, Version: in.Body.Version})
		return showOffering(o), err
	})
	declare(a, op.Spec{
		ID: "duplicateOffering", Method: "POST", Path: "/offerings/{id}/duplicate", Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary:     "Duplicate an offering",
		Description: "Creates a draft with the same settings, staff and spaces and its own slug. The dates are not copied.",
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

// patch adds the settings to an update of an offering.
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
