/** A position in text. Line and column numbers start at 1. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Converts character offsets to line and column numbers, using a binary search of the line starts. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): LineColumn {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(0, offset - this.#starts[low]!) + 1 };
  }
}
