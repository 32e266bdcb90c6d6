// Command prose measures the English of the product's doc comments, and lists a mistake that it is prone to.
//
//	cd tools && go run ./prose                       print both
//	cd tools && go run ./prose -most 6 -phrases 0    fail above 6 words in a thousand, or with a phrase in the list
//
// The measure is the number of relative and question words per 1,000 words of exported doc comments: who, whom, whose, which
// and what. River has 3.6 of them, pkgsite 2.3. Where and whether are not counted, as "reports whether" is the idiom of Go and
// where is a word of SQL; that is not counted, as it is a conjunction more often than not. A doc comment is what pkg.go.dev
// shows: the comment of a package, of an exported function, type, constant or variable, of an exported method or field of an
// exported type. Tests and generated files are left out.
//
// The list has every "for who", "to who", "of who", "by who", "with who", "from who" and "at who" in the comments of Go files,
// in templates, catalogues and documents: write whom, or better a noun.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", "..", "root of the repository")
	most := flag.Float64("most", 1000, "fail when more words in a thousand are relative or question words")
	phrases := flag.Int("phrases", 1<<30, "fail when the list of phrases is longer")
	flag.Parse()
	ok, err := run(*root, *most, *phrases)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run prints both results, and reports whether they are within the limits.
func run(root string, most float64, phrases int) (bool, error) {
	packages, total, err := measure(root, []string{"app", "billing", "media", "policy"})
	if err != nil {
		return false, err
	}
	found, err := findPhrases(root)
	if err != nil {
		return false, err
	}
	fmt.Println("per 1,000   words   package")
	for _, p := range packages {
		fmt.Printf("%9.1f %7d   %s\n", p.rate(), p.words, p.name)
	}
	fmt.Printf("%9.1f %7d   total\n", total.rate(), total.words)
	for _, f := range found {
		fmt.Println(f)
	}
	fmt.Printf("%d of \"for who\" and its like\n", len(found))

	ok := true
	if total.rate() > most {
		fmt.Printf("prose: %.1f relative and question words in 1,000 words of exported doc comments; the most is %g\n", total.rate(), most)
		ok = false
	}
	if len(found) > phrases {
		fmt.Printf("prose: %d of \"for who\" and its like; the most is %d\n", len(found), phrases)
		ok = false
	}
	return ok, nil
}
