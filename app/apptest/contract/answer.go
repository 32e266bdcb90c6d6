package contract

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Answer is what came back, and for what.
type Answer struct {
	Method, Path string
	Status       int
	Header       func(name string) string
	Body         []byte
}

// codes is the pairing of statuses and codes.
var codes = map[int]string{
	400: "validation", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 429: "too_many_requests",
	500: "internal_error",
}

// anywhere is what may be answered where no operation is: nothing is there, or the request cannot be read.
var anywhere = Object{"400": refusal, "404": refusal}

var refusal = Object{"content": Object{"application/json": Object{"schema": Object{"$ref": "#/components/schemas/Error"}}}}

// Problems lists where an answer breaks the document: its status, its headers, every member of its body, and what all
// answers have in common. An address that no operation has may only refuse.
func (d *Document) Problems(a Answer) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	op, template := d.Operation(a.Method, a.Path)
	responses := Dig[Object](op, "responses")
	if op == nil {
		responses = anywhere
	}
	response := Dig[Object](responses, strconv.Itoa(a.Status))
	if response == nil {
		say("%s %s does not list this status", a.Method, template)
		return out
	}
	if a.Status == http.StatusNoContent {
		if len(a.Body) != 0 {
			say("204 has a body")
		}
		return out
	}
	media, content := a.Header("Content-Type"), Dig[Object](response, "content")
	if content[media] == nil || a.Header("X-Request-Id") == "" {
		say("headers: %q %q", media, a.Header("X-Request-Id"))
	}
	if media != "application/json" {
		return out
	}
	body, err := decode(a.Body)
	if err != nil {
		say("not JSON: %v", err)
		return out
	}
	out = append(out, d.Misfits(Dig[Object](content, media, "schema"), body)...)
	if a.Status >= http.StatusBadRequest {
		return append(out, refusalProblems(a, body)...)
	}
	if m := Dig[Object](body); len(m) != 2 || Dig[string](m, "v") == "" || d.Build != "" && m["v"] != d.Build {
		say("not exactly {data, v}")
	}
	return out
}

func refusalProblems(a Answer, body any) (out []string) {
	e := Dig[Object](body, "error")
	if len(Dig[Object](body)) != 1 || len(e) != 3 || e["code"] != codes[a.Status] || Dig[Object](e, "details") == nil {
		out = append(out, "not exactly {error: {code, message, details}}, or the wrong code")
	}
	if a.Status == http.StatusTooManyRequests {
		if n, err := strconv.Atoi(a.Header("Retry-After")); err != nil || n < 1 {
			out = append(out, fmt.Sprintf("Retry-After %q", a.Header("Retry-After")))
		}
	}
	for _, leak := range []string{"SQLSTATE", "goroutine", ".go:", "select ", "pgx"} {
		if strings.Contains(string(a.Body), leak) {
			out = append(out, fmt.Sprintf("shows %q", leak))
		}
	}
	return out
}
