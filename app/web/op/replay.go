package op

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// keyHeader carries the client's name for a request, so that a repeated one has its effect once.
const keyHeader = "Idempotency-Key"

// maxKey is the maximum length of a key.
const maxKey = 255

var validKey = regexp.MustCompile(`^[!-~]+$`)

// replayClaim returns the claim of a request with a key. It belongs to the caller, the operation and the key.
func replayClaim(x *exchange, d *declared) (claim pg.Claim, claimed bool, err error) {
	if !d.replays() {
		return claim, false, nil
	}
	given := x.c.Request().Header.PeekAll(keyHeader)
	if len(given) == 0 {
		return claim, false, nil
	}
	if len(given) > 1 || len(given[0]) > maxKey || !validKey.Match(given[0]) {
		return claim, false, fault.Invalid("header."+keyHeader, "is 1 to 255 printable ASCII characters")
	}
	kind, name := askedBy(x)
	claim.Key = Digest(kind, name, []byte(d.Method), []byte(x.path), given[0])
	body := x.body
	if d.Quoted { // the same request, whichever quote of it is named
		body = withoutQuote(body)
	}
	request := [][]byte{[]byte(canonicalQuery(x, d)), body}
	if x.call.file != nil {
		sum := sha256.Sum256(x.call.file.Data)
		request = append(request, sum[:])
	}
	claim.Request, claim.Several = Digest(request...), d.Several
	return claim, true, nil
}

// askedBy names the caller. A person has one name across sessions. A visitor without a session has no other name than
// the address, so another person's key never returns a stranger's cart.
func askedBy(x *exchange) (kind, name []byte) {
	actor := x.call.scope.Actor
	if actor.Kind == tenancy.ActorNone {
		return nil, []byte(x.call.Visitor)
	}
	return []byte(actor.Kind), []byte(actor.ID.String())
}

