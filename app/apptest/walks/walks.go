// Package walks sets the length of tests that could go on for ever: random walks, races in rounds, kills at every
// call, pages in every color scheme. They are short by default and as long as is worth waiting for in "make
// test-long".
//
//	for range walks.Steps(50, 1000) { … }
//	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
//
// A failed test logs its seed. FOYER_SEED runs it again: FOYER_SEED=123 go test ./app/checkout -run TestRandomWalk
package walks

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Long reports whether FOYER_LONG is set, for the long walks.
func Long() bool { return os.Getenv("FOYER_LONG") != "" }

// Steps returns short, or long in a long walk.
func Steps(short, long int) int {
	if Long() {
		return long
	}
	return short
}

// Schemes returns the color schemes, dark or not, for the n-th look at a page: both in a long walk, else alternating.
func Schemes(n int) []bool {
	if Long() {
		return []bool{false, true}
	}
	return []bool{n%2 == 1}
}

// Seed returns the seed of a walk: FOYER_SEED, or else a new one for each long walk and always the same for a short
// one, so that "make test" finds only failures caused by a change. It is logged.
func Seed(t testing.TB) uint64 {
	t.Helper()
	name := fnv.New64()
	name.Write([]byte(t.Name()))
	seed := name.Sum64()
	if Long() {
		seed = rand.Uint64()
	}
	if s := os.Getenv("FOYER_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatalf("FOYER_SEED: %v", err)
		}
	}
	t.Logf("FOYER_SEED=%d", seed)
	return seed
}
