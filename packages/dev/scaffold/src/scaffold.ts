/** Kind of code that `pnpm new` can create, such as an operation or a rule. */
export interface Scaffold {
  /** Pattern for valid names. */
  name: RegExp;
  /** Valid example name for the usage message. */
  example: string;
  /** Returns the content of each file to create, by path relative to the repository root. */
  files(name: string): Record<string, string>;
  /** Instructions for the next steps, printed after the files are created. */
  next: string;
}
