// Times `cat` through child_process.spawn: 500 bytes in, the same out. Prints milliseconds, one a line.
import { spawn } from "node:child_process";

const rounds = Number(process.argv[2] ?? 50);
const payload = "x".repeat(500);
for (let i = 0; i < rounds; i++) {
  const start = process.hrtime.bigint();
  await new Promise((resolve) => {
    const child = spawn("cat", [], { stdio: "pipe" });
    child.stdout.on("data", () => {});
    child.on("close", resolve);
    child.stdin.end(payload);
  });
  console.log(Number(process.hrtime.bigint() - start) / 1e6);
}
