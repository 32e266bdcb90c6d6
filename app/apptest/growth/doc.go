// Package growth measures that reading untrusted input takes time in proportion to its length.
//
// Each package that reads files or requests has rows of its own, in a test with a name that ends in Cost… or Length;
// those that read a line or a list have theirs here. Some readers may take quadratic time because the input is
// bounded where it arrives:
//
//   - a request's head: 16 KB (app/web, ReadBufferSize)
//   - a JSON body: 64 levels and 20,000 values (app/web, maxDepth and maxValues); lists as their schemas define
//   - a form: 2,000 fields (app/web, fieldsMost); with a file, 200 parts (mostParts)
//   - an international domain: 4 KB (app/identity, typedMax); Punycode takes quadratic time
//   - a series: 1,000 dates (app/schedule, CountMax), matched old with new by an edit; 1,000 left out and 366 more
//   - an agreement: 256 marks in a paragraph, 32 levels (app/markdown); the pages of a PDF: 32 MB unpacked
//     (app/agreement)
//   - a photo: 40 megapixels and one color profile (media/picture); a JPEG: 100 scans
//   - a stylesheet: 32 KB, 64 brackets deep (app/cssguard)
package growth
