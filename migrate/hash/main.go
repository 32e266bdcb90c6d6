// Command hash writes migrate/sql/atlas.sum for the migration files as they are. "make gen" runs it.
package main

import (
	"fmt"
	"os"

	"foyer/migrate"
)

func main() {
	if err := migrate.WriteSum("migrate/sql"); err != nil {
		fmt.Fprintln(os.Stderr, "hash:", err)
		os.Exit(1)
	}
}
