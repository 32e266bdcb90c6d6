//go:build !nolock

package apptest

import "testing"

func dropBackstops(testing.TB, Database) {}

// Guarded reports whether seats, people, spaces, stock and gift cards are guarded by locks and conditions; built with
// nolock they are not, and the races must show it.
const Guarded = true
