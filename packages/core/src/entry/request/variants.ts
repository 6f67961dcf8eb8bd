import type { CertificateRequest } from './schema.ts';

type Product = CertificateRequest['product_info'];
type Variant = NonNullable<Product['variants']>[number];

/** Returns the product's variants, each with its field path. */
export function productVariants({ variants = [] }: Product): readonly (readonly [path: string, variant: Variant])[] {
  return variants.map((variant, at) => [`product_info.variants.${at}`, variant]);
}

/**
 * Returns the text that describes the product to consumers: the product name, description, and variant names, each with
 * its field path.
 *
 * @example describingTexts({ ...product, name: 'Helmet', variants: [{ name: 'Ages 5–10', sku: 'S' }] }).map(([, text]) => text)
 */
export function describingTexts(product: Product): readonly (readonly [path: string, text: string])[] {
  const texts = [
    ['product_info.name', product.name],
    ['product_info.description', product.description],
    ...productVariants(product).map(([path, { name }]) => [`${path}.name`, name] as const),
  ] as const;
  return texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
}
