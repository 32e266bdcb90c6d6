package catalog

import (
	"cmp"
	"context"
	"regexp"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/media"
)

var commas = regexp.MustCompile(`\s*,\s*`)

// picked are the photos of a record, and further ones to choose from.
type picked struct {
	photoList
	Subject media.Subject
	Name    string
	Have    []media.Asset
}

// has reports whether the record shows a photo.
func (v picked) has(id uuid.UUID) bool {
	for _, a := range v.Have {
		if a.ID == id {
			return true
		}
	}
	return false
}

// subjectOf reads the record of the address.
func subjectOf(c *desk.Call) (media.Subject, error) {
	id, err := c.ID("subject")
	return media.Subject{Kind: media.Kind(c.Params("kind")), ID: id}, err
}

func (s *screens) photosOf(c *desk.Call) (ui.Screen, error) {
	of, err := subjectOf(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := picked{Subject: of}
	if v.Name, v.Have, err = s.Media.Of(c.Context(), c.Scope, of); err != nil {
		return ui.Screen{}, err
	}
	at := PhotosAt + "/of/" + string(of.Kind) + "/" + of.ID.String()
	if v.photoList, err = s.readOfferings(c, at); err != nil {
		return ui.Screen{}, err
	}
	v.For = at
	up := view.Link{Text: c.UI.T("Photos"), Href: c.To(PhotosAt)}
	if href := subjectAddress(c, of.Kind, of.ID, nil); href != "" {
		up = view.Link{Text: v.Name, Href: href}
	}
	return ui.Screen{Title: c.UI.T("Photos of {name}", "name", v.Name), Area: "catalog", Up: &up, Body: photosOfBody(c, v)}, nil
}

// placePhoto adds a photo to a record, makes it the cover, or removes it, by the button pressed.
func (s *screens) placePhoto(c *desk.Call, ctx context.Context) (desk.Done, error) {
	of, err := subjectOf(c)
	if err != nil {
		return desk.Done{}, err
	}
	at := c.To(PhotosAt + "/of/" + string(of.Kind) + "/" + of.ID.String())
	if id := c.UUID("remove"); id != uuid.Nil {
		d, err := s.Media.Unplace(ctx, c.Scope, id, &of.ID)
		return desk.Done{To: at, Said: c.UI.T("Removed {name}.", "name", d.Title)}, err
	}
	in := media.PlaceInput{AssetID: cmp.Or(c.UUID("add"), c.UUID("cover")), Subject: of}
	if in.AssetID == uuid.Nil {
		return desk.Done{}, fault.Missing()
	}
	if c.UUID("cover") != uuid.Nil {
		in.Position = 1
	}
	d, err := s.Media.Place(ctx, c.Scope, in)
	return desk.Done{To: at, Said: c.UI.T("Added {name}.", "name", d.Title)}, err
}

// uploadFor uploads a photo and adds it to a record, from the record's screen. Both steps are idempotent: the same
// file is the same photo, and it is shown there once.
func (s *screens) uploadFor(c *desk.Call, _ context.Context) (desk.Done, error) {
	of, err := subjectOf(c)
	if err != nil {
		return desk.Done{}, err
	}
	file, err := c.File()
	if err != nil {
		return desk.Done{}, err
	}
	up, err := s.Media.Upload(c.Context(), c.Scope, media.UploadInput{Data: file.Data, Name: file.Name, Alt: c.Value("alt")})
	if err != nil {
		return desk.Done{}, err
	}
	d, err := s.Media.Place(c.Context(), c.Scope, media.PlaceInput{AssetID: up.Asset.ID, Subject: of})
	return desk.Done{Said: saidOf(c, up, c.UI.T("Added {name}.", "name", d.Title))}, err
}
