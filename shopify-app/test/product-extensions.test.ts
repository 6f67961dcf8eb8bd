import { idToken, sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FILLED } from '../src/certificates/testing/helmet.ts';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';
import { BROWSER } from './harness.ts';

const given = sampleShop();
const STORE = 'https://admin.shopify.com/store/sample-shop';
const WIDTHS = [1280, 390];

// Opens product pages in the fake Shopify admin, which runs the app's admin UI extensions.
await describeInBrowser('admin UI extensions', open => {
  let session: BrowserSession;

  beforeAll(async () => {
    // The third product's variants have different results: covered, unknown, and not covered.
    for (const [index, code] of ['7318152061', null, '4820102020'].entries())
      given.products[2]!.variants[index]!.harmonizedSystemCode = code;
    session = await startBrowserSession(open, [given]);
    const frame = await session.visit('/app/catalog');
    await frame.getByText(/variants have a Section 232 result/).waitFor({ timeout: 40_000 });
  });
  afterAll(() => session?.close());

  /** Opens a product's page and returns the block's frame. */
  async function openProduct(number: number, locale = 'en'): Promise<Frame> {
    await session.page.goto(`${STORE}/products/${number}?locale=${locale}`);
    const block = await vi.waitFor(() => session.page.frame({ name: 'compliance-block' }) ?? expect.fail());
    await block.getByRole('heading', { level: 2 }).waitFor();
    return block;
  }
  /** Checks the page and the extensions' frames for accessibility problems, overflow, and console errors. */
  async function checkPage(name: string): Promise<void> {
    for (const width of WIDTHS) {
      await session.page.setViewportSize({ width, height: 860 });
      for (const frame of session.page.frames()) {
        const wider = await frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([width, frame.name(), wider]).toEqual([width, frame.name(), 0]);
      }
    }
    await session.checkScreen(session.page.mainFrame(), `extension-${name}`, WIDTHS);
  }
  const badges = (frame: Frame) => frame.locator('s-badge').allTextContents();
  const toneOf = (frame: Frame, text: string) =>
    frame.locator('s-badge').getByText(text, { exact: true }).getAttribute('tone');
  const shop = () => session.store.shop(given.domain);
  const draftId = async () =>
    ((await shop().productCertificates.get(given.products[7]!.id)).draft as { id: string }).id;

  /** Issues a certificate for the helmet by submitting the app's own form. */
  async function issue(fields: object): Promise<void> {
    const send = async (form: Record<string, string>) => {
      const route = encodeURIComponent('routes/app.certificates.$product');
      const headers = { ...BROWSER, Authorization: `Bearer ${await idToken(given.domain)}` };
      const init = { method: 'POST', headers, body: new URLSearchParams(form) };
      return await (await fetch(`${session.app.url}/app/certificates/8?_data=${route}`, init)).json();
    };
    await send({ intent: 'begin' });
    const draft = await draftId();
    const form = { intent: 'issue', draft, fields: JSON.stringify(fields), name: 'R. Keeper', agreed: 'true' };
    expect(await send(form)).toMatchObject({ issued: { issued: draft } });
  }

  describe('the block', () => {
    it('shows the duty with its start date, its citation, and the facts that determine it', async () => {
      const block = await openProduct(1);
      await block.getByText('HTS code: 7318.15.20.61').waitFor();
      expect(await badges(block)).toEqual(['Covered', 'No certificate']);
      await block
        .getByText(/^\d+% of the full customs value, in addition to the column 1 duty\. In effect since /)
        .waitFor();
      await block.getByText(/^Source: Proclamation \d+/).waitFor();
      expect(await block.getByRole('listitem').count()).toBeGreaterThan(0);
      expect(await session.page.locator('iframe[name=compliance-block]').getAttribute('data-summary')).toBe(
        'Section 232: Covered · Certificate: No certificate',
      );
      await checkPage('block');
    });

    it('shows the missing fact for unknown results, and never shows them as not covered', async () => {
      const block = await openProduct(22);
      await block
        .getByText('We can’t check a product without an HTS code. The product might still be covered.')
        .waitFor();
      expect(await badges(block)).toEqual(['Unknown', 'No certificate']);
      expect(await toneOf(block, 'Unknown')).toBe('caution');
      const mixed = await openProduct(3);
      await mixed.getByText('1 variant: Medium').waitFor();
      expect(await badges(mixed)).toEqual(['Covered', 'Unknown', 'Not covered', 'No certificate']);
      await checkPage('block-mixed');
    });

    it('links to the variant and to the certificate in the app', async () => {
      for (const [link, path] of [
        ['View details', '/app/catalog/100'],
        ['Create certificate in the app', '/app/certificates/1'],
      ] as const) {
        const block = await openProduct(1);
        await block.getByRole('link', { name: link }).click();
        await session.page.waitForURL(url => url.pathname.endsWith(path));
        await session.page.frameLocator('iframe[name=app]').getByRole('heading', { level: 1 }).waitFor();
      }
    });

    it('shows no English text in a German session', async () => {
      const block = await openProduct(1, 'de');
      await block.getByText('HTS-Code: 7318.15.20.61').waitFor();
      expect(await badges(block)).toEqual(['Erfasst', 'Kein Zertifikat']);
      // Citations stay in English because they're titles of legal sources.
      const texts = await block
        .locator('s-text:not(:has-text("Quelle:")), s-paragraph, s-link, s-list-item')
        .allTextContents();
      expect(texts.length).toBeGreaterThan(5);
      expect(texts.join('\n')).not.toMatch(/\b(?:the|of|is|are|and|in effect|covered|source)\b/i);
      await checkPage('block-de');
    });

    it('shows the certificate’s status, and uses green only for a complete certificate', async () => {
      const { phone: _, ...manufacturer } = FILLED.manufacturer;
      await issue({ ...FILLED, manufacturer });
      const block = await openProduct(8);
      await block.getByText(/^\d+ required details? (is|are) missing\.$/).waitFor();
      expect(await toneOf(block, 'Incomplete')).toBe('warning');
      await checkPage('block-incomplete');
      await issue(FILLED);
      const complete = await openProduct(8);
      await complete.getByRole('link', { name: 'Check certificate status' }).waitFor();
      expect(await toneOf(complete, 'Complete')).toBe('success');
    });

    it('explains what to do if the app has no results or doesn’t respond', async () => {
      await shop().variants.remove({ productId: given.products[29]!.id });
      const unknown = await openProduct(30);
      await unknown.getByRole('heading', { name: 'This product hasn’t been checked yet' }).waitFor();
      expect(await badges(unknown)).toEqual([]);
      await checkPage('block-unknown');

      const { page } = session;
      const failing = (status: number) =>
        page.route('**/app/extension/**', route =>
          route.fulfill({ status, json: {}, headers: { 'Access-Control-Allow-Origin': '*' } }),
        );
      await failing(401);
      const signedOut = await openProduct(1);
      await signedOut.getByRole('alert').getByText('Your session has expired').waitFor();
      await page.unroute('**/app/extension/**');
      await page.route('**/app/extension/**', route => route.abort());
      const block = await openProduct(1);
      await block.getByRole('alert').getByText('The app isn’t responding').waitFor();
      await page.unroute('**/app/extension/**');
      await block.getByRole('button', { name: 'Try again' }).click();
      await block.getByText('HTS code: 7318.15.20.61').waitFor();
      session.consoleErrors.length = 0;
    });
  });

  /** Opens an extension from one of the page's menus and returns the extension's frame. */
  async function openExtension(menu: string, button: string, name: string): Promise<Frame> {
    await session.page.getByRole('group', { name: menu }).getByRole('button', { name: button }).click();
    const frame = await vi.waitFor(() => session.page.frame({ name }) ?? expect.fail());
    await frame.getByRole('heading').first().waitFor();
    return frame;
  }

  describe('the action', () => {
    const fakeProduct = given.products[23]!;

    it('checks the product’s current codes in Shopify', async () => {
      await openProduct(24);
      const action = await openExtension('More actions', 'Check compliance', 'compliance-action');
      await action.getByText('HTS code: 4820.10.20.20').waitFor();
      expect(await badges(action)).toEqual(['Not covered', 'No certificate']);
      for (const variant of fakeProduct.variants) variant.harmonizedSystemCode = '7318152061';
      await action.getByRole('button', { name: 'Check codes now' }).click();
      await action.getByRole('status').getByText('HTS codes checked').waitFor();
      expect(await badges(action)).toEqual(['Covered', 'No certificate']);
      await checkPage('action-checked');
    });

    it('keeps the results if the check fails, and checks again after a retry', async () => {
      await openProduct(24);
      const action = await openExtension('More actions', 'Check compliance', 'compliance-action');
      await action.getByText('HTS code: 7318.15.20.61').waitFor();
      session.fakeShopify.faults.plan({ kind: 'status', status: 403 }, { operation: 'CatalogProduct', times: 1 });
      await action.getByRole('button', { name: 'Check codes now' }).click();
      await action.getByRole('alert').getByText('The app doesn’t have permission to read your products').waitFor();
      expect(await badges(action)).toEqual(['Covered', 'No certificate']);
      await action.getByRole('button', { name: 'Try again' }).click();
      await action.getByText('HTS codes checked').waitFor();
      // The browser logs the failed request.
      session.consoleErrors.length = 0;
    });

    it('drafts a certificate and links to it in the app', async () => {
      const block = await openProduct(24, 'de');
      await block.getByRole('button', { name: 'Codes prüfen oder Zertifikat entwerfen' }).click();
      const action = await vi.waitFor(() => session.page.frame({ name: 'compliance-action' }) ?? expect.fail());
      await action.getByRole('button', { name: 'Zertifikat entwerfen' }).click();
      await action.getByRole('status').getByText('Entwurf erstellt').waitFor();
      expect(await badges(action)).toEqual(['Erfasst', 'Entwurf']);
      expect(await toneOf(action, 'Entwurf')).toBe('info');
      expect(await action.getByRole('button', { name: 'Zertifikat entwerfen' }).count()).toBe(0);
      await checkPage('action-drafted-de');
      const { draft } = await shop().productCertificates.get(fakeProduct.id);
      expect(draft).toMatchObject({ fields: { product_info: { name: fakeProduct.title } } });
      await action.getByRole('link', { name: 'Zertifikat in der App öffnen' }).click();
      await session.page.waitForURL(url => url.pathname.endsWith('/app/certificates/24'));
    });

    it('closes when the merchant clicks Close', async () => {
      await openProduct(24);
      const action = await openExtension('More actions', 'Check compliance', 'compliance-action');
      await action.getByRole('button', { name: 'Close' }).click();
      await session.page.getByRole('dialog').waitFor({ state: 'hidden' });
    });
  });

  describe('the print action', () => {
    const preview = (text: RegExp) => session.page.locator('#preview').getByText(text).waitFor();

    it('previews and prints the certificate and its labels', async () => {
      await openProduct(8);
      const print = await openExtension('Print', 'Certificate', 'compliance-print');
      const printed = async () => {
        await preview(/^Preview: application\/pdf, \d{4,} bytes$/);
        await session.page.getByRole('button', { name: 'Print', exact: true }).click();
      };
      await printed();
      await checkPage('print');
      for (const [label, document] of [
        ['Product label (2 × 1 in.)', 'product_label'],
        ['Carton label (4 × 3 in.)', 'carton_label'],
      ] as const) {
        const answered = session.page.waitForResponse(answer => answer.url().endsWith(`document=${document}`));
        await print.getByRole('radio', { name: label }).check();
        expect((await answered).status()).toBe(200);
        await print.getByText('Print the label at its actual size, without scaling.').waitFor();
        await printed();
      }
      await vi.waitFor(async () => expect(await session.page.evaluate('printed.length')).toBe(3));
      const documents = (await session.page.evaluate('printed')) as { src: string; text: string }[];
      expect(new Set(documents.map(({ text }) => text.slice(0, 5)))).toEqual(new Set(['%PDF-']));
      expect(new Set(documents.map(({ text }) => text)).size).toBe(3);
      expect(await toneOf(print, 'Complete')).toBe('success');
    });

    it('warns in German about a voided certificate', async () => {
      const { gccId } = await shop().productCertificates.get(given.products[7]!.id);
      await session.store.certificates.void(gccId!, { reason: 'Recalled', actor: 'operator' });
      await openProduct(8, 'de');
      const print = await openExtension('Print', 'Zertifikat', 'compliance-print');
      await print.getByRole('alert').getByText('Dieses Zertifikat ist ungültig').waitFor();
      expect(await toneOf(print, 'Ungültig')).toBe('critical');
      await preview(/^Preview: application\/pdf/);
      await checkPage('print-voided-de');
    });

    it('disables printing for a product with only a draft', async () => {
      await openProduct(24);
      const print = await openExtension('Print', 'Certificate', 'compliance-print');
      await print.getByRole('status').getByText('This product doesn’t have a certificate').waitFor();
      await preview(/^Nothing to preview$/);
      expect(await session.page.getByRole('button', { name: 'Print', exact: true }).isDisabled()).toBe(true);
      expect(await badges(print)).toEqual(['Draft']);
      await checkPage('print-draft');
    });
  });
});
