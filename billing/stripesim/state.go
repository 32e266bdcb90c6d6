package stripesim

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// state is everything that survives a restart.
type state struct {
	Seed    string                     `json:"seed"`
	Counter int64                      `json:"counter"`
	Worlds  map[string]*world          `json:"worlds"` // by account
	Fees    map[string]*applicationFee `json:"fees"`   // of the platform
	Links   map[string]*link           `json:"links"`  // by token
	Answers map[string]*savedAnswer    `json:"answers"`
	Tasks   []task                     `json:"tasks"`
	Outbox  []delivery                 `json:"outbox"`
}

// world is what one account has.
type world struct {
	Account *account                  `json:"account"`
	Methods map[string]*paymentMethod `json:"methods"`
	Intents map[string]*paymentIntent `json:"intents"`
	Charges map[string]*charge        `json:"charges"`
	Refunds map[string]*refund        `json:"refunds"`
	Balance []*balanceTransaction     `json:"balance"` // oldest first
	Events  []*event                  `json:"events"`  // oldest first, the last keptEvents of them
}

const keptEvents = 500

func newWorld(a *account) *world {
	return &world{
		Account: a,
		Methods: map[string]*paymentMethod{},
		Intents: map[string]*paymentIntent{},
		Charges: map[string]*charge{},
		Refunds: map[string]*refund{},
	}
}

func newState(seed string) state {
	if seed == "" {
		seed = rand.Text()
	}
	return state{
		Seed:    seed,
		Worlds:  map[string]*world{},
		Fees:    map[string]*applicationFee{},
		Links:   map[string]*link{},
		Answers: map[string]*savedAnswer{},
	}
}

// newID makes the next id: pi_sim_…, acct_sim_…. It follows from the seed and the number of ids made before.
func (s *state) newID(prefix string) string {
	s.Counter++
	return prefix + "_sim_" + s.derive(fmt.Sprintf("%s %d", prefix, s.Counter))
}

// derive is a text of twenty letters and digits that follows from the seed and cannot be guessed without it.
func (s *state) derive(from string) string {
	return strings.ToLower(base32.StdEncoding.EncodeToString(s.sum(from)))[:20]
}

// number is a number below n that follows from the seed.
func (s *state) number(from string, n int64) int64 {
	return int64(binary.BigEndian.Uint32(s.sum(from))) % n
}

func (s *state) sum(from string) []byte {
	mac := hmac.New(sha256.New, []byte(s.Seed))
	mac.Write([]byte(from))
	return mac.Sum(nil)
}

// task is something that happens by itself at its time.
type task struct {
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"`
	Account string    `json:"account"`
	ID      string    `json:"id"`
}

// load reads the snapshot, if there is one.
func load(file, seed string) (state, error) {
	fresh := newState(seed)
	if file == "" {
		return fresh, nil
	}
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return state{}, fmt.Errorf("stripesim: %w", err)
	}
	kept := newState("")
	if err := json.Unmarshal(raw, &kept); err != nil {
		return state{}, fmt.Errorf("stripesim: %s cannot be read (delete it to start empty): %w", file, err)
	}
	return kept, nil
}

// save writes the snapshot beside the file and renames it, so that a crash leaves the old one or the new one.
func (s *state) save(file string) error {
	if file == "" {
		return nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when the rename worked
	if _, err := tmp.Write(raw); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
