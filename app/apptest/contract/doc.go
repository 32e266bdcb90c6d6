// Package contract validates answers against the OpenAPI document, as a client that relies on the document: an
// unlisted status, an undescribed member and a missing one are problems.
//
//	doc, err := contract.Read(body)               // of /openapi.json
//	problems := doc.Problems(contract.Answer{…})  // empty if the answer conforms
//	client := &http.Client{Transport: contract.Transport{Document: doc, Next: http.DefaultTransport}}
//
// It reads the schemas independently of the code that wrote them, and knows no type of the product. Tests put it
// where every answer passes, below the calls that they write, so that no call can go around it.
package contract
