package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// made makes the packages of a release for the system of this machine, with a binary.
func made(t *testing.T, version, binary string) *release {
	t.Helper()
	r := &release{version: version, date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), dist: t.TempDir()}
	data, err := os.ReadFile(binary)
	require.NoError(t, err)
	name := "mcplogic_" + version + "_linux_" + runtime.GOARCH
	archive := zip(r.pack(entry{name + "/mcplogic", 0o755, data}, entry{name + "/LICENSE", 0o644, []byte("free\n")}))
	require.NoError(t, os.WriteFile(filepath.Join(r.dist, name+".tar.gz"), archive, 0o600))
	require.NoError(t, r.run())
	return r
}

// untar writes the files of a tar file into a folder.
func untar(t *testing.T, data []byte, dir string) {
	t.Helper()
	for files := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := files.Next()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
		path := filepath.Join(dir, h.Name)
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		text, err := io.ReadAll(files)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, text, h.FileInfo().Mode()))
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}

// blobOf reads a blob of an image and checks its digest.
func blobOf(t *testing.T, dir string, d map[string]any) []byte {
	t.Helper()
	digest := strings.TrimPrefix(d["digest"].(string), "sha256:")
	data := read(t, filepath.Join(dir, "blobs", "sha256", digest))
	sum := sha256.Sum256(data)
	require.Equal(t, digest, hex.EncodeToString(sum[:]))
	require.EqualValues(t, d["size"], len(data))
	return data
}

// rootOf unpacks an image as a container has it, and returns its configuration.
func rootOf(t *testing.T, r *release, root string) map[string]any {
	t.Helper()
	layout := t.TempDir()
	untar(t, read(t, filepath.Join(r.dist, "mcplogic_"+r.version+"_image.tar")), layout)
	object := func(data []byte) (o map[string]any) {
		require.NoError(t, json.Unmarshal(data, &o))
		return o
	}
	first := func(o map[string]any, key string) map[string]any { return o[key].([]any)[0].(map[string]any) }
	index := object(blobOf(t, layout, first(object(read(t, filepath.Join(layout, "index.json"))), "manifests")))
	manifest := object(blobOf(t, layout, first(index, "manifests")))
	config := object(blobOf(t, layout, manifest["config"].(map[string]any)))
	unzipped, err := gzip.NewReader(bytes.NewReader(blobOf(t, layout, first(manifest, "layers"))))
	require.NoError(t, err)
	layer, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	sum := sha256.Sum256(layer)
	require.Equal(t, "sha256:"+hex.EncodeToString(sum[:]), config["rootfs"].(map[string]any)["diff_ids"].([]any)[0])
	untar(t, layer, root)
	return config["config"].(map[string]any)
}

// TestPackages makes all packages twice: they are the same. The image names its parts by their digests, and the list of
// modules has those of the binary, here that of this test.
func TestPackages(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: packages, which are made of binaries for Linux here")
	}
	own, err := os.Executable()
	require.NoError(t, err)
	r, again := made(t, "1.2.3", own), made(t, "1.2.3", own)
	entries, err := os.ReadDir(r.dist)
	require.NoError(t, err)
	require.Len(t, entries, 7) // the archive, .deb, two for npm, formula, image, modules
	for _, e := range entries {
		require.Equal(t, read(t, filepath.Join(r.dist, e.Name())), read(t, filepath.Join(again.dist, e.Name())), e.Name())
	}
	root := t.TempDir()
	config := rootOf(t, r, root)
	require.Equal(t, user, config["User"])
	require.Equal(t, read(t, own), read(t, filepath.Join(root, "mcplogic")))
	var bill struct{ Components []struct{ Name string } }
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(r.dist, "mcplogic_1.2.3_sbom.cdx.json")), &bill))
	var names []string
	for _, c := range bill.Components {
		names = append(names, c.Name)
	}
	require.Contains(t, names, "std")
	formula := string(read(t, filepath.Join(r.dist, "mcplogic.rb")))
	archive := read(t, filepath.Join(r.dist, "mcplogic_1.2.3_linux_"+runtime.GOARCH+".tar.gz"))
	sum := sha256.Sum256(archive)
	require.Contains(t, formula, hex.EncodeToString(sum[:]))
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		deep.Missing(t, "packages for Debian", "there is no dpkg-deb")
	}
	out, err := exec.Command("dpkg-deb", "--info", filepath.Join(r.dist, "mcplogic_1.2.3_"+runtime.GOARCH+".deb")).
		CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Package: mcplogic")
}
