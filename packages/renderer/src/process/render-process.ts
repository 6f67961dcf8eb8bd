import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { deserialize } from 'node:v8';
import { joinRendering, type RecordedBeacon } from '@compliance/core/pixel';
import { createEgressTransport, publicTransport, type SentEvents } from '@compliance/crawler';
import { createFrameReader, frame } from '@compliance/crawler/pool';
import { openRenderer, type Renderer } from '../visit/render-storefront.ts';
import {
  CHANNEL,
  type FromRenderProcess,
  MAX_MESSAGE_BYTES,
  type Question,
  type RenderJob,
  type ToRenderProcess,
} from './messages.ts';

/**
 * Entry point of a process that renders one page. The process reads the messages of a browser that runs untrusted code,
 * so it starts without the service's environment variables, which contain secrets. It asks its parent process whether
 * robots.txt and the rate limit that all scans share allow each request.
 */

/** Nice value of the process. The service itself runs at 0, so it stays responsive while pages are rendered. */
const PRIORITY = 5;

const channel = new Socket({ fd: CHANNEL });
const waiting = new Map<number, (answer: never) => void>();
let lastId = 0;
let opening: Promise<Renderer> | undefined;

function send(message: FromRenderProcess): void {
  channel.write(frame(Buffer.from(JSON.stringify(message))));
}

function ask<Answer>(question: Question): Promise<Answer> {
  lastId += 1;
  const id = lastId;
  send({ id, ...question });
  return new Promise(resolve => waiting.set(id, resolve));
}

async function render({ scan, journey, egress, chromium, ...options }: RenderJob): Promise<void> {
  const page = {
    url: scan.scanned.url,
    allows: ({ href }: URL) => ask<boolean>({ ask: 'allows', url: href }),
  };
  opening = openRenderer(page, {
    ...{ ...options, chromium: { ...chromium, remove: async () => {} } },
    transport: egress === null ? publicTransport : createEgressTransport(new URL(egress)),
    targetRate: { take: (target, perMinute) => ask({ ask: 'take', target, perMinute }) },
    ...(journey.length > 0 && { journey }),
  });
  const renderer = await opening;
  try {
    const rendering = await renderer.render(page, journey);
    const { phases, beacons, cut, layers } = rendering;
    const joined = joinRendering(scan, rendering);
    const counts = { beacons: beacons.length, events: sentEvents(beacons) };
    send({ rendering: { ...joined, ...counts, phases, cut, layers: { ...layers } } });
  } finally {
    await renderer.close();
  }
}

/** Counts the events that the browser sent, by phase, step, vendor, and event name. */
function sentEvents(beacons: readonly RecordedBeacon[]): SentEvents[] {
  const sent = new Map<string, SentEvents>();
  for (const { phase, step, vendor, event } of beacons) {
    const key = JSON.stringify([phase, step, vendor, event]);
    sent.set(key, { phase, step, vendor, event, count: (sent.get(key)?.count ?? 0) + 1 });
  }
  return [...sent.values()];
}

try {
  setPriority(PRIORITY);
} catch {
  // Some sandboxes forbid lowering the priority.
}
const read = createFrameReader(MAX_MESSAGE_BYTES, message => {
  const received = deserialize(message!) as ToRenderProcess;
  if ('job' in received)
    void render(received.job).catch((error: unknown) => send({ failure: (error as Error).message }));
  else {
    waiting.get(received.id)?.(received.answer as never);
    waiting.delete(received.id);
  }
});
// The channel closes when the parent has the result, no longer needs it, or exits.
channel
  .on('data', read)
  .on('error', () => {})
  .on('close', async () => {
    await opening?.then(renderer => renderer.close()).catch(() => {});
    process.exit();
  });
