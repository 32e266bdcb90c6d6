package media

import (
	"time"

	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "media",
		Tables: []declare.Table{
			{Name: "asset_leftovers", Life: declare.Swept(2*time.Hour, "true")},
			{Name: "asset_placements", Life: declare.Trade, Record: "Photo of a record"},
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
