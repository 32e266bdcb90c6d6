package operator

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/media"
)

// Asset is a photo.
type Asset struct {
	ID         uuid.UUID      `json:"id"`
	Title      string         `json:"title" doc:"What the team calls it."`
	Alt        string         `json:"alt" doc:"A description for people who do not see it; may be empty."`
	Tags       []string       `json:"tags" doc:"Words to find it by."`
	State      media.State    `json:"state"`
	Made       int            `json:"made" doc:"How many of its variants there are by now. All of them: state is ready."`
	Format     media.Format   `json:"format" doc:"Of the file that was uploaded."`
	Bytes      int64          `json:"bytes" doc:"Of the file that was uploaded."`
	Width      int            `json:"width" doc:"Upright, in pixels."`
	Height     int            `json:"height" doc:"Upright, in pixels."`
	Color      string         `json:"color" doc:"The dominant colour." example:"#a1b2c3"`
	Blur       string         `json:"blur" doc:"A data address of a picture of a few pixels, to be shown while the photo loads."`
	URL        string         `json:"url" doc:"The largest variant, as JPEG, on a plain background where the photo is transparent. Works when state is ready, for everybody, and always for the same bytes."`
	Variants   []AssetVariant `json:"variants" doc:"The widths that it is kept in, the smallest first: up to its own width, or 1920, and less when it is very tall."`
	UsageCount int            `json:"usageCount" doc:"How many records show it."`
	ArchivedAt *time.Time     `json:"archivedAt"`
	CreatedAt  time.Time      `json:"createdAt"`
	UpdatedAt  time.Time      `json:"updatedAt"`
}

// AssetVariant is a photo in one width.
type AssetVariant struct {
	Width   int    `json:"width" doc:"In pixels."`
	Height  int    `json:"height" doc:"In pixels."`
	JPEGURL string `json:"jpegUrl" doc:"Its address as JPEG."`
	WebPURL string `json:"webpUrl" doc:"Its address as WebP, which is smaller, and keeps transparency."`
}

// AssetDetail is a photo and the records that show it.
type AssetDetail struct {
	Asset
	Placements []AssetPlacement `json:"placements" doc:"The records that it is attached to."`
}

// UploadedAsset is the photo that an upload ended in.
type UploadedAsset struct {
	Asset
	Animated bool    `json:"animated" doc:"The file is an animation. Only its first picture is shown."`
	Notice   *string `json:"notice" doc:"Says so in a sentence; null when all of the file is shown."`
}

// AssetPlacement is a record that shows a photo.
type AssetPlacement struct {
	Subject    media.Kind `json:"subject" doc:"What kind of record it is."`
	SubjectID  uuid.UUID  `json:"subjectId" doc:"The record; of a business, its own id."`
	Name       string     `json:"name" doc:"The record's."`
	LocationID *uuid.UUID `json:"locationId" doc:"The record's; null: it is the whole business's."`
	Position   int        `json:"position" doc:"Among the photos of the record. 1 is the cover."`
}

// AssetListResult is a part of the photos.
type AssetListResult struct {
	Assets []Asset `json:"assets" doc:"The photos of this page."`
	Total  int     `json:"total" doc:"Of all pages."`
	Limit  int     `json:"limit"`
	Offset int     `json:"offset"`
}

// AssetOriginal is where an uploaded file can be read.
type AssetOriginal struct {
	URL string `json:"url" doc:"Works for a quarter of an hour, for whoever has it."`
}

// AssetOrder is the photos of a record.
type AssetOrder struct {
	Assets []Asset `json:"assets" doc:"The first one is the cover."`
}

// AssetPath names a photo.
type AssetPath struct {
	ID uuid.UUID `path:"id" doc:"The photo."`
}

type listAssetsIn struct {
	Q        string     `query:"q" maxLength:"100" doc:"In the title, the alternative text or a tag, in any case."`
	Tag      string     `query:"tag" maxLength:"100" doc:"Exactly this tag."`
	Unused   string     `query:"unused" enum:"1,true" doc:"Only photos that no record shows."`
	Archived string     `query:"archived" enum:"1,true" doc:"Photos that were archived, instead of those that were not."`
	Sort     media.Sort `query:"sort" doc:"Left out: recent."`
	Limit    int        `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Rows on a page."`
	Offset   int        `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"Rows to skip."`
}

type uploadAssetBody struct {
	Title string   `json:"title,omitempty" maxLength:"120" doc:"Left out: made of the file's name."`
	Alt   string   `json:"alt,omitempty" maxLength:"300" doc:"What is to be seen."`
	Tags  []string `json:"tags,omitempty" maxLength:"40" maxItems:"20" doc:"A part for each."`
}

type updateAssetIn struct {
	AssetPath
	Body updateAssetBody
}

type updateAssetBody struct {
	Title *string   `json:"title,omitempty" minLength:"1" maxLength:"120" doc:"What the team calls it."`
	Alt   *string   `json:"alt,omitempty" maxLength:"300" doc:"What is to be seen, for who does not see it."`
	Tags  *[]string `json:"tags,omitempty" maxLength:"40" maxItems:"20" doc:"All of them."`
}

