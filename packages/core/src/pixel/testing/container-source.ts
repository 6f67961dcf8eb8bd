/** Contents of a synthetic container, in the format of Google's published containers. */
export interface ContainerContents {
  readonly version?: string;
  readonly macros?: readonly object[];
  readonly tags?: readonly object[];
  readonly predicates?: readonly object[];
  readonly rules?: readonly unknown[];
  readonly permissions?: object;
  readonly runtime?: readonly unknown[];
}

/**
 * Returns the source of a container file with the given contents. If `contents` doesn't have rules, a default rule runs
 * every tag on every page, because its only predicate is `Event equals gtm.js`.
 */
export function containerSource({ permissions, runtime = [], ...contents }: ContainerContents): string {
  const tags = contents.tags ?? [];
  const resource = {
    version: '1',
    macros: [{ function: '__e' }],
    predicates: [{ function: '_eq', arg0: ['macro', 0], arg1: 'gtm.js' }],
    rules: [
      [
        ['if', 0],
        ['add', ...tags.keys()],
      ],
    ],
    ...contents,
    tags,
  };
  const data = JSON.stringify({ resource, runtime, ...(permissions && { permissions }) });
  return `\n(function(){\n\nvar data = ${data.replaceAll('</', '<\\/').replace('{"resource"', '{\n"resource"')};\nvar library;})()\n`;
}

/** Returns the URL of a container's `gtm.js` file. */
export const containerUrl = (id: string): string => `https://www.googletagmanager.com/gtm.js?id=${id}`;
