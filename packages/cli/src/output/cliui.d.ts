/** Types for the parts of the cliui API that the CLI uses. The cliui package doesn't include types. */
declare module 'cliui' {
  interface Column {
    text: string;
    width?: number;
    /** Top, right, bottom, and left padding. */
    padding?: number[];
  }
  export default function cliui(options: { width: number; wrap: boolean }): {
    div(...columns: Column[]): void;
    toString(): string;
  };
}
