import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Certificate, StoreError } from '../../index.ts';
import { COMPLETE, INCOMPLETE } from '../records.ts';
import { START, type StoreHarness } from './harness.ts';

const pdfOf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export function registerCertificates(harness: StoreHarness): void {
  const issue = (id?: string, family = 'fam_1') =>
    harness.store.certificates.issue({ id, family, record: '{"name":"Lamp"}', pdf: pdfOf(`${id}`), actor: 'key_1' });
  const supersede = (id: string, successor?: string) =>
    harness.store.certificates.supersede(id, { id: successor, record: COMPLETE, pdf: pdfOf('new'), actor: 'key_2' });
  const end = (id: string) => harness.store.certificates.void(id, { reason: 'Wrong lab', actor: 'operator' });
  const actions = async () => (await harness.store.audit.list({ limit: 100 })).map(({ action }) => action).reverse();

  describe('certificates', () => {
    it('stores a certificate’s record and PDF unchanged', async () => {
      const pdf = pdfOf('Lamp');
      const record = '{"name":"Lamp",  "maker":"Ünal \\u0000 馬"}';
      const issued = await harness.store.certificates.issue({
        id: 'gcc-1',
        family: 'fam_1',
        record,
        pdf,
        actor: 'key_1',
      });
      expect(issued).toEqual({
        id: 'gcc-1',
        family: 'fam_1',
        sha256: sha256Of(pdf),
        size: pdf.length,
        record,
        status: 'draft',
        createdAt: START,
        voidedAt: null,
        voidReason: null,
        supersededBy: null,
        supersedes: null,
      } satisfies Certificate);
      expect(await harness.store.certificates.get('gcc-1')).toEqual(issued);
      expect(Buffer.from(await harness.store.certificates.pdf('gcc-1'))).toEqual(pdf);
      expect(await harness.store.blobs.has(issued.sha256)).toBe(true);
    });

    it('generates a random UUID for a certificate if the caller doesn’t pass an ID', async () => {
      const { id } = await issue();
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect((await issue()).id).not.toBe(id);
    });

    it('stores any JSON certificate record unchanged', async () => {
      await fc.assert(
        fc.asyncProperty(fc.json({ stringUnit: 'grapheme' }), async record => {
          const { id } = await harness.store.certificates.issue({ family: 'f', record, pdf: pdfOf(''), actor: 'k' });
          expect((await harness.store.certificates.get(id))?.record).toBe(record);
        }),
        { numRuns: 20 },
      );
    });

    it('accepts the same PDF for two certificates', async () => {
      const request = { family: 'fam_1', record: '{}', pdf: pdfOf('same'), actor: 'key_1' };
      const [one, two] = [
        await harness.store.certificates.issue(request),
        await harness.store.certificates.issue(request),
      ];
      expect(one.id).not.toBe(two.id);
      expect(one.sha256).toBe(two.sha256);
      expect(await harness.store.certificates.pdf(one.id)).toEqual(await harness.store.certificates.pdf(two.id));
    });

    it.each([
      ['pdf', (id: string) => harness.store.certificates.pdf(id)],
      ['void', end],
      ['supersede', (id: string) => supersede(id)],
      ['list', (id: string) => harness.store.certificates.list({ limit: 5, before: id })],
    ])('rejects the certificate operation `%s` for an unknown ID, and returns null from `get`', async (_, call) => {
      expect(await harness.store.certificates.get('gcc-missing')).toBeNull();
      const refusal = await call('gcc-missing').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreError);
      expect(refusal).toMatchObject({ code: 'certificate_unknown', message: expect.stringContaining('gcc-missing') });
      expect(await harness.store.certificates.list({ limit: 10 })).toEqual([]);
      expect(await actions()).toEqual([]);
    });

    it('issues at most one certificate with the same ID, even with concurrent calls', async () => {
      const issued = await Promise.allSettled([1, 2, 3, 4, 5].map(() => issue('gcc-1')));
      expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of issued) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'certificate_exists' });
      }
      const first = await harness.store.certificates.get('gcc-1');
      const another = { id: 'gcc-1', family: 'fam_2', record: '[]', pdf: pdfOf('another'), actor: 'key_2' };
      await expect(harness.store.certificates.issue(another)).rejects.toMatchObject({ code: 'certificate_exists' });
      expect(await harness.store.certificates.get('gcc-1')).toEqual(first);
      await expect(supersede('gcc-1', 'gcc-1')).rejects.toMatchObject({ code: 'certificate_exists' });
      expect(await harness.store.certificates.get('gcc-1')).toEqual(first);
      expect(await actions()).toEqual(['certificate.issue']);
    });

    it.each([
      ['an empty ID', { id: '' }],
      ["an ID that isn't a path segment", { id: 'a/b' }],
      ['an ID with a line break', { id: 'a\n' }],
      ['a long ID', { id: 'a'.repeat(65) }],
      ["a record that isn't JSON", { record: '{' }],
      ['an empty record', { record: '' }],
      ['a record with an unpaired surrogate', { record: '"\ud83d"' }],
      ['a file that isn’t a PDF', { pdf: Buffer.from('PDF-1.7') }],
      ['an empty PDF', { pdf: Buffer.alloc(0) }],
    ])('rejects a certificate with %s', async (_, change) => {
      const request = { family: 'fam_1', record: '{}', pdf: pdfOf(''), actor: 'key_1', ...change };
      await expect(harness.store.certificates.issue(request)).rejects.toMatchObject({ code: 'certificate_invalid' });
      const { id } = await issue();
      await expect(harness.store.certificates.supersede(id, request)).rejects.toMatchObject({
        code: 'certificate_invalid',
      });
      expect(await harness.store.certificates.list({ limit: 10 })).toMatchObject([{ id, status: 'draft' }]);
    });

    it('voids a certificate only once, and still returns the voided certificate', async () => {
      const issued = await issue('gcc-1');
      harness.now += 1000;
      const voided = await end('gcc-1');
      expect(voided).toEqual({ ...issued, status: 'voided', voidedAt: harness.now, voidReason: 'Wrong lab' });
      harness.now += 1000;
      await expect(end('gcc-1')).rejects.toMatchObject({
        code: 'certificate_ended',
        message: expect.stringContaining('gcc-1 is already voided'),
      });
      await expect(supersede('gcc-1')).rejects.toMatchObject({ code: 'certificate_ended' });
      expect(await harness.store.certificates.list({ limit: 10 })).toEqual([voided]);
      expect(Buffer.from(await harness.store.certificates.pdf('gcc-1'))).toEqual(pdfOf('gcc-1'));
    });

    it.each(['', ' \n', 'a\0b'])('rejects %j as the reason for voiding a certificate', async reason => {
      const { id } = await issue();
      await expect(harness.store.certificates.void(id, { reason, actor: 'operator' })).rejects.toMatchObject({
        code: 'certificate_invalid',
      });
      expect(await harness.store.certificates.get(id)).toMatchObject({ status: 'draft' });
    });

    it('supersedes a certificate and then its successor in the same family', async () => {
      const first = await issue('gcc-1', 'fam_7');
      harness.now += 1000;
      const second = await supersede('gcc-1', 'gcc-2');
      expect(second).toEqual({
        ...first,
        id: 'gcc-2',
        record: COMPLETE,
        status: 'complete',
        sha256: sha256Of(pdfOf('new')),
        size: pdfOf('new').length,
        createdAt: harness.now,
        supersedes: 'gcc-1',
      });
      const third = await supersede('gcc-2', 'gcc-3');
      expect(await harness.store.certificates.get('gcc-1')).toEqual({
        ...first,
        status: 'superseded',
        supersededBy: 'gcc-2',
      });
      expect(await harness.store.certificates.get('gcc-2')).toEqual({
        ...second,
        status: 'superseded',
        supersededBy: 'gcc-3',
      });
      expect(await harness.store.certificates.get('gcc-3')).toEqual(third);
      for (const change of [end('gcc-1'), supersede('gcc-1')]) {
        await expect(change).rejects.toMatchObject({
          code: 'certificate_ended',
          message: expect.stringContaining('gcc-1 is already superseded by gcc-2'),
        });
      }
      expect(await harness.store.certificates.list({ limit: 10 })).toHaveLength(3);
    });

    it.each([
      ['a draft', '{}', 'draft'],
      ['a draft that claims to be complete', '{"request":{},"completeness":{"status":"complete"}}', 'draft'],
      ['an incomplete certificate', INCOMPLETE, 'incomplete'],
    ])(
      'doesn’t let %s supersede a certificate, even if a complete certificate supersedes that certificate at the same time',
      async (_, record, status) => {
        const pdf = pdfOf('draft');
        const { id } = await harness.store.certificates.issue({
          family: 'fam_1',
          record: COMPLETE,
          pdf,
          actor: 'key_1',
        });
        const attempt = () => harness.store.certificates.supersede(id, { record, pdf, actor: 'key_2' });
        await expect(attempt()).rejects.toMatchObject({ code: 'certificate_incomplete' });
        expect(await harness.store.certificates.get(id)).toMatchObject({ status: 'complete', supersededBy: null });
        expect(await harness.store.certificates.list({ limit: 10 })).toHaveLength(1);

        const attempts = await Promise.allSettled([attempt(), supersede(id, 'gcc-2'), attempt(), attempt()]);
        expect(attempts.map(each => each.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected']);
        expect(await harness.store.certificates.get(id)).toMatchObject({ status: 'superseded', supersededBy: 'gcc-2' });
        const issued = await harness.store.certificates.issue({ family: 'fam_1', record, pdf, actor: 'key_1' });
        expect(issued.status).toBe(status);
        expect(await harness.store.certificates.get(issued.id)).toEqual(issued);
      },
    );

    it('lets only one of several concurrent calls void or supersede a certificate', async () => {
      const { id } = await issue();
      const ends = await Promise.allSettled([end(id), supersede(id), end(id), supersede(id), end(id), supersede(id)]);
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of ends) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'certificate_ended' });
      }
      const ended = await harness.store.certificates.get(id);
      const successors = (await harness.store.certificates.list({ limit: 10 })).filter(each => each.id !== id);
      expect(successors).toHaveLength(ended?.status === 'superseded' ? 1 : 0);
      expect(await actions()).toHaveLength(ended?.status === 'superseded' ? 3 : 2);
    });

    it('records every certificate change in the audit log, without the certificate record', async () => {
      const first = await issue('gcc-1');
      const second = await harness.store.certificates.supersede('gcc-1', {
        ...{ id: 'gcc-2', record: COMPLETE, pdf: pdfOf('new'), actor: 'key_2', requestId: 'req-2' },
      });
      const voided = await end('gcc-2');

      const stateOf = ({
        family,
        sha256,
        size,
        status,
        voidedAt,
        voidReason,
        supersededBy,
        supersedes,
      }: Certificate) => ({
        ...{ family, sha256, size, status, voidedAt, voidReason, supersededBy, supersedes },
      });
      const common = { id: expect.stringMatching(/^aud_/), at: START, requestId: null };
      expect(await harness.store.audit.list({ limit: 10 })).toEqual([
        {
          ...{ ...common, actor: 'operator', action: 'certificate.void', subject: 'gcc-2' },
          ...{ before: stateOf(second), after: stateOf(voided) },
        },
        {
          ...{ ...common, actor: 'key_2', action: 'certificate.supersede', subject: 'gcc-1', requestId: 'req-2' },
          ...{ before: stateOf(first), after: { ...stateOf(first), status: 'superseded', supersededBy: 'gcc-2' } },
        },
        {
          ...{ ...common, actor: 'key_2', action: 'certificate.issue', subject: 'gcc-2', requestId: 'req-2' },
          ...{ before: null, after: stateOf(second) },
        },
        {
          ...{ ...common, actor: 'key_1', action: 'certificate.issue', subject: 'gcc-1' },
          ...{ before: null, after: stateOf(first) },
        },
      ]);
    });

    it("leaves certificates unchanged if the audit entry can't be written, but keeps the orphaned PDF", async () => {
      const noActor = { actor: null as unknown as string };
      const request = { id: 'gcc-1', family: 'fam_1', record: '{}', pdf: pdfOf('orphan'), ...noActor };
      await expect(harness.store.certificates.issue(request)).rejects.toThrow();
      expect(await harness.store.certificates.get('gcc-1')).toBeNull();
      expect(await harness.store.blobs.has(sha256Of(request.pdf))).toBe(true);

      const issued = await harness.store.certificates.issue({ ...request, actor: 'key_1' });
      await expect(harness.store.certificates.void('gcc-1', { reason: 'r', ...noActor })).rejects.toThrow();
      await expect(
        harness.store.certificates.supersede('gcc-1', { ...request, id: 'gcc-2', record: COMPLETE }),
      ).rejects.toThrow();
      expect(await harness.store.certificates.list({ limit: 10 })).toEqual([issued]);
      expect(await actions()).toEqual(['certificate.issue']);
    });

    it('pages through the certificates in one family or all families from newest to oldest, without gaps or repetitions', async () => {
      const issued = [];
      for (let i = 0; i < 25; i++) {
        issued.push(await issue(undefined, `fam_${i % 2}`));
        harness.now += i % 3 === 0 ? 1 : 0;
      }
      for (const family of [undefined, 'fam_0', 'fam_1', 'fam_2']) {
        const expected = issued.filter(each => family === undefined || each.family === family);
        const read: Certificate[] = [];
        for (let before: string | undefined; ; ) {
          const page = await harness.store.certificates.list({ family, limit: 4, before });
          if (page.length === 0) break;
          read.push(...page);
          before = page.at(-1)?.id;
        }
        expect(read.map(({ createdAt }) => createdAt)).toEqual(expected.map(({ createdAt }) => createdAt).reverse());
        expect(new Set(read.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
        expect(read).toHaveLength(expected.length);
      }
    });

    it.each([
      'delete from certificates',
      "delete from certificates where id = 'gcc-1'",
      "update certificates set id = 'gcc-9'",
      "update certificates set family = 'fam_9' where id = 'gcc-1'",
      "update certificates set sha256 = '' where id = 'gcc-1'",
      "update certificates set size = 9 where id = 'gcc-1'",
      "update certificates set record = '[]' where id = 'gcc-1'",
      "update certificates set created_at = 9 where id = 'gcc-1'",
      "update certificates set supersedes = 'gcc-3' where id = 'gcc-1'",
      "update certificates set supersedes = null where id = 'gcc-2'",
      "update certificates set voided_at = null, void_reason = null where id = 'gcc-3'",
      "update certificates set void_reason = 'Another' where id = 'gcc-3'",
      "insert into certificates select * from certificates where id = 'gcc-1' on conflict (id) do update set record = '[]'",
    ])('rejects a statement that modifies or deletes a certificate: %s', async statement => {
      await issue('gcc-1');
      await supersede('gcc-1', 'gcc-2');
      await issue('gcc-3');
      await end('gcc-3');
      const before = await harness.store.certificates.list({ limit: 10 });
      await expect(harness.store.sql(statement)).rejects.toThrow('certificates are kept as issued');
      expect(await harness.store.certificates.list({ limit: 10 })).toEqual(before);
    });

    it.each([
      "insert or replace into certificates select id, family, sha256, size, '[]', created_at, supersedes, null, null from certificates where id = 'gcc-1'",
      "insert or replace into certificates select 'gcc-9', family, sha256, size, record, created_at, 'gcc-1', null, null from certificates where id = 'gcc-1'",
      'truncate certificates cascade',
    ])('rejects an engine-specific statement that modifies or deletes a certificate: %s', async statement => {
      await issue('gcc-1');
      await supersede('gcc-1', 'gcc-2');
      const before = await harness.store.certificates.list({ limit: 10 });
      await expect(harness.store.sql(statement)).rejects.toThrow(/certificates are kept as issued|syntax error/);
      expect(await harness.store.certificates.list({ limit: 10 })).toEqual(before);
    });

    it.each([
      "update certificates set voided_at = 1 where id = 'gcc-1'",
      "update certificates set void_reason = 'r' where id = 'gcc-1'",
    ])('rejects `voided_at` without `void_reason`, and `void_reason` without `voided_at`: %s', async statement => {
      await issue('gcc-1');
      await expect(harness.store.sql(statement)).rejects.toThrow(/certificates_void_has_reason/);
    });
  });
}
