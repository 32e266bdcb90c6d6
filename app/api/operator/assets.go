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
	ID         uuid.UUID           `json:"id"`
	Title      string              `json:"title" doc:"Title for the team."`
	Alt        string              `json:"alt" doc:"Alternative text; may be empty."`
	Tags       []string            `json:"tags" doc:"Tags for searching."`
	State      media.State         `json:"state"`
	Made       int                 `json:"made" doc:"Number of finished variants. When all are finished, state is ready."`
	Format     media.Format        `json:"format" doc:"Format of the uploaded file."`
	Bytes      int64               `json:"bytes" doc:"Size of the uploaded file in bytes."`
	Width      int                 `json:"width" doc:"Upright width in pixels."`
	Height     int                 `json:"height" doc:"Upright height in pixels."`
	Color      string              `json:"color" doc:"Dominant color." example:"#a1b2c3"`
	Blur       string              `json:"blur" doc:"Data URL of a tiny preview to show while the photo loads."`
	URL        string              `json:"url" doc:"URL of the largest variant, as JPEG, on a plain background if the photo is transparent. Public, available when state is ready, and immutable."`
	Variants   []wire.AssetVariant `json:"variants" doc:"Available widths, smallest first: up to the photo's own width or 1920, and less for a very tall photo."`
	UsageCount int                 `json:"usageCount" doc:"Number of records that use the photo."`
	ArchivedAt *time.Time          `json:"archivedAt"`
	CreatedAt  time.Time           `json:"createdAt"`
	UpdatedAt  time.Time           `json:"updatedAt"`
}

// AssetDetail is a photo with its placements.
type AssetDetail struct {
	Asset
	Placements []AssetPlacement `json:"placements" doc:"The records it is attached to."`
}

// UploadedAsset is the photo of an upload.
type UploadedAsset struct {
	Asset
	Animated bool    `json:"animated" doc:"Whether the file is an animation. Only its first frame is used."`
	Notice   *string `json:"notice" doc:"Notice about the animation; null if all of the file is used."`
}

// AssetPlacement is the use of a photo on a record.
type AssetPlacement struct {
	Subject    media.Kind `json:"subject" doc:"Kind of the record."`
	SubjectID  uuid.UUID  `json:"subjectId" doc:"Id of the record; for a business, its own id."`
	Name       string     `json:"name" doc:"Name of the record."`
	LocationID *uuid.UUID `json:"locationId" doc:"Location of the record; null if it belongs to the whole business."`
	Position   int        `json:"position" doc:"Position among the photos of the record. 1 is the cover."`
}

// AssetListResult is a page of photos.
type AssetListResult struct {
	Assets []Asset `json:"assets" doc:"The photos of this page."`
	Total  int     `json:"total" doc:"Number of photos on all pages."`
	Limit  int     `json:"limit"`
	Offset int     `json:"offset"`
}

// AssetOriginal is the download address of an uploaded file.
type AssetOriginal struct {
	URL string `json:"url" doc:"URL, valid for 15 minutes for anyone with the link."`
}

// AssetOrder lists the photos of a record in order.
type AssetOrder struct {
	Assets []Asset `json:"assets" doc:"The photos; the first one is the cover."`
}

// AssetPath is the path of a photo.
type AssetPath struct {
	ID uuid.UUID `path:"id" doc:"The photo."`
}

type listAssetsIn struct {
	Q        string     `query:"q" maxLength:"100" doc:"Text to find in the title, the alternative text or a tag, in any letter case."`
	Tag      string     `query:"tag" maxLength:"100" doc:"Only photos with exactly this tag."`
	Unused   string     `query:"unused" enum:"1,true" doc:"Only photos without placements."`
	Archived string     `query:"archived" enum:"1,true" doc:"Only archived photos. The default is photos that are not archived."`
	Sort     media.Sort `query:"sort" doc:"Sort order. The default is recent."`
	Limit    int        `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Maximum number of rows on a page."`
	Offset   int        `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"Number of rows to skip."`
}

type uploadAssetBody struct {
	Title string   `json:"title,omitempty" maxLength:"120" doc:"Title for the team. The default is derived from the file name."`
	Alt   string   `json:"alt,omitempty" maxLength:"300" doc:"Alternative text."`
	Tags  []string `json:"tags,omitempty" maxLength:"40" maxItems:"20" doc:"Tags, one form part each."`
}

