/**
 * Renders a product's image, or an empty frame of the same size if the product has none. The image is decorative,
 * because the product's title is always next to it.
 */
export function ProductImage({ url }: { readonly url: string | null }) {
  return (
    <span
      style={{
        ...{ display: 'inline-block', inlineSize: SIZE, blockSize: SIZE, flexShrink: 0, overflow: 'hidden' },
        ...{ borderRadius: 'var(--p-border-radius-200)', background: 'var(--p-color-bg-surface-secondary)' },
      }}
    >
      {url !== null && (
        <img src={url} alt="" width={SIZE} height={SIZE} loading="lazy" style={{ objectFit: 'contain' }} />
      )}
    </span>
  );
}

/** Width and height in CSS pixels. */
const SIZE = 40;
