package op

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// routes finds the operation of a request: a tree of path segments. A literal segment wins over a parameter at the
// same position in any order of declaration, and the cost is the depth of the path, not the number of operations.
type routes struct {
	literal map[string]*routes
	param   *routes
	leaf    map[string]*route // by method
}

// route is one method of one path template.
type route struct {
	template string
	params   []string
	file     int // bytes of a file that comes with it; 0: none does
	serve    func(*exchange)
	unread   func(*exchange) // answers when the body is too large to be read
}

// params are the parameters of a matched path, unescaped. Their strings belong to the request's own copy of its path.
type params struct {
	names  []string
	values [maxParams]string
}

// maxParams bounds the parameters of a path template.
const maxParams = 6

func (p *params) get(name string) string {
	for i, n := range p.names {
		if n == name {
			return p.values[i]
		}
	}
	return ""
}

// add puts a route into the tree. GET answers HEAD too.
func (t *routes) add(method, template string, rt *route) {
	node := t
	for _, seg := range segments(template) {
		if name, ok := paramName(seg); ok {
			rt.params = append(rt.params, name)
			if node.param == nil {
				node.param = &routes{}
			}
			node = node.param
			continue
		}
		if node.literal == nil {
			node.literal = map[string]*routes{}
		}
		if node.literal[seg] == nil {
			node.literal[seg] = &routes{}
		}
		node = node.literal[seg]
	}
	if node.leaf == nil {
		node.leaf = map[string]*route{}
	}
	if old := node.leaf[method]; old != nil {
		panic(fmt.Sprintf("op: %s %s is the same address as %s", method, template, old.template))
	}
	for _, other := range node.leaf {
		if other.template != template {
			panic(fmt.Sprintf("op: %s and %s name the parameters of one path differently", template, other.template))
		}
	}
	rt.template = template
	node.leaf[method] = rt
	if method == "GET" {
		node.leaf["HEAD"] = rt
	}
}

// find matches a raw path, not yet unescaped. A path with an empty segment or a broken escape matches nothing.
func (t *routes) find(method, path string) (*route, params, bool) {
	var p params
	if len(path) < 2 || path[0] != '/' {
		return nil, p, false
	}
	rt, n := t.match(method, path[1:], &p, 0)
	if rt == nil {
		return nil, p, false
	}
	p.names = rt.params
	for i := range n {
		v := p.values[i]
		if strings.IndexByte(v, '%') < 0 {
			continue
		}
		plain, err := url.PathUnescape(v)
		if err != nil {
			return nil, p, false
		}
		p.values[i] = plain
	}
	return rt, p, true
}

func (t *routes) match(method, rest string, p *params, n int) (*route, int) {
	seg, tail, more := strings.Cut(rest, "/")
	if seg == "" {
		return nil, 0
	}
	if next := t.literal[seg]; next != nil {
		if rt, k := next.end(method, tail, more, p, n); rt != nil {
			return rt, k
		}
	}
	if t.param == nil || n == maxParams {
		return nil, 0
	}
	p.values[n] = seg
	return t.param.end(method, tail, more, p, n+1)
}

func (t *routes) end(method, tail string, more bool, p *params, n int) (*route, int) {
	if more {
		return t.match(method, tail, p, n)
	}
	return t.leaf[method], n
}

// methods are those that some operation at a raw path takes, sorted; none where there is no operation.
func (t *routes) methods(path string) (out []string) {
	if slices.Contains(ownPaths, path) {
		return []string{"GET", "HEAD"}
	}
	for _, method := range []string{"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"} {
		if _, _, ok := t.find(method, path); ok {
			out = append(out, method)
		}
	}
	return out
}

// segments splits a path template.
func segments(template string) []string {
	return strings.Split(strings.TrimPrefix(template, "/"), "/")
}

// paramName is the name in "{name}".
func paramName(seg string) (string, bool) {
	if len(seg) > 2 && seg[0] == '{' && seg[len(seg)-1] == '}' {
		return seg[1 : len(seg)-1], true
	}
	return "", false
}

// checkTemplate panics on a template that the tree cannot hold.
func checkTemplate(template string) {
	names := []string{}
	for _, seg := range segments(template) {
		name, ok := paramName(seg)
		switch {
		case seg == "" || (!ok && strings.ContainsAny(seg, "{}*:%")):
			panic(fmt.Sprintf("op: path %q: a segment is a literal or one whole {parameter}", template))
		case ok && slices.Contains(names, name):
			panic(fmt.Sprintf("op: path %q names {%s} twice", template, name))
		case ok:
			names = append(names, name)
		}
	}
	if template == "" || template[0] != '/' || len(names) > maxParams {
		panic(fmt.Sprintf("op: path %q: needs a leading slash and at most %d parameters", template, maxParams))
	}
}

// apiRoots are the first segments of API paths. Every answer under them is JSON: an unknown address is 404 not_found
// in the envelope (A77), never a page.
var apiRoots = []string{"businesses", "offerings", "locations", "assets", "products", "storefront", "me", "auth"}

// Paths of the server itself. DocumentPath serves the OpenAPI document; LivePath and ReadyPath are for load balancers
// and supervisors: they reveal nothing about studios and need no credential.
const (
	DocumentPath = "/openapi.json"
	LivePath     = "/livez"
	ReadyPath    = "/readyz"
)

// ownPaths are those of the server itself. Programs read them, and GET is all they take.
var ownPaths = []string{DocumentPath, LivePath, ReadyPath}

// AnswersJSON reports whether every answer at a raw path is JSON.
func AnswersJSON(path string) bool { return IsAPI(path) || slices.Contains(ownPaths, path) }

// IsAPI reports whether a raw path is below an API root.
func IsAPI(path string) bool {
	root, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return slices.Contains(apiRoots, root)
}
