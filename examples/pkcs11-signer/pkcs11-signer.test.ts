import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compared, copyWithCommand, shownIn } from '../testing/example.ts';

const PIN = '739142';
const [library] = globSync('/usr/lib/{,*/}softhsm/libsofthsm2.so');
const hasTools = ['softhsm2-util', 'pkcs11-tool'].every(tool => spawnSync(tool, ['--help']).error === undefined);
const missing = library && hasTools ? '' : ' (skipped: SoftHSM 2 and OpenSC are not installed)';

/** Creates a token with an RSA key and its certificate in SoftHSM, and returns the example's settings. */
function createToken(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-softhsm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  mkdirSync(at('tokens'));
  writeFileSync(at('softhsm2.conf'), `directories.tokendir = ${at('tokens')}\n`);
  const env = { ...process.env, SOFTHSM2_CONF: at('softhsm2.conf') };
  const run = (tool: string, args: string[]) => execFileSync(tool, args, { env, stdio: 'pipe' });
  const create = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=Token holder'];
  run('openssl', [...create, '-keyout', at('key.pem'), '-outform', 'DER', '-out', at('certificate.der')]);
  run('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', at('key.pem'), '-out', at('key.p8')]);
  run('softhsm2-util', ['--init-token', '--free', '--label', 'compliance', '--pin', PIN, '--so-pin', '518204']);
  const key = ['--label', 'signing', '--id', '01'];
  run('softhsm2-util', ['--import', at('key.p8'), '--token', 'compliance', '--pin', PIN, ...key]);
  const store = ['--write-object', at('certificate.der'), '--type', 'cert', ...key];
  run('pkcs11-tool', ['--module', library!, '--token-label', 'compliance', '--login', '--pin', PIN, ...store]);
  return {
    SOFTHSM2_CONF: at('softhsm2.conf'),
    PKCS11_MODULE: library!,
    PKCS11_TOKEN: 'compliance',
    PKCS11_KEY: 'signing',
    PKCS11_PIN: PIN,
  };
}

describe.skipIf(missing)(`signing with a PKCS#11 module${missing}`, () => {
  it('prints the output shown in the example’s README and never shows the PIN', async () => {
    const settings = createToken();
    const { run } = await copyWithCommand('pkcs11-signer');
    for (const shown of await shownIn('pkcs11-signer')) {
      const { stdout, stderr } = await run(shown.command, settings);
      const [got, wanted] = compared(stdout, shown);
      expect([got, stderr]).toEqual([wanted, '']);
    }
    const [certify] = await shownIn('pkcs11-signer');
    const { stdout, stderr } = await run(certify!.command, { ...settings, PKCS11_PIN: '000000' });
    expect([stdout, stderr]).toEqual(['', expect.stringContaining("can't sign")]);
    const { stderr: shown } = await run(certify!.command, { ...settings, PKCS11_TOKEN: PIN });
    expect(shown).toContain("Can't load the signer");
    expect(stderr + shown).not.toContain(PIN);
  });
});
