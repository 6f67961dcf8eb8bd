import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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

  it('prints the ID of an issued certificate whose PDF can’t be downloaded', async () => {
    const service = createServer((request, response) => {
      response.writeHead(request.method === 'POST' ? 201 : 404, { 'Content-Type': 'application/json' });
      const gcc_pdf_url = `http://${request.headers.host}/gcc-1.pdf`;
      response.end(JSON.stringify({ gcc_id: 'gcc-1', gcc_pdf_url, sha256: '0'.repeat(64) }));
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo;
    const outcome = await runCli(['certify', '-', '--server', `http://127.0.0.1:${port}`], {
      input: (await runCli(['certify', '--template'])).stdout,
      env: { COMPLIANCE_API_KEY: 'key' },
    });
    expect([outcome.exitCode, outcome.stderr]).toEqual([1, expect.stringContaining('issued certificate gcc-1, but')]);
  });

  it('fails with an error that names COMPLIANCE_API_KEY if --server is used without an API key', async () => {
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

  it('attaches a PDF file, and rejects a JavaScript file and a missing file', async () => {
    const folder = temporaryFolder();
    const input = (await runCli(['certify', '--template'])).stdout;
    const [out, report, script] = ['x.pdf', 'report.pdf', 'report.js'].map(name => join(folder, name));
    writeFileSync(report!, '%PDF-1.7 report');
    writeFileSync(script!, 'alert(1)');
    const attach = (file: string) => runCli(['certify', '-', '-o', out!, '--attach', file, '--json'], { input });
    const record = JSON.parse((await attach(report!)).stdout);
    expect(record.attachments).toEqual([
      expect.objectContaining({ filename: 'report.pdf', media_type: 'application/pdf', size: 15 }),
    ]);
    const verified = await runCli(['verify', out!]);
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/^Consistent\..*\n {2}Attached +report\.pdf\n/s),
    ]);
    expect(await attach(script!)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`Can't attach ${script}`),
    });
    expect(await attach(join(folder, 'missing.pdf'))).toMatchObject({ exitCode: 1 });
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

  it('rejects a CPC or tracking label for a general-use product, and rejects an invalid laboratory list', async () => {
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

  describe('with --efiling', () => {
    const efiling = {
      ...{ product_id: 'RB-200', version_id: 'V1', manufacturer_alternate_id: 'M1', manufacturer_is_new: true },
      ...{ lab_is_new: true, records_contact_is_new: true },
    };
    /**
     * Writes a code list to a temporary folder. Returns the sample request with eFiling values, command arguments, and
     * a function that returns the path of a file in the folder.
     */
    async function setUp(more: object = {}) {
      const folder = temporaryFolder();
      const path = (name: string) => join(folder, name);
      const list = { as_of: '2026-11-20', source: 'made up', codes: { '16 CFR 1203': 'T1203' } };
      writeFileSync(path('codes.json'), JSON.stringify(list));
      const template = (await runCli(['certify', '--template'])).stdout;
      const maker = '"city": "Shenzhen", "postal_code": "518057", "country": "CN", "phone": "+86 755 5550 1234"';
      const input = template
        .replace('{', `{ "efiling": ${JSON.stringify({ ...efiling, ...more })},`)
        .replace('"phone": "+86 755 5550 1234"', maker)
        .replace('"test_date"', '"accreditation_id": "A-1", "test_date"');
      const args = ['certify', '-', '-o', path('x.pdf'), '--efiling', path('out')];
      return { path, template, input, args, codes: ['--codes', path('codes.json')] };
    }

    it('writes a Product Registry file only if no value or code is missing', async () => {
      const { path, template, input, args, codes } = await setUp();
      const refused = await runCli([...args, ...codes], { input: template });
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain('efiling.version_id: New Version ID is required.');
      const uncoded = await runCli(args, { input });
      expect([uncoded.exitCode, uncoded.stderr]).toEqual([
        1,
        expect.stringContaining('  codes: Provide a list of citation'),
      ]);
      expect([existsSync(path('x.pdf')), existsSync(path('out'))]).toEqual([false, false]);
      const written = await runCli([...args, ...codes], { input });
      expect([written.exitCode, written.stderr]).toEqual([0, '']);
      expect(written.stdout).toContain('your list dated 2026-11-20 (made up)');
      expect(written.stdout).toContain('- This certificate is a draft');
      expect(readFileSync(path('out'), 'utf8').split('\r\n')).toHaveLength(3);
    });

    it('converts a Product Registry file to NDJSON requests and reports every omitted value', async () => {
      const { path, input, args, codes } = await setUp();
      await runCli([...args, ...codes], { input });
      const [header, row] = readFileSync(path('out'), 'utf8').split('\r\n') as [string, string];
      writeFileSync(path('two.csv'), `${header},Notes\r\n${row},\r\n${row},"fragile\nglass"\r\n`);
      const read = await runCli(['certify', '--from-registry', path('two.csv'), ...codes]);
      const requests = read.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
      expect(requests).toHaveLength(2);
      expect(requests[1]).toMatchObject({
        product_info: { name: 'Road Bicycle Helmet', date_of_manufacture: '2026-09' },
        cpsc_rules_cited: ['16 CFR 1203'],
        efiling,
      });
      expect(read.stderr).toContain(
        "two.csv, Notes: unknown column, so its values aren't included in the requests (rows with a value: 1).",
      );
      expect(read.stderr).toContain('Assumed: tests use the last test date');
      writeFileSync(path('one.json'), read.stdout.split('\n')[0]!);
      expect(await runCli(['certify', path('one.json'), '-o', path('again.pdf')])).toMatchObject({ exitCode: 0 });
      writeFileSync(path('bad.csv'), `${header}\r\n${row.replace('09/2026', 'soon')}\r\n`);
      const bad = await runCli(['certify', '--from-registry', path('bad.csv'), ...codes]);
      expect([bad.exitCode, bad.stderr]).toEqual([2, expect.stringContaining('bad.csv, line 2: Manufacture Date')]);
      writeFileSync(path('short.csv'), `${header}\r\n${row}\r\n${row.slice(0, row.lastIndexOf(','))}\r\n`);
      const short = await runCli(['certify', '--from-registry', path('short.csv'), ...codes]);
      expect([short.exitCode, short.stderr]).toEqual([2, expect.stringContaining('line 3: POC Email: is missing')]);
      writeFileSync(path('twice.csv'), 'GTIN,GTIN\r\n1,2\r\n');
      const twice = await runCli(['certify', '--from-registry', path('twice.csv'), ...codes]);
      expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining('two columns named GTIN')]);
      expect(await runCli(['certify', '--from-registry', path('two.csv')])).toMatchObject({ exitCode: 2 });
    });

    it('writes a FedEx message, or names the invalid fields', async () => {
      const { path, input, args } = await setUp({ certifier_id: 'C-1' });
      const target = [...args, '--efiling-target', 'fedex_reference'];
      const written = await runCli(target, { input });
      expect([written.exitCode, written.stderr]).toEqual([0, '']);
      expect(JSON.parse(readFileSync(path('out'), 'utf8'))).toMatchObject({
        requestedShipment: {
          customsClearanceDetail: { commodities: [{ regulatoryDetails: [{ regulationCode: 'CPSC' }] }] },
        },
      });
      const refused = await runCli(target, { input: input.replace('"C-1"', `"${'C'.repeat(40)}"`) });
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('  efiling.certifier_id: ')]);
    });

    it('writes a disclaim message for a product without a certificate', async () => {
      const { path, codes } = await setUp();
      writeFileSync(path('disclaim.json'), '{ "code": "A", "intended_use_code": "130.000", "product_id": "MUG-1" }');
      const args = ['certify', '--efiling', path('out'), '--efiling-target', 'fedex_disclaim'];
      const disclaim = ['--disclaim', path('disclaim.json')];
      const refused = await runCli([...args, ...disclaim]);
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('  disclaim.product_id_type: ')]);
      writeFileSync(
        path('disclaim.json'),
        '{ "code": "A", "intended_use_code": "130.000", "product_id": "MUG-1", "product_id_type": "SKU" }',
      );
      const written = await runCli([...args, ...disclaim, ...codes]);
      expect([written.exitCode, written.stdout]).toEqual([0, expect.stringContaining('Wrote ')]);
      expect(readFileSync(path('out'), 'utf8')).toContain('"disclaimCode": "A"');
      writeFileSync(path('disclaim.json'), '{ "code": "C" }');
      expect(await runCli([...args, ...disclaim])).toMatchObject({
        ...{ exitCode: 2, stderr: expect.stringContaining('  code: ') },
      });
    });

    it('explains why it doesn’t write data for a target whose schema couldn’t be confirmed', async () => {
      const { path, input, args } = await setUp();
      const { exitCode, stderr } = await runCli([...args, '--efiling-target', 'easypost'], { input });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the schema couldn’t be confirmed')]);
      expect([existsSync(path('x.pdf')), existsSync(path('out'))]).toEqual([false, false]);
    });

    it('writes a Product Registry row for each variant in a CSV file, or no file if a CSV row is invalid', async () => {
      const { path, input, codes } = await setUp();
      writeFileSync(path('family.json'), input.replace('"product_id":"RB-200",', ''));
      const header = 'key,product_info.sku,product_info.variants.0.sku,product_info.variants.1.sku,efiling.version_id';
      writeFileSync(path('catalog.csv'), `${header}\nA,A-1,,,V1\nB,,B-1,B-2,V2\n`);
      const args = ['certify', '--csv', path('catalog.csv'), '--template', path('family.json')];
      const files = ['--out', path('pdfs'), '--efiling', path('out')];
      const written = await runCli([...args, ...files, ...codes]);
      expect([written.exitCode, written.stderr]).toEqual([0, '']);
      expect(written.stdout).toContain('your list dated 2026-11-20');
      const rows = readFileSync(path('out'), 'utf8').trimEnd().split('\r\n').slice(1);
      expect(rows.map(row => row.split(',').slice(2, 4))).toEqual([
        ['V1', 'A-1'],
        ['V2', 'B-1'],
        ['V2', 'B-2'],
      ]);
      writeFileSync(path('catalog.csv'), `${header}\nA,A-1,,,V1\nC,,C-1,C-2,${'9'.repeat(20)}\n`);
      const refused = await runCli([...args, '--out', path('more'), '--efiling', path('none'), ...codes]);
      expect([refused.exitCode, existsSync(path('none'))]).toEqual([1, false]);
      expect(refused.stderr).toContain('line 3, efiling.version_id: ');
      expect(refused.stderr).toContain(`none wasn't written`);
      expect([existsSync(join(path('more'), 'A.pdf')), existsSync(join(path('more'), 'C.pdf'))]).toEqual([true, false]);
      expect(await runCli([...args, ...files])).toMatchObject({ exitCode: 2 });
      expect(await runCli([...args, ...files, ...codes, '--efiling-target', 'fedex_reference'])).toMatchObject({
        exitCode: 2,
      });
    });
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

  it('exits with code 1 if a file can’t be read or written', async () => {
    expect(await runCli(['certify', '/no/such.json'])).toMatchObject({ exitCode: 1 });
    const template = (await runCli(['certify', '--template'])).stdout;
    const refused = await runCli(['certify', '-', '-o', '/no/such/x.pdf'], { input: template });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("Can't write /no/such/x.pdf")]);
  });
});
