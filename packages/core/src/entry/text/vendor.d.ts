declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

// Tests compare our font subsets with outlines from fontkit. This declaration replaces the published fontkit types,
// because those types include Node's globals.
declare module 'fontkit' {
  export function create(bytes: Uint8Array): unknown;
}
