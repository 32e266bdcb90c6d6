// Package walks says how long the tests are that could go on for ever: random walks, races in rounds, kills at every call,
// pages in every light. They are short by default and as long as is worth waiting for in "make test-long".
//
//	for range walks.Steps(50, 1000) { … }
//	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
//
// A test that fails says its seed. FOYER_SEED walks it again: FOYER_SEED=123 go test ./app/checkout -run TestRandomWalk
package walks

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Long tells whether FOYER_LONG asks for the long walks.
func Long() bool { return os.Getenv("FOYER_LONG") != "" }

// Steps is short, or long when the long walks are asked for.
func Steps(short, long int) int {
	if Long() {
		return long
	}
	return short
}

// Schemes are the colour schemes, dark or not, in which a page is looked at for the n-th time: both in a long walk, else by turns.
func Schemes(n int) []bool {
	if Long() {
		return []bool{false, true}
	}
	return []bool{n%2 == 1}
}

// Seed is what a walk draws its luck from: FOYER_SEED, or else a new one for each long walk and always the same for a short
// one, so that "make test" finds in a change what that change broke and nothing else. It is in the test's log.
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
