package main

import (
	"bytes"
	"io"
	"path"
	"path/filepath"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// pack returns the content of every file of dist by its path below package assets: the outputs and, for text, their
// gzip and brotli copies. The compressors are pinned modules, not the standard library's: its output may change with
// the Go version, and then a check would fail for no reason of ours.
func pack(outputs []output) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, o := range outputs {
		files[distName(o.file)] = o.body
		if filepath.Ext(o.file) == ".woff2" {
			continue // is brotli inside already
		}
		var gz bytes.Buffer
		zw, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		if err := squeeze(zw, o.body); err != nil {
			return nil, err
		}
		var br bytes.Buffer
		if err := squeeze(brotli.NewWriterLevel(&br, brotli.BestCompression), o.body); err != nil {
			return nil, err
		}
		files[distName(o.file+".gz")] = gz.Bytes()
		files[distName(o.file+".br")] = br.Bytes()
	}
	return files, nil
}

func squeeze(w io.WriteCloser, body []byte) error {
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Close()
}

func distName(file string) string { return path.Join("dist", file) }
