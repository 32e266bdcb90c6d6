package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"foyer/app/tenancy"

	"foyer/app/web"
	"foyer/app/web/op"
)

// TestOptions: a server that cannot work is not made.
func TestOptions(t *testing.T) {
	for says, spoil := range map[string]func(*web.Options){
		"BaseURL \"book.test\"": func(o *web.Options) { o.BaseURL = "book.test" },
		"ends in a slash":       func(o *web.Options) { o.BaseURL += "/" },
		"BaseURL \"ftp":         func(o *web.Options) { o.BaseURL = "ftp://book.test" },
		"Build \"v1\"":          func(o *web.Options) { o.Build = "v1" },
		"Secret":                func(o *web.Options) { o.Secret = []byte("short") },
		"Hit are needed":        func(o *web.Options) { o.Hit = nil },
		"Gate is incomplete":    func(o *web.Options) { o.Gate.Enter = nil },
	} {
		t.Run(says, func(t *testing.T) {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, says) {
					t.Errorf("panic %q", p)
				}
			}()
			newWorld(t, spoil)
		})
	}
}

// TestBuild is A14 and A15: v is the build number on every success, or dev.
func TestBuild(t *testing.T) {
	for _, build := range []string{"dev", "1", "20260301"} {
		w := newWorld(t, func(o *web.Options) { o.Build = build })
		accessWorld(w)
		for _, path := range []string{"/me/profile", "/businesses/" + studio.String() + "/catalog"} {
			if got := w.do(req{path: path, token: ownerToken}); !strings.HasSuffix(got.body, `,"v":"`+build+"\"}\n") {
				t.Errorf("%s: %s", build, got.body)
			}
		}
	}
}

type manyIn struct {
	Tags  []string `query:"tags,explode"`
	Sorts []string `query:"sorts"`
	Color string   `cookie:"color"`
	Name  string   `header:"X-Name" maxLength:"5"`
}

type many struct {
	Tags  []string `json:"tags"`
	Sorts []string `json:"sorts"`
	Color string   `json:"color"`
	Name  string   `json:"name"`
}

// TestParameters reads lists, cookies and headers, and refuses what Postgres could not store.
func TestParameters(t *testing.T) {
	w := newWorld(t)
	op.Declare(w.srv.Operations, spec("listMany", "GET", "/businesses/{businessId}/many", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
	}), func(_ context.Context, _ tenancy.Scope, in *manyIn) (many, error) {
		return many{Tags: in.Tags, Sorts: in.Sorts, Color: in.Color, Name: in.Name}, nil
	})
	at := "/businesses/" + studio.String() + "/many"
	var got many
	w.do(req{path: at + "?tags=a&tags=b%20c&sorts=x,y", token: ownerToken, headers: []string{"Cookie", "color=red", "X-Name", "Ada"}}).data(t, 200, &got)
	if fmt.Sprint(got) != "{[a b c] [x y] red Ada}" || len(got.Tags) != 2 {
		t.Errorf("%+v", got)
	}
	for field, r := range map[string]req{
		"query.tags":    {path: at + "?tags=a&tags=%00"},
		"query.sorts":   {path: at + "?sorts=%ff"},
		"header.X-Name": {path: at, headers: []string{"X-Name", "too long"}},
	} {
		r.token = ownerToken
		if f := w.do(r).refused(t, 400).fields(); len(f) != 1 || f[0] != field {
			t.Errorf("%s: %v", field, f)
		}
	}
	if f := w.do(req{path: at, token: ownerToken, headers: []string{"X-Name", "\xff"}}).refused(t, 400).fields(); f[0] != "header.X-Name" {
		t.Errorf("%v", f)
	}
}