type updateAssetIn struct {
	AssetPath
	Body updateAssetBody
}

type updateAssetBody struct {
	Title *string   `json:"title,omitempty" minLength:"1" maxLength:"120" doc:"Title for the team."`
	Alt   *string   `json:"alt,omitempty" maxLength:"300" doc:"Alternative text."`
	Tags  *[]string `json:"tags,omitempty" maxLength:"40" maxItems:"20" doc:"Tags. Replaces the whole list."`
}

type placeAssetIn struct {
	AssetPath
	Body placeAssetBody
}

type placeAssetBody struct {
	Subject   media.Kind `json:"subject" doc:"Kind of the record."`
	SubjectID uuid.UUID  `json:"subjectId" doc:"Id of the record; for a business, its own id."`
	Position  int        `json:"position,omitempty" minimum:"1" maximum:"20" doc:"Position; 1 is the cover. By default the position does not change, and a new photo goes to the end."`
}

type unplaceAssetIn struct {
	AssetPath
	SubjectID uuid.UUID `query:"subjectId" doc:"The record. By default the photo is detached from all records."`
}

type replaceOfferingAssetsIn struct {
	OfferingPath
	Body replaceOfferingAssetsBody
}

type replaceProductAssetsIn struct {
	ProductPath
	Body replaceOfferingAssetsBody
}

type replaceOfferingAssetsBody struct {
	AssetIDs []uuid.UUID `json:"assetIds" maxItems:"20" doc:"The photos, cover first. Replaces the whole list."`
}

// assets declares the photos of a business.
func (a *surface) assets() {
	shown := []int{401, 403, 404}
	checked := []int{400, 401, 403, 404}
	declare(a, op.Spec{
		ID: "listAssets", Method: "GET", Path: "/businesses/{businessId}/assets", Tag: "catalog", Feature: "location.view", Frozen: true, Errors: checked,
		Summary: "List photos",
		Description: "Returns the photos of the business that are not archived, or with archived those that are. The " +
			"newest is first unless sort is set.",
	}, a.listAssets)
	declare(a, op.Spec{
		ID: "uploadAsset", Method: "POST", Path: "/businesses/{businessId}/assets", Tag: "catalog", Feature: "catalog.manage", Success: 201, Frozen: true,
		Errors: checked, Several: "its file is stored between a note that records it as a leftover and the photo row that " +
			"needs it: no file is stored inside a transaction",
		File: &op.FilePart{Most: media.BytesMax, Types: []string{"image/jpeg", "image/png", "image/gif", "image/webp"},
			Doc: "JPEG, PNG, GIF or WebP, by its content: at most 15 MB, " +
				"40 megapixels (120 for a baseline JPEG) and 16,383 pixels a side."},
		Summary: "Upload a photo",
		Description: "The photo is not attached to any record. Its variants are created asynchronously; state is ready " +
			"once they exist. They contain no camera metadata. Identical bytes return the existing photo unchanged. For an " +
			"animation only the first frame is used, and `notice` explains this.",
	}, a.uploadAsset)
	declare(a, op.Spec{
		ID: "getAsset", Method: "GET", Path: "/assets/{id}", Tag: "catalog", Feature: "location.view", Frozen: true, Errors: shown,
		Summary:     "Get a photo",
		Description: "Returns the photo, archived or not, with the number of records that use it and their list.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AssetPath) (AssetDetail, error) {
		d, err := a.Media.Get(ctx, sc, in.ID)
		return a.showAssetDetail(sc, d), err
	})
	declare(a, op.Spec{
		ID: "updateAsset", Method: "PATCH", Path: "/assets/{id}", Tag: "catalog", Feature: "catalog.manage", Frozen: true, Errors: checked,
		Summary: "Update a photo",
		Description: "Changes the members present, for every use of the photo. Requires the feature at every location that " +
			"uses the photo.",
	}, func(ctx context.Context, sc tenancy.Scope, in *updateAssetIn) (Asset, error) {
		p, err := a.Media.Update(ctx, sc, media.UpdateInput{ID: in.ID, Title: in.Body.Title, Alt: in.Body.Alt, Tags: in.Body.Tags})
		return a.showAsset(sc, p), err
	})
	declare(a, op.Spec{
		ID: "archiveAsset", Method: "POST", Path: "/assets/{id}/archive", Tag: "catalog", Feature: "catalog.manage", Frozen: true, NoReplay: true, Errors: shown,
		Summary: "Archive a photo", Description: "Hides the photo from the photo picker. Records that use it keep it.",
	}, a.ofAsset(a.Media.Archive))
	declare(a, op.Spec{
		ID: "restoreAsset", Method: "POST", Path: "/assets/{id}/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Restore a photo", Description: "Returns an archived photo to the photo picker.",
	}, a.ofAsset(a.Media.Restore))
	declare(a, op.Spec{
		ID: "getAssetOriginal", Method: "GET", Path: "/assets/{id}/original", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Get the original of a photo",
		Description: "Returns the download address of the uploaded file, including its camera metadata.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AssetPath) (AssetOriginal, error) {
		address, err := a.Media.Original(ctx, sc, in.ID)
		return AssetOriginal{address}, err
	})
	a.assetPlacements()
}

