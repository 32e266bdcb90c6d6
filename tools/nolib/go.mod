// Stands in for the library that loads programs' shared libraries while they run, see purego.go.
module github.com/ebitengine/purego

go 1.26.0
