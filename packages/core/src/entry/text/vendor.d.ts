// fontkit's published types include Node's globals, which `core` must not use. `fontkit.ts` declares the parts that we
// use.
declare module 'fontkit' {
  export function create(bytes: Uint8Array): unknown;
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
