package desk

import (
	"github.com/google/uuid"

	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/media"
)

// PhotosOf returns the address of the screen to choose the photos of a record.
func (c *Call) PhotosOf(kind media.Kind, id uuid.UUID) string {
	return c.To("/catalog/photos/of/" + string(kind) + "/" + id.String())
}

// Photos returns those of a record, for its own screen with its upload form. may: the caller may change them;
// otherwise the list is empty.
func (c *Call) Photos(kind media.Kind, id uuid.UUID, may bool) (ui.PhotoList, error) {
	if !may {
		return ui.PhotoList{}, nil
	}
	_, list, err := c.Desk.Media.Of(c.Context(), c.Scope, media.Subject{Kind: kind, ID: id})
	out := ui.PhotoList{Choose: c.PhotosOf(kind, id), Action: c.PhotosOf(kind, id) + "/upload", AltMost: media.AltMax}
	for _, a := range list {
		out.Photos = append(out.Photos, ui.PhotoItem{Title: a.Title, Ready: a.State == media.Ready, Photo: view.PhotoOf(media.Photo{
			Business: c.Scope.Tenant, Asset: a.ID, Alt: a.Alt, Width: a.Width, Height: a.Height, Color: a.Color, Blur: a.Blur, Sizes: a.Sizes,
		})})
	}
	return out, err
}
