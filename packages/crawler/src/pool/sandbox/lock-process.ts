import module from 'node:module';

/** Built-in modules that are required for parsing pages and drawing certificates. */
const ALLOWED_MODULES = new Set([
  'assert',
  'buffer',
  'events',
  'fs',
  'fs/promises',
  'module',
  'path',
  'stream',
  'string_decoder',
  'url',
  'util',
  'zlib',
]);

/** Members of `process` that affect other processes or file access, load native code, or change the user or group. */
const DENIED_METHODS = [
  ...['kill', '_kill', '_debugProcess', '_debugEnd', 'execve', 'chdir', 'umask'],
  ...[
    'binding',
    '_linkedBinding',
    'dlopen',
    'report',
    'setuid',
    'seteuid',
    'setgid',
    'setegid',
    'setgroups',
    'initgroups',
  ],
];

const DENIED_GLOBALS = ['fetch', 'WebSocket', 'EventSource'];

/**
 * Strips a worker process of everything that jobs don't need: environment variables, signals, network access, and most
 * built-in modules. Call this function before importing the first job.
 *
 * This layer supplements the permission model, which doesn't restrict signals or `node:sqlite`. It prevents a hostile
 * page from misusing the job's own code, but it can't stop code that escapes from JavaScript. Only kernel isolation can
 * contain such code.
 *
 * @example lockProcess(); await import(untrustedModule)
 */
export function lockProcess(): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const name of DENIED_GLOBALS) deny(globalThis, name);
  for (const name of DENIED_METHODS) deny(process, name);
  const { getBuiltinModule } = process;
  const checked = (id: string) => {
    assertAllowed(id);
    return getBuiltinModule(id);
  };
  Object.defineProperty(process, 'getBuiltinModule', { value: checked, writable: false, configurable: false });
  module.registerHooks({
    resolve(specifier, context, next) {
      if (module.isBuiltin(specifier)) assertAllowed(specifier);
      return next(specifier, context);
    },
  });
  for (const name of ['registerHooks', 'register']) deny(module, name);
  module.syncBuiltinESMExports();
}

function assertAllowed(id: string): void {
  if (!ALLOWED_MODULES.has(id.replace(/^node:/, ''))) throw denied(id);
}

function deny(target: object, name: string): void {
  const value = () => {
    throw denied(name);
  };
  Object.defineProperty(target, name, { value, writable: false, configurable: false });
}

const denied = (name: string) =>
  Object.assign(new Error(`Jobs don't have permission to use ${name}.`), { code: 'ERR_ACCESS_DENIED' });
