package media

import (
	"time"

	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares this package's tables, refusals and checks to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "media",
		Tables: []declare.Table{
			{Name: "asset_leftovers", Life: declare.Swept(2*time.Hour, "true")},
			{Name: "asset_placements", Life: declare.Trade, Record: "Photo placement"},
			{Name: "assets", Life: declare.Trade, Record: "Photo"},
		},
		Refuses: map[string][]*fault.Error{
			"uploadAsset":      append(Refusals(), ErrStoreDown),
			"getAssetOriginal": {ErrStoreDown},
			"placeAsset":       {ErrArchived, ErrCrowded},
		},
		Checks: []declare.Check{counted},
	}
}
