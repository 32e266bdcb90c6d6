package backup

import (
	"context"

	"foyer/app/pg/embedded"
)

// Command returns the arguments and the environment of a client program on a database.
func Command(ctx context.Context, address string) (args, environ []string, err error) {
	cmd, _, err := Programs{}.command(ctx, embedded.Client{Dir: "/bin"}, "pg_dump", address)
	if err != nil {
		return nil, nil, err
	}
	return cmd.Args, cmd.Env, nil
}

// Adapt is adapt.
var Adapt = adapt
