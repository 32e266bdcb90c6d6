package agreement

// PagesOf counts the pages of a PDF.
var PagesOf = pagesOf
