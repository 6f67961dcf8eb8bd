import { AFRelationship, type PDFDocument, PDFHexString, utf8Encode } from 'pdf-lib';
import type { CertificateRecord } from '../record/certificate.ts';

/**
 * What a file claims to be. PDF/A-1b is for proofs alone: it has no place for the record, and asks for things that later parts
 * dropped.
 */
export type Conformance = 'PDF/A-3u' | 'PDF/A-1b';

/** The name of the record inside the PDF. */
const ATTACHMENT = 'gcc.json';

/**
 * Makes a drawn document a PDF/A file: title, language, dates, XMP, output intent and a fixed file identifier. PDF/A-3u is
 * PDF/UA-1 too, and has the record as an associated file. Call it last.
 */
export async function addMetadata(
  document: PDFDocument,
  record: CertificateRecord,
  conformance: Conformance,
): Promise<void> {
  const { context } = document;
  const issued = new Date(record.issued_at);
  const identifier = PDFHexString.of(record.id.replaceAll('-', '').toLowerCase());
  context.trailerInfo.ID = context.obj([identifier, identifier]);

  document.setTitle(`General Certificate of Conformity ${record.id}`, { showInWindowTitleBar: true });
  if (record.certifying_party) document.setAuthor(record.certifying_party.name);
  document.setSubject(record.request.product_info.name);
  document.setCreator('Portfolio Compliance');
  document.setProducer('Portfolio Compliance');
  document.setCreationDate(issued);
  document.setModificationDate(issued);
  document.setLanguage('en-US');

  if (conformance === 'PDF/A-1b') return document.convertToPDFA({ conformance: '1B' });
  await document.attach(utf8Encode(`${JSON.stringify(attachedRecord(record), null, 2)}\n`, false), ATTACHMENT, {
    mimeType: 'application/json',
    description: 'This certificate as data',
    creationDate: issued,
    modificationDate: issued,
    afRelationship: AFRelationship.Data,
  });
  document.convertToPDFA({ conformance: '3U', extensions: [UA_SCHEMA, UA_PART] });
}

/** The record without the importer number, which identifies a business to customs and is nobody else's concern. */
function attachedRecord(record: CertificateRecord): unknown {
  const { certifier, ...request } = record.request;
  if (!certifier) return record;
  const { importer_of_record_number: _, ...shown } = certifier;
  return { ...record, request: { ...request, certifier: shown } };
}

const UA_PART =
  '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>';

// PDF/A wants every namespace that it does not define to be described.
const UA_SCHEMA = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
