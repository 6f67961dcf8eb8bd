// Fake systemctl for a machine where systemd isn't running. Starts the services that the unit files in
// /etc/systemd/system define, with each unit's user, settings file, and writable folders.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Confinement, runConfined, startConfined } from './confine.ts';
import { remember, stopService, untilReady } from './processes.ts';

const [command, ...words] = process.argv.slice(2);
const units = words.filter(word => !word.startsWith('--'));

if (command === 'stop') for (const unit of units) await stopService(unit);
else if (command === 'start') for (const unit of units) await start(unit);
else if (command === 'enable' && words.includes('--now')) for (const unit of units) await start(unit);
else if (command !== 'daemon-reload') throw new Error(`systemctl ${command} isn't supported.`);

async function start(unit: string): Promise<void> {
  const settings = read(unit);
  // Timers start their services later, so the guide script starts these services directly.
  if (unit.endsWith('.timer')) return void read(unit.replace('.timer', '.service'));
  const one = (name: string): string => settings.get(name)!.at(-1)!;
  if (one('ProtectSystem') !== 'strict' || one('NoNewPrivileges') !== 'yes') throw new Error(`${unit} isn't hardened.`);
  const state = (settings.get('StateDirectory') ?? []).map(name => join('/var/lib', name));
  const writable = [...state, ...(settings.get('ReadWritePaths') ?? []).flatMap(paths => paths.split(' '))];
  const env = parseEnv(readFileSync(one('EnvironmentFile'), 'utf8')) as Record<string, string>;
  const confinement: Confinement = { user: one('User'), env, writable };
  if (settings.get('Type')?.[0] === 'oneshot') {
    const { status } = runConfined(one('ExecStart'), confinement);
    process.exitCode = status ?? 1;
    return;
  }
  remember(unit, startConfined(one('ExecStart'), confinement, `/var/log/${unit}.log`));
  await untilReady(`http://127.0.0.1:${env.COMPLIANCE_PORT}/readyz`);
}

/** Returns the settings in a unit file, each with all of its values. */
function read(unit: string): Map<string, string[]> {
  const lines = readFileSync(join('/etc/systemd/system', unit), 'utf8').split('\n');
  const pairs = lines.flatMap(line => (/^\w+=/.test(line) ? [line.split(/=(.*)/s, 2) as [string, string]] : []));
  return new Map([...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => [name, all.map(([, value]) => value)]));
}
