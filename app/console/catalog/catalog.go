// Package catalog is what a studio offers: the list, the editor, series of dates, publishing, the rules of cancelling, and why a time
// is offered or not.
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

// may tells whether the caller holds what changing an offering needs at its place: what they may not do is not shown.
func may(c *desk.Call, location uuid.UUID) bool {
	return c.Scope.Grants.At(policy.CatalogManage, location)
}

// placeOf is a place of the house; nil when the caller does not see it, or it is closed.
func placeOf(c *desk.Call, id uuid.UUID) *business.Location {
	if i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID == id }); i >= 0 {
		return &c.Workspace.Locations[i]
	}
	return nil
}

// at has the words of a screen write times as an offering's place has them.
func at(c *desk.Call, location uuid.UUID) *business.Location {
	place := placeOf(c, location)
	if place != nil {
		c.UI.Zone = civil.ZoneOrUTC(place.Zone)
	}
	return place
}

// price is what something costs, in words.
func price(sh ui.Shell, amount *int64, cur money.Currency) string {
	if amount == nil {
		return sh.T("No price yet")
	}
	return sh.MoneyShort(view.Price{Minor: *amount, Currency: cur})
}

// listing is an offering as customers would see it, for the words that pages have for it. Without a price it is free there.
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

// badge is how far an offering has come.
func badge(sh ui.Shell, s catalog.State) (string, ui.Tone) {
	switch s {
	case catalog.Published:
		return sh.T("Published"), "ok"
	case catalog.Archived:
		return sh.T("Archived"), ""
	}
	return sh.T("Draft"), "warn"
}

// told is a refusal in one sentence, for what is said on the next page; ok is false for an error that is none.
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
