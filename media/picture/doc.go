// Package picture checks photo uploads and makes the sizes of them that are shown. It reads and writes bytes only: no
// file, no network, no database.
//
//   - A photo is a JPEG, PNG, GIF or WebP by its content, whatever its name; of an animation, the first frame.
//     Nothing else is decoded: SVG, TIFF, BMP, HEIC and pages with the name .jpg are refused.
//
//   - Check reads the header before any pixel. A picture with more than 40 megapixels, more than 16,383 pixels on a
//     side, or a higher need of memory than a photo is refused there. A JPEG of one scan, as cameras write it, may
//     have 120 megapixels, because it is decoded at a reduced size. Then all of it is read once, so that half a file
//     is refused too; of a JPEG, only the end marker may be missing.
//
//   - Make writes a JPEG and a WebP of each size, from the next larger. Only files written by Make are served:
//     pixels, upright, in sRGB, without metadata (no place, no camera, no thumbnail) and without hidden data after
//     them.
//
//   - Decoding is bounded: a limited number at once, and a limit of memory for all of them. Further calls wait, or
//     end with their context.
//
//   - A JPEG is resized as brightness and colour, by our own code; everything else as red, green, blue and alpha, by
//     imaging, with Lanczos. Transparency is kept in a WebP. A JPEG has white behind it, or a dark grey if the
//     picture would be lost on white.
//
// The decoders are called by name and never through image.Decode: imging registers decoders of TIFF and BMP with
// package image. A test asks the toolchain whether any part of the program calls it.
package picture
