// Writes signed sample certificates and the test authority's certificate to a folder.
// Usage: node write-samples.ts FOLDER
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate, markEnded, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { signerFromPkcs12, signPdf, timestampAuthority } from '../../src/index.ts';
import { createTestAuthority, PASSWORD } from '../../src/testing/openssl.ts';
import { sampleContext, sampleReport, sampleRequests } from '../../src/testing/samples.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Specify the folder to write to.');
const authority = createTestAuthority();
cpSync(join(authority.folder, 'ca.pem'), join(folder, 'ca.pem'));
const timestamp = timestampAuthority(await authority.startTimestamps());
const fonts = openFonts(loadFace);
const at = new Date().toISOString();
for (const [name, request] of Object.entries(sampleRequests)) {
  const attachments = name === 'attached' || name === 'combined' ? [sampleReport] : [];
  const pdf = await render(certificate(request, { ...sampleContext, attachments }), fonts, attachments);
  for (const type of ['rsa', 'p256', 'p384'] as const) {
    const signer = await signerFromPkcs12(authority.pkcs12(type), PASSWORD);
    writeFileSync(join(folder, `${name}-${type}-b.pdf`), await signPdf(pdf, signer, { at }));
    const signed = await signPdf(pdf, signer, { at, timestamp });
    writeFileSync(join(folder, `${name}-${type}-t.pdf`), signed);
    const end = { status: 'voided', at, verificationUrl: sampleContext.verificationUrl } as const;
    writeFileSync(join(folder, `${name}-${type}-voided.pdf`), await markEnded(signed, end, fonts));
  }
}
authority.stop();
