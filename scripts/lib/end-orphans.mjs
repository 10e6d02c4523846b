// Which processes are to end when the command that started them is gone? It tells them on standard input, which closes however it ends.
import { createInterface } from 'node:readline';

const running = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) running.add(pid);
  else running.delete(pid);
}
for (const pid of running)
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended meanwhile.
  }
