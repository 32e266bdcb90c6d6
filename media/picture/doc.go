// Package picture looks at what somebody uploads as a photo and makes the sizes of it that are shown. It reads and writes bytes, and
// nothing else: no file, no network, no database.
//
//   - A photo is a JPEG, PNG, GIF or WebP by its content, whatever it is called; of an animation, the first frame. Nothing else is
//     decoded: SVG, TIFF, BMP, HEIC and pages that are called .jpg are refused.
//
//   - Check reads the header before any pixel. What claims more than 40 megapixels, more than 16,383 pixels on a
//     side, or more memory than a photo needs is refused there. A JPEG of one scan, as cameras write it, may have
//     120 megapixels, because it is decoded smaller than it is. Then all of it is read once, so that half a file is
//     refused too; of a JPEG, the end marker may be missing and nothing else.
//
//   - Make writes a JPEG and a WebP of each size, from the next larger. What is served is only ever what Make wrote: pixels, upright,
//     in sRGB, with no metadata (no place, no camera, no thumbnail) and nothing that was hidden behind them.
//
//   - Decoding is bounded: so many at once, and so much memory between them. Whoever comes next waits, or gives up with its context.
//
//   - A JPEG is resized as brightness and colour, by our own code; everything else as red, green, blue and alpha,
//     by imaging, with Lanczos. What is see-through stays so in a WebP, and in a JPEG lies on white, or on a dark
//     grey when it would be lost on white.
//
// The decoders are called by name and never through image.Decode: imaging registers decoders of TIFF and BMP with
// package image. A test asks the toolchain whether anything in the program calls it.
package picture
