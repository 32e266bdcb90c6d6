package migrate

import "context"

// Analyze has Postgres look at what the tables hold now, as autovacuum does within a minute: until then it believes that each has next to
// nothing in it.
func Analyze(ctx context.Context, ownerURL string) error {
	_, db, err := provider(ownerURL)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "analyze")
	return err
}
