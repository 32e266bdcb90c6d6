package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"
)

// What a ticket is for. It opens under the purpose that it was sealed for, and under no other.
const (
	forPages = "pages"
	forPath  = "path " // and the path
)

// seal writes the ticket: a salt, then what the jar holds, encrypted and authenticated together with the purpose. Each has
// a key of its own, made from the salt, so that no two are ever sealed under one key and nonce.
func (j *Jar) seal(purpose string, life time.Duration) string {
	now := j.frames.clock.Now()
	s := j.sealed
	s.Until = min(now.Add(life).Unix(), time.Unix(s.Began, 0).Add(ticketLife).Unix())
	plain, err := json.Marshal(s)
	if err != nil {
		panic("web: a ticket: " + err.Error()) // strings and numbers are always JSON
	}
	salt := make([]byte, tokenBytes, tokenBytes+len(plain)+2*tokenBytes)
	rand.Read(salt)
	return base64.RawURLEncoding.EncodeToString(j.frames.aead(salt).Seal(salt, nonce, plain, []byte(purpose)))
}

// open reads a ticket. Without one that is good for the purpose it answers an empty jar, and false.
func (f *Frames) open(text, purpose string) (*Jar, bool) {
	now := f.clock.Now()
	j := &Jar{frames: f, sealed: sealed{Began: now.Unix()}}
	if len(text) > maxTicket {
		return j, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) <= tokenBytes {
		return j, false
	}
	plain, err := f.aead(raw[:tokenBytes]).Open(nil, nonce, raw[tokenBytes:], []byte(purpose))
	if err != nil {
		return j, false
	}
	var s sealed
	if json.Unmarshal(plain, &s) != nil || now.Unix() >= s.Until || now.Unix() < s.Began-maxSkew {
		return j, false
	}
	j.sealed = s
	return j, true
}

// maxSkew is by how many seconds the clocks of two servers may differ.
const maxSkew = 60

// nonce can be the same for all: every ticket has its own key.
var nonce = make([]byte, 12)

func (f *Frames) aead(salt []byte) cipher.AEAD {
	m := hmac.New(sha256.New, f.key)
	m.Write(salt)
	block, err := aes.NewCipher(m.Sum(nil))
	if err != nil {
		panic("web: a ticket: " + err.Error()) // the key has 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic("web: a ticket: " + err.Error())
	}
	return aead
}