type placeAssetIn struct {
	AssetPath
	Body placeAssetBody
}

type placeAssetBody struct {
	Subject   media.Kind `json:"subject" doc:"What kind of record it is."`
	SubjectID uuid.UUID  `json:"subjectId" doc:"The record; of a business, its own id."`
	Position  int        `json:"position,omitempty" minimum:"1" maximum:"20" doc:"1 is the cover. Left out: where it is, or behind the others."`
}

type unplaceAssetIn struct {
	AssetPath
	SubjectID uuid.UUID `query:"subjectId" doc:"The record. Left out: all of them."`
}

type replaceOfferingAssetsIn struct {
	OfferingPath
	Body replaceOfferingAssetsBody
}

type replaceOfferingAssetsBody struct {
	AssetIDs []uuid.UUID `json:"assetIds" maxItems:"20" doc:"All of them, the cover first."`
}

// assets declares the photos of a business.
func (a *surface) assets() {
	shown := []int{401, 403, 404}
	checked := []int{400, 401, 403, 404}
	declare(a, op.Spec{
		ID: "listAssets", Method: "GET", Path: "/businesses/{businessId}/assets", Tag: "catalog", Feature: "location.view", Frozen: true, Errors: checked,
		Summary: "List photos", Description: "The photos of the business that are not archived, or those that are, the newest first unless sort says otherwise.",
	}, a.listAssets)
	declare(a, op.Spec{
		ID: "uploadAsset", Method: "POST", Path: "/businesses/{businessId}/assets", Tag: "catalog", Feature: "catalog.manage", Success: 201, Frozen: true,
		Errors: checked, Several: "its file is kept between a note that names it as left over and the photo that needs it: no file is put inside a transaction",
		File: &op.FilePart{Most: media.BytesMax, Doc: "JPEG, PNG, GIF or WebP, by its content: at most 15 MB, " +
			"40 megapixels (120 for a baseline JPEG) and 16,383 pixels a side."},
		Summary: "Upload a photo",
		Description: "Attaches it to nothing. Its variants are made in the next moment: state tells when. What a camera wrote into the file is in none of them. " +
			"Identical bytes return the photo that there is, as it is. " +
			"Of an animation only the first picture is shown, and `notice` says so.",
	}, a.uploadAsset)
	declare(a, op.Spec{
		ID: "getAsset", Method: "GET", Path: "/assets/{id}", Tag: "catalog", Feature: "location.view", Frozen: true, Errors: shown,
		Summary: "Get a photo", Description: "The photo, archived or not, how many records show it, and which.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AssetPath) (AssetDetail, error) {
		d, err := a.Media.Get(ctx, sc, in.ID)
		return a.showAssetDetail(sc, d), err
	})
	declare(a, op.Spec{
		ID: "updateAsset", Method: "PATCH", Path: "/assets/{id}", Tag: "catalog", Feature: "catalog.manage", Frozen: true, Errors: checked,
		Summary: "Change a photo", Description: "Changes the members that are sent, wherever the photo is shown. It needs the feature at every location where it is.",
	}, func(ctx context.Context, sc tenancy.Scope, in *updateAssetIn) (Asset, error) {
		p, err := a.Media.Update(ctx, sc, media.UpdateInput{ID: in.ID, Title: in.Body.Title, Alt: in.Body.Alt, Tags: in.Body.Tags})
		return a.showAsset(sc, p), err
	})
	declare(a, op.Spec{
		ID: "archiveAsset", Method: "POST", Path: "/assets/{id}/archive", Tag: "catalog", Feature: "catalog.manage", Frozen: true, NoReplay: true, Errors: shown,
		Summary: "Archive a photo", Description: "Hides it from who picks photos. The records that show it go on showing it.",
	}, a.ofAsset(a.Media.Archive))
	declare(a, op.Spec{
		ID: "restoreAsset", Method: "POST", Path: "/assets/{id}/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Restore a photo", Description: "Brings an archived photo back to who picks photos.",
	}, a.ofAsset(a.Media.Restore))
	declare(a, op.Spec{
		ID: "getAssetOriginal", Method: "GET", Path: "/assets/{id}/original", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Get an uploaded file", Description: "Where the file itself can be saved, with all that a camera wrote into it.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AssetPath) (AssetOriginal, error) {
		address, err := a.Media.Original(ctx, sc, in.ID)
		return AssetOriginal{address}, err
	})
	a.assetPlacements()
}

