import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, serveForTest, temporaryFolder } from '../../testing/run-cli.ts';

/** Issues a certificate through the API and returns its ID. */
async function issue(base: string, key: string, product: object): Promise<string> {
  const body = {
    product_info: { date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China', ...product },
    manufacturer: { name: 'Maker', address: '1 Road', contact_email: 'maker@maker.example' },
    testing_lab: { name: 'Lab', test_date: '2026-08-30' },
    cpsc_rules_cited: ['16 CFR 1203'],
  };
  const response = await fetch(`${base}/api/v1/entry/gcc/generate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { gcc_id: string }).gcc_id;
}

describe('compliance certificates', () => {
  it('finds, shows, and voids certificates issued by the service', async () => {
    const folder = temporaryFolder();
    const data = ['--data', folder];
    const service = await serveForTest(data);
    const [key] = /cmpl_live_\w+/.exec(service.output().stdout)!;
    const helmet = await issue(service.base, key, { name: 'Road Bicycle Helmet', sku: 'RB-200' });
    const lamp = await issue(service.base, key, { name: 'Desk Lamp' });
    const certificates = async (...args: string[]) => await runCli(['certificates', ...args, ...data]);
    const find = async (...args: string[]) =>
      JSON.parse((await certificates('find', ...args, '--json')).stdout).map(({ id }: { id: string }) => id);

    expect(await find()).toEqual([lamp, helmet]);
    expect(await find('bicycle', 'rb-200')).toEqual([helmet]);
    expect(await find(helmet.slice(0, 8))).toEqual([helmet]);
    expect(await find('--before', lamp)).toEqual([helmet]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await find('--to', '2026-01-01')).toEqual([]);
    expect(await find('lamp', '--from', today)).toEqual([lamp]);
    const listed = await certificates('find', '--limit', '1');
    expect(listed.stdout).toMatch(new RegExp(`${lamp} +draft +${today} +[0-9a-f]{12} +Desk Lamp`));
    expect(listed.stdout).toContain(`--before ${lamp}`);
    expect((await certificates('find', 'nothing')).stdout).toBe('No certificates found.\n');
    expect(await certificates('find', '--from', '2026-02-30')).toMatchObject({ exitCode: 2 });

    const pdf = join(folder, 'helmet.pdf');
    const shown = (await certificates('show', helmet, '--pdf', pdf)).stdout;
    expect(shown).toContain('Road Bicycle Helmet, RB-200');
    expect(shown).toContain('NO_ATTESTATION');
    expect(shown).toContain(createHash('sha256').update(readFileSync(pdf)).digest('hex'));
    expect(await certificates('show', 'unknown')).toMatchObject({ exitCode: 1 });

    expect(await certificates('void', helmet)).toMatchObject({ exitCode: 2 });
    expect((await certificates('void', helmet, '--reason', 'Wrong lab')).stdout).toContain(`Voided ${helmet}.`);
    expect(await certificates('void', helmet, '--reason', 'Again')).toMatchObject({
      ...{ exitCode: 1, stderr: expect.stringContaining('is already voided') },
    });
    expect((await certificates('show', helmet)).stdout).toMatch(/^Status +voided since \S+: Wrong lab$/m);
    expect(await (await fetch(`${service.base}/gcc/${helmet}`)).text()).toContain('Wrong lab');
    const log = JSON.parse((await runCli(['audit', '--limit', '1', '--json', ...data])).stdout);
    expect(log).toMatchObject([{ actor: 'command line', action: 'certificate.void', subject: helmet }]);
  });

  it('lists the tests that are due for Children’s Product Certificates, but omits voided certificates and General Certificates of Conformity', async () => {
    const folder = temporaryFolder();
    const data = ['--data', folder];
    const { base, output } = await serveForTest(data);
    const [key] = /cmpl_live_\w+/.exec(output().stdout)!;
    const issueToy = async (name: string, test_date: string) => {
      const response = await fetch(`${base}/api/v1/entry/cpc/generate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          certificate_type: 'CPC',
          product_info: { name, date_of_manufacture: '2020-09-14', place_of_manufacture: 'Shenzhen, China' },
          age_grading: { marketing: 'children' },
          manufacturer: { name: 'Maker', address: '1 Road', contact_email: 'maker@maker.example' },
          testing_lab: { name: 'Lab', cpsc_lab_id: '1234', test_date },
          cpsc_rules_cited: ['16 CFR 1250'],
        }),
      });
      return ((await response.json()) as { gcc_id: string }).gcc_id;
    };
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    await issue(base, key, { name: 'Helmet' });
    const soon = await issueToy('Train', day(-330));
    const overdue = await issueToy('Tram', day(-400));
    const ended = await issueToy('Bus', day(-400));
    await issueToy('Boat', day(-10));
    await runCli(['certificates', 'void', ended, '--reason', 'Wrong lab', ...data]);
    const due = async (...args: string[]) => await runCli(['certificates', 'due', ...args, ...data]);
    const idsOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).due.map(({ id }: { id: string }) => id);
    expect(idsOf(await due('--within', '60d', '--json'))).toEqual([overdue, soon]);
    expect(idsOf(await due('--within', '1', '--json'))).toEqual([overdue]);
    expect(idsOf(await due('--plan', 'production', '--json'))).toEqual([]);
    expect((await due()).stdout).toMatch(/16 CFR 1250 +Tram[\s\S]+2 tests are due by \S+, 1 of them overdue/);
    expect(await due('--within', 'soon')).toMatchObject({ exitCode: 2 });
  });
});
