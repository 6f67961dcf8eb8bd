import { describe, expect, it } from 'vitest';
import { toCatalogItem } from './catalog-item.ts';

const node = {
  ...{ id: 'gid://shopify/ProductVariant/1', sku: null, title: 'Default Title', price: '24.00' },
  inventoryItem: { id: 'gid://shopify/InventoryItem/1', harmonizedSystemCode: ' 7318152061 ', countryCodeOfOrigin: '' },
};
const product = { id: 'gid://shopify/Product/1', title: 'Hex bolt', productType: '', featuredMedia: null };

const imageOf = (url: string) =>
  toCatalogItem({ ...node, product: { ...product, featuredMedia: { preview: { image: { url } } } } }, null).imageUrl;

describe('toCatalogItem', () => {
  it('trims codes, and treats empty text as missing', () => {
    expect(toCatalogItem({ ...node, product }, null)).toMatchObject({
      ...{ htsCode: '7318152061', origin: null, productType: null, imageUrl: null, codeFor: 'any' },
    });
  });

  it('keeps only image URLs on Shopify’s CDN', () => {
    const url = 'https://cdn.shopify.com/s/files/1/1/products/bolt.jpg?width=80&height=80';
    expect(imageOf(url)).toBe(url);
    for (const other of [
      ...['http://cdn.shopify.com/a.jpg', 'https://cdn.shopify.com.evil.example/a.jpg', 'https://evil.example/a.jpg'],
      ...['//cdn.shopify.com/a.jpg', 'javascript:alert(1)', 'data:image/svg+xml,<svg/>', ''],
      `https://cdn.shopify.com/${'a'.repeat(1000)}`,
    ])
      expect(imageOf(other), other).toBeNull();
  });
});
