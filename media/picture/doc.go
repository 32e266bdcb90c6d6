// Package picture looks at what somebody uploads as a photo and makes the sizes of it that are shown. It reads and writes bytes, and
// nothing else: no file, no network, no database.
//
//   - A photo is a JPEG, PNG, GIF or WebP by its content, whatever it is called; of an animation, the first frame. Nothing else is
//     decoded: SVG, TIFF, BMP, HEIC and pages that are called .jpg are refused.
//   - Check reads the header before any pixel. What claims more than 40 megapixels, more than 12,000 pixels on a side, or more memory
//     than a photo needs is refused there. Then all of it is decoded once, so that half a file is refused too.
//   - Make writes a JPEG and a WebP of each size, from the next larger. What is served is only ever what Make wrote: pixels, upright,
//     with no metadata (no place, no camera, no thumbnail) and nothing that was hidden behind them.
//   - Decoding is bounded: so many at once, and so much memory between them. Whoever comes next waits, or gives up with its context.
//
// The decoders are called by name and never through image.Decode, and those of TIFF and BMP are in no program that imports this
// package; a test asks the toolchain.
package picture
