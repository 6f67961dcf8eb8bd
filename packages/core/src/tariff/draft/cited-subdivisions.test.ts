import { expect, it } from 'vitest';
import { citedSubdivisions } from './cited-subdivisions.ts';

it.each([
  ['as provided for in subdivisions (c)(i)–(v) of U.S. note 16', '16(c)(i) 16(c)(ii) 16(c)(iii) 16(c)(iv) 16(c)(v)'],
  [
    'in subdivisions (c)(ii), (iv), (vi)–(viii), (xi) and (e) of U.S. note 16 to this subchapter',
    '16(c)(ii) 16(c)(iv) 16(c)(vi) 16(c)(vii) 16(c)(viii) 16(c)(xi) 16(e)',
  ],
  ['as provided for in subdivision (c)(i) and subdivision (i) of U.S. note 16 to this subchapter', '16(c)(i) 16(i)'],
  ['subdivisions (b), (c), and (d) of U.S. note 44', '44(b) 44(c) 44(d)'],
  ['subdivisions (b)–(d) to U.S. note 44', '44(b) 44(c) 44(d)'],
  ['as provided for in U.S. note 33(g) to this subchapter', '33(g)'],
  ['as provided for in U.S. note 33', ''],
])('returns the subdivisions that the text cites: %s', (text, cited) => {
  expect(citedSubdivisions(text).join(' ')).toBe(cited);
});
