import { describeList } from '../../testing/describe-list.ts';

describeList('autos-33b', {
  counts: {
    '2025-04-03': 17,
  },
  covers: [
    ['8703.22.01', '2025-04-03'],
    ['8704.60.00', '2025-04-03'],
  ],
  doesNotCover: [
    ['8703.22.01', '2025-04-02'],
    ['8704.60.00', '2025-04-02'],
  ],
});
