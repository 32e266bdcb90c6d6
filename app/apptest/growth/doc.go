// Package growth measures that what reads the input of others takes time in proportion to it.
//
// Each package that reads files or requests has rows of its own, in a test whose name ends in Cost… or Length; those
// that read a line or a list have theirs here. Some readers may take the square of a number because the number is
// bounded where it comes in:
//
//   - a request's head: 16 KB (app/web, ReadBufferSize)
//   - a JSON body: 64 levels and 20,000 values (app/web, maxDepth and maxValues); lists as their schemas say
//   - a form: 2,000 fields (app/web, fieldsMost); with a file, 200 parts (mostParts)
//   - an international domain: 4 KB (app/identity, typedMax); Punycode takes the square
//   - a series: 1,000 dates (app/schedule, CountMax), of which an edit matches the old with the new; 1,000 left out and 366 more
//   - an agreement: 256 marks in a paragraph, 32 levels (app/markdown); the pages of a PDF: 32 MB unpacked (app/agreement)
//   - a photo: 40 megapixels and one profile of colours (media/picture); a JPEG: 100 scans
//   - a stylesheet: 32 KB, 64 brackets deep (app/cssguard)
package growth
