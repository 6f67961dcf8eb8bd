import { AFRelationship, type PDFDocument, PDFHexString, utf8Encode } from 'pdf-lib';
import { certificateKind, KINDS } from '../kinds/kinds.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import type { Conformance } from './conformance.ts';

/**
 * Converts a drawn document to PDF/A by adding the title, language, dates, XMP, output intent, and a file identifier
 * derived from the certificate ID. PDF/A-3u files also conform to PDF/UA-1 and contain the record as an associated
 * file. Call this function after all other changes to the document.
 */
export async function addMetadata(
  document: PDFDocument,
  record: CertificateRecord,
  title: string,
  conformance: Conformance,
): Promise<void> {
  const { context } = document;
  const issued = new Date(record.issued_at);
  const identifier = PDFHexString.of(record.id.replaceAll('-', '').toLowerCase());
  context.trailerInfo.ID = context.obj([identifier, identifier]);

  document.setTitle(`${title} ${record.id}`, { showInWindowTitleBar: true });
  if (record.certifying_party) document.setAuthor(record.certifying_party.name);
  document.setSubject(record.request.product_info.name);
  document.setCreator('Portfolio Compliance');
  document.setProducer('Portfolio Compliance');
  document.setCreationDate(issued);
  document.setModificationDate(issued);
  document.setLanguage('en-US');

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
  document.convertToPDFA({ conformance: '3U', extensions: [UA_SCHEMA, UA_PART] });
}

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
