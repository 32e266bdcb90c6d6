// Command hash writes migrate/sql/atlas.sum for the migration files as they are. "make gen" runs it.
package main

import (
	"fmt"
	"os"

	"foyer/migrate"
)

func main() {
	sum, err := migrate.Sum()
	if err == nil {
		err = os.WriteFile("migrate/sql/atlas.sum", sum, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hash:", err)
		os.Exit(1)
	}
}
