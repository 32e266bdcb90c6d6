package migrate

import "context"

// Pathless are the definer functions that set no search_path.
var Pathless = pathless

// Tenant are the tables with a business.
const Tenant = tenant

// UpTo applies the files up to that version.
func UpTo(ctx context.Context, ownerURL string, version int64) error {
	p, db, err := provider(ownerURL)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = p.UpTo(ctx, version)
	return err
}
