import { describe, expect, it } from 'vitest';
import { ageGroupIn, suggestsChildren } from './age.ts';

describe('ageGroupIn', () => {
  it.each([
    ['Youth helmet, ages 5-10', 5, 10],
    ['Helmet (Ages: 5 – 10)', 5, 10],
    ['Helmet for children aged 5 to 10', 5, 10],
    ['Helmet, age range 3-5 years', 3, 5],
    ['For 8-12 year olds', 8, 12],
    ['Suit for ages 6–18 months', 0.5, 1.5],
    ['Between ages 14 and 99', 14, 99],
    ['Ages 12 and under', 0, 12],
    ['Ages up to 7', 0, 7],
    ['Ages 14 and up', 14, Number.POSITIVE_INFINITY],
    ['Age 3+', 3, Number.POSITIVE_INFINITY],
    ['16 years old and older', 16, Number.POSITIVE_INFINITY],
  ])('reads %s', (text, from, to) => {
    expect(ageGroupIn(text)).toMatchObject({ from, to });
  });

  it.each([
    'Road helmet, size 5-10',
    'Lamp with a warranty of 5-10 years',
    'Table of oak aged 5-10 years',
    'Not for ages 5-10',
    'Not intended for children ages 5-10',
    'Keep out of reach of children ages 5-10',
    'Bandages 5-10 cm',
    'RB-200 5-10',
  ])('doesn’t find ages in %s', text => {
    expect(ageGroupIn(text)).toBeNull();
  });
});

describe('suggestsChildren', () => {
  it.each([
    'Youth helmet',
    'No-slip youth helmet',
    'Toddler bike',
    'Ages 3 and up',
    'Ages 8–99',
    'Baby gate',
    'Kids’ mug',
  ])('finds that %s suggests a children’s product', text => {
    expect(suggestsChildren(text)).toBe(true);
  });

  it.each([
    'Road helmet, ages 14 and up',
    'Helmet for ages 12+',
    'Child-resistant bottle cap',
    'Keep away from children',
    'Not for use by children',
    'This product is not a toy',
    'Baby blue T-shirt',
    'Kid leather gloves',
    'La-Z-Boy recliner',
    'Adult bicycle helmet',
  ])('finds that %s doesn’t suggest a children’s product', text => {
    expect(suggestsChildren(text)).toBe(false);
  });
});
