package catalog

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/media"
)

// PhotosAt is the path of a business's photos.
const PhotosAt = "/catalog/photos"

// photos mounts the photos of a business. They come before offerings: their addresses would match an offering's.
func (s *screens) photos(d *desk.Desk) {
	d.Page("listAssets", PhotosAt, s.listPhotos)
	d.Form("uploadAsset", PhotosAt, desk.Form{Do: s.upload, Show: s.listPhotos, Inputs: uploadInputs})
	d.Page("getAsset", PhotosAt+"/:asset", s.onePhoto)
	d.Form("updateAsset", PhotosAt+"/:asset", desk.Form{Do: s.savePhoto, Show: s.onePhoto, Inputs: photoInputs})
	d.Form("archiveAsset", PhotosAt+"/:asset/archive", desk.Form{Do: s.archivePhoto})
	d.Form("restoreAsset", PhotosAt+"/:asset/restore", desk.Form{Do: s.restorePhoto})
	d.Page("deleteAsset", PhotosAt+"/:asset/delete", s.askDelete)
	d.Form("deleteAsset", PhotosAt+"/:asset/delete", desk.Form{Do: s.deletePhoto, Show: s.askDelete})
	d.File("getAssetOriginal", PhotosAt+"/:asset/original", s.original)
	d.Page("placeAsset", PhotosAt+"/of/:kind/:subject", s.photosOf)
	d.Form("placeAsset", PhotosAt+"/of/:kind/:subject", desk.Form{Do: s.placePhoto})
	d.Form("placeAsset", PhotosAt+"/of/:kind/:subject/upload", desk.Form{Do: s.uploadFor})
	d.TakesFile(PhotosAt, media.BytesMax)
	d.TakesFile(PhotosAt+"/of/:kind/:subject/upload", media.BytesMax)
}

var (
	uploadInputs = []string{"file", "alt"}
	photoInputs  = []string{"title", "alt", "tags"}
)

// photoList is a page of photos, with its search.
type photoList struct {
	media.Page
	Confirm media.ListInput
	Tags    []string
	Next    string // address of the next page; empty on the last
	For     string // the record to choose photos for; empty in the library
}

// photosOnPage is the number of photos on a page.
const photosOnPage = 60

// readOfferings reads the photos of the address's search.
func (s *screens) readOfferings(c *desk.Call, at string) (v photoList, err error) {
	q := c.Query
	offset, _ := strconv.Atoi(q("from"))
	v.Confirm = media.ListInput{
		Query: q("q"), Tag: q("tag"), Unused: q("unused") != "", Archived: q("archived") != "", Sort: media.Sort(q("sort")), Limit: photosOnPage,
		Offset: max(0, offset),
	}
	err = desk.Together(
		func() error {
			page, err := s.Media.List(c.Context(), c.Scope, v.Confirm)
			v.Page = page
			return err
		},
		func() (err error) { v.Tags, err = s.Media.Tags(c.Context(), c.Scope); return err },
	)
	if next := v.Offset + len(v.Assets); err == nil && next < v.Total {
		v.Next = c.To(at, "q", v.Confirm.Query, "tag", v.Confirm.Tag, "unused", q("unused"), "archived", q("archived"), "sort", q("sort"), "from", strconv.Itoa(next))
	}
	return v, err
}

func (s *screens) listPhotos(c *desk.Call) (ui.Screen, error) {
	v, err := s.readOfferings(c, PhotosAt)
	if err != nil {
		return ui.Screen{}, err
	}
	all, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: c.LocationID()})
	if err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{Title: c.UI.T("Photos"), Area: "catalog", Tabs: tabs(c, all, "", PhotosAt), Body: photosBody(c, v), Script: "catalog.js"}, nil
}

// upload adds one photo: a browser with script sends several one after the other.
func (s *screens) upload(c *desk.Call, ctx context.Context) (desk.Done, error) {
	file, err := c.File()
	if err != nil {
		return desk.Done{}, err
	}
	up, err := s.Media.Upload(ctx, c.Scope, media.UploadInput{Data: file.Data, Name: file.Name, Alt: c.Value("alt")})
	if err != nil {
		return desk.Done{}, err
	}
	said := c.UI.T("Added {name}.", "name", up.Asset.Title)
	if up.Existing {
		said = c.UI.T("This photo is already in your library: {name}.", "name", up.Asset.Title)
	}
	return desk.Done{To: c.To(PhotosAt + "/" + up.Asset.ID.String()), Said: saidOf(c, up, said)}, nil
}

