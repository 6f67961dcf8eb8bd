import { readFileSync } from 'node:fs';

/**
 * Returns the oldest Node.js version that this release supports, and whether it supports the given version.
 *
 * @example supportedNode('20.20.2').isSupported // false
 */
export function supportedNode(running: string): { readonly required: string; readonly isSupported: boolean } {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const required: string = engines.node.replace('>=', '');
  const [[major, minor], [minMajor, minMinor]] = [running, required].map(text => text.split('.').map(Number)) as [
    [number, number],
    [number, number],
  ];
  return { required, isSupported: major > minMajor || (major === minMajor && minor >= minMinor) };
}
