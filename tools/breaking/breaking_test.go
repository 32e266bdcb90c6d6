package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const released = "../../docs/released/openapi.json"

type object = map[string]any

func dig(v any, keys ...string) object {
	for _, k := range keys {
		v = v.(object)[k]
	}
	return v.(object)
}

// TestOnlyAdditions: under one major number a change that breaks clients is refused and told by its place, and an addition
// passes. A211, A212.
func TestOnlyAdditions(t *testing.T) {
	text, err := os.ReadFile(released)
	if err != nil {
		t.Fatal(err)
	}
	member := object{"type": "string", "description": "More."}
	for name, c := range map[string]struct {
		change  func(doc object)
		refused string // a part of what is told; "" when it passes
	}{
		"nothing":      {func(object) {}, ""},
		"a path":       {func(doc object) { delete(dig(doc, "paths"), "/auth/logout") }, "/auth/logout"},
		"an operation": {func(doc object) { delete(dig(doc, "paths", "/storefront/carts/{token}/hold"), "delete") }, "DELETE /storefront/carts/{token}/hold"},
		"an answered member": {func(doc object) {
			receipt := dig(doc, "components", "schemas", "Receipt")
			delete(dig(receipt, "properties"), "orderId")
			receipt["required"] = without(receipt["required"].([]any), "orderId")
		}, "orderId"},
		"a member to send": {func(doc object) {
			body := dig(doc, "components", "schemas", "CreateCartBody")
			dig(body, "properties")["must"] = member
			body["required"] = append(body["required"].([]any), "must")
		}, "must"},
		"another type": {func(doc object) {
			dig(doc, "components", "schemas", "Totals", "properties", "total")["type"] = "string"
		}, "total"},
		"a value to send": {func(doc object) {
			kind := dig(doc, "components", "schemas", "ScheduleEditScope")
			kind["enum"] = without(kind["enum"].([]any), "following")
		}, "following"},
		"an optional member": {func(doc object) {
			dig(doc, "components", "schemas", "CreateCartBody", "properties")["maybe"] = member
			dig(doc, "components", "schemas", "Receipt", "properties")["more"] = member
		}, ""},
		"a new path": {func(doc object) {
			added := dig(copied(t, dig(doc, "paths", "/auth/logout")))
			dig(added, "post")["operationId"] = "logOutEverywhere"
			dig(doc, "paths")["/auth/logout-everywhere"] = added
		}, ""},
		"a path, and a new major": {func(doc object) {
			delete(dig(doc, "paths"), "/auth/logout")
			dig(doc, "info")["version"] = "3.0.0"
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var doc object
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			c.change(doc)
			changed, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "openapi.json")
			if err := os.WriteFile(file, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			var told bytes.Buffer
			err = run([]string{released, file}, &told)
			if (err != nil) != (c.refused != "") || !strings.Contains(told.String(), c.refused) {
				t.Errorf("%v\n%.500s", err, told.String())
			}
		})
	}
}

// TestThePresentDocument: what the program describes keeps what was released. A211.
func TestThePresentDocument(t *testing.T) {
	var told bytes.Buffer
	if err := run([]string{released, "../../docs/openapi.json"}, &told); err != nil {
		t.Errorf("%v\n%s", err, told.String())
	}
}

func without(list []any, value string) (out []any) {
	for _, v := range list {
		if v != value {
			out = append(out, v)
		}
	}
	return out
}

func copied(t *testing.T, v object) (out object) {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
