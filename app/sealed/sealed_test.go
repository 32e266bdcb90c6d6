package sealed_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/sealed"
)

// at is a cell of the tests.
var at = sealed.Cell{
	Business: uuid.MustParse("0198c0de-0000-7000-8000-000000000001"), Table: "accounting_connections",
	Row: uuid.MustParse("0198c0de-0000-7000-8000-000000000002"), Column: "access_token",
}

const token = "eyJlbmMiOiJBMTI4Q0JDLUhTMjU2In0"

// storedValue is token, sealed for at with the key fixed(7).
const storedValue = "01e1d7dd97ad0cd65240ff76c54195ea6531cc134d282ad31f5800cda4de6a02d683ee25ed" +
	"f0a45e65520573f472672c6d23bb35a96ed1cdabd8551b9e3df16c"

// fixed returns a key that is the same in every run.
func fixed(n byte) string { return strings.Repeat(hex.EncodeToString([]byte{n}), 32) }

func parse(t testing.TB, keys ...string) *sealed.Keys {
	t.Helper()
	k, err := sealed.Parse(strings.Join(keys, ","))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func seal(t testing.TB, k *sealed.Keys, plain string) []byte {
	t.Helper()
	out, err := k.Seal(at, []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// opens fails the test unless k opens value as plain.
func opens(t *testing.T, k *sealed.Keys, value []byte, plain string) {
	t.Helper()
	if out, err := k.Open(at, value); err != nil || string(out) != plain {
		t.Errorf("opened %q, %v; want %q", out, err, plain)
	}
}

// refused fails the test unless Open returns ErrUnsealable itself, and nothing else.
func refused(t *testing.T, k *sealed.Keys, where sealed.Cell, value []byte) {
	t.Helper()
	if out, err := k.Open(where, value); err != sealed.ErrUnsealable || out != nil {
		t.Errorf("opened %q, %v; want ErrUnsealable", out, err)
	}
}

func TestRoundTrip(t *testing.T) {
	k := parse(t, sealed.NewKey())
	for _, plain := range []string{"", "x", token, strings.Repeat("long ", 10_000), "\x00\xff"} {
		value := seal(t, k, plain)
		opens(t, k, value, plain)
		if len(value) != len(plain)+33 {
			t.Errorf("%d bytes of %d; the package comment says 33 more", len(value), len(plain))
		}
		if len(plain) > 8 && bytes.Contains(value, []byte(plain[:8])) {
			t.Error("the plaintext shows")
		}
	}
	if bytes.Equal(seal(t, k, token), seal(t, k, token)) {
		t.Error("one value was sealed to the same bytes twice")
	}
}

// TestStoredValue opens a value as a database may have it: the encoding of the cell and the ids of keys never change.
func TestStoredValue(t *testing.T) {
	value, err := hex.DecodeString(storedValue)
	if err != nil {
		t.Fatal(err)
	}
	opens(t, parse(t, fixed(7)), value, token)
	opens(t, parse(t, fixed(8), fixed(7)), value, token)
	opens(t, parse(t, " "+fixed(8)+" ", "\t"+strings.ToUpper(fixed(7))+"\n"), value, token)
}

func TestValueIsBoundToItsCell(t *testing.T) {
	k := parse(t, fixed(1))
	value := seal(t, k, token)
	for name, change := range map[string]func(*sealed.Cell){
		"business":           func(c *sealed.Cell) { c.Business = uuid.New() },
		"table":              func(c *sealed.Cell) { c.Table = "accounting_attempts" },
		"row":                func(c *sealed.Cell) { c.Row = uuid.New() },
		"column":             func(c *sealed.Cell) { c.Column = "refresh_token" },
		"business for row":   func(c *sealed.Cell) { c.Business, c.Row = c.Row, c.Business },
		"table for column":   func(c *sealed.Cell) { c.Table, c.Column = c.Column, c.Table },
		"shifted names":      func(c *sealed.Cell) { c.Table, c.Column = c.Table+"a", c.Column[1:] },
		"names in one":       func(c *sealed.Cell) { c.Table, c.Column = c.Table+"."+c.Column, "x" },
		"letter case":        func(c *sealed.Cell) { c.Column = strings.ToUpper(c.Column) },
		"name with a NUL":    func(c *sealed.Cell) { c.Table += "\x00" },
		"column that begins": func(c *sealed.Cell) { c.Column += "_previous" },
	} {
		t.Run(name, func(t *testing.T) {
			other := at
			change(&other)
			refused(t, k, other, value)
		})
	}
	opens(t, k, value, token)
}

func TestIncompleteCell(t *testing.T) {
	k := parse(t, fixed(1))
	value := seal(t, k, token)
	for name, change := range map[string]func(*sealed.Cell){
		"business": func(c *sealed.Cell) { c.Business = uuid.Nil },
		"table":    func(c *sealed.Cell) { c.Table = "" },
		"row":      func(c *sealed.Cell) { c.Row = uuid.Nil },
		"column":   func(c *sealed.Cell) { c.Column = "" },
	} {
		c := at
		change(&c)
		if out, err := k.Seal(c, []byte(token)); err == nil || out != nil {
			t.Errorf("without %s: sealed", name)
		}
		if out, err := k.Open(c, value); err == nil || out != nil {
			t.Errorf("without %s: opened", name)
		}
	}
}

func TestRotation(t *testing.T) {
	before, during, after := parse(t, fixed(1)), parse(t, fixed(2), fixed(1)), parse(t, fixed(2))
	old := seal(t, before, token)
	opens(t, during, old, token)
	if !before.Current(old) || during.Current(old) || after.Current(old) {
		t.Error("a value of the old key is current only while that key is the first")
	}
	renewed := seal(t, during, token)
	opens(t, during, renewed, token)
	opens(t, after, renewed, token)
	if before.Current(renewed) || !during.Current(renewed) || !after.Current(renewed) {
		t.Error("a value of the new key is current as soon as that key is the first")
	}
	refused(t, after, at, old)
	refused(t, before, at, renewed)

	// The first step with several servers: the new key opens before it seals.
	ready := parse(t, fixed(1), fixed(2))
	opens(t, ready, renewed, token)
	opens(t, ready, old, token)
	if !before.Current(seal(t, ready, token)) {
		t.Error("the second key sealed")
	}
	if during.Current(nil) || during.Current([]byte{1}) || during.Current(renewed[1:]) {
		t.Error("no value is current")
	}
}

// TestChangedValue changes each bit and each length of a value.
func TestChangedValue(t *testing.T) {
	k := parse(t, fixed(1), fixed(2))
	value := seal(t, k, token)
	for i := range 8 * len(value) {
		changed := bytes.Clone(value)
		changed[i/8] ^= 1 << (i % 8)
		refused(t, k, at, changed)
	}
	for n := range value {
		refused(t, k, at, value[:n])
	}
	refused(t, k, at, nil)
	refused(t, k, at, append(bytes.Clone(value), 0))
	refused(t, k, at, append([]byte{0}, value...))
	// The id of the other key: both are known, and only one of them sealed it.
	refused(t, k, at, append(bytes.Clone(seal(t, parse(t, fixed(2)), token)[:5]), value[5:]...))
}

func TestNoKeys(t *testing.T) {
	value := seal(t, parse(t, fixed(1)), token)
	for name, k := range map[string]*sealed.Keys{"nil": nil, "zero": new(sealed.Keys)} {
		if out, err := k.Seal(at, []byte(token)); !errors.Is(err, sealed.ErrNoKeys) || out != nil {
			t.Errorf("%s: sealed %q, %v", name, out, err)
		}
		if out, err := k.Open(at, value); !errors.Is(err, sealed.ErrNoKeys) || out != nil {
			t.Errorf("%s: opened %q, %v", name, out, err)
		}
		if k.Len() != 0 || k.Current(value) || k.Current(nil) || k.String() != "0 keys" {
			t.Errorf("%s: %d keys, current %v, %s", name, k.Len(), k.Current(value), k)
		}
	}
	for _, setting := range []string{"", " ", "\n"} {
		if k, err := sealed.Parse(setting); !errors.Is(err, sealed.ErrNoKeys) || k != nil {
			t.Errorf("%q: %v, %v", setting, k, err)
		}
	}
}

func TestParse(t *testing.T) {
	a, b := sealed.NewKey(), sealed.NewKey()
	if a == b || len(a) != 64 {
		t.Fatalf("two new keys: %s, %s", a, b)
	}
	for setting, want := range map[string]string{
		a: "1 key", a + "\n": "1 key", strings.ToUpper(a): "1 key",
		a + "," + b: "2 keys", " " + a + " , " + b + " ": "2 keys",
	} {
		if k, err := sealed.Parse(setting); err != nil || k.String() != want {
			t.Errorf("%d characters: %v, %v, want %s", len(setting), k, err, want)
		}
	}
	one, two := sameID(t)
	for _, c := range []struct{ setting, want string }{
		{a[:62], "key 1 of 1 is not 64 hexadecimal digits"},
		{a + "00", "key 1 of 1 is not"},
		{a[:63], "key 1 of 1 is not"},
		{a + "," + b[:63] + "g", "key 2 of 2 is not"},
		{a + ",", "key 2 of 2 is not"},
		{"," + a, "key 1 of 2 is not"},
		{a + ",," + b, "key 2 of 3 is not"},
		{a + " " + b, "key 1 of 1 is not"},
		{a + ";" + b, "key 1 of 1 is not"},
		{"new:" + a, "key 1 of 1 is not"},
		{a + "," + b + "," + a, "key 3 of 3 is the same as key 1"},
		{a + "," + strings.ToUpper(a), "key 2 of 2 is the same as key 1"},
		{a + "," + one + "," + two, "key 3 of 3 has the same id as key 2"},
	} {
		k, err := sealed.Parse(c.setting)
		if err == nil || k != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v; want it to say %q", k, err, c.want)
			continue
		}
		for i := range len(c.setting) - 5 {
			if part := c.setting[i : i+6]; strings.Contains(err.Error(), part) {
				t.Errorf("%v: the error shows %q of the setting", err, part)
			}
		}
	}
}

// sameID returns two keys with the same id, which 32 bits have among some 100,000 keys.
func sameID(t *testing.T) (string, string) {
	t.Helper()
	seen := map[[4]byte]uint64{}
	for n := range uint64(1_000_000) {
		var key [32]byte
		binary.BigEndian.PutUint64(key[:], n)
		sum := sha256.Sum256(append([]byte("foyer sealed key id\x00"), key[:]...))
		if first, ok := seen[[4]byte(sum[:4])]; ok {
			return fmt.Sprintf("%016x%048x", first, 0), fmt.Sprintf("%016x%048x", n, 0)
		}
		seen[[4]byte(sum[:4])] = n
	}
	t.Fatal("no two keys have the same id")
	return "", ""
}

// TestKeysDoNotPrint prints Keys and structs that have them.
func TestKeysDoNotPrint(t *testing.T) {
	k := parse(t, fixed(0xab), fixed(2))
	holder := struct {
		Keys *sealed.Keys
		keys *sealed.Keys
		Copy sealed.Keys
	}{k, k, *k}
	for _, verb := range verbs {
		for _, v := range []any{k, *k, holder, &holder, []*sealed.Keys{k}} {
			printed := strings.ToLower(fmt.Sprintf(verb, v))
			for _, leak := range []string{"abab", "ab ab", "171 171", "0xab, 0xab", "\xab\xab", `\xab\xab`} {
				if strings.Contains(printed, leak) {
					t.Errorf("%s of %T prints %s", verb, v, printed)
				}
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	k := parse(t, fixed(1), fixed(2))
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 200 {
				plain := fmt.Sprint(i, n)
				value, err := k.Seal(at, []byte(plain))
				if err != nil {
					t.Error(err)
					return
				}
				opens(t, k, value, plain)
			}
		})
	}
	group.Wait()
}

// FuzzOpen: Open never panics, and no value opens but the one that was sealed.
func FuzzOpen(f *testing.F) {
	k := parse(f, fixed(7), fixed(8))
	value, err := hex.DecodeString(storedValue) // the same in every process of the fuzzer
	if err != nil {
		f.Fatal(err)
	}
	other := seal(f, parse(f, fixed(3)), token)
	f.Add(value, at.Table, at.Column)
	f.Add(other, at.Table, at.Column)
	f.Add(value, at.Column, at.Table)
	f.Add(value, "", "")
	f.Add(value[:33], at.Table, at.Column)
	f.Add(value[:5], at.Table, at.Column)
	f.Add([]byte(nil), "t", "c")
	f.Fuzz(func(t *testing.T, input []byte, table, column string) {
		k.Current(input)
		where := sealed.Cell{Business: at.Business, Table: table, Row: at.Row, Column: column}
		out, err := k.Open(where, input)
		if err == nil && (!bytes.Equal(input, value) || where != at || string(out) != token) {
			t.Errorf("opened %q for %+v: %q", input, where, out)
		}
		if err != nil && out != nil {
			t.Errorf("%v, and %q", err, out)
		}
	})
}

// FuzzParse: Parse never panics, and what it reads seals and opens.
func FuzzParse(f *testing.F) {
	f.Add(fixed(1))
	f.Add(fixed(1) + "," + fixed(2))
	f.Add(fixed(1) + "," + fixed(1))
	f.Add(" , ,\x00")
	f.Fuzz(func(t *testing.T, setting string) {
		k, err := sealed.Parse(setting)
		if err != nil {
			return
		}
		opens(t, k, seal(t, k, token), token)
	})
}
