import { describeList } from '../../testing/describe-list.ts';

describeList('kitchen-cabinets-37f', {
  counts: {
    '2025-10-14': 3,
    '2027-01-01': 3,
  },
  covers: [
    ['9403.40.90.60', '2025-10-14'],
    ['9403.91.00.80', '2025-10-14'],
  ],
  doesNotCover: [
    ['9403.40.90.60', '2025-10-13'],
    ['9403.91.00.80', '2025-10-13'],
  ],
});
