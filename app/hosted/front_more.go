package hosted

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/view"
)

// bookedByTime are the appointments and rentals of a location, with the next free time of each.
type bookedByTime struct {
	list []catalog.Listing
	next map[uuid.UUID]time.Time
}

// bookedByTime reads them in two trips, however many there are; in one where there are none.
func (h *site) bookedByTime(ctx context.Context, at place) (b bookedByTime, err error) {
	if b.list, err = catalog.ComputedOf(ctx, h.o.DB.View(at.tenant), at.location); err != nil || len(b.list) == 0 {
		return b, err
	}
	ids := make([]uuid.UUID, len(b.list))
	for i, l := range b.list {
		ids[i] = l.ID
	}
	b.next, err = h.Availability.NextFree(ctx, at.tenant, ids)
	return b, err
}

// groups shows them under their headings, in the order of the first of each.
func (b bookedByTime) groups(w view.Words, home string) []view.Group {
	var out []view.Group
	at := map[string]int{}
	for _, l := range b.list {
		key := strings.ToLower(l.Word)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, view.Group{Heading: l.Word})
		}
		row := view.GroupRow{Name: l.Name, Lengths: view.LengthsOf(l), Price: w.PriceOf(l), Href: home + "/" + l.Slug}
		if next, has := b.next[l.ID]; has {
			row.Next = &next
		}
		out[i].Rows = append(out[i].Rows, row)
	}
	return out
}
