// Command assets builds what the browser loads: it bundles and minifies the TypeScript and CSS of app/web/assets/src,
// gives every output a name with a hash of its content, writes compressed copies beside it, and writes the table of
// names that package foyer/app/web/assets compiles in.
//
//	go run ./assets           rebuild app/web/assets/dist and assets_gen.go
//	go run ./assets -check    exit 1 when what is committed is not what the sources give
//
// Every .ts, .css, .txt and .svg file directly in src is an entry; folders below it hold parts that entries import. Files
// directly in src/embed are entries too: what studios paste into pages of their own, so scripts are classic ones without a
// global. The output depends on the sources and on the pinned modules of this go.mod only, so the check holds on any machine.
package main
