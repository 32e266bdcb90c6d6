package web

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// keyHeader carries the client's name for a request, so that a repeated one has its effect once.
const keyHeader = "Idempotency-Key"

// maxKey is the longest key that is taken.
const maxKey = 255

// claimReplay puts the request's claim into its context, where pg.InTx finds it.
func claimReplay(x *exchange, d *declared) error {
	claim, claimed, err := replayClaim(x, d)
	if claimed {
		x.call.Context = pg.WithClaim(x.call.Context, claim)
	}
	return err
}

// replayClaim is the claim of a request that carries a key.
//
// It belongs to who asks, what they call and the key they chose.
func replayClaim(x *exchange, d *declared) (claim pg.Claim, claimed bool, err error) {
	if !d.replays() {
		return claim, false, nil
	}
	given := x.c.Request().Header.PeekAll(keyHeader)
	if len(given) == 0 {
		return claim, false, nil
	}
	if len(given) > 1 || !validKey(given[0]) {
		return claim, false, fault.Invalid("header."+keyHeader, "is 1 to 255 printable ASCII characters")
	}
	kind, name := askedBy(x)
	claim.Key = digest(kind, name, []byte(d.Method), []byte(x.path), given[0])
	parts := [][]byte{[]byte(canonicalQuery(x, d)), x.body}
	if d.Quoted { // the same request, whichever quote of it is named
		parts[1] = withoutQuote(x.body)
	}
	if f := x.call.file; f != nil {
		parts = append(parts, []byte(f.Type), f.Bytes)
	}
	claim.Request, claim.Several = digest(parts...), d.Several
	return claim, true, nil
}

// askedBy names who asks. A person has one name across sessions. A visitor without a session has no other name than the
// address, so a stranger's key never returns somebody else's cart.
func askedBy(x *exchange) (kind, name []byte) {
	actor := x.call.scope.Actor
	if actor.Kind == tenancy.ActorNobody {
		return nil, []byte(x.call.visitor)
	}
	return []byte(actor.Kind), []byte(actor.ID.String())
}

// digest hashes parts so that no two lists of parts run together.
func digest(parts ...[]byte) (sum [32]byte) {
	h := sha256.New()
	var size [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write(p)
	}
	h.Sum(sum[:0])
	return sum
}

func validKey(key []byte) bool {
	for _, c := range key {
		if c < 0x21 || c > 0x7e {
			return false
		}
	}
	return len(key) > 0 && len(key) <= maxKey
}

// canonicalQuery is the query with its parameters sorted, so that their order does not make another request, and without
// those of QueryQuote, as withoutQuote does with a body.
func canonicalQuery(x *exchange, d *declared) string {
	raw := x.c.Request().URI().QueryString()
	if len(raw) == 0 {
		return ""
	}
	values, err := url.ParseQuery(string(raw))
	if err != nil {
		return string(raw)
	}
	if d.input.queryQuote {
		values.Del("dryRun")
		values.Del("quoteId")
	}
	return values.Encode()
}
