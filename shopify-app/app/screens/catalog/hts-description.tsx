/** Shows a code's official descriptions, from the heading down. The HTS is in English, so the text isn't translated. */
export const HtsDescription = ({ rows }: { readonly rows: readonly string[] }) => (
  <span lang="en">{rows.join(' › ')}</span>
);
