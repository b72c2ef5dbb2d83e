package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	_ "embed" // for the launcher
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

// This file defines the packages.

const (
	homepage = "https://github.com/mcplogic/mcplogic"
	summary  = "Serve Prolog rules to MCP clients"
)

// debian makes a package for each architecture of Linux. The binary is static, so it depends on nothing.
func (r *release) debian() error {
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		control := fmt.Sprintf("Package: mcplogic\nVersion: %s\nSection: devel\nPriority: optional\nArchitecture: %s\n"+
			"Maintainer: mcplogic <noreply@mcplogic.invalid>\nInstalled-Size: %d\nHomepage: %s\nRecommends: ca-certificates\n"+
			"Description: %s\n mcplogic serves files of Prolog rules as tools of the Model Context Protocol,\n"+
			" checks them, and answers questions on the command line.\n",
			strings.ReplaceAll(r.version, "-", "~"), t.arch, len(t.binary)/1024+1, homepage, summary)
		files := r.pack(entry{"./usr/bin/mcplogic", 0o755, t.binary},
			entry{"./usr/share/doc/mcplogic/copyright", 0o644, r.license})
		var out bytes.Buffer
		out.WriteString("!<arch>\n")
		for _, member := range []entry{{"debian-binary", 0, []byte("2.0\n")},
			{"control.tar.gz", 0, zip(r.pack(entry{"./control", 0o644, []byte(control)}))},
			{"data.tar.gz", 0, zip(files)}} {
			fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", member.name, r.date.Unix(), 0, 0, "100644", len(member.data))
			out.Write(member.data)
			if len(member.data)%2 == 1 {
				out.WriteByte('\n')
			}
		}
		if err := r.write(fmt.Sprintf("mcplogic_%s_%s.deb", r.version, t.arch), out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

//go:embed launch.js
var launcher []byte

// npmNames has the words of npm for systems.
var npmNames = map[string]string{"amd64": "x64", "arm64": "arm64", "windows": "win32", "linux": "linux",
	"darwin": "darwin"}

// npm makes a package for each system, and one that picks among them. npm installs only that of the machine.
func (r *release) npm() error {
	optional := map[string]string{}
	about := func(name string) map[string]any {
		return map[string]any{"name": name, "version": r.version, "description": summary, "license": "Apache-2.0",
			"homepage": homepage, "repository": map[string]string{"type": "git", "url": "git+" + homepage + ".git"}}
	}
	put := func(file string, manifest map[string]any, files ...entry) error {
		text, err := json.MarshalIndent(manifest, "", "  ")
		if err != nil {
			return err
		}
		files = append([]entry{{"package/package.json", 0o644, append(text, '\n')},
			{"package/LICENSE", 0o644, r.license}}, files...)
		return r.write(file, zip(r.pack(files...)))
	}
	for _, t := range r.targets {
		system, cpu := npmNames[t.os], npmNames[t.arch]
		name := fmt.Sprintf("@mcplogic/%s-%s", system, cpu)
		optional[name] = r.version
		manifest := about(name)
		manifest["os"], manifest["cpu"] = []string{system}, []string{cpu}
		binary := "mcplogic"
		if t.os == "windows" {
			binary += ".exe"
		}
		manifest["files"] = []string{binary}
		if err := put(fmt.Sprintf("npm-mcplogic-%s-%s-%s.tgz", system, cpu, r.version), manifest,
			entry{"package/" + binary, 0o755, t.binary}); err != nil {
			return err
		}
	}
	manifest := about("mcplogic")
	manifest["bin"] = map[string]string{"mcplogic": "launch.js"}
	manifest["files"], manifest["engines"] = []string{"launch.js"}, map[string]string{"node": ">=18"}
	manifest["optionalDependencies"] = optional
	return put(fmt.Sprintf("npm-mcplogic-%s.tgz", r.version), manifest, entry{"package/launch.js", 0o755, launcher})
}

// homebrew makes a formula, which takes the archives of the release.
func (r *release) homebrew() error {
	var b strings.Builder
	fmt.Fprintf(&b, "class Mcplogic < Formula\n  desc %q\n  homepage %q\n  version %q\n  license \"Apache-2.0\"\n",
		summary, homepage, r.version)
	for _, system := range []struct{ os, block string }{{"darwin", "on_macos"}, {"linux", "on_linux"}} {
		var blocks strings.Builder
		for _, t := range r.targets {
			if t.os == system.os {
				cpu := map[string]string{"amd64": "on_intel", "arm64": "on_arm"}[t.arch]
				fmt.Fprintf(&blocks, "    %s do\n      url \"%s/releases/download/v%s/%s\"\n      sha256 %q\n    end\n", cpu,
					homepage, r.version, t.archive(r.version), t.sum)
			}
		}
		if blocks.Len() > 0 {
			fmt.Fprintf(&b, "\n  %s do\n%s  end\n", system.block, blocks.String())
		}
	}
	b.WriteString("\n  def install\n    bin.install \"mcplogic\"\n    doc.install Dir[\"docs/*\"]\n" +
		"    pkgshare.install \"examples\"\n" +
		"    generate_completions_from_executable(bin/\"mcplogic\", \"completion\")\n  end\n\n" +
		"  test do\n    assert_match \"X = 42\", shell_output(\"#{bin}/mcplogic query 'X is 6 * 7'\")\n  end\nend\n")
	return r.write("mcplogic.rb", []byte(b.String()))
}

// certificates are where systems have those by which servers are known. The image has those of this machine.
const certificates = "/etc/ssl/certs/ca-certificates.crt"

// user is who runs the command in the image: nobody in particular.
const user = "65532:65532"

// image makes an image for Linux as an OCI layout in a tar file: the binary, certificates and an empty /tmp.
func (r *release) image() error {
	certs, err := os.ReadFile(certificates)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	blobs := []entry{{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)}}
	blob := func(kind string, data []byte) map[string]any {
		sum := sha256.Sum256(data)
		digest := hex.EncodeToString(sum[:])
		blobs = append(blobs, entry{"blobs/sha256/" + digest, 0o644, data})
		return map[string]any{"mediaType": kind, "digest": "sha256:" + digest, "size": len(data)}
	}
	text := func(value any) []byte {
		data, err := json.Marshal(value)
		if err != nil {
			panic(err) // it is made of texts and numbers
		}
		return data
	}
	const vendor = "application/vnd.oci.image."
	var manifests []any
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		files := []entry{{"mcplogic", 0o755, t.binary}, {"LICENSE", 0o644, r.license}}
		if certs != nil {
			files = append(files, entry{certificates[1:], 0o644, certs})
		}
		layer := r.pack(files...)
		plain := sha256.Sum256(layer)
		config := blob(vendor+"config.v1+json", text(map[string]any{"architecture": t.arch, "os": "linux",
			"created": r.date.Format(time.RFC3339),
			"config": map[string]any{"User": user, "Entrypoint": []string{"/mcplogic"},
				"Cmd":          []string{"serve", "--http", "0.0.0.0:8080", "/rules"},
				"ExposedPorts": map[string]any{"8080/tcp": map[string]any{}}, "WorkingDir": "/",
				"Healthcheck": map[string]any{"Test": []string{"CMD", "/mcplogic", "health"}},
				"Labels": map[string]string{"org.opencontainers.image.source": homepage,
					"org.opencontainers.image.version": r.version, "org.opencontainers.image.licenses": "Apache-2.0"}},
			"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + hex.EncodeToString(plain[:])}}}))
		manifest := blob(vendor+"manifest.v1+json", text(map[string]any{"schemaVersion": 2,
			"mediaType": vendor + "manifest.v1+json", "config": config,
			"layers": []any{blob(vendor+"layer.v1.tar+gzip", zip(layer))}}))
		manifest["platform"] = map[string]string{"os": "linux", "architecture": t.arch}
		manifests = append(manifests, manifest)
	}
	if manifests == nil {
		return nil
	}
	index := blob(vendor+"index.v1+json", text(map[string]any{"schemaVersion": 2,
		"mediaType": vendor + "index.v1+json", "manifests": manifests}))
	index["annotations"] = map[string]string{"org.opencontainers.image.ref.name": r.version}
	blobs = append(blobs, entry{"index.json", 0o644, text(map[string]any{"schemaVersion": 2,
		"mediaType": vendor + "index.v1+json", "manifests": []any{index}})})
	return r.write(fmt.Sprintf("mcplogic_%s_image.tar", r.version), r.pack(blobs...))
}

// bill lists the modules in the binary, as CycloneDX. All binaries have the same.
func (r *release) bill() error {
	info, err := buildinfo.Read(bytes.NewReader(r.targets[0].binary))
	if err != nil {
		return err
	}
	part := func(kind string, m *debug.Module) map[string]any {
		address := fmt.Sprintf("pkg:golang/%s@%s", m.Path, m.Version)
		return map[string]any{"type": kind, "name": m.Path, "version": m.Version, "purl": address, "bom-ref": address}
	}
	info.Main.Version = "v" + r.version
	parts := []any{map[string]any{"type": "library", "name": "std", "version": strings.TrimPrefix(info.GoVersion, "go"),
		"purl": "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, part("library", m))
	}
	data, err := json.MarshalIndent(map[string]any{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{"timestamp": r.date.Format(time.RFC3339),
			"component": part("application", &info.Main)},
		"components": parts}, "", "  ")
	if err != nil {
		return err
	}
	return r.write(filepath.Base("mcplogic_"+r.version+"_sbom.cdx.json"), append(data, '\n'))
}
