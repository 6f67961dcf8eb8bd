import { inspectSandbox, sandboxWarning } from '@compliance/crawler/pool';
import type { CheckResult } from './check-result.ts';

/** Tests the system-dependent layers of the sandbox for parsing untrusted pages, and lists all active layers. */
export function checkSandbox(): CheckResult[] {
  const check = 'sandbox';
  const layers = inspectSandbox();
  const active = [
    'an empty environment',
    `Node permissions (files, programs, threads${layers.nodeDeniesNetwork ? ', network' : ''})`,
    'restricted modules and signals',
    ...('tool' in layers.kernel ? [`kernel namespaces (${layers.kernel.tool})`] : []),
  ].join(', ');
  const warning = sandboxWarning(layers);
  if (!warning)
    return [{ check, status: 'ok', found: `Untrusted pages are parsed in a sandbox. Active layers: ${active}.` }];
  const { found, todo } = warning;
  return [{ check, status: 'warn', found: `${found} Active layers: ${active}.`, todo }];
}
