import { readdirSync, readFileSync } from 'node:fs';

/** Returns a process and all of its descendants. Omits processes that end while the tree is read. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readProc(Number(name), 'stat');
    // The second field is the program's name in parentheses, which can contain spaces and parentheses.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat !== '') children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = readProc(root, 'stat') === '' ? [] : [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Returns the text of a file in a process's `/proc` folder, or an empty string if the file can't be read. */
export function readProc(pid: number | 'self', file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns a number from a process's `status` file, or 0 if the field is missing. Sizes are in kilobytes. */
export function statusField(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}
