import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, fileError } from '../cli-error.ts';

/** File that `setup` writes. */
export interface PlannedFile {
  /** Absolute path. */
  readonly path: string;
  readonly mode: number;
  readonly text: string;
  /** Whether the file contains secrets. Such a file is never replaced, and its secrets are never printed. */
  readonly isSecret?: boolean;
  /** File owner and group, if they differ from the current user and group. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Options for writing planned files. */
export interface WriteOptions {
  /** Folder to use instead of `/`, to prepare files for another machine. */
  readonly root: string;
  /** Whether to print the files instead of writing them. */
  readonly dryRun: boolean;
  /** Whether to replace files that differ. */
  readonly overwrite: boolean;
}

/**
 * Writes files and returns a report. Existing files that differ are replaced only if `overwrite` is set; the report
 * shows the differences. Files with secrets are never replaced, and the report never shows the secrets.
 *
 * @throws `CliError` if a file can't be written, or if files differ and neither `overwrite` nor `dryRun` is set (in
 * which case nothing is written)
 */
export function writeFiles(files: readonly PlannedFile[], { root, dryRun, overwrite }: WriteOptions): string {
  const states = files.map(file => ({ file, known: textOf(join(root, file.path)) }));
  const report = states.map(({ file, known }) => describe(file, known, dryRun));
  const differing = states.filter(({ file, known }) => known !== null && known !== file.text && !file.isSecret);
  if (dryRun) return report.join('\n');
  if (differing.length > 0 && !overwrite) {
    throw new CliError(
      `${report.join('\n')}\nNothing was written, because these files already exist with different content: ${differing.map(({ file }) => file.path).join(', ')}. To replace them, add --overwrite.`,
    );
  }
  for (const { file, known } of states) {
    if (known === null || (known !== file.text && !file.isSecret)) write(join(root, file.path), file);
  }
  return report.join('\n');
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function write(path: string, { text, mode, owner }: PlannedFile): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, text, { mode });
    if (owner) chownSync(temporary, owner.uid, owner.gid);
    renameSync(temporary, path);
  } catch (error) {
    throw fileError(`Can't write ${path}`, error, 'Run the command as root.');
  }
}

function describe({ path, text, mode, isSecret }: PlannedFile, known: string | null, dryRun: boolean): string {
  const octal = mode.toString(8).padStart(4, '0');
  if (known === null) {
    const body = dryRun ? `\n${indent(isSecret ? hideValues(text) : text)}` : '';
    return `create     ${path} (mode ${octal})${body}`;
  }
  if (isSecret) return `keep       ${path} (contains secrets)`;
  if (known === text) return `unchanged  ${path}`;
  return `replace    ${path}\n${indent(differences(known, text))}`;
}

function hideValues(text: string): string {
  return text.replace(/^(\w*(?:SECRET|KEYS|PASSWORD|KEY_ID|ACCESS_KEY)\w*)=.*$/gm, '$1=<generated>');
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ');
}

/**
 * Returns the lines that differ between two strings, omitting the common lines at the start and end. Removed lines
 * start with `-`, and added lines start with `+`.
 */
function differences(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const changed = (lines: string[], sign: string) =>
    lines.slice(start, lines.length - end).map(line => `${sign} ${line}`);
  return [`@@ line ${start + 1} @@`, ...changed(old, '-'), ...changed(now, '+')].join('\n');
}
