import { inspectSandbox, sandboxWarning } from '@compliance/crawler/pool';
import type { CheckResult } from './check-result.ts';

/** Tries the layers of the sandbox in which untrusted pages are parsed, and lists those that work. */
export function checkSandbox(): CheckResult[] {
  const check = 'sandbox';
  const layers = inspectSandbox();
  const active = [
    'an empty environment',
    `Node permissions (files, programs, threads${layers.nodeDeniesNetwork ? ', network' : ''})`,
    'locked modules and signals',
    ...('tool' in layers.kernel ? [`kernel namespaces (${layers.kernel.tool})`] : []),
  ].join(', ');
  const warning = sandboxWarning(layers);
  if (!warning) return [{ check, status: 'ok', found: `Untrusted pages are parsed with ${active}.` }];
  const { found, todo } = warning;
  return [{ check, status: 'warn', found: `${found} Active layers: ${active}.`, todo }];
}
