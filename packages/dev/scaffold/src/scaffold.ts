/** Kind of file set that `pnpm new` can create. */
export interface Scaffold {
  /** Pattern of valid names. */
  name: RegExp;
  /** Valid example name for the usage message. */
  example: string;
  /** Returns the texts of the files to create, by path relative to the repository root. */
  files(name: string): Record<string, string>;
  /** Returns instructions for the next step. */
  next: string;
}
