import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { type Canary, CHANNELS } from './channels.ts';

/** Addresses that each channel tries to reach. */
export const TARGETS = ['loopback', 'other'] as const;
export type Target = (typeof TARGETS)[number];

/** Servers that record every contact, and the contacts recorded so far. */
export interface Canaries {
  /** Address of each target. */
  readonly addresses: Readonly<Record<Target, string>>;
  /**
   * Reason that the address `other` is in the test's own network namespace, or null if the address is in a separate
   * namespace.
   */
  readonly withoutNamespace: string | null;
  /** Returns a channel's canary at one of the target addresses. */
  of(channel: string, target: Target): Canary;
  /** Contacts, such as `image at loopback` or `image at loopback (TLS)`. */
  readonly hits: Set<string>;
  /** Folder for files that every user can read. */
  readonly folder: string;
  /**
   * File that replaces `/etc/resolv.conf` to use a canary as the name server, or null if no canary can act as a name
   * server.
   */
  readonly resolver: string | null;
  /**
   * Adds a canary on the loopback device of a process's own network namespace. A browser that bypasses its proxy
   * reaches this canary.
   */
  watchNamespaceOf(pid: number): Promise<void>;
  close(): void;
}

const SERVER = join(import.meta.dirname, 'canary-server.ts');
const PAIRS = CHANNELS.flatMap(({ name }) => TARGETS.map(target => ({ name, target })));
type Pair = (typeof PAIRS)[number];

/** Returns the name of a contact, such as `image at loopback`. */
export const nameOf = ({ name, target }: Pair): string => `${name} at ${target}`;

/** Suffix for a contact's name if the contact used TLS. */
export const TLS = ' (TLS)';

const KNOCK_MS = 20_000;
/** DNS zone whose hostnames never resolve, so lookups of these names can be detected only by a name server. */
const ZONE = 'canary.example';

/**
 * Opens two canaries for each channel: one on this machine's loopback device, and one at an address in a different
 * network namespace. If the namespace can't be created, the second address is one of this machine's own addresses.
 *
 * @throws Error if there's no second address
 */
export async function openCanaries(): Promise<Canaries> {
  const hits = new Set<string>();
  const children: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'contain-'));
  chmodSync(folder, 0o755);
  const start = async (prefix: readonly string[], ports: readonly number[], dns: boolean) => {
    const [command = '', ...args] = [...prefix, process.execPath, SERVER, ports.join(','), ...(dns ? ['dns'] : [])];
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface(child.stdout);
    const ready = new Promise<number[]>((resolve, reject) => {
      lines.on('line', line => {
        const { ports: opened, port, tls, name } = JSON.parse(line);
        if (opened) resolve(opened);
        else if (name) hitName(name);
        else hit(PAIRS[known.indexOf(port)]!, tls);
      });
      child.on('error', reject).on('close', () => reject(new Error('A canary ended.')));
    });
    return { child, ports: await ready };
  };
  let known: readonly number[] = [];
  const hit = (pair: Pair, tls = false) => hits.add(nameOf(pair) + (tls ? TLS : ''));
  const hitName = (name: string) => {
    const [, index] = /\bc(\d+)\.canary\.example$/.exec(name.toLowerCase()) ?? [];
    if (index !== undefined) hit(PAIRS[Number(index)]!);
  };
  const close = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    known = (
      await start(
        [],
        PAIRS.map(() => 0),
        false,
      )
    ).ports;
    let withoutNamespace: string | null = null;
    let other: string;
    let resolver: string | null = null;
    try {
      const { child } = await start(['unshare', '--net', '--'], known, true);
      other = connectNamespace(child.pid!);
      resolver = join(folder, 'resolv.conf');
      writeFileSync(resolver, `nameserver ${other}\noptions timeout:1 attempts:1\n`);
    } catch (error) {
      withoutNamespace = (error as Error).message.trim();
      const found = Object.values(networkInterfaces()).flatMap(
        each => each?.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? [],
      );
      if (found[0] === undefined)
        throw new Error(`This machine has no second address for canaries (${withoutNamespace}).`);
      other = found[0];
    }
    const addresses = { loopback: '127.0.0.1', other };
    const canaries = new Map(
      PAIRS.map(({ name, target }, index) => {
        const host = addresses[target];
        const at = `${host}:${known[index]}`;
        const octets = host.split('.').map(Number);
        // Chromium treats loopback as secure, but blocks plain HTTP to other addresses as mixed content.
        const secure = target === 'loopback' ? '' : 's';
        const file = join(folder, `${index}.html`);
        writeFileSync(file, `<img src="http://${at}/">`);
        const canary: Canary = {
          ...{ http: `http${secure}://${at}`, https: `https://${at}`, ws: `ws${secure}://${at}` },
          ...{ host, port: known[index]!, id: `c${index}`, name: `c${index}.${ZONE}` },
          ipv6: target === 'loopback' ? '[::1]' : `[::ffff:${host}]`,
          numeric: `${octets.reduce((sum, octet) => sum * 256 + octet, 0)}`,
          alias: target === 'loopback' ? 'localhost' : 'other.example',
          strict: `strict-${target}.example`,
          file: `file://${file}`,
        };
        return [`${name} ${target}`, canary];
      }),
    );
    return {
      ...{ addresses, withoutNamespace, hits, resolver, folder, close },
      of: (channel, target) => canaries.get(`${channel} ${target}`)!,
      async watchNamespaceOf(pid) {
        const enter = ['--target', `${pid}`, ...(process.getuid?.() === 0 ? [] : ['--user']), '--net', '--'];
        await start(['nsenter', ...enter], known, true);
        // A connection from inside the namespace proves that the canary would detect a connection from the browser.
        const knock = `require('node:net').connect(${known[0]}, '127.0.0.1').once('connect', () => process.exit())`;
        execFileSync('nsenter', [...enter, process.execPath, '-e', knock], { timeout: KNOCK_MS });
        while (!hits.delete(nameOf(PAIRS[0]!))) await wait(10);
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Connects a process's network namespace to this machine through a pair of virtual Ethernet devices. The devices
 * disappear when the process ends.
 *
 * @returns the namespace's address
 */
function connectNamespace(pid: number): string {
  const network = `10.203.${(pid >> 6) & 255}`;
  const [ours, theirs] = [(pid & 63) * 4 + 1, (pid & 63) * 4 + 2].map(host => `${network}.${host}`);
  const device = `contain${pid}`;
  const script = `ip link add ${device} type veth peer name inside netns ${pid}
ip addr add ${ours}/30 dev ${device}
ip link set ${device} up
nsenter --target=${pid} --net -- sh -ec 'ip addr add ${theirs}/30 dev inside; ip link set inside up; ip link set lo up'`;
  execFileSync('sh', ['-ec', script], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  return theirs!;
}
