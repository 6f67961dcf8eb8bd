// Fake Docker for a machine without containers. Runs the program in /app as the container's user, with a read-only file
// system and the settings from the Dockerfile and compose.yaml. The /app folder must already exist. The database and
// the S3 service run on this machine. GUIDE_SERVERS contains their URLs.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { type Confinement, runConfined, startConfined } from './confine.ts';
import { remember, stopService, untilReady } from './processes.ts';

/** The fields of `compose.yaml` that the fake reads. */
interface Compose {
  readonly services: {
    readonly app: {
      readonly read_only: boolean;
      readonly cap_drop: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
    };
  };
}

const CONTAINER_USER = 1000;
const MAIN = '/usr/bin/node /app/dist/main.js';
const DATA = '/data';
/** These containers share the machine's network, so the app reaches the egress proxy at localhost. */
const EGRESS = 'http://127.0.0.1:8788';

const ONLY_STORES = ['compose', 'up', '--detach', '--wait', 'database', 'pdfs'].join(' ');

const args = process.argv.slice(2);
const text = args.join(' ');

if (/^build --tag compliance \.$/.test(text)) {
  if (!existsSync('Dockerfile') || !existsSync('/app/dist/main.js'))
    throw new Error("The fake docker command doesn't build images, so Dockerfile and /app/dist/main.js must exist.");
} else if (args[0] === 'run') {
  const [, volume, image, ...rest] = args.slice(args.indexOf('--user') + 2);
  const [from, to] = volume!.split(':') as [string, string];
  if (image !== 'compliance') throw new Error(`Unknown image ${image}.`);
  mkdirSync(to, { recursive: true });
  execFileSync('mount', ['--bind', from, to]);
  execFileSync('/usr/bin/node', ['/app/dist/main.js', ...rest], { stdio: 'inherit', cwd: '/' });
} else if (/^compose up (--build )?--detach --wait$/.test(text)) {
  await stopService('app');
  await stopService('egress');
  remember(
    'egress',
    startConfined(`${MAIN} egress`, { ...container(), env: imageSettings(), mounts: [] }, '/var/log/egress.log'),
  );
  await untilReady(`${EGRESS}/healthz`);
  remember('app', startConfined(`${MAIN} serve`, container(), '/var/log/app.log'));
  await untilReady('http://127.0.0.1:8787/readyz');
} else if (text.startsWith('compose exec app compliance ')) {
  run(args.slice(4));
} else if (text.startsWith('compose run --rm app ')) {
  run(args.slice(4));
} else if (text !== ONLY_STORES) {
  throw new Error(`docker ${text} isn't supported.`);
}

function run(command: string[]): void {
  const words = command.map(word => `'${word}'`).join(' ');
  process.exitCode = runConfined(`${MAIN} ${words}`, container()).status ?? 1;
}

/** Returns the restrictions on the app container. */
function container(): Confinement {
  const { app } = (parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose).services;
  if (!app.read_only || app.cap_drop.join() !== 'ALL')
    throw new Error("The app container in compose.yaml isn't read-only or doesn't drop all capabilities.");
  const settings = parseEnv(readFileSync('.env', 'utf8'));
  const env = Object.entries(app.environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)(:-)?[^}]*\}/g, (_, variable, isOptional) => {
      if (!settings[variable] && !isOptional) throw new Error(`.env doesn't set ${variable}.`);
      return settings[variable] ?? '';
    }),
  ]);
  const servers = JSON.parse(process.env.GUIDE_SERVERS!) as Record<string, string>;
  if (!existsSync(DATA)) {
    mkdirSync(DATA, { mode: 0o700 });
    chownSync(DATA, CONTAINER_USER, CONTAINER_USER);
  }
  return {
    user: String(CONTAINER_USER),
    env: { ...imageSettings(), ...Object.fromEntries(env), COMPLIANCE_EGRESS: EGRESS, ...servers },
    writable: [DATA],
    mounts: [[join(process.cwd(), 'backups'), '/backups']],
  };
}

/** Returns the image's environment variables. */
function imageSettings(): Record<string, string> {
  const lines = [...readFileSync('Dockerfile', 'utf8').matchAll(/^ENV (.*)$/gm)];
  return Object.fromEntries(lines.flatMap(([, pairs]) => pairs!.split(' ').map(pair => pair.split('='))));
}
