import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createEgressProxy } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork, pages } from '@compliance/crawler/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkRenderer } from '../doctor/renderer.ts';
import { folderWithStore, runCli, runCliProcess, serveForTest, temporaryFolder } from '../testing/run-cli.ts';

const META_ID = '918273645546372';
/** HTML of a shop page that sends an event before the visitor makes a consent choice. */
const SHOP = `<html><head><title>Shop</title></head><body><script>
new Image().src = 'https://www.facebook.com/tr/?id=${META_ID}&ev=PageView';
</script></body></html>`;

/** Options that make Node behave as if the optional package weren't installed. */
const WITHOUT_RENDERER = `--import=data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (name === '@compliance/renderer') throw Object.assign(new Error('Not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  },
});`)}`;

describe('rendering in a service', () => {
  it.runIf('tool' in inspectKernelIsolation())(
    'accepts a job sent with a render-scope key and returns the verdicts and events for a live page',
    async () => {
      const network = createNetwork();
      const egress = createEgressProxy(network.transport);
      onTestFinished(async () => {
        egress.closeAllConnections();
        egress.close();
        await network.close();
      });
      await network.site('shop.example', pages({ '/': SHOP }));
      await once(egress.listen(0, '127.0.0.1'), 'listening');
      const data = await folderWithStore();
      const issued = await runCli(['keys', 'issue', '--scope', 'render', '--note', 'delegate:on', '--data', data]);
      const [key = ''] = /cmpl_live_\w+/.exec(issued.stdout)!;
      const proxy = `http://127.0.0.1:${(egress.address() as AddressInfo).port}`;
      const service = await serveForTest(['--data', data, '--render', 'on', '--egress', proxy]);

      const [input, output] = ['shops.csv', 'result.ndjson'].map(name => join(data, name)) as [string, string];
      writeFileSync(input, 'url,reference\nhttp://shop.example/,first\n');
      const job = ['jobs', 'run', input, '-o', output, '--operation', 'render', '--server', service.base];
      const { exitCode, stderr } = await runCliProcess(job, { env: { COMPLIANCE_API_KEY: key } });
      expect([exitCode, stderr]).toEqual([0, expect.anything()]);
      const row = JSON.parse(readFileSync(output, 'utf8'));
      expect(row).toMatchObject({ reference: 'first', cut: null });
      expect(row.traffic).toContainEqual(expect.objectContaining({ code: 'sent_before_choice', vendor: 'meta' }));
      expect(row.isolation).toMatchObject({ noRoutes: true, unprivileged: true, chromiumSandbox: true });
    },
    120_000,
  );

  it.runIf('tool' in inspectKernelIsolation())('passes the `doctor` check that starts the browser', async () => {
    expect(await checkRenderer('off')).toEqual([{ check: 'rendering', status: 'ok', found: 'Rendering is off.' }]);
    const [result] = await checkRenderer('on');
    expect(result!.found).toMatch(
      /The browser starts\. Active layers: network isolation, process isolation, file system isolation/,
    );
  });
});

describe('without the optional package @compliance/renderer', () => {
  it('explains how to install the package, and still scans pages without a browser', async () => {
    const page = join(temporaryFolder(), 'page.html');
    writeFileSync(page, SHOP);
    const env = { NODE_OPTIONS: WITHOUT_RENDERER };
    const saved = ['scan', '--html', page, '--url', 'https://shop.example/'];
    const message = expect.stringContaining('To install the package, run: npm install @compliance/renderer');
    const [rendered, scanned, served] = await Promise.all([
      runCliProcess([...saved, '--render'], { env }),
      runCliProcess(saved, { env }),
      runCliProcess(['serve', '--render', 'on', '--port', '0', '--data', temporaryFolder()], { env }),
    ]);
    expect(rendered).toMatchObject({ exitCode: 1, stderr: message });
    expect(served).toMatchObject({ exitCode: 1, stderr: message });
    expect(scanned).toMatchObject({ exitCode: 0, stderr: '' });
    expect(scanned.stdout).toContain('100 of 100');
  });
});
