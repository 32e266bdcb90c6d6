// Command gen writes what follows from package schema: "list" writes schema.All, "client" writes package ent. "make gen" runs
// both, "make migration" the first.
//
// All tables are in schema.All, which migrate/plan compares with the database. Package ent holds a client for those alone
// that somebody uses: it is by far the largest package to compile, and most tables are touched by SQL only. It has no
// migration code of its own, since that would know the used tables only and none of what our annotations say.
package main

import (
	"fmt"
	"os"
)

func main() {
	err := fmt.Errorf("usage: gen list|client")
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "list":
			err = list("schema")
		case "client":
			err = client("schema", "ent", "app", "billing", "cmd")
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