// saidOf adds to the notice of an upload that only a part of the file is shown.
func saidOf(c *desk.Call, up media.Uploaded, said string) string {
	if up.Animated {
		said += " " + c.UI.T("The file is animated: only its first frame is shown.")
	}
	return said
}

func (s *screens) thePhoto(c *desk.Call) (media.Detail, error) {
	id, err := c.ID("asset")
	if err != nil {
		return media.Detail{}, err
	}
	return s.Media.Get(c.Context(), c.Scope, id)
}

func (s *screens) onePhoto(c *desk.Call) (ui.Screen, error) {
	d, err := s.thePhoto(c)
	if err != nil {
		return ui.Screen{}, err
	}
	up := view.Link{Text: c.UI.T("Photos"), Href: c.To(PhotosAt)}
	return ui.Screen{Title: d.Title, Area: "catalog", Up: &up, Body: photoBody(c, d), Acts: photoActs(c, d)}, nil
}

func (s *screens) savePhoto(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("asset")
	if err != nil {
		return desk.Done{}, err
	}
	title, alt, tags := c.Value("title"), c.Value("alt"), splitTags(c.Value("tags"))
	a, err := s.Media.Update(ctx, c.Scope, media.UpdateInput{ID: id, Title: &title, Alt: &alt, Tags: &tags})
	return desk.Done{To: c.To(PhotosAt), Said: c.UI.T("Saved {name}.", "name", a.Title)}, err
}

func (s *screens) archivePhoto(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("asset")
	if err != nil {
		return desk.Done{}, err
	}
	a, err := s.Media.Archive(ctx, c.Scope, id)
	return desk.Done{
		Said: c.UI.T("Archived {name}. It stays on pages that already show it.", "name", a.Title),
		Undo: &ui.Undo{Action: c.To(PhotosAt + "/" + id.String() + "/restore")},
	}, err
}

func (s *screens) restorePhoto(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("asset")
	if err != nil {
		return desk.Done{}, err
	}
	a, err := s.Media.Restore(ctx, c.Scope, id)
	return desk.Done{Said: c.UI.T("Restored {name}.", "name", a.Title)}, err
}

func (s *screens) askDelete(c *desk.Call) (ui.Screen, error) {
	d, err := s.thePhoto(c)
	if err != nil {
		return ui.Screen{}, err
	}
	up := view.Link{Text: d.Title, Href: c.To(PhotosAt + "/" + d.ID.String())}
	return ui.Screen{Title: c.UI.T("Delete {name}", "name", d.Title), Area: "catalog", Up: &up, Body: deleteBody(c, d)}, nil
}

func (s *screens) deletePhoto(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("asset")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To(PhotosAt), Said: c.UI.T("Deleted the photo and removed it everywhere.")}, s.Media.Delete(ctx, c.Scope, id)
}

// original redirects to the uploaded file.
func (s *screens) original(c *desk.Call) error {
	id, err := c.ID("asset")
	if err != nil {
		return err
	}
	address, err := s.Media.Original(c.Context(), c.Scope, id)
	if err != nil {
		return err
	}
	return c.Redirect(address)
}

// shownOf returns a photo as pages show it, in any state.
func shownOf(c *desk.Call, a media.Asset) view.Photo {
	return view.PhotoOf(media.Photo{
		Business: c.Scope.Tenant, Asset: a.ID, Alt: a.Alt, Width: a.Width, Height: a.Height, Color: a.Color, Blur: a.Blur, Sizes: a.Sizes,
	})
}

// isPhoto reports whether the sizes of a photo can be shown.
func isPhoto(a media.Asset) bool { return a.State == media.Ready }

// largest returns the address of the largest size of a photo.
func largest(c *desk.Call, a media.Asset) string {
	return media.Path(c.Scope.Tenant, a.ID, a.Sizes[len(a.Sizes)-1], media.JPEG)
}

// splitTags reads comma-separated tags.
func splitTags(text string) []string {
	tags := []string{}
	for _, tag := range commas.Split(text, -1) {
		if tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// subjectAddress returns the page of a record that shows a photo; empty when it has none.
func subjectAddress(c *desk.Call, kind media.Kind, id uuid.UUID, location *uuid.UUID) string {
	switch kind {
	case media.OfBusiness:
		return c.To("/settings/business")
	case media.OfOffering:
		return c.To("/catalog/" + id.String())
	case media.OfProduct:
		return c.To("/products/" + id.String())
	case media.OfLocation:
		return c.To("/settings/places/" + id.String())
	case media.OfMember:
		return c.To("/settings/team/" + id.String())
	case media.OfSpace:
		if location != nil {
			return c.To("/settings/places/" + location.String() + "/rooms/" + id.String())
		}
	}
	return ""
}
