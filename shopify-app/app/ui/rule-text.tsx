/**
 * Renders rule text, showing code in backticks as code elements.
 *
 * @param lang the text's language, which is English if the text isn't translated
 */
export const RuleText = ({ lang, children }: { readonly lang: string; readonly children: string }) => (
  <span lang={lang} style={{ overflowWrap: 'anywhere' }}>
    {children.split(/(`[^`]+`)/).map((piece, index) =>
      // Using the index as the key is safe, because the text segments never change order.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      index % 2 === 1 ? <code key={index}>{piece.slice(1, -1)}</code> : piece,
    )}
  </span>
);