// Digest hashes parts so that no two lists of parts have the same input.
func Digest(parts ...[]byte) (sum [32]byte) {
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

// canonicalQuery is the query with its parameters sorted, so that their order does not make another request, and
// without those of QueryQuote, as withoutQuote does with a body.
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

// Quote is embedded in the body of an operation that is Quoted. With dryRun the call changes nothing and returns its
// effects; the same call with the quoteId of that answer has exactly these effects, once, or is refused.
type Quote struct {
	DryRun  bool       `json:"dryRun,omitempty" doc:"Dry run: change nothing, and return 200 with a quote of the effects."`
	QuoteID *uuid.UUID `json:"quoteId,omitempty" doc:"Id of a quote of the same call. The call has exactly the quoted effects, or is refused."`
}

// QueryQuote is Quote for an operation without a body: it is embedded in the input.
type QueryQuote struct {
	DryRun  bool      `query:"dryRun" doc:"Dry run: change nothing, and return 200 with a quote of the effects."`
	QuoteID uuid.UUID `query:"quoteId" doc:"Id of a quote of the same call. The call has exactly the quoted effects, or is refused."`
}

// Quoted is the output of an operation that is Quoted: the result, and its effects. The handler always returns both;
// the registry sends Done with the status of Spec.Success, or for a dry run the quote with the effects and 200.
//
// E is made only from the Effects of the verb's result: records, money in minor units, messages and their recipients.
type Quoted[R, E any] struct {
	Done    R
	Effects E
	quote   *pg.Quote
}

// quote is the answer to a dry run.
type quote[E any] struct {
	QuoteID   uuid.UUID `json:"quoteId" doc:"For the call that is to do this."`
	ExpiresAt time.Time `json:"expiresAt" doc:"Until when the quote can be carried out."`
	Effects   E         `json:"effects" doc:"Effects of the call."`
}

// MarshalJSON encodes the quote of a dry run, or else the result.
func (q Quoted[R, E]) MarshalJSON() ([]byte, error) {
	if q.quote != nil {
		return plainJSON(quote[E]{QuoteID: q.quote.ID, ExpiresAt: stamp(q.quote.ExpiresAt), Effects: q.Effects})
	}
	return plainJSON(q.Done)
}

// Schema allows either. If the two have different statuses, the document shows each under its own.
func (Quoted[R, E]) Schema(r huma.Registry) *huma.Schema {
	done, quote := Quoted[R, E]{}.types()
	return &huma.Schema{
		OneOf:       []*huma.Schema{r.Schema(done, true, ""), r.Schema(quote, true, "")},
		Description: "The result, or the quote of a dry run. Only a quote has `quoteId`.",
	}
}

func (q *Quoted[R, E]) status(success int) int {
	if q.quote != nil {
		return http.StatusOK
	}
	return success
}

func (Quoted[R, E]) types() (done, quoted reflect.Type) {
	return reflect.TypeFor[R](), reflect.TypeFor[quote[E]]()
}

func (q *Quoted[R, E]) rehearsed(made pg.Quote) { q.quote = &made }
func (q *Quoted[R, E]) effects() any            { return q.Effects }
func (*Quoted[R, E]) holdsData()                {}

// quotable is how the registry speaks to a Quoted of any types.
type quotable interface {
	types() (done, quoted reflect.Type)
	rehearsed(pg.Quote)
	effects() any
}

// typesOf are the two types of a Quoted output; ok is false for any other output.
func typesOf(out reflect.Type) (done, quoted reflect.Type, ok bool) {
	q, ok := reflect.New(out).Interface().(quotable)
	if !ok {
		return nil, nil, false
	}
	done, quoted = q.types()
	return done, quoted, true
}

// quoted wraps the handler of an operation that is Quoted: it runs as it is, as a dry run, or bound to a quote. fill
// is the result of finish for the output.
func quoted[I, O any](
	d *declared, fill func(reflect.Value), handle func(context.Context, tenancy.Scope, *I) (O, error),
) func(context.Context, tenancy.Scope, *I) (O, error) {
	return func(ctx context.Context, sc tenancy.Scope, in *I) (out O, err error) {
		asked := quoteOf(d, reflect.ValueOf(in).Elem())
		verb := func(ctx context.Context) (O, error) { return handle(ctx, sc, in) }
		switch {
		case asked.DryRun && asked.QuoteID != nil:
			return out, fault.Invalid(d.input.quotePlace()+".quoteId", "belongs to the call after the dry run")
		case asked.DryRun:
			var made pg.Quote
			if out, made, err = pg.DryRun(ctx, callFrom(ctx).ask, verb); err == nil {
				any(&out).(quotable).rehearsed(made)
			}
		case asked.QuoteID != nil:
			out, err = pg.Redeem(ctx, callFrom(ctx).ask, *asked.QuoteID, verb)
			if errors.Is(err, pg.ErrQuoteChanged) {
				if fill != nil {
					fill(reflect.ValueOf(&out).Elem())
				}
				err = pg.ErrQuoteChanged.With("effects", any(&out).(quotable).effects())
			}
		default:
			out, err = verb(ctx)
		}
		return out, err
	}
}

// quoteOf reads the embedded Quote of an input struct.
func quoteOf(d *declared, in reflect.Value) Quote {
	if d.input.queryQuote {
		asked := in.FieldByName("QueryQuote").Interface().(QueryQuote)
		q := Quote{DryRun: asked.DryRun}
		if asked.QuoteID != uuid.Nil {
			q.QuoteID = &asked.QuoteID
		}
		return q
	}
	body := in.FieldByName("Body")
	if body.Kind() == reflect.Pointer {
		if body.IsNil() {
			return Quote{}
		}
		body = body.Elem()
	}
	return body.FieldByName("Quote").Interface().(Quote)
}

// askQuote stores the caller and the input for the quote that the call creates or names.
func askQuote(x *exchange, d *declared) {
	if !d.Quoted {
		return
	}
	kind, name := askedBy(x)
	x.call.ask = pg.QuoteKey{
		Credential: Digest(kind, name, []byte(d.ID)),
		Request:    Digest([]byte(x.path), []byte(canonicalQuery(x, d)), withoutQuote(x.body)),
	}
}

// withoutQuote is a body in one fixed form, without the members of Quote: a dry run, the call that names its quote
// and the plain call are one request. Numbers stay as they were written.
func withoutQuote(body []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	members := map[string]any{}
	if len(body) > 0 && dec.Decode(&members) != nil {
		return body // no object: the schema refuses it
	}
	delete(members, "dryRun")
	delete(members, "quoteId")
	plain, _ := json.Marshal(members) // was just decoded
	return plain
}

// QuoteKey returns the key for a page that quotes a verb with pg.DryRun and pg.Redeem: the actor, the operation, and
// its parameters.
func QuoteKey(sc tenancy.Scope, operation string, parts ...string) pg.QuoteKey {
	name := sc.Actor.ID.String()
	if sc.Kind == tenancy.ActorNone {
		name = sc.Visitor
	}
	request := [][]byte{[]byte(sc.Tenant.String())}
	for _, p := range parts {
		request = append(request, []byte(p))
	}
	return pg.QuoteKey{
		Credential: Digest([]byte("page"), []byte(sc.Kind), []byte(name), []byte(operation)),
		Request:    Digest(request...),
	}
}
