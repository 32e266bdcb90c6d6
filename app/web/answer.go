package web

import (
	"mime"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// envelope is the body of every success: exactly data and v (A13).
type envelope[T any] struct {
	Data T      `json:"data"`
	V    string `json:"v"`
}

// Schema shows the envelope in place, so that the document's components are records and not wrappers.
func (envelope[T]) Schema(r huma.Registry) *huma.Schema {
	return envelopeSchema(r.Schema(reflect.TypeFor[T](), true, ""))
}

// answer is what huma writes.
type answer[T any] struct {
	Status int
	Body   envelope[T]
}

// outcome is data that decides its own status.
type outcome interface{ status(success int) int }

// NoContent is the output of an operation that answers 204 without a body (A21).
type NoContent struct{}

func (*NoContent) status(int) int { return http.StatusNoContent }

// Schema keeps NoContent out of the document's components.
func (NoContent) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: "null"} }

// Raw is the output of an operation that answers bytes of another type than JSON, for example a calendar. Spec.Media
// names the type.
type Raw struct {
	Body     []byte
	Filename string // offered as a download under this name, when set
	Cache    string // Cache-Control; no-store when empty
}

type rawAnswer struct {
	ContentType  string `header:"Content-Type" hidden:"true"`
	Disposition  string `header:"Content-Disposition" hidden:"true"`
	CacheControl string `header:"Cache-Control" hidden:"true"`
	Body         []byte
}

func (r Raw) answer(media string) *rawAnswer {
	a := &rawAnswer{ContentType: media, CacheControl: r.Cache, Body: r.Body}
	if r.Filename != "" {
		a.Disposition = mime.FormatMediaType("attachment", map[string]string{"filename": r.Filename})
	}
	return a
}
