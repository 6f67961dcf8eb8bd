import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../testing/markup.ts';
import { issueCertificate, startOperatorService } from '../../testing/operator-service.ts';

let service: Awaited<ReturnType<typeof startOperatorService>>;
let cookie: string;
let form_token: string;
beforeAll(async () => {
  service = await startOperatorService();
  const { token, session } = await service.store.operator.openSession('hash of the secret');
  [cookie, form_token] = [`operator=${token}`, session.csrfToken];
});
afterAll(() => service.stop());

const read = async (path: string) => {
  const response = await service.get(path, { headers: { Cookie: cookie } });
  return { status: response.status, page: await response.text() };
};
const send = async (path: string, form: Record<string, string>) =>
  await service.get(path, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: 'http://service.test', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form_token, ...form }).toString(),
  });
const listed = async (query: string) =>
  [...(await read(`/operator/certificates?${query}`)).page.matchAll(/class="name" href="[^"]*\/([\w-]+)"/g)].map(
    ([, id]) => id,
  );

describe('the certificate search', () => {
  it('finds certificates by name, SKU, number, hash, and date, and paginates them without gaps', async () => {
    service.time.now = Date.UTC(2026, 9, 1, 23, 59);
    const key = await service.issue('entry', 'Acme delegate:on');
    const lamp = await issueCertificate(service, { product: { name: 'Desk Lamp', sku: 'DL-7' } }, key);
    service.time.now = Date.UTC(2026, 9, 2);
    const bell = await issueCertificate(service, { product: { name: 'Bicycle Bell', sku: 'BB-1' } }, key);
    const { sha256 } = (await service.store.certificates.get(lamp))!;
    for (const [query, expected] of [
      ['', [bell, lamp]],
      ['q=desk', [lamp]],
      ['q=bb-1', [bell]],
      [`q=${lamp}`, [lamp]],
      [`q=${sha256.slice(0, 8)}`, [lamp]],
      ['from=2026-10-02', [bell]],
      ['to=2026-10-01', [lamp]],
      ['from=2026-10-01&to=2026-10-02', [bell, lamp]],
      ['q=nothing', []],
    ] as const) {
      expect([query, await listed(query)]).toEqual([query, expected]);
    }
    expect((await read('/operator/certificates?from=2026-02-30')).status).toBe(400);
    expect((await read('/operator/certificates?before=unknown')).status).toBe(404);
    const { page } = await read('/operator/certificates');
    expect(page).toContain(`href="/gcc/${lamp}"`);
    expect(visibleText(page)).toContain(sha256);
    expect(visibleText(page)).toContain('Acme delegate:on');

    const pdf = Buffer.from('%PDF-');
    const { record } = (await service.store.certificates.get(bell))!;
    for (let i = 0; i < 120; i++) {
      await service.store.certificates.issue({ family: 'f', record, pdf, names: ['Paged'], actor: 'test' });
    }
    const found: (string | undefined)[] = [];
    for (let query: string | undefined = 'q=paged'; query !== undefined; ) {
      found.push(...(await listed(query)));
      const { page } = await read(`/operator/certificates?${query}`);
      query = /certificates\?([^"]+)">Older/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    }
    expect([found.length, new Set(found).size]).toEqual([120, 120]);
  });
});

describe('a certificate page', () => {
  it('shows a certificate’s warnings and history', async () => {
    const key = await service.issue('entry');
    const first = await issueCertificate(service, {}, key);
    const second = await issueCertificate(service, { supersedes: first }, key);
    const third = await issueCertificate(service, { supersedes: second }, key);
    for (const id of [first, second, third]) {
      const { page } = await read(`/operator/certificates/${id}`);
      for (const other of [first, second, third]) expect(visibleText(page)).toContain(other);
      expect(page.includes('Void this certificate')).toBe(id === third);
      expect(visibleText(page)).toContain(id === first ? 'NO_ATTESTATION' : 'No warnings.');
    }
    expect((await read('/operator/certificates/unknown')).status).toBe(404);
  });
});

describe('certificate voiding', () => {
  it('requires a reason and a confirmation to void a certificate, voids it only once, and records the change in the audit log', async () => {
    const id = await issueCertificate(service);
    const path = `/operator/certificates/${id}/void`;
    for (const form of [{}, { reason: 'Wrong lab' }, { confirmed: 'on' }, { reason: ' \u202e', confirmed: 'on' }]) {
      expect((await send(path, form as Record<string, string>)).status).toBe(400);
    }
    expect((await send(path, { reason: 'x'.repeat(301), confirmed: 'on' })).status).toBe(400);
    expect(await service.store.certificates.get(id)).toMatchObject({ status: 'draft' });

    const voided = await send(path, { reason: ' Wrong\nlab ', confirmed: 'on' });
    expect([voided.status, voided.headers.get('Location')]).toEqual([303, `/operator/certificates/${id}?voided`]);
    expect(await service.store.certificates.get(id)).toMatchObject({ status: 'voided', voidReason: 'Wrong lab' });
    expect((await service.store.audit.list({ limit: 1 }))[0]).toMatchObject({
      ...{ actor: 'operator', action: 'certificate.void', subject: id },
      requestId: voided.headers.get('X-Request-Id'),
    });
    expect(visibleText((await read(`/gcc/${id}`)).page)).toContain('Wrong lab');
    const again = await send(path, { reason: 'Another', confirmed: 'on' });
    expect(again.status).toBe(409);
    expect(visibleText(await again.text())).toContain('is already void');
    expect((await send('/operator/certificates/unknown/void', { reason: 'r', confirmed: 'on' })).status).toBe(404);
  });
});
