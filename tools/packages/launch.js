#!/usr/bin/env node
// Starts the mcplogic of this system, which npm has installed as a package of its own.
"use strict";
const { spawn } = require("node:child_process");
const name = `@mcplogic/${process.platform}-${process.arch}`;
const binary = process.platform === "win32" ? "mcplogic.exe" : "mcplogic";
let file;
try {
  file = require.resolve(`${name}/${binary}`);
} catch {
  console.error(`mcplogic: there is no ${name}: this system has no package, or npm was told to leave out optional ones`);
  process.exit(2);
}
const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", error => {
  console.error(`mcplogic: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => signal ? process.kill(process.pid, signal) : process.exit(code));
