// The published types of fontkit pull Node's globals in, which `core` must not see; `fontkit.ts` says what is used of it.
declare module 'fontkit' {
  export function create(bytes: Uint8Array): unknown;
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
