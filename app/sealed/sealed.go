// Package sealed encrypts the tokens that the database keeps, such as the access and refresh tokens of an accounting
// provider.
//
// A value is sealed for one [Cell], a column of one row of one business, and opens nowhere else: a reader or writer of
// the database can neither use a value nor move it to another row. The keys come from a setting and are never in the
// database.
//
// The first key of [Keys] seals, and each of them opens. To rotate, a new key is put first and the old one is kept
// while there are values for which [Keys.Current] returns false.
//
// A sealed value is a ciphertext of Tink: the byte 1, four bytes that identify the key, a nonce of 12 bytes, and the
// output of AES-256-GCM. It is 33 bytes longer than its plaintext.
package sealed

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/aesgcm"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/secretdata"
	"github.com/tink-crypto/tink-go/v2/tink"
)

var (
	// ErrNoKeys is the error of Parse for an empty setting, and of a Keys without keys.
	ErrNoKeys = errors.New("sealed: no keys")

	// ErrUnsealable is the error of Open for a value of another cell, of an unknown key, or that was changed. There is
	// one error for all, so that a writer of the database learns nothing from it.
	ErrUnsealable = errors.New("sealed: value cannot be opened")
)

// keySize is the size of a key in bytes.
const keySize = 32

// Cell is where a sealed value is stored. All fields are required. A value stays bound to the names it was sealed with:
// callers keep them when a migration renames the table or the column.
type Cell struct {
	Business uuid.UUID
	Table    string
	Row      uuid.UUID
	Column   string
}

// associated returns the bytes that a value is bound to. No two cells have the same bytes: the ids have a fixed length,
// and the names are preceded by theirs.
func (c Cell) associated() ([]byte, error) {
	if c.Business == uuid.Nil || c.Row == uuid.Nil || c.Table == "" || c.Column == "" {
		return nil, fmt.Errorf("sealed: incomplete cell %+v", c)
	}
	out := []byte("foyer sealed 1\x00") // another encoding has another number
	out = append(out, c.Business[:]...)
	out = append(out, c.Row[:]...)
	for _, name := range []string{c.Table, c.Column} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(name))) //nolint:gosec // a name of a table or column
		out = append(out, name...)
	}
	return out, nil
}

// Keys are the keys of sealed values. They are safe for concurrent use. A nil Keys and the zero value have no keys.
type Keys struct {
	aead   tink.AEAD
	prefix []byte // of values sealed by the first key
	count  int
}

// NewKey returns a new random key in the form that Parse reads.
func NewKey() string {
	key := make([]byte, keySize)
	rand.Read(key)
	return hex.EncodeToString(key)
}

// Parse reads keys from a setting: one or more keys between commas, each 32 bytes as 64 hexadecimal digits. It returns
// ErrNoKeys if there are none. Other errors name the position of the faulty key, and never print it.
func Parse(setting string) (*Keys, error) {
	setting = strings.TrimSpace(setting)
	if setting == "" {
		return nil, ErrNoKeys
	}
	parameters, err := aesgcm.NewParameters(aesgcm.ParametersOpts{
		KeySizeInBytes: keySize, IVSizeInBytes: 12, TagSizeInBytes: 16, Variant: aesgcm.VariantTink,
	})
	if err != nil {
		return nil, err
	}
	raw, err := decode(strings.Split(setting, ","))
	if err != nil {
		return nil, err
	}
	k, manager := &Keys{count: len(raw)}, keyset.NewManager()
	for i, b := range raw {
		key, err := aesgcm.NewKey(secretdata.NewBytesFromData(b, insecuresecretdataaccess.Token{}), keyID(b), parameters)
		if err != nil {
			return nil, err
		}
		id, err := manager.AddKey(key)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			k.prefix = key.OutputPrefix()
			if err := manager.SetPrimary(id); err != nil {
				return nil, err
			}
		}
	}
	handle, err := manager.Handle()
	if err != nil {
		return nil, err
	}
	k.aead, err = aead.New(handle)
	return k, err
}

// decode returns the bytes of each key. Its errors are without those of package hex, which print the text.
func decode(items []string) ([][]byte, error) {
	raw := make([][]byte, len(items))
	ids := make([]uint32, len(items))
	for i, item := range items {
		key, err := hex.DecodeString(strings.TrimSpace(item))
		if err != nil || len(key) != keySize {
			return nil, fmt.Errorf("key %d of %d is not %d hexadecimal digits", i+1, len(items), 2*keySize)
		}
		raw[i], ids[i] = key, keyID(key)
		switch first := slices.Index(ids[:i], ids[i]); {
		case first < 0:
		case bytes.Equal(raw[first], key):
			return nil, fmt.Errorf("key %d of %d is the same as key %d", i+1, len(items), first+1)
		default: // once in 4 billion pairs
			return nil, fmt.Errorf("key %d of %d has the same id as key %d: generate another", i+1, len(items), first+1)
		}
	}
	return raw, nil
}

// keyID returns the id of a key in the values it seals. It follows from the key, so that the setting needs no ids and a
// key has the same id on every server and at every position. It is public, and 32 bits of a hash do not reveal the key.
func keyID(key []byte) uint32 {
	sum := sha256.Sum256(slices.Concat([]byte("foyer sealed key id\x00"), key))
	return binary.BigEndian.Uint32(sum[:])
}

// Seal encrypts plain for a cell with the first key. Sealing a value twice gives two different results.
func (k *Keys) Seal(at Cell, plain []byte) ([]byte, error) {
	if k.Len() == 0 {
		return nil, ErrNoKeys
	}
	associated, err := at.associated()
	if err != nil {
		return nil, err
	}
	return k.aead.Encrypt(plain, associated)
}

// Open decrypts a value that was sealed for the same cell by any of the keys. It returns ErrUnsealable if it cannot.
func (k *Keys) Open(at Cell, sealed []byte) ([]byte, error) {
	if k.Len() == 0 {
		return nil, ErrNoKeys
	}
	associated, err := at.associated()
	if err != nil {
		return nil, err
	}
	plain, err := k.aead.Decrypt(sealed, associated)
	if err != nil {
		return nil, ErrUnsealable
	}
	return plain, nil
}

// Current reports whether a value names the first key. A value that does not is to be opened and sealed again before
// its key is removed from the setting. Current does not open the value.
func (k *Keys) Current(sealed []byte) bool {
	return k.Len() > 0 && bytes.HasPrefix(sealed, k.prefix)
}

// Len returns the number of keys.
func (k *Keys) Len() int {
	if k == nil {
		return 0
	}
	return k.count
}

// String returns the number of keys in words, such as "2 keys".
func (k *Keys) String() string {
	if k.Len() == 1 {
		return "1 key"
	}
	return fmt.Sprintf("%d keys", k.Len())
}
