// Command packages makes packages of the archives of a release: for Debian, npm and Homebrew, an image for containers,
// and the list of what is in the binary (SBOM). It needs no other program, no network and no daemon. The same archives
// give the same packages.
//
//	go run ./tools/packages -version v1.2.3 -date 2026-01-02T15:04:05Z -dist dist
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// This file defines the command and what all packages are made of: files of archives.

// target is a system that there is an archive for.
type target struct {
	os, arch string
	sum      string // SHA-256 of the archive
	binary   []byte
}

// archive is the name of the archive.
func (t *target) archive(version string) string {
	return fmt.Sprintf("mcplogic_%s_%s_%s.tar.gz", version, t.os, t.arch)
}

// release is what the packages are made of.
type release struct {
	version string // without v
	date    time.Time
	dist    string
	license []byte
	targets []*target
}

// systems are those that a release may be for.
var systems = []target{{os: "linux", arch: "amd64"}, {os: "linux", arch: "arm64"}, {os: "darwin", arch: "amd64"},
	{os: "darwin", arch: "arm64"}, {os: "windows", arch: "amd64"}, {os: "windows", arch: "arm64"}}

// read reads the archives that there are.
func (r *release) read() error {
	for _, t := range systems {
		data, err := os.ReadFile(filepath.Join(r.dist, t.archive(r.version)))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		t.sum = hex.EncodeToString(sum[:])
		if err := r.unpack(&t, data); err != nil {
			return fmt.Errorf("%s: %w", t.archive(r.version), err)
		}
		r.targets = append(r.targets, &t)
	}
	if len(r.targets) == 0 {
		return fmt.Errorf("there is no archive of %s in %s", r.version, r.dist)
	}
	return nil
}

// unpack takes the binary and the licence out of an archive.
func (r *release) unpack(t *target, data []byte) error {
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	files := tar.NewReader(unzipped)
	for {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch _, name, _ := strings.Cut(h.Name, "/"); name {
		case "mcplogic", "mcplogic.exe":
			t.binary, err = io.ReadAll(files)
		case "LICENSE":
			r.license, err = io.ReadAll(files)
		}
		if err != nil {
			return err
		}
	}
	if t.binary == nil || r.license == nil {
		return errors.New("there is no binary or no licence in it")
	}
	return nil
}

// write writes a file of the release.
func (r *release) write(name string, data []byte) error {
	file := filepath.Join(r.dist, name)
	fmt.Println(file)
	return os.WriteFile(file, data, 0o644)
}

// entry is a file of a package.
type entry struct {
	name string
	mode int64
	data []byte
}

// pack makes a tar file. Folders come before what is in them.
func (r *release) pack(entries ...entry) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	made := map[string]bool{}
	put := func(h *tar.Header, data []byte) {
		h.ModTime, h.Format = r.date, tar.FormatUSTAR
		if err := w.WriteHeader(h); err != nil {
			panic(err) // the names are ours
		}
		_, _ = w.Write(data) // into memory
	}
	for _, e := range entries {
		var folders []string
		for dir := path.Dir(e.name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			folders = append([]string{dir}, folders...)
		}
		for _, dir := range folders {
			if !made[dir] {
				made[dir] = true
				put(&tar.Header{Name: dir + "/", Typeflag: tar.TypeDir, Mode: 0o755}, nil)
			}
		}
		put(&tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: e.mode, Size: int64(len(e.data))}, e.data)
	}
	_ = w.Close() // into memory
	return out.Bytes()
}

// zip compresses data.
func zip(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return out.Bytes()
}

func (r *release) run() error {
	if err := r.read(); err != nil {
		return err
	}
	return errors.Join(r.debian(), r.npm(), r.homebrew(), r.image(), r.bill())
}

func main() {
	version := flag.String("version", "", "the version, such as v1.2.3")
	date := flag.String("date", "", "the date of all files, in ISO 8601")
	dist := flag.String("dist", "dist", "the folder with the archives; the packages go there too")
	flag.Parse()
	when, err := time.Parse(time.RFC3339, *date)
	if err != nil || !strings.HasPrefix(*version, "v") {
		log.Fatalf("want -version vX.Y.Z and -date in ISO 8601, got %q and %q", *version, *date)
	}
	r := &release{version: strings.TrimPrefix(*version, "v"), date: when.UTC(), dist: *dist}
	if err := r.run(); err != nil {
		log.Fatal(err)
	}
}
