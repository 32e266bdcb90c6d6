package media

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Photo is a photo as pages show it: ready, with a subject.
type Photo struct {
	Business, Asset, Subject uuid.UUID
	Alt                      string
	Width, Height            int
	Color                    string
	Blur                     []byte
	Sizes                    []int // widths, ascending
}

// Path returns the path of one of its sizes.
func (p Photo) Path(width int, format Format) string {
	return Path(p.Business, p.Asset, width, format)
}

// HeightAt returns its height in one of its widths.
func (p Photo) HeightAt(width int) int { return heightAt(p.Width, p.Height, width) }

// Covers returns the first ready photo of each subject, by subject; archived ones, too (A208). It is one statement.
func Covers(ctx context.Context, r pg.Reader, subjects []uuid.UUID) (map[uuid.UUID]Photo, error) {
	if len(subjects) == 0 {
		return nil, nil
	}
	list, err := pg.All[Photo](ctx, r, `select distinct on (`+subjectID+`) `+photoColumns+photoFrom+`and `+subjectID+` = any($2)
		order by `+subjectID+`, p.position, p.id`, r.Business(), subjects)
	return BySubject(list), err
}

// CoversIn reads the covers of a location, of its business, and of its appointments and rentals, as part of the
// caller's batch. BySubject finds them.
func CoversIn(business, location uuid.UUID, covers *[]Photo) func(*pg.Batch) {
	return func(b *pg.Batch) {
		pg.QueueAll(b, covers, `select distinct on (`+subjectID+`) `+photoColumns+photoFrom+`and (p.location_id = $2
				or num_nonnulls(p.location_id, p.space_id, p.member_id, p.offering_id, p.product_id) = 0
				or p.offering_id in (select id from offerings where business_id = $1 and location_id = $2 and kind <> 'class'))
			order by `+subjectID+`, p.position, p.id`, business, location)
	}
}

// BySubject returns covers by their subject.
func BySubject(list []Photo) map[uuid.UUID]Photo {
	out := make(map[uuid.UUID]Photo, len(list))
	for _, p := range list {
		out[p.Subject] = p
	}
	return out
}

// PhotosOfListing returns all ready photos of an offering, by its location and its slug, in their order; archived
// ones, too (A208). It is one statement.
func PhotosOfListing(ctx context.Context, r pg.Reader, location uuid.UUID, slug string) ([]Photo, error) {
	return pg.All[Photo](ctx, r, `select `+photoColumns+photoFrom+`and p.offering_id = (select id from offerings
			where business_id = $1 and location_id = $2 and slug = $3) order by p.position, p.id`, r.Business(), location, slug)
}

// PhotosSQL is an expression of all ready photos of the subject id of the business $1, in their order, as JSON;
// archived ones, too (A208). The alias p is its own.
func PhotosSQL(id string) string {
	return `(select coalesce(jsonb_agg(jsonb_build_object('business', a.business_id, 'asset', a.id,
			'subject', ` + subjectID + `, 'alt', a.alt, 'width', a.width, 'height', a.height, 'color', a.color,
			'blur', encode(a.blur, 'base64'), 'sizes', a.sizes) order by p.position, p.id), '[]')
		` + photoFrom + `and ` + subjectID + ` = ` + id + `)`
}

var photoColumns = `a.business_id as business, a.id as asset, ` + subjectID + ` as subject, a.alt, a.width, a.height,
	a.color, a.blur, a.sizes `

const photoFrom = `from asset_placements p join assets a on a.business_id = $1 and a.id = p.asset_id
		where p.business_id = $1 and a.state = 'ready' `
