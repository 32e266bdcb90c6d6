package main

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// Every hot statement of the program can be prepared and planned, on the database as it is migrated.
func TestEveryHotStatementIsPlanned(t *testing.T) {
	w := apptest.Open(t)
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 1, Warm: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.AllWarm(t.Context()); err != nil {
		t.Error(err)
	}
}
