// Package contract holds answers against the OpenAPI document, as a client that believes the document does: a status that
// is not listed, a member that is not described and one that is missing are problems.
//
//	doc, err := contract.Read(body)               // of /openapi.json
//	problems := doc.Problems(contract.Answer{…})  // empty when the answer keeps every promise
//	client := &http.Client{Transport: contract.Transport{Document: doc, Next: http.DefaultTransport}}
//
// It reads the schemas for a second time, by nothing that wrote them, and knows no type of the product. Tests put it where
// every answer passes, below the calls that they write, so that no call can go around it.
package contract
