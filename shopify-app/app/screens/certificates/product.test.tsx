import { describeStories } from '../testing/describe-stories.ts';
import { STORIES } from './product.stories.tsx';

describeStories('the certificates of a product', STORIES);
