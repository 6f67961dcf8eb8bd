import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Certificate, StoreError } from '../../index.ts';
import { START, type World } from './world.ts';

const pdfOf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export function registerCertificates(world: World): void {
  const issue = (id?: string, family = 'fam_1') =>
    world.store.certificates.issue({ id, family, record: '{"name":"Lamp"}', pdf: pdfOf(`${id}`), actor: 'key_1' });
  const supersede = (id: string, successor?: string) =>
    world.store.certificates.supersede(id, { id: successor, record: '{}', pdf: pdfOf('new'), actor: 'key_2' });
  const end = (id: string) => world.store.certificates.void(id, { reason: 'Wrong lab', actor: 'operator' });
  const actions = async () => (await world.store.audit.list({ limit: 100 })).map(({ action }) => action).reverse();

  describe('certificates', () => {
    it('are kept as issued, with their PDF', async () => {
      const pdf = pdfOf('Lamp');
      const record = '{"name":"Lamp",  "maker":"Ünal \\u0000 馬"}';
      const issued = await world.store.certificates.issue({
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
        status: 'valid',
        createdAt: START,
        voidedAt: null,
        voidReason: null,
        supersededBy: null,
        supersedes: null,
      } satisfies Certificate);
      expect(await world.store.certificates.get('gcc-1')).toEqual(issued);
      expect(Buffer.from(await world.store.certificates.pdf('gcc-1'))).toEqual(pdf);
      expect(await world.store.blobs.has(issued.sha256)).toBe(true);
    });

    it('get a random UUID when they bring no id', async () => {
      const { id } = await issue();
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect((await issue()).id).not.toBe(id);
    });

    it('keep any JSON text exactly', async () => {
      await fc.assert(
        fc.asyncProperty(fc.json({ stringUnit: 'grapheme' }), async record => {
          const { id } = await world.store.certificates.issue({ family: 'f', record, pdf: pdfOf(''), actor: 'k' });
          expect((await world.store.certificates.get(id))?.record).toBe(record);
        }),
        { numRuns: 20 },
      );
    });

    it('share a PDF of the same bytes', async () => {
      const request = { family: 'fam_1', record: '{}', pdf: pdfOf('same'), actor: 'key_1' };
      const [one, two] = [await world.store.certificates.issue(request), await world.store.certificates.issue(request)];
      expect(one.id).not.toBe(two.id);
      expect(one.sha256).toBe(two.sha256);
      expect(await world.store.certificates.pdf(one.id)).toEqual(await world.store.certificates.pdf(two.id));
    });

    it.each([
      ['pdf', (id: string) => world.store.certificates.pdf(id)],
      ['void', end],
      ['supersede', (id: string) => supersede(id)],
      ['list', (id: string) => world.store.certificates.list({ limit: 5, before: id })],
    ])('%s of an unknown id is refused with a code and a sentence; get gives null', async (_, call) => {
      expect(await world.store.certificates.get('nobody')).toBeNull();
      const refusal = await call('nobody').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreError);
      expect(refusal).toMatchObject({ code: 'certificate_unknown', message: expect.stringContaining('nobody') });
      expect(await world.store.certificates.list({ limit: 10 })).toEqual([]);
      expect(await actions()).toEqual([]);
    });

    it('never share an id, also when issued at once', async () => {
      const issued = await Promise.allSettled([1, 2, 3, 4, 5].map(() => issue('gcc-1')));
      expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of issued) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'certificate_exists' });
      }
      const first = await world.store.certificates.get('gcc-1');
      const another = { id: 'gcc-1', family: 'fam_2', record: '[]', pdf: pdfOf('another'), actor: 'key_2' };
      await expect(world.store.certificates.issue(another)).rejects.toMatchObject({ code: 'certificate_exists' });
      expect(await world.store.certificates.get('gcc-1')).toEqual(first);
      await expect(supersede('gcc-1', 'gcc-1')).rejects.toMatchObject({ code: 'certificate_exists' });
      expect(await world.store.certificates.get('gcc-1')).toEqual(first);
      expect(await actions()).toEqual(['certificate.issue']);
    });

    it.each([
      ['an empty id', { id: '' }],
      ['an id that is no path segment', { id: 'a/b' }],
      ['an id with a line end', { id: 'a\n' }],
      ['a long id', { id: 'a'.repeat(65) }],
      ['a record that is no JSON', { record: '{' }],
      ['an empty record', { record: '' }],
      ['a record with half a character', { record: '"\ud83d"' }],
      ['no PDF', { pdf: Buffer.from('PDF-1.7') }],
      ['an empty PDF', { pdf: Buffer.alloc(0) }],
    ])('with %s are refused', async (_, change) => {
      const request = { family: 'fam_1', record: '{}', pdf: pdfOf(''), actor: 'key_1', ...change };
      await expect(world.store.certificates.issue(request)).rejects.toMatchObject({ code: 'certificate_invalid' });
      const { id } = await issue();
      await expect(world.store.certificates.supersede(id, request)).rejects.toMatchObject({
        code: 'certificate_invalid',
      });
      expect(await world.store.certificates.list({ limit: 10 })).toMatchObject([{ id, status: 'valid' }]);
    });

    it('are voided once and for good, and still answer', async () => {
      const issued = await issue('gcc-1');
      world.now += 1000;
      const voided = await end('gcc-1');
      expect(voided).toEqual({ ...issued, status: 'void', voidedAt: world.now, voidReason: 'Wrong lab' });
      world.now += 1000;
      await expect(end('gcc-1')).rejects.toMatchObject({
        code: 'certificate_ended',
        message: expect.stringContaining('gcc-1 is void'),
      });
      await expect(supersede('gcc-1')).rejects.toMatchObject({ code: 'certificate_ended' });
      expect(await world.store.certificates.list({ limit: 10 })).toEqual([voided]);
      expect(Buffer.from(await world.store.certificates.pdf('gcc-1'))).toEqual(pdfOf('gcc-1'));
    });

    it.each(['', ' \n', 'a\0b'])('are not voided for the reason %j', async reason => {
      const { id } = await issue();
      await expect(world.store.certificates.void(id, { reason, actor: 'operator' })).rejects.toMatchObject({
        code: 'certificate_invalid',
      });
      expect(await world.store.certificates.get(id)).toMatchObject({ status: 'valid' });
    });

    it('are superseded by a successor of their family that names them, again and again', async () => {
      const first = await issue('gcc-1', 'fam_7');
      world.now += 1000;
      const second = await supersede('gcc-1', 'gcc-2');
      expect(second).toEqual({
        ...first,
        id: 'gcc-2',
        record: '{}',
        sha256: sha256Of(pdfOf('new')),
        size: pdfOf('new').length,
        createdAt: world.now,
        supersedes: 'gcc-1',
      });
      const third = await supersede('gcc-2', 'gcc-3');
      expect(await world.store.certificates.get('gcc-1')).toEqual({
        ...first,
        status: 'superseded',
        supersededBy: 'gcc-2',
      });
      expect(await world.store.certificates.get('gcc-2')).toEqual({
        ...second,
        status: 'superseded',
        supersededBy: 'gcc-3',
      });
      expect(await world.store.certificates.get('gcc-3')).toEqual(third);
      for (const change of [end('gcc-1'), supersede('gcc-1')]) {
        await expect(change).rejects.toMatchObject({
          code: 'certificate_ended',
          message: expect.stringContaining('gcc-1 is superseded by gcc-2'),
        });
      }
      expect(await world.store.certificates.list({ limit: 10 })).toHaveLength(3);
    });

    it('end once when many void and supersede them at once', async () => {
      const { id } = await issue();
      const ends = await Promise.allSettled([end(id), supersede(id), end(id), supersede(id), end(id), supersede(id)]);
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of ends) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'certificate_ended' });
      }
      const ended = await world.store.certificates.get(id);
      const successors = (await world.store.certificates.list({ limit: 10 })).filter(each => each.id !== id);
      expect(successors).toHaveLength(ended?.status === 'superseded' ? 1 : 0);
      expect(await actions()).toHaveLength(ended?.status === 'superseded' ? 3 : 2);
    });

    it('have each change in the audit log, without the record', async () => {
      const first = await issue('gcc-1');
      const second = await world.store.certificates.supersede('gcc-1', {
        ...{ id: 'gcc-2', record: '{}', pdf: pdfOf('new'), actor: 'key_2', requestId: 'req-2' },
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
      expect(await world.store.audit.list({ limit: 10 })).toEqual([
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

    it('change not at all when the audit entry cannot be written; a PDF may stay behind', async () => {
      const nobody = { actor: null as unknown as string };
      const request = { id: 'gcc-1', family: 'fam_1', record: '{}', pdf: pdfOf('orphan'), ...nobody };
      await expect(world.store.certificates.issue(request)).rejects.toThrow();
      expect(await world.store.certificates.get('gcc-1')).toBeNull();
      expect(await world.store.blobs.has(sha256Of(request.pdf))).toBe(true);

      const issued = await world.store.certificates.issue({ ...request, actor: 'key_1' });
      await expect(world.store.certificates.void('gcc-1', { reason: 'r', ...nobody })).rejects.toThrow();
      await expect(world.store.certificates.supersede('gcc-1', { ...request, id: 'gcc-2' })).rejects.toThrow();
      expect(await world.store.certificates.list({ limit: 10 })).toEqual([issued]);
      expect(await actions()).toEqual(['certificate.issue']);
    });

    it('page from the newest to the oldest without a gap or a repetition, by family or all', async () => {
      const issued = [];
      for (let i = 0; i < 25; i++) {
        issued.push(await issue(undefined, `fam_${i % 2}`));
        world.now += i % 3 === 0 ? 1 : 0;
      }
      for (const family of [undefined, 'fam_0', 'fam_1', 'fam_2']) {
        const expected = issued.filter(each => family === undefined || each.family === family);
        const read: Certificate[] = [];
        for (let before: string | undefined; ; ) {
          const page = await world.store.certificates.list({ family, limit: 4, before });
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
    ])('are kept by the database itself: %s', async statement => {
      await issue('gcc-1');
      await supersede('gcc-1', 'gcc-2');
      await issue('gcc-3');
      await end('gcc-3');
      const before = await world.store.certificates.list({ limit: 10 });
      await expect(world.store.sql(statement)).rejects.toThrow('certificates are kept as issued');
      expect(await world.store.certificates.list({ limit: 10 })).toEqual(before);
    });

    it.each([
      "insert or replace into certificates select id, family, sha256, size, '[]', created_at, supersedes, null, null from certificates where id = 'gcc-1'",
      "insert or replace into certificates select 'gcc-9', family, sha256, size, record, created_at, 'gcc-1', null, null from certificates where id = 'gcc-1'",
      'truncate certificates cascade',
    ])('are kept by the database itself, or it has no such statement: %s', async statement => {
      await issue('gcc-1');
      await supersede('gcc-1', 'gcc-2');
      const before = await world.store.certificates.list({ limit: 10 });
      await expect(world.store.sql(statement)).rejects.toThrow(/certificates are kept as issued|syntax error/);
      expect(await world.store.certificates.list({ limit: 10 })).toEqual(before);
    });

    it.each([
      "update certificates set voided_at = 1 where id = 'gcc-1'",
      "update certificates set void_reason = 'r' where id = 'gcc-1'",
    ])('are void with time and reason, or not at all: %s', async statement => {
      await issue('gcc-1');
      await expect(world.store.sql(statement)).rejects.toThrow(/certificates_void_has_reason/);
    });
  });
}
