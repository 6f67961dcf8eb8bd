import { strFromU8, strToU8 } from 'fflate';
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import { setFileVersion, versionOfTime } from './file-identifier.ts';

/** Details for preparing a signature. */
export interface SignatureFacts {
  /** Signing time as claimed by the signer (RFC 3339, UTC). */
  readonly at: string;
  /** Name of the person or organization that signs. */
  readonly name: string;
  /** Maximum size of the CMS signature, in bytes. */
  readonly space: number;
}

/** A certificate PDF with a signature placeholder. */
export interface PreparedSignature {
  /** The file, with zeros in the space reserved for the signature. */
  readonly pdf: Uint8Array;
  /** The two parts of the file that the signature covers, each as an offset and a length. */
  readonly byteRange: readonly [number, number, number, number];
}

/** Placeholder for the byte range, which isn't known until the file is written. */
const BYTE_RANGE = '[0 ********** ********** **********]';

/**
 * Adds an empty PAdES signature to a certificate PDF. The result is the original file followed by an incremental update
 * (ISO 32000-1, 7.5.6). It's still tagged and conforms to PDF/A-3u and PDF/UA-1. The signature field isn't visible, but
 * screen readers announce it. Sign {@link signedBytes}, and pass the CMS signature to {@link embedSignature}.
 *
 * @param pdf a file from `render`. The file isn't modified.
 * @throws Error if the file isn't a tagged PDF from this package, or if it already has a form
 */
export async function prepareSignature(
  pdf: Uint8Array,
  { at, name, space }: SignatureFacts,
): Promise<PreparedSignature> {
  const document = await PDFDocument.load(pdf, {
    ...{ updateMetadata: false, forIncrementalUpdate: true, parseSpeed: ParseSpeeds.Fastest },
  });
  const { context, catalog } = document;
  if (catalog.get(PDFName.of('AcroForm'))) throw new Error('the file already has a form or a signature');
  const changed = context.snapshot!;
  const page = document.getPage(0);
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: PDFInvalidObject.of(strToU8(BYTE_RANGE)),
      Contents: PDFHexString.of('0'.repeat(2 * space)),
      M: PDFString.fromDate(new Date(at)),
      Name: PDFHexString.fromText(name),
    }),
  );
  const structure = catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
  const key = structure.lookup(PDFName.of('ParentTreeNextKey'), PDFNumber).asNumber();
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of('Signature'),
      TU: PDFHexString.fromText(`Digital signature by ${name}`),
      V: signature,
      P: page.ref,
      // The flags are Print (4) and Locked (128). The field has no area, so it doesn't need an appearance.
      F: 4 + 128,
      Rect: [0, 0, 0, 0],
      StructParent: key,
    }),
  );
  page.node.set(PDFName.of('Annots'), context.obj([widget]));
  catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [widget], SigFlags: 3 }));
  tagLast(document, structure, { widget, page: page.ref, key });
  changed.markRefForSave(page.ref);
  changed.markObjForSave(catalog);
  setFileVersion(context, versionOfTime(at));
  return withByteRange(await document.save({ objectsPerTick: Number.POSITIVE_INFINITY }), pdf.length);
}

/** Adds the signature field to the structure tree as the last child of the `Document` element. */
function tagLast(
  { catalog, context }: PDFDocument,
  structure: PDFDict,
  { widget, page, key }: { widget: PDFRef; page: PDFRef; key: number },
): void {
  const root = structure.lookup(PDFName.of('K'), PDFArray).get(0) as PDFRef;
  const kid = context.obj({ Type: 'OBJR', Obj: widget, Pg: page });
  const form = context.register(context.obj({ Type: 'StructElem', S: 'Form', P: root, Pg: page, K: [kid] }));
  context.lookup(root, PDFDict).lookup(PDFName.of('K'), PDFArray).push(form);
  const numbers = structure.lookup(PDFName.of('ParentTree'), PDFDict).lookup(PDFName.of('Nums'), PDFArray);
  numbers.push(PDFNumber.of(key));
  numbers.push(form);
  structure.set(PDFName.of('ParentTreeNextKey'), PDFNumber.of(key + 1));
  context.snapshot!.markRefsForSave([root, catalog.get(PDFName.of('StructTreeRoot')) as PDFRef]);
}

/** Writes the byte range into a saved file. `from` is the offset of the incremental update. */
function withByteRange(pdf: Uint8Array, from: number): PreparedSignature {
  const update = strFromU8(pdf.subarray(from), true);
  const range = from + update.indexOf(BYTE_RANGE);
  const start = from + update.indexOf('<', update.indexOf('/Contents', range - from));
  const end = from + update.indexOf('>', start - from) + 1;
  const byteRange = [0, start, end, pdf.length - end] as const;
  pdf.set(strToU8(`[${byteRange.join(' ')}]`.padEnd(BYTE_RANGE.length)), range);
  return { pdf, byteRange };
}

/**
 * Returns the bytes that a signature covers: the whole file except the signature.
 *
 * @example const cms = await createCms(signedBytes(prepared), signer);
 */
export function signedBytes({ pdf, byteRange: [, length, start] }: PreparedSignature): Uint8Array {
  const bytes = new Uint8Array(length + pdf.length - start);
  bytes.set(pdf.subarray(0, length));
  bytes.set(pdf.subarray(start), length);
  return bytes;
}

/**
 * Returns the signed file.
 *
 * @param cms a detached CMS signature over {@link signedBytes}, in DER format.
 * @throws RangeError if the signature is larger than the space reserved for it.
 */
export function embedSignature({ pdf, byteRange: [, start, end] }: PreparedSignature, cms: Uint8Array): Uint8Array {
  const space = (end - start - 2) / 2;
  if (cms.length > space)
    throw new RangeError(`the signature is ${cms.length} bytes, but only ${space} bytes are reserved for it`);
  const digits = Array.from(cms, byte => byte.toString(16).padStart(2, '0')).join('');
  const signed = pdf.slice();
  signed.set(strToU8(digits), start + 1);
  return signed;
}
