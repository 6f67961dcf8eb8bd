import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'smol-toml';

/** Nested messages in one language. */
type Messages = { readonly [key: string]: string | Messages };

/** Admin UI extension, as declared in `shopify.extension.toml`. */
export interface Extension {
  readonly handle: string;
  /** Extension target, such as `admin.product-details.block.render`. */
  readonly target: string;
  /** Path to the module that renders the extension. */
  readonly module: string;
  /** Returns the messages for a language, or the default language's messages. */
  messages(locale: string): Messages;
  /** Returns the extension's name in a language. */
  name(locale: string): string;
}

interface DeclaredExtension {
  readonly handle: string;
  readonly name: string;
  readonly type: string;
  readonly targeting?: readonly { readonly module: string; readonly target: string }[];
}

/**
 * Reads the admin UI extensions in a folder, as Shopify CLI does. Skips other types, such as theme extensions.
 *
 * @param folder folder that contains one folder per extension or group of extensions
 * @throws Error if an extension doesn't have exactly one target, as required for blocks, actions, and print actions
 */
export function readExtensions(folder: string): Extension[] {
  return globSync('*/shopify.extension.toml', { cwd: folder }).flatMap(file => {
    const home = join(folder, dirname(file));
    const { extensions = [] } = parse(readFileSync(join(folder, file), 'utf8')) as unknown as {
      extensions?: readonly DeclaredExtension[];
    };
    return extensions.filter(({ type }) => type === 'ui_extension').map(declared => toExtension(home, declared));
  });
}

function toExtension(home: string, { handle, name, targeting = [] }: DeclaredExtension): Extension {
  const [only, ...others] = targeting;
  if (!only || others.length > 0) throw new Error(`The extension ${handle} must have one target.`);
  const files = new Map(
    globSync('locales/*.json', { cwd: home })
      .filter(file => !file.endsWith('.schema.json'))
      .map(file => [/([\w-]+)(?:\.default)?\.json$/.exec(file)![1]!, join(home, file)]),
  );
  const [fallback] = globSync('locales/*.default.json', { cwd: home });
  const messages = (locale: string): Messages => {
    const file = files.get(locale) ?? files.get(locale.split('-')[0]!) ?? join(home, fallback ?? '');
    return JSON.parse(readFileSync(file, 'utf8')) as Messages;
  };
  return {
    ...{ handle, target: only.target, module: join(home, only.module), messages },
    name: locale => (name.startsWith('t:') ? String(messages(locale)[name.slice(2)]) : name),
  };
}

/** Bundles an extension for a browser, with the options that Shopify CLI uses. */
export async function bundleExtension({ module }: Extension): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [module], bundle: true, write: false, format: 'esm', platform: 'browser', jsx: 'automatic' },
    ...{ target: 'es2022', logLevel: 'silent', define: { 'process.env.NODE_ENV': '"production"' } },
  });
  return outputFiles[0]!.text;
}
