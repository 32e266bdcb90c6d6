package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("assets", flag.ContinueOnError)
	dir := flags.String("dir", filepath.Join("..", "app", "web", "assets"), "folder of package assets")
	check := flags.Bool("check", false, "change nothing; fail when the committed files differ from the sources")
	if err := flags.Parse(args); err != nil {
		return err
	}

	outputs, err := bundle(filepath.Join(*dir, "src"))
	if err != nil {
		return err
	}
	files, err := pack(outputs)
	if err != nil {
		return err
	}
	files["assets_gen.go"] = table(outputs)

	if *check {
		return compare(*dir, files)
	}
	if err := write(*dir, files); err != nil {
		return err
	}
	for _, o := range outputs {
		fmt.Fprintf(out, "%-34s %7d bytes %7d gz %7d br\n", o.file, len(o.body),
			len(files[distName(o.file+".gz")]), len(files[distName(o.file+".br")]))
	}
	return nil
}
