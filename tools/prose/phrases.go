package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var phrase = regexp.MustCompile(`(?i)\b(?:for|to|of|by|with|from|at)\s+who\b`)

// proseFiles are the kinds of file that are prose or hold sentences, by the end of their name.
var proseFiles = []string{".md", ".templ", "de.po", "console.pot", "openapi.json"}

// findPhrases lists where prose of the repository has one of the phrases: a place, and the words around it.
func findPhrases(root string) ([]string, error) {
	var found []string
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			skipped := strings.HasPrefix(d.Name(), ".") && path != root || slices.Contains([]string{"ent", "docs/released"}, filepath.ToSlash(rel))
			if skipped || d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "prose" {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(filepath.ToSlash(path), "docs/words.md") { // its table forbids them
			return nil
		}
		prose := slices.ContainsFunc(proseFiles, func(end string) bool { return strings.HasSuffix(path, end) })
		if !prose && (filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_templ.go")) {
			return nil
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if prose {
			found = append(found, findIn(rel, 1, string(body))...)
			return nil
		}
		file, err := parser.ParseFile(set, path, body, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			found = append(found, findIn(rel, set.Position(group.Pos()).Line, commentLines(group))...)
		}
		return nil
	})
	return found, err
}

// commentLines returns a comment with its lines where they stand, and without what marks it.
func commentLines(group *ast.CommentGroup) string {
	var lines []string
	for _, c := range group.List {
		lines = append(lines, strings.TrimPrefix(c.Text, "//"))
	}
	return strings.Join(lines, "\n")
}

// findIn lists the phrases of a text whose first line has a number. A phrase may be broken at the end of a line.
func findIn(file string, first int, text string) []string {
	var found []string
	for _, at := range phrase.FindAllStringIndex(text, -1) {
		line := first + strings.Count(text[:at[0]], "\n")
		around := strings.Fields(strings.ToValidUTF8(text[max(0, at[0]-40):min(len(text), at[1]+40)], ""))
		found = append(found, fmt.Sprintf("%s:%d: … %s …", filepath.ToSlash(file), line, strings.Join(around, " ")))
	}
	return found
}
