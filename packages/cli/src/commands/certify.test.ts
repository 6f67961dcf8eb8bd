import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, serveForTest, temporaryFolder } from '../testing/run-cli.ts';

describe('compliance certify', () => {
  it('prints a template that is already a valid request', async () => {
    const folder = temporaryFolder();
    const template = (await runCli(['certify', '--template'])).stdout;
    writeFileSync(join(folder, 'helmet.json'), template);
    const out = ['-o', join(folder, 'helmet.pdf'), '--registry-csv', join(folder, 'helmet.csv')];
    const { exitCode, stdout } = await runCli(['certify', join(folder, 'helmet.json'), ...out]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Wrote ')]);
    expect(stdout).toContain('attest');
    expect(readFileSync(join(folder, 'helmet.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const [header, row, end] = readFileSync(join(folder, 'helmet.csv'), 'utf8').split('\r\n');
    expect([header!.split(',').length, row!.includes('Road Bicycle Helmet'), end]).toEqual([83, true, '']);
  });

  it('prints a template that is complete except for the attestation', async () => {
    const template = (await runCli(['certify', '--template'])).stdout;
    const args = ['certify', '-', '-o', join(temporaryFolder(), 'x.pdf'), '--json'];
    const record = JSON.parse((await runCli(args, { input: template })).stdout);
    expect(record.completeness.missing.map(({ path }: { path: string }) => path)).toEqual(['attestation']);
    const attested = template
      .replace('// , "attestation"', ', "attestation"')
      .replace('NAME', 'Dana Whitfield')
      .replace('TITLE', 'Director')
      .replace('YYYY-MM-DD', record.issued_at.slice(0, 10));
    const complete = JSON.parse((await runCli(args, { input: attested })).stdout);
    expect(complete.completeness).toEqual({ status: 'complete', missing: [], contradictions: [] });
  });

  it('reports that a certificate without a verification URL isn’t published', async () => {
    const template = (await runCli(['certify', '--template'])).stdout;
    const out = join(temporaryFolder(), 'x.pdf');
    const { stdout } = await runCli(['certify', '-', '-o', out], { input: template });
    expect(stdout).toContain('isn’t published');
    expect(readFileSync(out).toString('latin1')).not.toContain('not-published.invalid');
    const record = JSON.parse((await runCli(['certify', '-', '-o', out, '--json'], { input: template })).stdout);
    expect(record.verification_url).toBeNull();
  });

  it('issues a certificate through a service with --server', async () => {
    const { base, output } = await serveForTest(['--data', temporaryFolder()]);
    const [key = ''] = /cmpl_live_\w+/.exec(output().stdout) ?? [];
    const template = (await runCli(['certify', '--template'])).stdout;
    const out = join(temporaryFolder(), 'x.pdf');
    const env = { COMPLIANCE_API_KEY: key };
    const { exitCode, stdout, stderr } = await runCli(['certify', '-', '-o', out, '--server', base], {
      input: template,
      env,
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    const [, page] = /^Issued certificate \S+: (\S+)$/m.exec(stdout)!;
    expect((await fetch(page!)).status).toBe(200);
    expect(readFileSync(out).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('fails with an error about the missing API key if --server is used without one', async () => {
    const template = (await runCli(['certify', '--template'])).stdout;
    const args = ['certify', '-', '--server', 'http://127.0.0.1:9'];
    const keyless = await runCli(args, { input: template, env: { COMPLIANCE_API_KEY: '' } });
    expect([keyless.exitCode, keyless.stderr]).toEqual([2, expect.stringContaining('COMPLIANCE_API_KEY')]);
  });

  it('prints the certificate record with --json', async () => {
    const folder = temporaryFolder();
    const template = (await runCli(['certify', '--template'])).stdout;
    const url = 'https://shop.example/gcc/1';
    const args = ['certify', '-', '-o', join(folder, 'x.pdf'), '--json', '--verification-url', url];
    const record = JSON.parse((await runCli(args, { input: template })).stdout);
    expect(record).toMatchObject({ format: 'gcc-1', verification_url: url, completeness: { status: 'incomplete' } });
  });

  it('uses the paper size in the request unless --paper overrides it', async () => {
    const folder = temporaryFolder();
    const template = (await runCli(['certify', '--template'])).stdout;
    const request = template.replace('{', '{ "paper": "a4",');
    const paperOf = async (...args: string[]) => {
      const out = join(folder, 'x.pdf');
      const { stdout } = await runCli(['certify', '-', '-o', out, '--json', ...args], { input: request });
      return JSON.parse(stdout).request.paper;
    };
    expect([await paperOf(), await paperOf('--paper', 'letter')]).toEqual(['a4', 'letter']);
  });

  it('lists every error in the request and exits with code 2', async () => {
    const { exitCode, stderr } = await runCli(['certify', '-'], {
      input: '{"product_info":{"name":""},"color":1}',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('product_info.date_of_manufacture');
    expect(stderr).toContain('color is not a known field (UNKNOWN_FIELD)');
  });

  it('creates a Children’s Product Certificate and a tracking label from the sample request', async () => {
    const folder = temporaryFolder();
    const input = (await runCli(['certify', '--template', 'cpc'])).stdout;
    const labs = join(folder, 'labs.json');
    const list = { as_of: '2026-11-20', source: 'cpsc.gov laboratory search', labs: [{ cpsc_lab_id: '1234' }] };
    writeFileSync(labs, JSON.stringify(list));
    const [out, label] = [join(folder, 'toy.pdf'), join(folder, 'label.pdf')];
    const args = ['certify', '-', '-o', out, '--labs', labs, '--tracking-label', label, '--json'];
    const record = JSON.parse((await runCli(args, { input })).stdout);
    expect(record).toMatchObject({
      format: 'cpc-1',
      completeness: { missing: [{ path: 'attestation' }], contradictions: [] },
      childrens: { lab_list: { as_of: '2026-11-20' }, labs: [{ status: 'accepted' }] },
    });
    for (const file of [out, label]) expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
    const { stdout } = await runCli(['certify', '-', '-o', out], { input });
    expect(stdout).toContain('we didn’t check whether the laboratories are accepted');
    expect(stdout).toContain('Why it’s a children’s product:');
  });

  it('rejects an adult product, an invalid laboratory list, and a tracking label for a general-use product', async () => {
    const folder = temporaryFolder();
    const toy = (await runCli(['certify', '--template', 'cpc'])).stdout;
    const adult = toy
      .replace('"from_months": 36, "to_months": 83', '"from_months": 216')
      .replace('"marketing": "children"', '"marketing": "general_use"');
    expect(await runCli(['certify', '-'], { input: adult })).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('NOT_A_CHILDRENS_PRODUCT') },
    });
    const labs = join(folder, 'labs.json');
    writeFileSync(labs, '{"labs":[]}');
    expect(await runCli(['certify', '-', '--labs', labs], { input: toy })).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining("isn't a valid list of laboratories. as_of") },
    });
    const helmet = (await runCli(['certify', '--template', 'gcc'])).stdout;
    const label = ['--tracking-label', join(folder, 'label.pdf')];
    expect(await runCli(['certify', '-', ...label], { input: helmet })).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('--tracking-label requires a Children') },
    });
    expect(await runCli(['certify', '--template', 'car'])).toMatchObject({ exitCode: 2 });
  });

  it('writes a Product Registry file only if no value or code is missing, and reads it back', async () => {
    const folder = temporaryFolder();
    const [codes, out, csv] = ['codes.json', 'x.pdf', 'registry.csv'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const list = { as_of: '2026-11-20', source: 'made up', codes: { '16 CFR 1203': 'T1203' } };
    writeFileSync(codes, JSON.stringify(list));
    const helmet = (await runCli(['certify', '--template'])).stdout;
    const args = ['certify', '-', '-o', out, '--efiling', csv, '--codes', codes];
    const refused = await runCli(args, { input: helmet });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('efiling.version_id: New Version ID is required.');
    expect([existsSync(out), existsSync(csv)]).toEqual([false, false]);
    const efiling = {
      ...{ product_id: 'RB-200', version_id: 'V1', manufacturer_alternate_id: 'M1', manufacturer_is_new: true },
      ...{ lab_is_new: true, records_contact_is_new: true },
    };
    const maker = '"city": "Shenzhen", "postal_code": "518057", "country": "CN", "phone": "+86 755 5550 1234"';
    const input = helmet
      .replace('{', `{ "efiling": ${JSON.stringify(efiling)},`)
      .replace('"phone": "+86 755 5550 1234"', maker)
      .replace('"test_date"', '"accreditation_id": "A-1", "test_date"');
    const written = await runCli(args, { input });
    expect([written.exitCode, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain('your list dated 2026-11-20 (made up)');
    const { stdout } = await runCli(['certify', '--from-registry', csv, '--codes', codes]);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        product_info: { name: 'Road Bicycle Helmet', date_of_manufacture: '2026-09' },
        cpsc_rules_cited: ['16 CFR 1203'],
        efiling,
      },
    ]);
    expect(await runCli(['certify', '--from-registry', csv])).toMatchObject({ exitCode: 2 });
  });

  it('creates a certificate for each row of a CSV file with --csv, and lists the rows without a certificate', async () => {
    const folder = temporaryFolder();
    const [csv, family] = [join(folder, 'catalog.csv'), join(folder, 'family.json')];
    writeFileSync(family, (await runCli(['certify', '--template'])).stdout);
    writeFileSync(
      csv,
      'key,product_info.name,product_info.date_of_manufacture\nA,Helmet A,2026-09-14\nB,Helmet B,soon\n',
    );
    const run = await runCli(['certify', '--csv', csv, '--template', family, '--out', join(folder, 'out')]);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('1 draft');
    expect(run.stderr).toContain('line 3, product_info.date_of_manufacture: must be a date');
    expect(existsSync(join(folder, 'out', 'A.pdf'))).toBe(true);
    expect(await runCli(['certify', '--csv', csv])).toMatchObject({ exitCode: 2 });
  });

  it('exits with code 1 if a file cannot be read or written', async () => {
    expect(await runCli(['certify', '/no/such.json'])).toMatchObject({ exitCode: 1 });
    const template = (await runCli(['certify', '--template'])).stdout;
    const refused = await runCli(['certify', '-', '-o', '/no/such/x.pdf'], { input: template });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("Can't write /no/such/x.pdf")]);
  });
});