// assetPlacements declares what says which records show a photo, and the end of one.
func (a *surface) assetPlacements() {
	declare(a, op.Spec{
		ID: "placeAsset", Method: "PUT", Path: "/assets/{id}/placements", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Show a photo with a record",
		Description: "With the business, a location, a space, a member of the team or an offering. Where it is shown already, it moves to the position. " +
			"It needs the feature at the location of the record; for the business and its team, in the whole business.",
	}, func(ctx context.Context, sc tenancy.Scope, in *placeAssetIn) (AssetDetail, error) {
		b := in.Body
		d, err := a.Media.Place(ctx, sc, media.PlaceInput{AssetID: in.ID, Subject: media.Subject{Kind: b.Subject, ID: b.SubjectID}, Position: b.Position})
		return a.showAssetDetail(sc, d), err
	})
	declare(a, op.Spec{
		ID: "unplaceAsset", Method: "DELETE", Path: "/assets/{id}/placements", Tag: "catalog", Feature: "catalog.manage", Success: 200,
		Summary: "Take a photo from a record", Description: "The record shows it no more; without one, no record does. Where it is not shown, nothing changes.",
	}, func(ctx context.Context, sc tenancy.Scope, in *unplaceAssetIn) (AssetDetail, error) {
		d, err := a.Media.Unplace(ctx, sc, in.ID, wire.AppointmentOptions(in.SubjectID))
		return a.showAssetDetail(sc, d), err
	})
	declare(a, op.Spec{
		ID: "replaceOfferingAssets", Method: "PUT", Path: "/offerings/{id}/assets", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Say which photos an offering has", Description: "All of them, in their order: the first one is its cover. A photo that is archived may stay, and not come new.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceOfferingAssetsIn) (AssetOrder, error) {
		list, err := a.Media.PutAll(ctx, sc, media.Subject{Kind: media.OfOffering, ID: in.ID}, in.Body.AssetIDs)
		return AssetOrder{a.showAssets(sc, list)}, err
	})
	declare(a, op.Spec{
		ID: "deleteAsset", Method: "DELETE", Path: "/assets/{id}", Tag: "catalog", Feature: "catalog.manage", Frozen: true, NoReplay: true, Errors: []int{401, 403, 404},
		Summary: "Delete a photo", Description: "Deletes it for good, from every record that shows it, with all its files. The same photo of another business stays.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AssetPath) (op.NoContent, error) {
		return op.NoContent{}, a.Media.Delete(ctx, sc, in.ID)
	})
}

// ofAsset runs a verb about one photo.
func (a *surface) ofAsset(verb func(context.Context, tenancy.Scope, uuid.UUID) (media.Asset, error)) func(context.Context, tenancy.Scope, *AssetPath) (Asset, error) {
	return func(ctx context.Context, sc tenancy.Scope, in *AssetPath) (Asset, error) {
		p, err := verb(ctx, sc, in.ID)
		return a.showAsset(sc, p), err
	}
}

func (a *surface) listAssets(ctx context.Context, sc tenancy.Scope, in *listAssetsIn) (AssetListResult, error) {
	page, err := a.Media.List(ctx, sc, media.ListInput{
		Query: in.Q, Tag: in.Tag, Unused: in.Unused != "", Archived: in.Archived != "", Sort: in.Sort, Limit: in.Limit, Offset: in.Offset,
	})
	return AssetListResult{Assets: a.showAssets(sc, page.Assets), Total: page.Total, Limit: page.Limit, Offset: page.Offset}, err
}

func (a *surface) uploadAsset(
	ctx context.Context, sc tenancy.Scope, in *wire.Body[uploadAssetBody],
) (UploadedAsset, error) {
	file, b := op.FileOf(ctx), in.Body
	up, err := a.Media.Upload(ctx, sc, media.UploadInput{Data: file.Data, Name: file.Name, Title: b.Title, Alt: b.Alt, Tags: b.Tags})
	out := UploadedAsset{Asset: a.showAsset(sc, up.Asset), Animated: up.Animated}
	if up.Animated {
		notice := "This file is an animation: only its first picture is shown."
		out.Notice = &notice
	}
	return out, err
}

func (a *surface) showAssets(sc tenancy.Scope, list []media.Asset) []Asset {
	return wire.Show(list, func(p media.Asset) Asset { return a.showAsset(sc, p) })
}

func (a *surface) showAsset(sc tenancy.Scope, p media.Asset) Asset {
	out := Asset{
		ID: p.ID, Title: p.Title, Alt: p.Alt, Tags: wire.Show(p.Tags, func(t string) string { return t }), State: p.State, Made: p.Made, Format: p.Format,
		Bytes: p.Bytes, Width: p.Width, Height: p.Height, Color: p.Color, Blur: "data:image/webp;base64," + base64.StdEncoding.EncodeToString(p.Blur),
		UsageCount: p.Used, ArchivedAt: p.ArchivedAt, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	out.Variants = wire.Show(p.Sizes, func(width int) AssetVariant {
		return AssetVariant{
			Width: width, Height: p.HeightAt(width), JPEGURL: a.Base + media.Path(sc.Tenant, p.ID, width, media.JPEG),
			WebPURL: a.Base + media.Path(sc.Tenant, p.ID, width, media.WebP),
		}
	})
	if n := len(out.Variants); n > 0 {
		out.URL = out.Variants[n-1].JPEGURL
	}
	return out
}

func (a *surface) showAssetDetail(sc tenancy.Scope, d media.Detail) AssetDetail {
	return AssetDetail{a.showAsset(sc, d.Asset), wire.Show(d.Placements, func(p media.Placement) AssetPlacement {
		return AssetPlacement{Subject: p.Kind, SubjectID: p.SubjectID, Name: p.Name, LocationID: p.LocationID, Position: p.Position}
	})}
}
