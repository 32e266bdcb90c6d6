package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

// client generates package ent for the entities that Go files in the folders used.
func client(schema, target string, folders ...string) error {
	used, err := usedEntities(folders)
	if err != nil {
		return err
	}
	storage, err := gen.NewStorage("sql")
	if err != nil {
		return err
	}
	queries := *storage
	queries.SchemaMode &^= gen.Migrate
	return entc.Generate("./"+schema, &gen.Config{
		Target: target, Package: "foyer/ent", Storage: &queries,
		Features: []gen.Feature{gen.FeatureLock, gen.FeatureUpsert, gen.FeatureModifier},
		Hooks:    []gen.Hook{only(used)},
	})
}

// only generates code for the entities named.
func only(used []string) gen.Hook {
	return func(next gen.Generator) gen.Generator {
		return gen.GenerateFunc(func(g *gen.Graph) error {
			part := *g
			part.Nodes = slices.DeleteFunc(slices.Clone(g.Nodes), func(n *gen.Type) bool { return !slices.Contains(used, n.Name) })
			for _, name := range used {
				if !slices.ContainsFunc(g.Nodes, func(n *gen.Type) bool { return n.Name == name }) {
					return fmt.Errorf("somebody asks for Ent().%s, which is no type of package schema", name)
				}
			}
			return next.Generate(&part)
		})
	}
}

var use = regexp.MustCompile(`\bEnt\(\)\.([A-Z]\w*)`)

// usedEntities are the X of every Ent().X in the Go files below the folders.
func usedEntities(folders []string) ([]string, error) {
	var names []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			body, err := os.ReadFile(path)
			for _, m := range use.FindAllSubmatch(body, -1) {
				names = append(names, string(m[1]))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
