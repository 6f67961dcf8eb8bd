import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { processTree, readProc, statusField } from './process-tree.ts';
import type { ExceededLimit, ProcessLimits } from './watch.ts';

/** Time between measurements, in milliseconds. */
const INTERVAL_MS = 40;

const { pid, limits } = workerData as { pid: number; limits: ProcessLimits };
const start = performance.now();
const peak = { memoryMb: 0, processes: 0, threads: 0 };

function measure(tree: readonly number[]): ExceededLimit | null {
  let kilobytes = 0;
  let threads = 0;
  for (const each of tree) {
    const status = readProc(each, 'status');
    // Shared memory is counted once for each process that uses it, so the sum can be too high, but not too low.
    kilobytes += statusField(status, 'RssAnon') + statusField(status, 'RssShmem');
    threads += statusField(status, 'Threads');
  }
  peak.memoryMb = Math.max(peak.memoryMb, Math.ceil(kilobytes / 1024));
  peak.processes = Math.max(peak.processes, tree.length);
  peak.threads = Math.max(peak.threads, threads);
  if (kilobytes / 1024 > limits.memoryMb) return 'memory';
  if (tree.length > limits.processes || threads > limits.threads) return 'processes';
  return performance.now() - start > limits.wallMs ? 'time' : null;
}

for (;;) {
  const tree = processTree(pid);
  const exceeded = measure(tree);
  parentPort!.postMessage({ use: { ...peak }, ...(exceeded && { exceeded }) });
  if (exceeded) {
    for (const each of tree) {
      try {
        process.kill(each, 'SIGKILL');
      } catch {}
    }
    break;
  }
  await wait(INTERVAL_MS);
}
