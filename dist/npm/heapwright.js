#!/usr/bin/env node
// Runs the program of the package for this platform, which npm has installed beside this one.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");

const platform = `${process.platform}-${process.arch}`;
let folder;
try {
  folder = path.dirname(require.resolve(`@heapwright/${platform}/package.json`));
} catch {
  console.error(
    `heapwright: there is no package @heapwright/${platform}: either there is none for this platform, ` +
      "or npm was told to leave optional dependencies out",
  );
  process.exit(2);
}

const name = process.platform === "win32" ? "heapwright.exe" : "heapwright";
const program = spawn(path.join(folder, "bin", name), process.argv.slice(2), { stdio: "inherit" });
// The terminal sends Ctrl-C to the program, too; the program decides when both end.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => program.kill(signal));
}
program.on("error", (error) => {
  console.error(`heapwright: failed to start: ${error.message}`);
  process.exit(2);
});
program.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