// assetPlacements declares the operations on the placements of photos, and the deletion of a photo.
func (a *surface) assetPlacements() {
	declare(a, op.Spec{
		ID: "placeAsset", Method: "PUT", Path: "/assets/{id}/placements", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Attach a photo to a record",
		Description: "Attaches the photo to the business, a location, a space, a team member, an offering or a product. If " +
			"it is attached already, its position changes. Requires the feature at the record's location; for the business, " +
			"its team and its products, in the whole business.",
	}, func(ctx context.Context, sc tenancy.Scope, in *placeAssetIn) (AssetDetail, error) {
		b := in.Body
		d, err := a.Media.Place(ctx, sc, media.PlaceInput{AssetID: in.ID, Subject: media.Subject{Kind: b.Subject, ID: b.SubjectID}, Position: b.Position})
		return a.showAssetDetail(sc, d), err
	})
	declare(a, op.Spec{
		ID: "unplaceAsset", Method: "DELETE", Path: "/assets/{id}/placements", Tag: "catalog", Feature: "catalog.manage", Success: 200,
		Summary:     "Detach a photo from a record",
		Description: "Without a record, the photo is detached from all records. If it is not attached, nothing changes.",
	}, func(ctx context.Context, sc tenancy.Scope, in *unplaceAssetIn) (AssetDetail, error) {
		d, err := a.Media.Unplace(ctx, sc, in.ID, wire.Optional(in.SubjectID))
		return a.showAssetDetail(sc, d), err
	})
	declare(a, op.Spec{
		ID: "replaceOfferingAssets", Method: "PUT", Path: "/offerings/{id}/assets", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Replace the photos of an offering",
		Description: "Replaces the whole list in order; the first photo is the cover. An archived photo can stay on the " +
			"list but cannot be added.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceOfferingAssetsIn) (AssetOrder, error) {
		list, err := a.Media.PutAll(ctx, sc, media.Subject{Kind: media.OfOffering, ID: in.ID}, in.Body.AssetIDs)
		return AssetOrder{a.showAssets(sc, list)}, err
	})
	declare(a, op.Spec{
		ID: "replaceProductAssets", Method: "PUT", Path: "/products/{productId}/assets", Tag: "catalog",
		Feature: "catalog.manage", Summary: "Replace the photos of a product",
		Description: "Replaces the whole list in order; the first photo is the cover. An archived photo can stay on the " +
			"list but cannot be added.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceProductAssetsIn) (AssetOrder, error) {
		of := media.Subject{Kind: media.OfProduct, ID: in.ProductID}
		list, err := a.Media.PutAll(ctx, sc, of, in.Body.AssetIDs)
		return AssetOrder{a.showAssets(sc, list)}, err
	})
	declare(a, op.Spec{
		ID: "deleteAsset", Method: "DELETE", Path: "/assets/{id}", Tag: "catalog", Feature: "catalog.manage", Frozen: true, NoReplay: true, Errors: []int{401, 403, 404},
		Summary: "Delete a photo",
		Description: "Permanently deletes the photo with all its files and removes it from every record. The same photo of " +
			"another business is unaffected.",
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
	out.Variants = wire.ShowAssetVariants(a.Base, media.Photo{
		Business: sc.Tenant, Asset: p.ID, Width: p.Width, Height: p.Height, Sizes: p.Sizes,
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
