import { describeList } from '../../testing/describe-list.ts';

describeList('upholstered-furniture-37d', {
  counts: {
    '2025-10-14': 4,
    '2027-01-01': 4,
  },
  covers: [
    ['9401.61.40.11', '2025-10-14'],
    ['9401.61.60.31', '2025-10-14'],
  ],
  doesNotCover: [
    ['9401.61.40.11', '2025-10-13'],
    ['9401.61.60.31', '2025-10-13'],
  ],
});
