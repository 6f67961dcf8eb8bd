/**
 * Renders rule text, showing code in backticks as code elements. Rule text is always in English, regardless of the app
 * language.
 */
export const RuleText = ({ children }: { readonly children: string }) => (
  <span lang="en" style={{ overflowWrap: 'anywhere' }}>
    {children.split(/(`[^`]+`)/).map((piece, index) =>
      // Using the index as the key is safe, because the text segments never change order.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      index % 2 === 1 ? <code key={index}>{piece.slice(1, -1)}</code> : piece,
    )}
  </span>
);
