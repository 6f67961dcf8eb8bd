import { type PDFContext, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';

/** Structure types used in certificates (ISO 32000-1, 14.8.4). */
export type StructureType =
  | 'Document'
  | 'Part'
  | 'H1'
  | 'H2'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure';

/** A structure tree element. Content is linked by page and marked-content ID, and children are in reading order. */
export class StructureElement {
  readonly type: StructureType;
  readonly kids: (StructureElement | { page: number; mcid: number })[] = [];
  /** A figure's alternative text. */
  alt: string | null = null;
  /** A figure's bounding box on its page. */
  bounds: readonly [number, number, number, number] | null = null;

  constructor(type: StructureType) {
    this.type = type;
  }

  /** Appends a child element and returns it. */
  add(type: StructureType): StructureElement {
    const child = new StructureElement(type);
    this.kids.push(child);
    return child;
  }
}

/**
 * Writes the tree whose top element is `root`, and returns a reference to its StructTreeRoot. `pages` contains the page
 * objects, and page n has key n in the parent tree.
 */
export function writeStructure(context: PDFContext, root: StructureElement, pages: readonly PDFRef[]): PDFRef {
  const treeRef = context.nextRef();
  const parents: PDFRef[][] = pages.map(() => []);

  const write = (element: StructureElement, parent: PDFRef): PDFRef => {
    const ref = context.nextRef();
    const home = element.kids.find(kid => !(kid instanceof StructureElement)) as { page: number } | undefined;
    const kids = element.kids.map(kid => {
      if (kid instanceof StructureElement) return write(kid, ref);
      parents[kid.page]![kid.mcid] = ref;
      // For marked content on the element's own page, only the ID is written, which makes the file smaller and faster
      // to write.
      return kid.page === home?.page ? kid.mcid : context.obj({ Type: 'MCR', Pg: pages[kid.page]!, MCID: kid.mcid });
    });
    const dict = context.obj({ Type: 'StructElem', S: element.type, P: parent, K: kids });
    if (home) dict.set(PDFName.of('Pg'), pages[home.page]!);
    if (element.alt !== null) dict.set(PDFName.of('Alt'), PDFHexString.fromText(element.alt));
    const attributes = attributesOf(element);
    if (attributes) dict.set(PDFName.of('A'), context.obj(attributes));
    context.assign(ref, dict);
    return ref;
  };

  const documentRef = write(root, treeRef);
  const numbers = parents.flatMap((refs, page) => [page, context.register(context.obj(refs))]);
  context.assign(
    treeRef,
    context.obj({
      Type: 'StructTreeRoot',
      K: [documentRef],
      ParentTree: context.obj({ Nums: numbers }),
      ParentTreeNextKey: pages.length,
    }),
  );
  return treeRef;
}

function attributesOf({ type, bounds }: StructureElement) {
  if (type === 'TH') return { O: 'Table', Scope: 'Column' };
  if (type === 'L') return { O: 'List', ListNumbering: 'None' };
  if (bounds) return { O: 'Layout', Placement: 'Block', BBox: [...bounds] };
  return null;
}
