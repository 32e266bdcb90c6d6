// Package catalog is a studio's catalog: the list, the editor, series of dates, publishing, policies, and the
// availability inspector.
package catalog

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/policy"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listOfferings", "/catalog", s.list)
	d.Page("createOffering", "/catalog/new", s.newPage)
	d.Form("createOffering", "/catalog/new", desk.Form{Do: s.create, Show: s.newPage, Inputs: newInputs})
	d.Page("explainAvailability", "/catalog/explain", s.explain)
	s.discounts(d)
	s.agreements(d)
	s.photos(d)
	s.offering(d)
	s.series(d)
	s.policies(d)
}

// offering mounts the screens of one.
func (s *screens) offering(d *desk.Desk) {
	d.Page("getOffering", "/catalog/:offering", s.edit)
	d.Page("getOffering", "/catalog/:offering/preview", s.previewOffering)
	d.File("getOffering", "/catalog/:offering/page", s.page)
	d.Form("updateOffering", "/catalog/:offering", desk.Form{Do: s.save, Show: s.edit, Inputs: editInputs})
	d.Form("publishOffering", "/catalog/:offering/publish", desk.Form{Do: s.publish, Show: s.edit, Inputs: editInputs})
	d.Form("unpublishOffering", "/catalog/:offering/unpublish", desk.Form{Do: s.unpublish})
	d.Page("archiveOffering", "/catalog/:offering/archive", s.askArchive)
	d.Form("archiveOffering", "/catalog/:offering/archive", desk.Form{Do: s.archive, Show: s.askArchive})
	d.Form("restoreOffering", "/catalog/:offering/restore", desk.Form{Do: s.restore})
	d.Form("duplicateOffering", "/catalog/:offering/duplicate", desk.Form{Do: s.duplicate})
}

// may reports whether the caller may change offerings at a location, so that other actions are hidden.
func may(c *desk.Call, location uuid.UUID) bool {
	return c.Scope.Grants.At(policy.CatalogManage, location)
}

// placeOf returns a location of the business; nil when the caller does not see it, or it is archived.
func placeOf(c *desk.Call, id uuid.UUID) *business.Location {
	if i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID == id }); i >= 0 {
		return &c.Workspace.Locations[i]
	}
	return nil
}

// at sets the screen's time zone to that of an offering's location.
func at(c *desk.Call, location uuid.UUID) *business.Location {
	place := placeOf(c, location)
	if place != nil {
		c.UI.Zone = civil.ZoneOrUTC(place.Zone)
	}
	return place
}

// price renders a price.
func price(sh ui.Shell, amount *int64, cur money.Currency) string {
	if amount == nil {
		return sh.T("No price yet")
	}
	return sh.MoneyShort(view.Price{Minor: *amount, Currency: cur})
}

// listing returns an offering as customers see it, to render it like the booking pages. Without a price it is free
// there.
func listing(o catalog.Offering) catalog.Listing {
	l := catalog.Listing{
		ID: o.ID, LocationID: o.LocationID, Kind: o.Kind, Slug: o.Slug, Name: o.Name, Description: o.Description, Word: o.Word,
		DurationMinutes: o.DurationMinutes, Currency: o.Currency, Durations: o.Durations, Approval: o.Approval, Enrolment: o.Enrolment,
		SoldAs: o.SoldAs, NeedsMember: o.NeedsMember, Walkins: o.Walkins,
	}
	if o.PriceAmount != nil {
		l.PriceAmount = *o.PriceAmount
	}
	return l
}

// badge renders the state of an offering.
func badge(sh ui.Shell, s catalog.State) (string, ui.Tone) {
	switch s {
	case catalog.Published:
		return sh.T("Published"), "ok"
	case catalog.Archived:
		return sh.T("Archived"), ""
	}
	return sh.T("Draft"), "warn"
}

// told renders a refusal in one sentence, for a notice on the next page; ok is false for an error that is none.
func told(sh ui.Shell, err error) (text string, ok bool) {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Validation && f.Kind != fault.Conflict {
		return "", false
	}
	for _, wrong := range f.Fields {
		text = view.Joined(" ", text, sh.Message(wrong.Message))
	}
	return cmp.Or(text, sh.Refusal(f)), true
}
