//go:build !nolock

package apptest

import "testing"

const lockless = false

func dropBackstops(testing.TB, Database) {}
