import { describeStories } from '../testing/describe-stories.ts';
import { STORIES } from './variant.stories.tsx';

describeStories('the variant', STORIES);
