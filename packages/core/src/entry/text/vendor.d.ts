declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

// Tests compare our font subsets with fontkit's outlines. fontkit's published types include Node's globals.
declare module 'fontkit' {
  export function create(bytes: Uint8Array): unknown;
}
