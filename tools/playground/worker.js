// Runs the command once for each message {module, args, files}. The files are those of the folder /rules, which is the
// current one. What the command prints goes back as {text, error}, its end as {code}. The file system is in memory, and
// there is nothing else: no network, no processes.
"use strict";
const most = 1 << 20; // bytes of output that are shown
const encoder = new TextEncoder(), decoder = new TextDecoder();
let files, open, printed;

function failure(code) {
  const error = new Error(code);
  error.code = code;
  return error;
}

function begin(given) {
  files = new Map([["/", dir()], ["/rules", dir()], ["/tmp", dir()]]);
  for (const [name, text] of Object.entries(given)) files.set("/rules/" + name, file(encoder.encode(text)));
  open = new Map();
  printed = 0;
}

function dir() { return { dir: true, data: new Uint8Array(), ino: Math.random() * 2 ** 31 | 0, time: Date.now() }; }
function file(data) { return { dir: false, data, ino: Math.random() * 2 ** 31 | 0, time: Date.now() }; }

function absolute(path) {
  const parts = [];
  for (const part of (path.startsWith("/") ? path : "/rules/" + path).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return "/" + parts.join("/");
}

function find(path) {
  const found = files.get(absolute(path));
  if (!found) throw failure("ENOENT");
  return found;
}

function parentOf(path) {
  const at = absolute(path), parent = files.get(at.slice(0, at.lastIndexOf("/")) || "/");
  if (!parent) throw failure("ENOENT");
  if (!parent.dir) throw failure("ENOTDIR");
  return at;
}

function stat(f) {
  return { dev: 1, ino: f.ino, mode: f.dir ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: f.data.length,
    blksize: 4096, blocks: 1, atimeMs: f.time, mtimeMs: f.time, ctimeMs: f.time, isDirectory: () => f.dir };
}

function handle(fd) {
  const h = open.get(fd);
  if (!h) throw failure("EBADF");
  return h;
}

function print(fd, data) {
  if (printed < most) postMessage({ text: decoder.decode(data.slice(0, most - printed)), error: fd === 2 });
  printed += data.length;
  return data.length;
}

const calls = {
  open(path, flags, mode) {
    let f = files.get(absolute(path));
    if (f && flags & 128 && flags & 64) throw failure("EEXIST");
    if (!f && !(flags & 64)) throw failure("ENOENT");
    if (!f) files.set(parentOf(path), f = file(new Uint8Array()));
    if (f.dir && flags & 3) throw failure("EISDIR");
    if (flags & 512) f.data = new Uint8Array();
    let fd = 3;
    while (open.has(fd)) fd++;
    open.set(fd, { file: f, at: 0, append: !!(flags & 1024) });
    return fd;
  },
  close(fd) { open.delete(fd); },
  read(fd, buffer, offset, length, position) {
    if (fd === 0) return 0;
    const h = handle(fd), from = position ?? h.at, piece = h.file.data.subarray(from, from + length);
    buffer.set(piece, offset);
    if (position == null) h.at += piece.length;
    return piece.length;
  },
  write(fd, buffer, offset, length, position) {
    const data = buffer.slice(offset, offset + length);
    if (fd === 1 || fd === 2) return print(fd, data);
    const h = handle(fd), from = h.append ? h.file.data.length : position ?? h.at;
    const next = new Uint8Array(Math.max(h.file.data.length, from + length));
    next.set(h.file.data);
    next.set(data, from);
    h.file.data = next;
    h.file.time = Date.now();
    if (position == null) h.at = from + length;
    return length;
  },
  stat: path => stat(find(path)),
  lstat: path => stat(find(path)),
  fstat: fd => fd < 3 ? stat(file(new Uint8Array())) : stat(handle(fd).file),
  readdir(path) {
    const f = find(path), at = absolute(path) === "/" ? "/" : absolute(path) + "/";
    if (!f.dir) throw failure("ENOTDIR");
    return [...files.keys()].filter(p => p !== "/" && p.startsWith(at) && !p.slice(at.length).includes("/"))
      .map(p => p.slice(at.length));
  },
  mkdir(path) {
    if (files.has(absolute(path))) throw failure("EEXIST");
    files.set(parentOf(path), dir());
  },
  unlink(path) { find(path); files.delete(absolute(path)); },
  rmdir(path) { find(path); files.delete(absolute(path)); },
  rename(from, to) {
    const f = find(from);
    files.delete(absolute(from));
    files.set(parentOf(to), f);
  },
  truncate(path, length) { find(path).data = find(path).data.slice(0, length); },
  ftruncate(fd, length) { handle(fd).file.data = handle(fd).file.data.slice(0, length); },
  fsync() {}, chmod() {}, fchmod() {}, chown() {}, fchown() {}, lchown() {}, utimes() {},
  readlink() { throw failure("EINVAL"); },
  link() { throw failure("ENOSYS"); },
  symlink() { throw failure("ENOSYS"); },
};

globalThis.fs = {
  constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 },
  writeSync: (fd, data) => print(fd, data),
};
for (const [name, call] of Object.entries(calls)) {
  fs[name] = (...args) => {
    const callback = args.pop();
    let result, error = null;
    try { result = call(...args); } catch (e) { error = e; }
    error ? callback(error) : callback(null, result);
  };
}
globalThis.process = {
  getuid: () => 1000, getgid: () => 1000, geteuid: () => 1000, getegid: () => 1000,
  getgroups() { throw failure("ENOSYS"); }, pid: 1, ppid: 0, umask: () => 0o22, cwd: () => "/rules",
  chdir() { throw failure("ENOSYS"); },
};
globalThis.path = { resolve: (...parts) => absolute(parts.join("/")) };

onmessage = async ({ data }) => {
  let code = 2;
  try {
    begin(data.files);
    const go = new Go();
    go.argv = ["mcplogic", ...data.args];
    go.env = { HOME: "/tmp", NO_COLOR: "1", TMPDIR: "/tmp" };
    go.exit = c => { code = c; };
    await go.run(await WebAssembly.instantiate(data.module, go.importObject));
  } catch (e) {
    postMessage({ text: String(e) + "\n", error: true });
  }
  postMessage({ code });
};
