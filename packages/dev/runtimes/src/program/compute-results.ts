// Computes results with the published packages. The tests run this program in every runtime and compare the results.
import { Compliance, type GccGenerateResponse } from '@compliance/client';
import { certificate, openFonts, render } from '@compliance/core/entry';
import { scan } from '@compliance/core/pixel';
import { lookup } from '@compliance/core/tariff';
import { latin } from '@compliance/fonts-latin';

const asOf = '2026-10-01';
const codes = ['7318.15.2061', '8302.41.60', '0101.21.00', 'abc'];

const request = {
  product_info: {
    name: 'Road Bicycle Helmet Ω Ж',
    date_of_manufacture: '2026-09-14',
    place_of_manufacture: 'Porto, Portugal',
  },
  manufacturer: { name: 'Velo Safety', address: '12 Harbor Road, Porto, Portugal', contact_email: 'qa@velo.example' },
  testing_lab: { name: 'Pacific Test Laboratories', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

/** Name with combining marks, which require the text shaper. */
const shapedName = 'Helmet x\u0302 q\u0323';

async function pdfHash(name: string) {
  const record = certificate(
    { ...request, product_info: { ...request.product_info, name } },
    {
      id: '3f8e6a52-1c7b-4f7e-9a54-0d1b2c3e4f5a',
      issuedAt: '2026-10-01T09:00:00Z',
      today: asOf,
      verificationUrl: 'https://shop.example/certificates/3f8e6a52',
    },
  );
  const pdf = await render(record, openFonts(latin));
  return { pdf, hash: await sha256(pdf) };
}

async function sha256(bytes: Uint8Array) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Calls the client with a stub service. */
async function callClient(pdf: Uint8Array, hash: string) {
  const responses = [{ results: [{ code: codes[0], status: 'hit' }] }];
  const client = new Compliance({
    apiKey: 'key',
    baseURL: 'https://compliance.example',
    fetch: async url =>
      String(url).endsWith('.pdf') ? new Response(pdf as Uint8Array<ArrayBuffer>) : Response.json(responses.shift()),
  });
  const { results } = await client.tariff.hts.lookup(codes.slice(0, 1));
  const gcc = { gcc_pdf_url: 'https://compliance.example/gcc.pdf', pdf_sha256: hash } as GccGenerateResponse;
  return { status: results[0]?.status, bytes: (await client.downloadCertificate(gcc)).length };
}

/**
 * Returns the results that the packages compute. A runtime that doesn't allow programs to compile WebAssembly can't
 * shape text.
 */
export async function computeResults({ canShapeText }: { readonly canShapeText: boolean }): Promise<object> {
  const { pdf, hash } = await pdfHash(request.product_info.name);
  const url = 'https://shop.example/';
  const html = '<script>ga("create", "UA-12345-1")</script>';
  const page = { url, finalUrl: url, status: 200, headers: {}, html, scripts: [], truncated: false, notes: [] };
  return {
    lookup: lookup(codes, { asOf, origin: 'JP' }),
    findings: scan(page, { asOf }).findings,
    pdf: hash,
    shapedPdf: canShapeText ? (await pdfHash(shapedName)).hash : null,
    client: await callClient(pdf, hash),
  };
}
