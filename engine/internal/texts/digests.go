package texts

import (
	"crypto"
	"crypto/hkdf"
	"crypto/hmac"
	_ "crypto/md5" // registers its hash
	"crypto/pbkdf2"
	"crypto/rand"
	_ "crypto/sha1"   // registers its hash
	_ "crypto/sha256" // registers its hashes
	_ "crypto/sha3"   // registers its hashes
	_ "crypto/sha512" // registers its hashes
	"encoding/hex"
	"hash"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	_ "golang.org/x/crypto/blake2b" // registers its hashes
	_ "golang.org/x/crypto/blake2s" // registers its hash
)

// This file defines digests, keys made of passwords, and random bytes, for the libraries md5, sha and crypto.

// The predicates that programs call are in Prolog, under engine/internal/lib, and call these. A text is read as bytes,
// one for each character, so a library encodes it first. Results are atoms of hexadecimal digits in lower case.
var digestTable = []machine.Builtin{
	{Name: "$digest", Arity: 4, Func: digest, Modes: "+algorithm, +key, +bytes, -hexadecimal",
		Doc: "The digest of the characters of a text, which are bytes; with a key that is not none its HMAC."},
	{Name: "$password_key", Arity: 5, Func: passwordKey, Modes: "+password, +salt, +iterations, +length, -hexadecimal",
		Doc: "PBKDF2 of a password with HMAC and SHA-512."},
	{Name: "$derived_key", Arity: 6, Func: derivedKey, Modes: "+algorithm, +secret, +salt, +info, +length, -hexadecimal",
		Doc: "HKDF of a secret."},
	{Name: "$random_bytes", Arity: 2, Func: randomBytes, Modes: "+count, -bytes", Doc: "Bytes that nobody can foretell."},
}

// digestAlgorithms are the algorithms by their names in SWI-Prolog.
var digestAlgorithms = map[string]crypto.Hash{"md5": crypto.MD5, "sha1": crypto.SHA1, "sha224": crypto.SHA224,
	"sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512, "sha3_224": crypto.SHA3_224,
	"sha3_256": crypto.SHA3_256, "sha3_384": crypto.SHA3_384, "sha3_512": crypto.SHA3_512,
	"blake2s256": crypto.BLAKE2s_256, "blake2b512": crypto.BLAKE2b_512}

// digestArg returns the algorithm that an argument names, a domain error for an unknown one.
func digestArg(m *machine.Machine, c cell) (func() hash.Hash, error) {
	name, err := m.AtomArg(c)
	if err != nil {
		return nil, err
	}
	algorithm, ok := digestAlgorithms[name]
	if !ok {
		return nil, m.DomainError("algorithm", c)
	}
	return algorithm.New, nil
}

// octetsArg returns the characters of a text as bytes. A character above 255 is a representation error.
func octetsArg(m *machine.Machine, c cell) ([]byte, error) {
	text, err := Any(m, c, "text")
	if err != nil {
		return nil, err
	}
	if err := machine.Fits(m, len(text)); err != nil {
		return nil, err
	}
	bytes := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return nil, m.RepresentationError("encoding")
		}
		bytes = append(bytes, byte(r))
	}
	return bytes, nil
}

// digest is $digest/4. With a key it is an HMAC (RFC 2104). The atom none stands for no key, so it cannot be a key. It
// hashes in pieces, between which the run may be stopped. Most algorithms hash blocks of 64 bytes, and others longer
// ones; 64 bytes are charged as a call.
func digest(m *machine.Machine, a []cell) (bool, error) {
	algorithm, err := digestArg(m, a[0])
	if err != nil {
		return false, err
	}
	state := algorithm()
	if m.Deref(a[1]) != m.NewAtom("none") {
		key, err := octetsArg(m, a[1])
		if err != nil {
			return false, err
		}
		state = hmac.New(algorithm, key)
	}
	data, err := octetsArg(m, a[2])
	if err != nil {
		return false, err
	}
	const piece = 1 << 16
	for ; len(data) > piece; data = data[piece:] {
		state.Write(data[:piece])
		if err := m.Charge(piece / 64); err != nil {
			return false, err
		}
	}
	state.Write(data)
	return m.Unify(a[3], m.NewAtom(hex.EncodeToString(state.Sum(nil)))), nil
}

// maxIterations bounds the work of one key, which cannot be interrupted: it takes about a second.
const maxIterations = 1 << 20

// passwordKey is $password_key/5: PBKDF2 of RFC 8018, 5.2, with HMAC-SHA-512 as its function. The length is in bytes.
func passwordKey(m *machine.Machine, a []cell) (bool, error) {
	password, err := octetsArg(m, a[0])
	if err != nil {
		return false, err
	}
	salt, err := octetsArg(m, a[1])
	if err != nil {
		return false, err
	}
	iterations, err := m.IntArg(a[2])
	if err != nil {
		return false, err
	}
	length, err := keyLength(m, a[3])
	if err != nil {
		return false, err
	}
	if iterations < 1 || iterations > maxIterations {
		return false, m.DomainError("iterations", a[2])
	}
	// The whole work is charged before it begins, so a run without that many calls left does not begin it.
	if err := m.Charge(iterations); err != nil {
		return false, err
	}
	key, err := pbkdf2.Key(crypto.SHA512.New, string(password), salt, iterations, length)
	if err != nil {
		return false, m.DomainError("key_length", a[3])
	}
	return m.Unify(a[4], m.NewAtom(hex.EncodeToString(key))), nil
}

// maxKey is the most bytes of a key. HKDF gives at most 255 digests (RFC 5869, 2.3), and the shortest digest has 16
// bytes.
const maxKey = 255 * 16

// keyLength returns an argument that is a length of a key, in bytes.
func keyLength(m *machine.Machine, c cell) (int, error) {
	length, err := m.IntArg(c)
	if err == nil && (length < 1 || length > maxKey) {
		err = m.DomainError("key_length", c)
	}
	return length, err
}

// derivedKey is $derived_key/6: HKDF of RFC 5869, extraction and expansion in one. An empty salt stands for zeros, as
// the RFC has it.
func derivedKey(m *machine.Machine, a []cell) (bool, error) {
	algorithm, err := digestArg(m, a[0])
	if err != nil {
		return false, err
	}
	var texts [3][]byte
	for i := range texts {
		if texts[i], err = octetsArg(m, a[1+i]); err != nil {
			return false, err
		}
	}
	length, err := keyLength(m, a[4])
	if err != nil {
		return false, err
	}
	key, err := hkdf.Key(algorithm, texts[0], texts[1], string(texts[2]), length)
	if err != nil {
		return false, m.DomainError("key_length", a[4])
	}
	return m.Unify(a[5], m.NewAtom(hex.EncodeToString(key))), nil
}

// randomBytes is $random_bytes/2. The bytes come from the system's generator for cryptography, and not from the
// generator of random/1, which a program can seed.
func randomBytes(m *machine.Machine, a []cell) (bool, error) {
	count, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	if count < 0 {
		return false, m.TypeError("nonneg", a[0])
	}
	if err := machine.Fits(m, 8*count); err != nil {
		return false, err
	}
	bytes := make([]byte, count)
	_, _ = rand.Read(bytes) // it never fails
	cells := make([]cell, count)
	for i, b := range bytes {
		cells[i] = code.MakeInt(int64(b))
	}
	return m.Unify(a[1], m.List(cells, code.ANil)), nil
}
