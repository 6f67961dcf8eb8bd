import { AFRelationship, type PDFDocument, PDFHexString, utf8Encode } from 'pdf-lib';
import type { AttachmentFile } from '../attachments/attachments.ts';
import { certificateKind, KINDS } from '../kinds/kinds.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import type { Conformance } from './conformance.ts';

/**
 * Converts a drawn document to PDF/A by adding the title, language, dates, XMP, output intent, and a file identifier
 * derived from the certificate ID. PDF/A-3u files also conform to PDF/UA-1 and contain the record and the attachments
 * as associated files. Call this function after all other changes to the document.
 */
export async function addMetadata(
  document: PDFDocument,
  record: CertificateRecord,
  { title, conformance, files }: { title: string; conformance: Conformance; files: readonly AttachmentFile[] },
): Promise<void> {
  const issued = new Date(record.issued_at);
  setInformation(document, {
    id: record.id.replaceAll('-', ''),
    title: `${title} ${record.id}`,
    author: record.certifying_party?.name ?? null,
    subject: record.request.product_info.name,
    date: issued,
  });
  if (conformance === 'PDF/A-1b') return document.convertToPDFA({ conformance: '1B' });
  await document.attach(
    utf8Encode(`${JSON.stringify(attachedRecord(record), null, 2)}\n`, false),
    KINDS[certificateKind(record)].attachment,
    {
      mimeType: 'application/json',
      description: 'Machine-readable copy of this certificate',
      creationDate: issued,
      modificationDate: issued,
      afRelationship: AFRelationship.Data,
    },
  );
  for (const [at, { filename, media_type }] of (record.attachments ?? []).entries()) {
    await document.attach(files[at]!.bytes, asciiName(filename, at), {
      mimeType: media_type,
      description: filename,
      creationDate: issued,
      modificationDate: issued,
      afRelationship: AFRelationship.Supplement,
    });
  }
  convertToPdfA3(document);
}

/** PDF document information. `id` is the file identifier (32 hex digits). */
interface FileInformation {
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly subject: string;
  readonly date: Date;
}

/** Sets a file's identifier, title, author, subject, dates, and language. */
export function setInformation(document: PDFDocument, { id, title, author, subject, date }: FileInformation): void {
  const { context } = document;
  const identifier = PDFHexString.of(id.toLowerCase());
  context.trailerInfo.ID = context.obj([identifier, identifier]);
  document.setTitle(title, { showInWindowTitleBar: true });
  if (author !== null) document.setAuthor(author);
  document.setSubject(subject);
  document.setCreator('Portfolio Compliance');
  document.setProducer('Portfolio Compliance');
  document.setCreationDate(date);
  document.setModificationDate(date);
  document.setLanguage('en-US');
}

/** Converts a document to PDF/A-3u and PDF/UA-1. Call this function after all other changes to the document. */
export function convertToPdfA3(document: PDFDocument): void {
  document.convertToPDFA({ conformance: '3U', extensions: [UA_SCHEMA, UA_PART] });
}

/**
 * Returns a filename for an attachment. The library doesn't escape filenames, so characters other than ASCII letters,
 * digits, periods, underscores, and hyphens are replaced with underscores. The attachment number at the start keeps
 * filenames unique.
 */
const asciiName = (filename: string, at: number) => `${at + 1}-${filename.replace(/[^A-Za-z0-9._-]+/g, '_')}`;

/**
 * Returns the record without the importer number, which identifies a business to U.S. customs and must not be
 * published.
 */
function attachedRecord(record: CertificateRecord): unknown {
  const { certifier, ...request } = record.request;
  if (!certifier) return record;
  const { importer_of_record_number: _, ...shown } = certifier;
  return { ...record, request: { ...request, certifier: shown } };
}

const UA_PART =
  '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>';

// PDF/A requires a schema description for every XMP namespace that the standard doesn't define.
const UA_SCHEMA = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
