/** A text of a rule: English in every language of the app, with names of code between backticks. */
export const Prose = ({ children }: { readonly children: string }) => (
  <span lang="en" style={{ overflowWrap: 'anywhere' }}>
    {children.split(/(`[^`]+`)/).map((piece, index) =>
      // The pieces of a text have no names, and never change places.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      index % 2 === 1 ? <code key={index}>{piece.slice(1, -1)}</code> : piece,
    )}
  </span>
);
