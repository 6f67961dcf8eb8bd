/** The part of cliui that is used here; the package brings no types. */
declare module 'cliui' {
  interface Column {
    text: string;
    width?: number;
    /** Top, right, bottom, left. */
    padding?: number[];
  }
  export default function cliui(options: { width: number; wrap: boolean }): {
    div(...columns: Column[]): void;
    toString(): string;
  };
}
